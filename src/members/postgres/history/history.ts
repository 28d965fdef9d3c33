import { AHEAD_MS } from '../../../database/index.ts'
import { columnArrays } from '../../../database/postgres/arrays.ts'
import type { Pools } from '../../../database/postgres/pool.ts'
import { CHANGE_KINDS, type Change } from '../../changes.ts'
import type { ClassSchema } from '../../class-schema.ts'
import {
  type EntryHead,
  FOUND_IN_ANY_ORDER,
  type HistoryEntry,
  type HistoryStore,
  type ImportedEntry,
  linksText,
  type PlacedEntry,
} from '../../history.ts'
import type { MemberName } from '../../member.ts'
import { batchesOf } from '../class-statements.ts'
import { isStorable, type PostgresTables } from '../tables.ts'
import { ENTRY_COLUMNS } from './history-statements.ts'

/** Undefined if the class has no members. */
type FindTables = (className: string) => PostgresTables | undefined

/** Maximum entries and characters in one statement. */
const BULK = { count: 1_000, length: 4_000_000 }
/** Maximum bytes of text that a sweep removes at once: to remove a long text takes as long as to write it. */
const SWEPT_BYTES = 8_000_000

/** Each result is one statement, and so one snapshot. */
export function createHistory(
  { quick, writes }: Pools<'quick' | 'writes'>,
  shapes: readonly ClassSchema[],
  tablesOf: FindTables,
): HistoryStore {
  /** The table of the entries; undefined if there is none, or if no member can have the id. */
  const historyOf = ({ className, id }: MemberName): string | undefined =>
    isStorable(id) ? tablesOf(className)?.history : undefined
  const entryOf = (className: string) => (tablesOf(className)?.form === undefined ? toEntry : toLinkedEntry)

  return {
    async list(member, { before = LAST, limit }, bytes) {
      const history = historyOf(member)
      if (history === undefined) return []
      const rows = `SELECT ${ENTRY} FROM ${history} WHERE id = $3 AND version < $4 ORDER BY version DESC LIMIT $2`
      const found = await quick.run<HistoryRow>(upToBytes(rows), [bytes, limit, member.id, before])
      return found.map(entryOf(member.className))
    },
    async heads(member, { before = LAST, limit }) {
      const history = historyOf(member)
      if (history === undefined) return []
      const text = `SELECT ${HEAD} FROM ${history} WHERE id = $1 AND version < $2 ORDER BY version DESC LIMIT $3`
      return (await quick.run<HistoryHeadRow>(text, [member.id, before, limit])).map(toHead)
    },
    async find(member, version) {
      const history = historyOf(member)
      if (history === undefined) return undefined
      const rows = await quick.run<PlacedRow>(placed(history, '$2::bigint'), [member.id, version])
      return toPlaced(rows, entryOf(member.className))
    },
    async findAt(member, time) {
      const history = historyOf(member)
      if (history === undefined) return undefined
      const text = `${searchByTime(history)} ${placed(history, FOUND)}`
      return toPlaced(await quick.run<PlacedRow>(text, [member.id, time]), entryOf(member.className))
    },
    async removalFrom(member, version) {
      const history = historyOf(member)
      if (history === undefined) return undefined
      const text = `SELECT ${ENTRY} FROM ${history} WHERE id = $1 AND kind = ${REMOVAL} AND version >= $2 ORDER BY version LIMIT 1`
      return (await quick.run<HistoryRow>(text, [member.id, version])).map(entryOf(member.className))[0]
    },
    async first(member) {
      const history = historyOf(member)
      if (history === undefined) return undefined
      const text = `SELECT ${HEAD} FROM ${history} WHERE id = $1 ORDER BY version LIMIT 1`
      return (await quick.run<HistoryHeadRow>(text, [member.id])).map(toHead)[0]
    },
    async removed(className, { before = LAST, limit, owner }, bytes) {
      const tables = tablesOf(className)
      if (tables?.history === undefined) return []
      const text = upToBytes(removals(tables.history, tables.members, owner !== undefined))
      const params = [bytes, limit, before, ...(owner === undefined ? [] : [owner])]
      return (await quick.run<HistoryRow>(text, params)).map(entryOf(className))
    },
    async add(className, entries) {
      const tables = tablesOf(className)
      const shape = shapes.find(({ name }) => name === className)
      if (tables?.history === undefined || shape === undefined) return
      const text = addText(tables.history, tables)
      await writes.transaction(async ({ run }) => {
        for (const batch of batchesOf(entries, lengthOf, BULK)) await run(text, columnsOf(batch, shape))
      }, 'long')
    },
    async remove(member, last) {
      const history = historyOf(member)
      if (history === undefined) return
      await writes.run(`DELETE FROM ${history} WHERE id = $1 AND version <= $2`, [member.id, last])
    },
    async sweep(now, limit) {
      let left = limit
      let isCut = false
      for (const { name, history } of shapes) {
        const table = tablesOf(name)?.history
        if (table === undefined || history?.ageMs === undefined || left <= 0) continue
        const params = [now - history.ageMs, now + AHEAD_MS, left]
        const swept = await writes.run<[bytes: number]>(sweepText(table), params)
        left -= swept.length
        isCut ||= swept.reduce((sum, [bytes]) => sum + bytes, 0) > SWEPT_BYTES
      }
      return isCut || left <= 0
    },
  }
}

const REMOVAL = CHANGE_KINDS.indexOf('delete')

/** Beyond every version. */
const LAST = Number.MAX_SAFE_INTEGER

const HEAD = 'version, kind, at, actor'
const ENTRY = `${HEAD}, id, owner, body, holes, hidden, links`

type HistoryHeadRow = [version: number, kind: number, at: number, actor: number | null]
type HistoryRow = [
  ...HistoryHeadRow,
  id: string,
  owner: number | null,
  body: string,
  holes: string,
  hidden: string,
  links: string,
]

const toHead = ([version, kind, at, actor]: readonly [...HistoryHeadRow, ...unknown[]]): EntryHead => ({
  ...{ version, at },
  kind: CHANGE_KINDS[kind] as Change['kind'],
  actor: actor ?? undefined,
})

const toEntry = (row: HistoryRow): HistoryEntry => {
  const [, , , , id, owner, body, baseUrlOffsets, hidden] = row
  return { ...toHead(row), ...{ id, body, baseUrlOffsets, hidden }, owner: owner ?? undefined }
}

/** For an entry that may have the form of another API file. */
const toLinkedEntry = (row: HistoryRow): HistoryEntry => ({
  ...toEntry(row),
  storedLinks: row.at(-1) as string,
})

/** Ends with the entry at which the texts exceed the bytes, $1. `rows`: a query for entries, newest first. */
const upToBytes = (rows: string): string => `
  SELECT ${ENTRY} FROM (
    SELECT *, sum(octet_length(body) + octet_length(hidden)) OVER (ORDER BY version DESC ROWS UNBOUNDED PRECEDING)
      - octet_length(body) - octet_length(hidden) AS before
    FROM (${rows}) AS entry
  ) AS sized WHERE before <= $1::bigint ORDER BY version DESC`

/** A row with its place: the entry itself, or the one before or after it, without its text. */
type PlacedRow = [place: 'this' | 'previous' | 'next', ...HistoryRow]

/** An entry of the member $1 with those beside it. */
const placed = (history: string, version: string): string => {
  const beside = (place: PlacedRow[0], comparison: string, way: string) => `
    UNION ALL (SELECT '${place}', ${HEAD}, id, owner, '', '', '', '' FROM ${history}
      WHERE id = $1 AND version ${comparison} ${version} ORDER BY version ${way} LIMIT 1)`
  return `SELECT 'this', ${ENTRY} FROM ${history} WHERE id = $1 AND version = ${version}
    ${beside('previous', '<', 'DESC')} ${beside('next', '>', 'ASC')}`
}

function toPlaced(
  rows: readonly PlacedRow[],
  toEntry: (row: HistoryRow) => HistoryEntry,
): PlacedEntry | undefined {
  const found = new Map(rows.map(([place, ...row]) => [place, row]))
  const entry = found.get('this')
  const head = (place: PlacedRow[0]) => {
    const row = found.get(place)
    return row && toHead(row)
  }
  return entry && { ...toEntry(entry), previous: head('previous'), next: head('next') }
}

/** Finds the last entry of the member $1 with a time up to $2 (`FOUND_IN_ANY_ORDER`). */
const searchByTime = (history: string): string => `
  WITH RECURSIVE search (low, high) AS (
    SELECT first.version, last.version
    FROM (SELECT version, at FROM ${history} WHERE id = $1 ORDER BY version LIMIT 1) AS first,
      (SELECT version FROM ${history} WHERE id = $1 ORDER BY version DESC LIMIT 1 OFFSET ${FOUND_IN_ANY_ORDER}) AS last
    WHERE first.at <= $2::bigint
    UNION ALL
    SELECT CASE WHEN entry.at <= $2::bigint THEN entry.version ELSE low END,
      CASE WHEN entry.at <= $2::bigint THEN high ELSE middle - 1 END
    FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM search WHERE low < high) AS halved
    LEFT JOIN LATERAL (
      SELECT version, at FROM ${history} WHERE id = $1 AND version >= middle AND version <= high ORDER BY version LIMIT 1
    ) AS entry ON true
  ), found AS MATERIALIZED (
    SELECT coalesce(
      (SELECT version FROM (
        SELECT version, at FROM ${history} WHERE id = $1 ORDER BY version DESC LIMIT ${FOUND_IN_ANY_ORDER}
      ) AS newest WHERE at <= $2::bigint ORDER BY version DESC LIMIT 1),
      (SELECT low FROM search WHERE low = high)
    ) AS version
  )`
const FOUND = '(SELECT version FROM found)'

/**
 * Parameters: $2, the limit, $3, the version before which they are, and $4, the owner. The owner is compared as a range, so
 * that PostgreSQL uses the index by owner. The tests are for members that were added without a history, or by another
 * process at the moment of their removal: all others are not in the index.
 */
const removals = (history: string, members: string, isOfOwner: boolean): string => {
  const isGone = `gone = 1 AND NOT EXISTS (SELECT FROM ${members} AS present WHERE present.id = entry.id)
    AND NOT EXISTS (SELECT FROM ${history} AS later WHERE later.id = entry.id AND later.version > entry.version)`
  const range = isOfOwner
    ? `(owner, version) < ($4::bigint, $3::bigint) AND owner >= $4::bigint AND ${isGone}
      ORDER BY owner DESC, version DESC`
    : `version < $3::bigint AND ${isGone} ORDER BY version DESC`
  return `SELECT ${ENTRY} FROM ${history} AS entry WHERE ${range} LIMIT $2`
}

/** Removals are those of members that are gone, unless the member is there: `removals` leaves all but the last one out. */
const addText = (history: string, { members, versions }: PostgresTables): string => `
  INSERT INTO ${history} (${ENTRY_COLUMNS})
  SELECT id, nextval('${versions}'), kind, at, actor, owner,
    CASE WHEN kind = ${REMOVAL} AND NOT EXISTS (SELECT FROM ${members} WHERE id = entry.id) THEN 1 END,
    body, holes, hidden, links
  FROM (
    SELECT * FROM unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
      $8::text[], $9::text[]) WITH ORDINALITY AS entry (id, kind, at, actor, owner, body, holes, hidden, links, place)
    ORDER BY place
  ) AS entry`

const columnsOf = (entries: readonly ImportedEntry[], { convert }: ClassSchema): string[] => {
  const rows = entries.map((entry) => {
    const { id, kind, at, actor = null, owner = null, body, baseUrlOffsets: holes, hidden } = entry
    const converted = convert(entry, [])
    const links = 'links' in converted ? linksText(converted.links) : ''
    return { id, kind: CHANGE_KINDS.indexOf(kind), at, actor, owner, body, holes, hidden, links }
  })
  return columnArrays(rows, 'id', 'kind', 'at', 'actor', 'owner', 'body', 'holes', 'hidden', 'links')
}

const lengthOf = ({ body, hidden }: ImportedEntry): number => body.length + hidden.length

/**
 * Parameters: the time up to which entries are removed, the latest that it can be now, and the limit. A later entry was made
 * while a clock was ahead: it is older than those with higher versions, and is removed with them (authentication.md, Time).
 * Another process that sweeps takes other rows.
 */
const sweepText = (history: string): string => {
  const rows = (
    isSo: string,
  ) => `SELECT ctid AS row, at, version, octet_length(body) + octet_length(hidden) AS bytes
    FROM ${history} WHERE ${isSo} ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED`
  return `
    WITH old AS MATERIALIZED (${rows('at <= $1::bigint')}),
      ahead AS MATERIALIZED (${rows('at > $2::bigint')}),
      swept AS (
        SELECT * FROM old
        UNION ALL SELECT * FROM ahead WHERE version < (SELECT max(version) FROM old)
      )
    DELETE FROM ${history} WHERE ctid = ANY (ARRAY(
      SELECT row FROM (
        SELECT row, sum(bytes) OVER (ORDER BY at, version ROWS UNBOUNDED PRECEDING) - bytes AS before FROM swept
      ) AS sized WHERE before <= ${SWEPT_BYTES} LIMIT $3)) RETURNING octet_length(body) + octet_length(hidden)`
}
