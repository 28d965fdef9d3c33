import type { DatabaseSync } from 'node:sqlite'
import { type LinkerRow, LOOKED_AT, linkersIn, linkName } from '../member.ts'
import type { StoredClass } from '../migration/plan.ts'
import type { Added, Changed, Compute, Link, NewMember, Refused, Removed, StoredMember } from '../store.ts'
import { arrays } from './connection.ts'
import { createKeyRows, type Tables } from './tables.ts'

type Row = [sequence: number, version: number, owner: number | null, string, string, hidden: string]

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

      const { owner } = member
      const version = nextVersion(1, owner)
      const inserted = statements.insert.run(id, version, body, holes, hidden, owner ?? null)
      const sequence = Number(inserted.lastInsertRowid)
      links.add(name, id, member.links)
      keys.add(sequence, member.keys, owner)
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
      const { owner } = stored
      const version = nextVersion(0, undefined)
      statements.update.run(version, body, holes, hidden, sequence)
      links.replace(name, id, written.links)
      keys.remove(sequence)
      keys.add(sequence, written.keys, owner)
      return { outcome: 'changed', member: { id, version, body, holes, owner } }
    },

    /** `owner`: whose it must be; undefined for anyone's. */
    remove(id: string, expected: readonly number[] | undefined, owner: number | undefined): Removed {
      const current = find(id)
      if (current === undefined || (owner !== undefined && current.owner !== owner))
        return { outcome: 'missing' }
      const { sequence, version } = current
      if (!isExpected(current, expected)) return { outcome: 'stale', version }
      const from = links.linkers(name, id)
      if (from.length > 0) return { outcome: 'linked', from }

      nextVersion(-1, current.owner)
      statements.remove.run(sequence)
      links.remove(name, id)
      keys.remove(sequence)
      return { outcome: 'removed' }
    },
  }

  function find(id: string) {
    const row = statements.find.get(id) as unknown as Row | undefined
    if (row === undefined) return undefined
    const [sequence, version, owner, body, holes, hidden] = row
    return { id, sequence, version, body, holes, hidden, owner: owner ?? undefined }
  }

  /** `sequence`: of the member as it is stored, undefined for a new one. */
  function refusal(member: NewMember, sequence: number | undefined): Refused | undefined {
    const isItself = (link: Link) => link.className === name && link.id === member.id
    const dangling = member.links.filter((link) => !isItself(link) && !links.hasTarget(link, name, member.id))
    const taken = keys.taken(member.keys, sequence)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  }

  /** Every change of a class takes a new version number, removals included. */
  function nextVersion(more: number, owner: number | undefined): number {
    onChange()
    statements.count.run(more, tables.classId)
    if (owner !== undefined) statements.countOfOwner.run(tables.classId, owner, more)
    return (statements.version.get(tables.classId) as unknown as [number])[0]
  }
}

const isExpected = ({ version }: StoredMember, expected: readonly number[] | undefined): boolean =>
  expected === undefined || expected.includes(version)

const prepare = (db: DatabaseSync, { members }: Tables) => ({
  find: arrays(db, `SELECT sequence, version, owner, body, holes, hidden FROM ${members} WHERE id = ?`),
  insert: arrays(
    db,
    `INSERT INTO ${members} (id, version, body, holes, hidden, owner) VALUES (?, ?, ?, ?, ?, ?)`,
  ),
  update: arrays(db, `UPDATE ${members} SET version = ?, body = ?, holes = ?, hidden = ? WHERE sequence = ?`),
  remove: arrays(db, `DELETE FROM ${members} WHERE sequence = ?`),
  // Without RETURNING, which opens a savepoint of its own, at which FTS5 writes down what it has gathered: half the
  // price of a member in bulk.
  count: arrays(db, 'UPDATE classes SET total = total + ?, version = version + 1 WHERE id = ?'),
  countOfOwner: arrays(
    db,
    'INSERT INTO owner_totals VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total',
  ),
  version: arrays(db, 'SELECT version FROM classes WHERE id = ?'),
})

export type LinkRows = ReturnType<typeof createLinkRows>

/** The links between members. */
export function createLinkRows(db: DatabaseSync, stored: readonly StoredClass[]) {
  const targets = new Map(
    stored.map(({ name, id }) => [name, arrays(db, `SELECT 1 FROM members_${id} WHERE id = ?`)]),
  )
  // From the row of its keys: in that of the member, the owner stands behind all the text.
  const owners = new Map(
    stored.map(({ name, id }) => {
      const text = `SELECT k.owner FROM members_${id} m CROSS JOIN keys_${id} k ON k.sequence = m.sequence WHERE m.id = ?`
      return [name, arrays(db, text)]
    }),
  )
  const ownerOf = (className: string, id: string): number | undefined =>
    (owners.get(className)?.get(id) as unknown as [number | null] | undefined)?.[0] ?? undefined
  const ofMember = arrays(
    db,
    'SELECT 1 FROM links WHERE to_class = ? AND to_id = ? AND from_class = ? AND property = ? AND from_id = ?',
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
    /** Whether it leads somewhere, for the user who writes the member with this id. */
    hasTarget({ className, id, property, targetOwner }: Link, fromClass: string, fromId: string): boolean {
      if (targets.get(className)?.get(id) === undefined) return false
      if (targetOwner === undefined || ownerOf(className, id) === targetOwner) return true
      return ofMember.get(className, id, fromClass, property, fromId) !== undefined
    },
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
      linkersIn(linkers.all(className, id, className, id) as unknown as LinkerRow[], ownerOf),
  }
}
