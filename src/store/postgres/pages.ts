import type { Dialect, QueryTables } from '../query/dialect.ts'
import { fill, join, type Sql, sql } from '../query/dialect.ts'
import { offsetOf, type Query } from '../query/filters.ts'
import { type Row, type Rows, sharesOf, toPage } from '../query/page.ts'
import { MOST_COUNTED, type Page, type Selection } from '../store.ts'
import { numbered } from './dialect.ts'
import type { Run } from './pool.ts'

/**
 * A row of a page with the total behind it. A page without members is one row without an id; what it has no room for is
 * a row without text.
 */
export type PageRow = [...Row, total: number | null]

/** Of `f`, rows of a page that say of themselves whether it has room for them. */
export const PAGE_COLUMNS =
  'f.id, f.version, CASE WHEN f.fits THEN f.body END, CASE WHEN f.fits THEN f.holes END, f.sequence'

/**
 * Whether the page has room for a row of `w`: `alone`, where no member has more than its share; `summed`, whatever they
 * have, which takes longer. PostgreSQL knows the length of a text without reading it.
 */
export type Fit = 'alone' | 'summed'

export const fits = (fit: Fit, orderBy: string): string => (fit === 'alone' ? IS_SHORT : isWithin(orderBy))

/** Of `fits`. */
export const fitParams = (fit: Fit, size: Pick<Selection, 'room' | 'limit'>): [number, number] =>
  fit === 'alone' ? sharesOf(size) : [size.room.link, size.room.bytes]

const IS_SHORT = 'octet_length(w.body) <= ?::int AND octet_length(w.holes) <= ?::int'

function isWithin(orderBy: string): string {
  const links = `CASE w.holes WHEN '' THEN 0 ELSE 1 + length(w.holes) - length(replace(w.holes, ',', '')) END`
  const over = `OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING)`
  return `(sum(octet_length(w.body) + ?::bigint * ${links}) ${over} <= ?::bigint OR row_number() ${over} = 1)`
}

export interface PageParts {
  /** With the keys `o0` … and what else `orderBy` names. */
  readonly rows: Sql
  readonly orderBy: string
  /** A table of one row; it may use `w`, which the rows are. */
  readonly total: Sql
  /** What both may use. */
  readonly before?: readonly Sql[]
}

/** Rows and total in one statement, of one moment. */
export function pageOf(
  { tables }: Dialect,
  query: Query,
  fit: Fit,
  { rows, orderBy, total, before = [] }: PageParts,
): Sql {
  const keys = query.order.map((_, index) => `, f.o${index}`)
  const page = fill(
    `w AS MATERIALIZED (
       SELECT w.*, m.id, m.version, m.body, m.holes
       FROM ($) w JOIN ${tables.members} m ON m.sequence = w.sequence
     )`,
    rows,
  )
  return fill(
    `WITH $ SELECT ${PAGE_COLUMNS}${keys.join('')}, t.total
     FROM $ t LEFT JOIN (SELECT w.*, $ AS fits FROM w) f ON true ORDER BY ${orderBy}`,
    join([...before, page], ', '),
    total,
    sql(fits(fit, orderBy), ...fitParams(fit, query)),
  )
}

/** How many members there are, as a table of one row. */
export const totalOf = ({ classId }: QueryTables): string =>
  `(SELECT coalesce(sum(total), 0)::bigint AS total FROM totals WHERE class_id = ${classId})`

/** `fit`: tried first; what takes long is not to be read twice. */
export async function readPage(
  run: Run,
  statement: (fit: Fit) => Sql,
  dialect: Dialect,
  query: Query,
  fit: Fit = 'alone',
): Promise<Page> {
  const made = statement(fit)
  const found = await run<PageRow>(numbered(made), made.params)
  if (fit === 'alone' && !isWhole(found, query)) return readPage(run, statement, dialect, query, 'summed')
  const rows = membersIn(found)
  return toPage(shownOf(rows, query), totalFor(countedIn(found), rows, query), query, dialect.read)
}

export const countedIn = ([row]: readonly PageRow[]): number | null => (row?.at(-1) as number | null) ?? null

/** Whether there is no row on the page whose text is missing, so that it can be shown as it is. */
export const isWhole = (rows: readonly PageRow[], { limit }: Pick<Selection, 'limit'>): boolean =>
  rows.every(([id, , body], index) => id === null || body !== null || index >= limit)

/** Without the one that says there are none. */
export const membersIn = (rows: readonly PageRow[]): readonly PageRow[] => (rows[0]?.[0] == null ? [] : rows)

/** `rows`: one more than the page has where there are more. */
export function shownOf(rows: readonly PageRow[], { limit }: Pick<Selection, 'limit'>): Rows {
  const cut = rows.findIndex(([, , body]) => body === null)
  const end = Math.min(limit, cut === -1 ? rows.length : cut)
  return { rows: rows.slice(0, end) as Row[], more: rows.length > end }
}

/** `counted`: null where the page itself tells, since it is the last one and was counted off to. */
function totalFor(counted: number | null, rows: readonly PageRow[], query: Query): number | undefined {
  // Of all members, the total is exact whatever it is.
  if (query.filters.length === 0) return counted ?? undefined
  const total = counted ?? offsetOf(query) + rows.length
  return query.count === 'bounded' && total > MOST_COUNTED ? undefined : total
}
