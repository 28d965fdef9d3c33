import type { DatabaseSync } from 'node:sqlite'
import { AHEAD_MS } from '../../../database/index.ts'
import { type ArrayStatement, arrays } from '../../../database/sqlite/connection.ts'
import { CHANGE_KINDS, type Change } from '../../changes.ts'
import { type ImportedEntry, linksText } from '../../history.ts'
import { keyOfMember, type MemberContent, type MemberName } from '../../member.ts'
import type { SqliteTables } from '../tables.ts'

/**
 * The text is at the end of a row, so that the rest is read without it. A version is issued once in a class, so it is the
 * number of the row, which each index has at its end: the entries of a member are in the order of its versions.
 *
 * - `gone`: 1 for the removal of a member that does not exist now, which is its last entry; null for all other entries
 * - `links`: as `linksText` writes them
 */
export const createHistoryTable = (table: string): string => `
  CREATE TABLE ${table} (
    version INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    kind INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor INTEGER,
    owner INTEGER,
    gone INTEGER,
    links TEXT NOT NULL,
    holes TEXT NOT NULL,
    hidden TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ${table}_by_member ON ${table} (id);
  CREATE INDEX ${table}_removals ON ${table} (id) WHERE kind = ${CHANGE_KINDS.indexOf('delete')};
  CREATE INDEX ${table}_by_age ON ${table} (at);
  CREATE INDEX ${table}_gone ON ${table} (gone) WHERE gone = 1;
  CREATE INDEX ${table}_gone_of_owner ON ${table} (owner) WHERE gone = 1;
`

/** A change of a member, as the log and the history record it. */
export type RecordedChange = Pick<Change, 'id' | 'version' | 'owner' | 'actor' | 'at'>

export interface HistoryRows {
  add(kind: 'create' | 'update', change: RecordedChange, content: MemberContent): void
  /** Called before the rows of the member are removed. */
  addRemoval(change: RecordedChange, sequence: number): void
  /** `exists`: whether the member exists now. */
  addImported(version: number, entry: EntryToAdd, exists: boolean): void
  removeUpTo(id: string, last: number): void
}

/** An entry from elsewhere with its links, as `linksText` writes them. */
export interface EntryToAdd extends ImportedEntry {
  readonly links: string
}

/** Writes entries in the transactions of their changes. Undefined if the class has no history: its writes do nothing more. */
export function createHistoryRows(
  db: DatabaseSync,
  name: string,
  { history, members }: SqliteTables,
  unlinked: UnlinkedMembers,
): HistoryRows | undefined {
  if (history === undefined) return undefined
  const { table } = history
  const columns = 'version, id, kind, at, actor, owner, gone, links, holes, hidden, body'
  const insert = arrays(db, `INSERT INTO ${table} (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertRemoval = arrays(
    db,
    `INSERT INTO ${table} (${columns})
     SELECT ?1, id, ${CHANGE_KINDS.indexOf('delete')}, ?2, ?3, owner, 1, ?4, holes, hidden, body
     FROM ${members} WHERE sequence = ?5`,
  )
  const bringBack = arrays(
    db,
    `UPDATE ${table} SET gone = NULL WHERE gone = 1
       AND version = (SELECT version FROM ${table} WHERE id = ? ORDER BY version DESC LIMIT 1)`,
  )

  const remove = arrays(db, `DELETE FROM ${table} WHERE id = ? AND version <= ?`)

  function write(version: number, entry: EntryToAdd, gone: 1 | null): void {
    const { id, kind, at, actor = null, owner = null, links, baseUrlOffsets, hidden, body } = entry
    const number = CHANGE_KINDS.indexOf(kind)
    insert.run(version, id, number, at, actor, owner, gone, links, baseUrlOffsets, hidden, body)
  }

  return {
    add(kind, change, content) {
      if (kind === 'create') bringBack.run(change.id)
      write(change.version, { ...content, ...change, kind, links: linksText(content.links) }, null)
    },
    addRemoval({ id, version, actor = null, at }, sequence) {
      insertRemoval.run(version, at, actor, unlinked.linksOf({ className: name, id }), sequence)
    },
    addImported(version, entry, exists) {
      bringBack.run(entry.id)
      write(version, entry, entry.kind === 'delete' && !exists ? 1 : null)
    },
    removeUpTo: (id, last) => void remove.run(id, last),
  }
}

/** The links of members that the running batch has removed from the index of links (`unlink`), and removes next. */
export interface UnlinkedMembers {
  /** Called before the links are removed. */
  keep(member: MemberName): void
  /** The links of a member that is about to be removed, as `linksText` writes them. */
  linksOf(member: MemberName): string
  clear(): void
}

export function createUnlinkedMembers(db: DatabaseSync): UnlinkedMembers {
  const kept = new Map<string, string>()
  let ofSource: ArrayStatement | undefined

  function read({ className, id }: MemberName): string {
    ofSource ??= arrays(
      db,
      'SELECT property, to_class, to_id FROM links WHERE from_class = ? AND from_id = ?',
    )
    const rows = ofSource.all<[string, string, string]>(className, id)
    return linksText(rows.map(([property, toClass, toId]) => ({ property, className: toClass, id: toId })))
  }

  return {
    keep: (member) => kept.set(keyOfMember(member), read(member)),
    linksOf: (member) => kept.get(keyOfMember(member)) ?? read(member),
    clear: () => kept.clear(),
  }
}

/**
 * Removes up to `limit` entries that are older than their class keeps them, the oldest of each class first. An entry later
 * than `now` was made while a clock was ahead: it is older than those with higher versions, and is removed with them
 * (authentication.md, Time). Returns whether there may be more.
 */
export function createHistorySweep(db: DatabaseSync, classes: Iterable<SqliteTables>) {
  const swept = [...classes].flatMap(({ history }) =>
    history?.ageMs === undefined
      ? []
      : [{ ageMs: history.ageMs, sweep: createTableSweep(db, history.table) }],
  )
  return (now: number, limit: number): boolean => {
    let left = Math.min(limit, SWEPT.count)
    for (const { ageMs, sweep } of swept) {
      const { count, isCut } = sweep(now - ageMs, now + AHEAD_MS, left)
      left -= count
      if (isCut || left <= 0) return true
    }
    return false
  }
}

/** Maximum entries and bytes of text that are removed at once: other writes wait for some milliseconds at most. */
const SWEPT = { count: 100, bytes: 500_000 }

/** Prepared when first needed, since another process may have migrated the class. */
function createTableSweep(db: DatabaseSync, table: string) {
  let statements: Record<'oldest' | 'ahead' | 'remove', ArrayStatement> | undefined
  const rows = (range: string) =>
    arrays(
      db,
      `SELECT version, octet_length(body) + octet_length(hidden) FROM ${table} WHERE ${range} ORDER BY at LIMIT ?`,
    )
  return (oldest: number, newest: number, limit: number): SweptEntries => {
    statements ??= {
      oldest: rows('at <= ?'),
      ahead: rows('at > ?'),
      remove: arrays(db, `DELETE FROM ${table} WHERE version = ?`),
    }
    const old = statements.oldest.all<[version: number, bytes: number]>(oldest, limit)
    const last = Math.max(0, ...old.map(([version]) => version))
    const ahead = old.length === 0 ? [] : statements.ahead.all<[number, number]>(newest, limit)
    let bytes = 0
    let count = 0
    for (const [version, size] of [...old, ...ahead.filter(([version]) => version < last)]) {
      if (bytes > SWEPT.bytes) return { count, isCut: true }
      statements.remove.run(version)
      bytes += size
      count += 1
    }
    return { count, isCut: false }
  }
}

interface SweptEntries {
  readonly count: number
  /** Whether entries are left because of their size. */
  readonly isCut: boolean
}
