import type { RunSql } from '../../database/postgres/pool.ts'
import type { Key } from '../../vocabulary/index-keys.ts'
import type { Page } from '../member-store.ts'
import { fill, join, type Sql, sql } from '../query/dialect.ts'
import { isCounted, offsetOf, type StoredQuery, sortColumns } from '../query/filters.ts'
import { type PageMemberRow, type PageRows, sharesOf, toPage } from '../query/page.ts'
import { MAX_COUNTED, type Selection } from '../selection.ts'
import { numbered, type PageSql } from './pages.ts'
import { formerOf, type PostgresTables } from './tables.ts'
import { totalOf } from './totals.ts'

/**
 * A page is one row: its total, and all members as one text, null if there are none. The driver takes about as long for
 * every value of a row as for all of this text. Stored texts are parts of JSON, and ids are parts of URLs, so neither has a
 * control character; keys of the order may have some, and are written as JSON.
 */
export type PageRow = [total: number | null, members: string | null]

const BETWEEN_MEMBERS = '\x1e'
const BETWEEN_VALUES = '\x1f'
/** Instead of the text of a member that does not fit into the page. */
const NO_ROOM = '\x1d'

const literal = (character: string): string => `chr(${character.charCodeAt(0)})`

/** The text of row `f`, in the order of PageMemberRow. A value that is null is an empty text. */
export const memberText = (keys: readonly string[]): string => {
  const body = `CASE WHEN f.fits THEN f.body ELSE ${literal(NO_ROOM)} END`
  const holes = 'CASE WHEN f.fits THEN f.holes END'
  const values = ['f.id', 'f.version', body, holes, 'f.owner', 'f.sequence', 'f.former']
  const all = [...values, ...keys.map((name) => `to_json(f.${name})`)]
  return `string_agg(concat(${all.join(`, ${literal(BETWEEN_VALUES)}, `)}), ${literal(BETWEEN_MEMBERS)})`
}

/** A member that does not fit has no text. */
type ReadRow = PageMemberRow | [id: string, version: number, body: null, ...unknown[]]

function readRows(members: string | null): ReadRow[] {
  if (members === null) return []
  return members.split(BETWEEN_MEMBERS).map((text) => {
    const [id = '', version, body = '', holes = '', owner, sequence, former, ...keys] =
      text.split(BETWEEN_VALUES)
    if (body === NO_ROOM) return [id, Number(version), null]
    const ordered = [Number(sequence), former === '' ? null : (former as string), ...keys] as const
    return [id, Number(version), body, holes, owner === '' ? null : Number(owner), ...ordered]
  })
}

/**
 * How to decide whether a member fits into a page. `share`: its length is at most an equal share, as in nearly every
 * page; `sum`: the lengths up to it are added up, which costs half as much again.
 */
export type SizeTest = 'share' | 'sum'

/** Whether the texts of a row of `w` have at most these lengths. */
export const fitsShares = (body: string, holes: string): string =>
  `octet_length(w.body) <= ${body} AND octet_length(w.holes) <= ${holes}`

/** Whether a row of `w` fits. PostgreSQL knows the length of a text without reading the text. */
function fitsBudget(test: SizeTest, orderBy: string, asked: Pick<Selection, 'byteBudget' | 'limit'>): Sql {
  if (test === 'share') return sql(fitsShares('?::int', '?::int'), ...sharesOf(asked))
  const links = `CASE w.holes WHEN '' THEN 0
    ELSE 1 + octet_length(w.holes) - octet_length(replace(w.holes, ',', '')) END`
  const over = `OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING)`
  return sql(
    `(sum(octet_length(w.body) + ?::bigint * ${links}) ${over} <= ?::bigint OR row_number() ${over} = 1)`,
    ...[asked.byteBudget.link, asked.byteBudget.bytes],
  )
}

/** All members in the order of creation: by far the most frequent page. */
export function unfilteredPage(tables: PostgresTables, selection: Selection, test: SizeTest): Sql {
  const { owner } = selection
  const orderBy = `w.sequence ${selection.start.at === 'before' ? 'DESC' : 'ASC'}`
  return fill(
    `SELECT t.total, (SELECT ${memberText([])} FROM (
       SELECT w.*, $ AS fits FROM (
         SELECT id, version, body, holes, owner, sequence, ${formerOf(tables, 'm')} AS former
         FROM ${tables.members} m $
       ) w
       ORDER BY ${orderBy}
     ) f) FROM $ t`,
    fitsBudget(test, orderBy, selection),
    owner === undefined ? rowsOfAll(selection) : rowsOfOwner(selection, owner),
    totalOf(tables, selection),
  )
}

function rowsOfAll(selection: Selection): Sql {
  const { most, beginning } = beginningOf(selection)
  const { at } = selection.start
  // In the order of the text.
  const params = at === 'offset' ? [most, beginning] : [beginning, most]
  return sql(rowsFrom(at, { most: '?', beginning: '?' }), ...params)
}

/** How many rows a page takes at most, and its offset, or the sequence number that it begins after or ends before. */
export const beginningOf = ({ start, limit }: Selection) =>
  start.at === 'offset'
    ? { most: limit, beginning: start.offset }
    : { most: limit + 1, beginning: sequenceOf(start) }

/** Rows of all members, as SQL. */
export function rowsFrom(
  at: Selection['start']['at'],
  { most, beginning }: Readonly<Record<'most' | 'beginning', string>>,
): string {
  if (at === 'offset') return `ORDER BY sequence LIMIT ${most} OFFSET ${beginning}`
  const [way, beyond] = at === 'before' ? ['DESC', '<'] : ['ASC', '>']
  return `WHERE sequence ${beyond} ${beginning} ORDER BY sequence ${way} LIMIT ${most}`
}

/**
 * A range of the index by owner, in its order. With `owner = ?`, PostgreSQL might read the primary key in the order of
 * creation instead, and skip the members of all other owners, if it expects this owner to have most.
 */
function rowsOfOwner({ start, limit }: Selection, owner: number): Sql {
  if (start.at === 'offset')
    return sql(
      'WHERE owner >= ? AND owner <= ? ORDER BY owner, sequence LIMIT ? OFFSET ?',
      ...[owner, owner, limit, start.offset],
    )
  const [way, beyond, bound] = start.at === 'before' ? ['DESC', '<', '>='] : ['ASC', '>', '<=']
  return sql(
    `WHERE (owner, sequence) ${beyond} (?, ?) AND owner ${bound} ? ORDER BY owner ${way}, sequence ${way} LIMIT ?`,
    ...[owner, sequenceOf(start), owner, limit + 1],
  )
}

const sequenceOf = ({ position }: Exclude<Selection['start'], { at: 'offset' }>): number =>
  position === 'end' ? Number.MAX_SAFE_INTEGER : position.sequence

/** Rows and total in one statement, and so in one snapshot. */
export function pageOf(
  tables: PostgresTables,
  asked: Pick<Selection, 'order' | 'byteBudget' | 'limit'>,
  test: SizeTest,
  { rows, orderBy, total, before = [] }: PageSql,
): Sql {
  const keys = sortColumns(asked.order).map(({ name }) => name)
  const page = fill(
    `w AS MATERIALIZED (
       SELECT w.*, m.id, m.version, m.body, m.holes, m.owner, ${formerOf(tables, 'm')} AS former
       FROM ($) w JOIN ${tables.members} m ON m.sequence = w.sequence
     )`,
    rows,
  )
  return fill(
    `WITH $ SELECT t.total, (SELECT ${memberText(keys)} FROM (SELECT w.*, $ AS fits FROM w ORDER BY ${orderBy}) f)
     FROM $ t`,
    join([...before, page], ', '),
    fitsBudget(test, orderBy, asked),
    total,
  )
}

type PageQuery = Pick<StoredQuery, 'start' | 'order' | 'limit' | 'count' | 'filters'>

/** Reads the row of a page, by a statement with one of the two tests. */
export type ReadPageRow = (test: SizeTest) => Promise<PageRow | undefined>

export const rowOf =
  (run: RunSql, statement: (test: SizeTest) => Sql): ReadPageRow =>
  async (test) => {
    const query = statement(test)
    const [row] = await run<PageRow>(numbered(query), query.params)
    return row
  }

/** `readKey`: reads a key from a column. `test`: the test to try first; `sum` if a second read would take long. */
export async function readPage(
  readRow: ReadPageRow,
  asked: PageQuery,
  readKey: (written: Key) => Key,
  test: SizeTest = 'share',
): Promise<Page> {
  const [counted, members] = (await readRow(test)) ?? [null, null]
  const rows = readRows(members)
  const isTruncated = rows.some(([, , body], index) => body === null && index < asked.limit)
  if (isTruncated && test === 'share') return readPage(readRow, asked, readKey, 'sum')
  return toPage(shownOf(rows, asked.limit), totalFor(counted, rows.length, asked), asked, readKey)
}

/** `rows`: one more than the page shows, if there are more. */
function shownOf(rows: readonly ReadRow[], limit: number): PageRows {
  const cut = rows.findIndex(([, , body]) => body === null)
  const end = Math.min(limit, cut === -1 ? rows.length : cut)
  const shown = rows.slice(0, end) as PageMemberRow[]
  // Only the keys of the first and the last member are positions.
  for (const index of new Set([0, end - 1]))
    if (shown[index] !== undefined) shown[index] = withKeys(shown[index])
  return { rows: shown, more: rows.length > end }
}

const withKeys = (row: PageMemberRow): PageMemberRow => {
  const [id, version, body, holes, owner, sequence, former, ...keys] = row
  return [
    ...([id, version, body, holes, owner, sequence, former] as const),
    ...keys.map((key) => (key === '' ? null : JSON.parse(String(key)))),
  ]
}

/** `counted`: null if the page itself shows the total, because it is the last one, at an offset. */
function totalFor(counted: number | null, rows: number, asked: PageQuery): number | undefined {
  // A counter, which is exact beyond MAX_COUNTED.
  if (isCounted(asked)) return counted ?? undefined
  const total = counted ?? offsetOf(asked) + rows
  return asked.count === 'bounded' && total > MAX_COUNTED ? undefined : total
}
