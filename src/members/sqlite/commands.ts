import type { DatabaseSync } from 'node:sqlite'
import { AHEAD_MS } from '../../database/index.ts'
import type { CommandsFor } from '../../database/sqlite/commands.ts'
import { arrays } from '../../database/sqlite/connection.ts'
import { CHANGE_KINDS, type Change, type LogLimits, sweepText } from '../changes.ts'
import { layoutSetting } from '../layout.ts'
import type {
  AddOutcome,
  ChangedVersion,
  ConstraintFailure,
  Link,
  MemberContent,
  NewMember,
  PageCheck,
  RemoveOutcome,
  TransactionStep,
  WriteOutcome,
} from '../member.ts'
import type { MemberStore } from '../member-store.ts'
import type { ConvertedMember } from '../migration/statements.ts'
import { createBulkAdd, type TakeVersion } from './bulk-add.ts'
import { createFollowedRows, type LoggedLinks } from './changes/followed.ts'
import {
  createHistoryRows,
  createHistorySweep,
  createUnlinkedMembers,
  type EntryToAdd,
  type RecordedChange,
  type UnlinkedMembers,
} from './history/history-rows.ts'
import { createKeyRows } from './key-rows.ts'
import { createLinkRows, type LinkRows } from './links.ts'
import type { BulkColumns, BulkOutcome } from './member-columns.ts'
import type { SqliteTables } from './tables.ts'
import { createTransactions, type TransactionCommands } from './transactions.ts'
import { createMergeWatch } from './words-merge.ts'

/** Plain data, which can be sent to the write thread. */
export interface StoredClasses {
  readonly tables: ReadonlyMap<string, SqliteTables>
  /** The numbers of all stored classes, by name: members may link to any of them. */
  readonly stored: ReadonlyMap<string, number>
}

export interface MemberCommands
  extends CommandsFor<Pick<MemberStore, 'add' | 'remove'>>,
    TransactionCommands {
  addAll(members: BulkColumns): BulkOutcome[]
  /** `expected`: the version that `written` was computed from. */
  change(className: string, id: string, expected: number, written: MemberContent): ChangedVersion
  sweepChanges(now: number, history: LogLimits, limit: number): boolean
  /** As `HistoryStore.add`. */
  addHistory(className: string, entries: readonly EntryToAdd[]): void
  removeHistory(className: string, id: string, last: number): void
  sweepHistory(now: number, limit: number): boolean
  /** Writes members in the form of the API file, unless they have changed since; nothing is logged. */
  rewrite(className: string, members: readonly ConvertedMember[]): void
  saveLayout(className: string, layout: string): void
  /** Whether an `add` or a `change` of a small member takes long (`CommandSource`). */
  takesLong(className: string): boolean
}

function createChangeSweep(db: DatabaseSync) {
  const sweep = db.prepare(
    sweepText({ limit: '?1', oldest: '?2', newest: '?3', count: '?4', oldestFollowed: '?5' }),
  )
  return (now: number, { ageMs, count, followedMs = 0 }: LogLimits, limit: number): boolean =>
    Number(sweep.run(limit, now - ageMs, now + AHEAD_MS, count, now - followedMs).changes) >= limit
}

/** The writes of members, each made within a transaction of the group commit. */
export function createCommands(db: DatabaseSync, { tables, stored }: StoredClasses): MemberCommands {
  const links = createLinkRows(db, stored)
  const unlinked = createUnlinkedMembers(db)
  // Prepared when first needed, so that if another process has migrated a class, only jobs that use it fail.
  const prepared = new Map<string, ClassWrites>()

  function of(className: string): ClassWrites {
    const known = prepared.get(className)
    if (known !== undefined) return known
    const found = tables.get(className)
    if (found === undefined) throw new Error(`The store was not opened with a class ${className}.`)
    const writes = createClassWrites(db, className, found, { links, unlinked })
    prepared.set(className, writes)
    return writes
  }

  function carryOut(write: Exclude<TransactionStep, PageCheck>): WriteOutcome {
    const writes = of(write.className)
    if (write.kind === 'read') return writes.check(write.id, write.version)
    if (write.kind === 'add') return writes.add(write.member)
    if (write.kind === 'change') return writes.change(write.id, write.expected, write.written)
    if (write.kind === 'unlink') {
      if (writes.hasHistory) unlinked.keep(write)
      links.remove(write.className, write.id)
      return { outcome: 'unlinked' }
    }
    return writes.remove(write.id, write.expected, write.owner, write.actor)
  }

  return {
    add: (className, member) => of(className).add(member),
    addAll: createBulkAdd(db, tables, (className, member, takeVersion) =>
      of(className).add(member, takeVersion),
    ),
    change: (className, id, expected, written) => of(className).change(id, expected, written),
    remove: (className, id, expected, owner, actor) => of(className).remove(id, expected, owner, actor),
    sweepChanges: createChangeSweep(db),
    addHistory: (className, entries) => of(className).addHistory(entries),
    removeHistory: (className, id, last) => of(className).removeHistory(id, last),
    sweepHistory: createHistorySweep(db, tables.values()),
    rewrite: (className, members) => of(className).rewrite(members),
    saveLayout: (className, layout) => {
      db.prepare('UPDATE settings SET value = ? WHERE name = ?').run(layout, layoutSetting(className))
    },
    takesLong: createMergeWatch(db, tables),
    ...createTransactions(db, { tables, carryOut, onEnd: () => unlinked.clear() }),
  }
}

/** The writes to the members of a class. */
interface ClassWrites {
  readonly hasHistory: boolean
  /** Whether the member still has this version; undefined if it was not there. */
  check(id: string, version: number | undefined): WriteOutcome
  /** `takeVersion`: where the caller writes the counters of the class. */
  add(member: NewMember, takeVersion?: TakeVersion): AddOutcome
  /** `expected`: the version that `written` was computed from; undefined if no other write can have come between. */
  change(id: string, expected: number | undefined, written: MemberContent): ChangedVersion
  /** `owner`: the required owner; undefined for any. */
  remove(
    id: string,
    expected: readonly number[] | undefined,
    owner: number | undefined,
    actor: number | undefined,
  ): RemoveOutcome
  addHistory(entries: readonly EntryToAdd[]): void
  removeHistory(id: string, last: number): void
  rewrite(members: readonly ConvertedMember[]): void
}

interface SharedRows {
  readonly links: LinkRows
  readonly unlinked: UnlinkedMembers
}

function createClassWrites(
  db: DatabaseSync,
  name: string,
  tables: SqliteTables,
  { links, unlinked }: SharedRows,
): ClassWrites {
  const rows = createMemberRows(db, name, tables, links)
  const { statements, keys, followed, find, constraintFailure, nextVersion, log } = rows
  const history = createHistoryRows(db, name, tables, unlinked)

  return {
    hasHistory: history !== undefined,

    check(id, version) {
      const now = find(id)?.version
      return now === version ? { outcome: 'unchanged' } : { outcome: 'stale', version: now ?? 0 }
    },

    add(member, takeVersion = (owner) => nextVersion(1, owner)) {
      const { id, body, baseUrlOffsets, hidden, owner, actor } = member
      if (find(id) !== undefined) return { outcome: 'exists' }
      const failure = constraintFailure(member, undefined)
      if (failure !== undefined) return failure
      const version = takeVersion(owner)
      const inserted = statements.insert.run(id, version, body, baseUrlOffsets, hidden, owner ?? null)
      const sequence = Number(inserted.lastInsertRowid)
      links.add(name, id, member.links)
      keys.add(sequence, member.keys, { id, version, body, baseUrlOffsets, owner })
      const change = { id, version, owner, actor, at: Date.now() }
      log('create', change, followed?.logged(undefined, followed.written(member.keys)))
      history?.add('create', change, member)
      return { outcome: 'added', version }
    },

    change(id, expected, written) {
      const current = find(id)
      if (current === undefined) return { outcome: 'missing' }
      const { sequence, owner } = current
      if (expected !== undefined && current.version !== expected)
        return { outcome: 'stale', version: current.version }
      const failure = constraintFailure({ ...written, id }, sequence)
      if (failure !== undefined) return failure
      const { body, baseUrlOffsets, hidden, actor } = written
      const before = followed?.stored(sequence)
      const version = nextVersion(0, undefined)
      statements.update.run(version, body, baseUrlOffsets, hidden, sequence)
      links.replace(name, id, written.links)
      keys.replace(sequence, written.keys, { id, version, body, baseUrlOffsets, owner })
      const change = { id, version, owner, actor, at: Date.now() }
      log('update', change, followed?.logged(before, followed.written(written.keys)))
      history?.add('update', change, written)
      return { outcome: 'changed', version }
    },

    remove(id, expected, owner, actor) {
      const current = find(id)
      if (current === undefined || (owner !== undefined && current.owner !== owner))
        return { outcome: 'missing' }
      const { sequence, version } = current
      if (expected?.includes(version) === false) return { outcome: 'stale', version }
      const linked = links.to(name, id)
      if (linked.from.length > 0) return linked
      const before = followed?.logged(followed.stored(sequence), undefined)
      const removal = nextVersion(-1, current.owner)
      const change = { id, version: removal, owner: current.owner, actor, at: Date.now() }
      history?.addRemoval(change, sequence)
      statements.remove.run(sequence)
      links.remove(name, id)
      keys.remove(sequence, current.owner)
      log('delete', change, before)
      return { outcome: 'removed' }
    },

    addHistory(entries) {
      for (const entry of entries)
        history?.addImported(nextVersion(0, undefined), entry, find(entry.id) !== undefined)
    },

    removeHistory: (id, last) => history?.removeUpTo(id, last),

    rewrite(members) {
      for (const { row, body, baseUrlOffsets, hidden, keys: written } of members) {
        const { id, owner, sequence, version } = row
        // The version stays, since the same values were shown before.
        if (find(id)?.version !== version) continue
        statements.update.run(version, body, baseUrlOffsets, hidden, sequence)
        keys.replace(sequence, written, { id, version, body, baseUrlOffsets, owner })
      }
    },
  }
}

/** The statements for the row of a member, and the work that every write of a member shares. */
function createMemberRows(db: DatabaseSync, name: string, tables: SqliteTables, links: LinkRows) {
  const statements = prepare(db, tables)
  const keys = createKeyRows(db, tables, (property, account, more) =>
    statements.countOfAccount.run(tables.classId, property, account, more),
  )
  const followed = createFollowedRows(db, name, tables, links)
  return { statements, keys, followed, find, constraintFailure, nextVersion, log }

  function find(id: string) {
    const row = statements.find.get<[sequence: number, version: number, owner: number | null]>(id)
    return row && { sequence: row[0], version: row[1], owner: row[2] ?? undefined }
  }

  /** `sequence`: of the member as it is stored, undefined for a new one. */
  function constraintFailure(member: NewMember, sequence: number | undefined): ConstraintFailure | undefined {
    const isItself = (link: Link) => link.className === name && link.id === member.id
    const dangling = member.links.filter((link) => !isItself(link) && !links.hasTarget(link, name, member.id))
    const taken = keys.taken(member.keys, sequence)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  }

  /** Every change of a class takes a new version number, removals included. */
  function nextVersion(more: number, owner: number | undefined): number {
    statements.count.run(more, tables.classId)
    if (owner !== undefined) statements.countOfOwner.run(tables.classId, owner, more)
    return (statements.version.get(tables.classId) as [number])[0]
  }

  function log(kind: Change['kind'], change: RecordedChange, links?: LoggedLinks): void {
    if (!tables.isLogged) return
    const { id, version, owner, actor, at } = change
    const row = [name, id, CHANGE_KINDS.indexOf(kind), version, owner ?? null, actor ?? null, at] as const
    const { lastInsertRowid: position } = statements.log.run(...row, links?.text ?? null)
    if (links !== undefined) followed?.addAccounts(position, links, owner)
  }
}

function prepare(db: DatabaseSync, { members, keys, form }: SqliteTables) {
  const sql = (text: string) => arrays(db, text)
  const [formColumn, formValue] = form === undefined ? ['', ''] : [', form', `, ${form.own}`]
  return {
    // The owner is read from the row of keys: in the row of the member it comes after all the text.
    find: sql(`SELECT m.sequence, version, k.owner FROM ${members} m
      CROSS JOIN ${keys} k ON k.sequence = m.sequence WHERE id = ?`),
    insert: sql(`INSERT INTO ${members} (id, version, body, holes, hidden, owner${formColumn})
      VALUES (?, ?, ?, ?, ?, ?${formValue})`),
    update: sql(`UPDATE ${members} SET version = ?, body = ?, holes = ?, hidden = ?
      ${form === undefined ? '' : `, form = ${form.own}`} WHERE sequence = ?`),
    remove: sql(`DELETE FROM ${members} WHERE sequence = ?`),
    // Without RETURNING, which opens a savepoint, at which FTS5 flushes: half of the cost of a member in bulk.
    count: sql('UPDATE classes SET total = total + ?, version = version + 1 WHERE id = ?'),
    countOfOwner: sql(`INSERT INTO owner_totals VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET total = total + excluded.total`),
    countOfAccount: sql(`INSERT INTO account_totals VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET total = total + excluded.total`),
    version: sql('SELECT version FROM classes WHERE id = ?'),
    log: sql(`INSERT INTO changes (class, id, kind, version, owner, actor, at, followed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  }
}
