import type { DatabaseSync } from 'node:sqlite'
import type {
  Added,
  Changed,
  Link,
  NewMember,
  Refused,
  Removed,
  StoredMember,
  WholeText,
  Written,
} from '../store.ts'
import { arrays } from './connection.ts'
import { createKeyRows } from './key-rows.ts'
import type { LinkRows } from './links.ts'
import type { Tables } from './tables.ts'

/** Changes of the members of one class, each made within a transaction of the writer. */
export interface Writes {
  add(member: NewMember): Added
  change(
    id: string,
    expected: readonly number[] | undefined,
    compute: (current: StoredMember & WholeText) => Written,
  ): Changed
  remove(id: string, expected: readonly number[] | undefined): Removed
}

type Row = [sequence: number, version: number, body: string, holes: string, hidden: string]

export interface WritesParts {
  readonly db: DatabaseSync
  /** Of the class. */
  readonly name: string
  readonly tables: Tables
  readonly links: LinkRows
  /** Called within each transaction that changes the class. */
  readonly onChange: () => void
}

export function createWrites({ db, name, tables, links, onChange }: WritesParts): Writes {
  const statements = prepare(db, tables)
  const keys = createKeyRows(db, tables)

  return {
    add(member) {
      const { id, body, holes, hidden } = member
      if (find(id) !== undefined) return { outcome: 'exists' }
      const refused = refusal(member, undefined)
      if (refused !== undefined) return refused

      const version = nextVersion(1)
      const sequence = Number(statements.insert.run(id, version, body, holes, hidden).lastInsertRowid)
      links.add(name, id, member.links)
      keys.add(sequence, member.keys)
      return { outcome: 'added', version }
    },

    change(id, expected, compute) {
      const current = find(id)
      if (current === undefined) return { outcome: 'missing' }
      const { sequence, ...stored } = current
      if (!isExpected(stored, expected)) return { outcome: 'stale', version: stored.version }
      const written = compute(stored)
      const refused = refusal({ ...written, id }, sequence)
      if (refused !== undefined) return refused

      const { body, holes, hidden } = written
      const version = nextVersion(0)
      statements.update.run(version, body, holes, hidden, sequence)
      links.replace(name, id, written.links)
      keys.remove(sequence)
      keys.add(sequence, written.keys)
      return { outcome: 'changed', member: { id, version, body, holes } }
    },

    remove(id, expected) {
      const current = find(id)
      if (current === undefined) return { outcome: 'missing' }
      const { sequence, version } = current
      if (!isExpected(current, expected)) return { outcome: 'stale', version }
      const from = links.linkers(name, id)
      if (from.length > 0) return { outcome: 'linked', from }

      nextVersion(-1)
      statements.remove.run(sequence)
      links.remove(name, id)
      keys.remove(sequence)
      return { outcome: 'removed' }
    },
  }

  function find(id: string) {
    const row = statements.find.get(id) as unknown as Row | undefined
    if (row === undefined) return undefined
    const [sequence, version, body, holes, hidden] = row
    return { id, sequence, version, body, holes, hidden }
  }

  /** `sequence`: of the member as it is stored, undefined for a new one. */
  function refusal(member: NewMember, sequence: number | undefined): Refused | undefined {
    const isItself = (link: Link) => link.className === name && link.id === member.id
    const dangling = member.links.filter((link) => !isItself(link) && !links.hasTarget(link))
    const taken = keys.taken(member.keys, sequence)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  }

  /** Every change of a class takes a new version number, removals included. */
  function nextVersion(more: number): number {
    onChange()
    statements.count.run(more, tables.classId)
    return (statements.version.get(tables.classId) as unknown as [number])[0]
  }
}

const isExpected = ({ version }: StoredMember, expected: readonly number[] | undefined): boolean =>
  expected === undefined || expected.includes(version)

const prepare = (db: DatabaseSync, { members }: Tables) => ({
  find: arrays(db, `SELECT sequence, version, body, holes, hidden FROM ${members} WHERE id = ?`),
  insert: arrays(db, `INSERT INTO ${members} (id, version, body, holes, hidden) VALUES (?, ?, ?, ?, ?)`),
  update: arrays(db, `UPDATE ${members} SET version = ?, body = ?, holes = ?, hidden = ? WHERE sequence = ?`),
  remove: arrays(db, `DELETE FROM ${members} WHERE sequence = ?`),
  // Without RETURNING, which opens a savepoint of its own, at which FTS5 writes down what it has gathered: half the
  // price of a member in bulk.
  count: arrays(db, 'UPDATE classes SET total = total + ?, version = version + 1 WHERE id = ?'),
  version: arrays(db, 'SELECT version FROM classes WHERE id = ?'),
})
