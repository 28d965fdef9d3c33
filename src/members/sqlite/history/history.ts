import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../../database/sqlite/commands.ts'
import { arrays } from '../../../database/sqlite/connection.ts'
import type { FileWatch } from '../../../database/sqlite/file-watch.ts'
import { CHANGE_KINDS, type Change } from '../../changes.ts'
import type { ClassSchema } from '../../class-schema.ts'
import {
  type EntryHead,
  FOUND_IN_ANY_ORDER,
  type HistoryEntry,
  type HistoryStore,
  linksText,
} from '../../history.ts'
import type { MemberName } from '../../member.ts'
import type { MemberCommands } from '../commands.ts'
import type { TablesByClass } from '../tables.ts'

interface HistoryDependencies {
  readonly db: DatabaseSync
  readonly writer: Writer<MemberCommands>
  /** Reads after a check of the file, with errors for the client. */
  readonly read: FileWatch['read']
  readonly explain: (error: unknown) => unknown
  readonly shapes: readonly ClassSchema[]
  readonly tables: TablesByClass
}

export function openHistory({
  db,
  writer,
  read,
  explain,
  shapes,
  tables,
}: HistoryDependencies): HistoryStore {
  const prepared = new Map<string, Statements>()

  /** Undefined if the class has no history. */
  function of(className: string): Statements | undefined {
    const table = tables.get(className)?.history?.table
    if (table === undefined) return undefined
    const statements = prepared.get(className) ?? prepare(db, table)
    prepared.set(className, statements)
    return statements
  }

  const entryOf = (className: string) => (tables.get(className)?.form === undefined ? toEntry : toLinkedEntry)

  /** `version`: reads the version of the entry. */
  const findPlaced = ({ className, id }: MemberName, version: (of: Statements) => number | undefined) =>
    read(() => {
      const statements = of(className)
      const asked = statements && version(statements)
      const row = asked && statements.find.get<EntryRow>(asked, id)
      if (!row) return undefined
      const [previous] = statements.heads.all<HeadRow>(id, asked, 1)
      const next = statements.next.get<HeadRow>(id, asked)
      return {
        ...entryOf(className)(row),
        previous: previous && toHead(previous),
        next: next && toHead(next),
      }
    })

  return {
    list: ({ className, id }, { before = LAST, limit }, bytes) =>
      read(() => upTo(bytes, entryOf(className), of(className)?.list.iterate<EntryRow>(id, before, limit))),
    heads: ({ className, id }, { before = LAST, limit }) =>
      read(() => (of(className)?.heads.all<HeadRow>(id, before, limit) ?? []).map(toHead)),
    find: (member, version) => findPlaced(member, () => version),
    findAt: (member, time) => findPlaced(member, (statements) => findVersionAt(statements, member.id, time)),
    removalFrom: ({ className, id }, version) =>
      read(() => {
        const row = of(className)?.removalFrom.get<EntryRow>(id, version)
        return row && entryOf(className)(row)
      }),
    first: ({ className, id }) =>
      read(() => {
        const row = of(className)?.next.get<HeadRow>(id, 0)
        return row && toHead(row)
      }),
    removed: (className, { before = LAST, limit, owner }, bytes) =>
      read(() => {
        const statements = of(className)
        const rows =
          owner === undefined
            ? statements?.removed.iterate<EntryRow>(before, limit)
            : statements?.removedOfOwner.iterate<EntryRow>(before, limit, owner)
        return upTo(bytes, entryOf(className), rows)
      }),
    async add(className, entries) {
      const shape = shapes.find(({ name }) => name === className)
      const withLinks = entries.map((entry) => ({
        ...entry,
        links: linksText(shape?.convertEntry(entry, []).links ?? []),
      }))
      await writer.write('addHistory', [className, withLinks]).catch(rethrow)
    },
    async remove({ className, id }, last) {
      await writer.write('removeHistory', [className, id, last]).catch(rethrow)
    },
    async sweep(...args) {
      const started = performance.now()
      const isMore = await writer.writeUnsynced('sweepHistory', args).catch(rethrow)
      const usedMs = performance.now() - started
      if (isMore) await sleep(Math.min(usedMs * PAUSE.share, PAUSE.mostMs))
      return isMore
    },
  }

  function rethrow(error: unknown): never {
    throw explain(error)
  }
}

/**
 * After a sweep that leaves entries, a pause: this many times as long as the sweep took. While there is much to sweep, the
 * write thread is free for requests most of the time, and so is its processor.
 */
const PAUSE = { share: 9, mostMs: 200 }

const REMOVAL = CHANGE_KINDS.indexOf('delete')

/** No version is higher. */
const LAST = Number.MAX_SAFE_INTEGER

type HeadRow = [version: number, kind: number, actor: number | null, at: number]
const HEAD = 'version, kind, actor, at'

type EntryRow = [
  ...HeadRow,
  ...[id: string, owner: number | null, baseUrlOffsets: string, hidden: string, body: string, links: string],
]
const ENTRY = `${HEAD}, id, owner, holes, hidden, body, links`

type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync, table: string) {
  const sql = (text: string) => arrays(db, text)
  const ofMember = `FROM ${table} WHERE id = ? AND version < ? ORDER BY version DESC LIMIT ?`
  const removed = `SELECT ${ENTRY} FROM ${table} WHERE gone = 1 AND version < ?1`
  return {
    list: sql(`SELECT ${ENTRY} ${ofMember}`),
    heads: sql(`SELECT ${HEAD} ${ofMember}`),
    next: sql(`SELECT ${HEAD} FROM ${table} WHERE id = ? AND version > ? ORDER BY version LIMIT 1`),
    find: sql(`SELECT ${ENTRY} FROM ${table} WHERE version = ? AND id = ?`),
    removalFrom: sql(
      `SELECT ${ENTRY} FROM ${table} WHERE id = ? AND kind = ${REMOVAL} AND version >= ? ORDER BY version LIMIT 1`,
    ),
    removed: sql(`${removed} ORDER BY version DESC LIMIT ?2`),
    removedOfOwner: sql(`${removed} AND owner = ?3 ORDER BY version DESC LIMIT ?2`),
  }
}

/** The version of the last entry with a time up to this one (`FOUND_IN_ANY_ORDER`). */
function findVersionAt({ heads, next }: Statements, id: string, time: number): number | undefined {
  let high = 0
  for (const [version, , , at] of heads.iterate<HeadRow>(id, LAST, FOUND_IN_ANY_ORDER)) {
    if (at <= time) return version
    high = version - 1
  }
  let found: number | undefined
  let low = 1
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const [version, , , at] = next.get<HeadRow>(id, middle - 1) ?? [high, 0, null, LAST]
    if (at <= time) found = version
    if (at <= time) low = version + 1
    else high = middle - 1
  }
  return found
}

const toHead = ([version, kind, actor, at]: HeadRow | EntryRow): EntryHead => ({
  version,
  kind: CHANGE_KINDS[kind] as Change['kind'],
  actor: actor ?? undefined,
  at,
})

function toEntry(row: EntryRow): HistoryEntry {
  const [, , , , id, owner, baseUrlOffsets, hidden, body] = row
  return { ...toHead(row), id, owner: owner ?? undefined, baseUrlOffsets, hidden, body }
}

/** For an entry that may have the form of another API file. */
const toLinkedEntry = (row: EntryRow): HistoryEntry => ({
  ...toEntry(row),
  storedLinks: row.at(-1) as string,
})

/** Ends with the entry at which the texts exceed `bytes`. */
function upTo(
  bytes: number,
  toEntry: (row: EntryRow) => HistoryEntry,
  rows: Iterable<EntryRow> = [],
): HistoryEntry[] {
  const found: HistoryEntry[] = []
  let left = bytes
  for (const row of rows) {
    const entry = toEntry(row)
    found.push(entry)
    left -= Buffer.byteLength(entry.body) + Buffer.byteLength(entry.hidden)
    if (left < 0) break
  }
  return found
}
