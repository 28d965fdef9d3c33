import type { DatabaseSync } from 'node:sqlite'
import { type LinkerRow, LOOKED_AT, linkersIn, linkName } from '../member.ts'
import type { StoredClass } from '../migration/plan.ts'
import type { Added, Changed, Compute, Link, NewMember, Refused, Removed, StoredMember } from '../store.ts'
import { arrays } from './connection.ts'
import { createKeyRows, type Tables } from './tables.ts'

type Row = [sequence: number, version: number, body: string, holes: string, hidden: string]

interface WrittenClass {
  readonly name: string
  readonly tables: Tables
  readonly links: LinkRows
  /** Called within each transaction that changes the class. */
  readonly onChange: () => void
}

/** Changes of the members of one class, each made within a transaction of the writer. */
export function createWrites(db: DatabaseSync, { name, tables, links, onChange }: WrittenClass) {
  const statements = prepare(db, tables)
  const keys = createKeyRows(db, tables)

  return {
    add(member: NewMember): Added {
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

    change(id: string, expected: readonly number[] | undefined, compute: Compute): Changed {
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

    remove(id: string, expected: readonly number[] | undefined): Removed {
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

export type LinkRows = ReturnType<typeof createLinkRows>

/** The links between members. */
export function createLinkRows(db: DatabaseSync, stored: readonly StoredClass[]) {
  const targets = new Map(
    stored.map(({ name, id }) => [name, arrays(db, `SELECT 1 FROM members_${id} WHERE id = ?`)]),
  )
  const insert = arrays(
    db,
    'INSERT INTO links (to_class, to_id, from_class, property, from_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const ofSource = arrays(
    db,
    'SELECT to_class, to_id, property FROM links WHERE from_class = ? AND from_id = ?',
  )
  const removeOf = arrays(db, 'DELETE FROM links WHERE from_class = ? AND from_id = ?')
  const linkers = arrays(
    db,
    `SELECT from_class, from_id, property FROM links
     WHERE to_class = ? AND to_id = ? AND NOT (from_class = ? AND from_id = ?) LIMIT ${LOOKED_AT}`,
  )

  function add(className: string, id: string, links: readonly Link[]): void {
    for (const link of links) insert.run(link.className, link.id, className, link.property, id)
  }

  return {
    hasTarget: (link: Link): boolean => targets.get(link.className)?.get(link.id) !== undefined,
    add,
    /** Writes nothing where they are the same. */
    replace(className: string, id: string, links: readonly Link[]): void {
      const stored = ofSource.all(className, id) as unknown as [string, string, string][]
      const before = stored.map(([toClass, toId, property]) =>
        linkName({ property, className: toClass, id: toId }),
      )
      const after = new Set(links.map(linkName))
      if (before.length === after.size && before.every((link) => after.has(link))) return
      removeOf.run(className, id)
      add(className, id, links)
    },
    remove(className: string, id: string): void {
      removeOf.run(className, id)
    },
    /** Which members link to a member, other than itself: its links to itself do not keep it. */
    linkers: (className: string, id: string) =>
      linkersIn(linkers.all(className, id, className, id) as unknown as LinkerRow[]),
  }
}
