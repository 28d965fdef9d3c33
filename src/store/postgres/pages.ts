import type { Key } from '../../vocabulary/keys.ts'
import { fill, join, type QueryTables, type Sql, sql } from '../query/dialect.ts'
import { isCounted, offsetOf, type Query } from '../query/filters.ts'
import { type Row, type Rows, sharesOf, toPage } from '../query/page.ts'
import { MAX_COUNTED, type Page, type Selection, type Start } from '../store.ts'
import type { Run } from './pool.ts'

/**
 * A row of a page, with the total as its last column. A page without members is one row without an id; a member for which
 * the page has no room is a row without text.
 */
type PageRow = [...Row, total: number | null]

const PAGE_COLUMNS =
  'f.id, f.version, CASE WHEN f.has_room THEN f.body END, CASE WHEN f.has_room THEN f.holes END, f.owner, f.sequence'

/**
 * How to decide whether a page has room for a member. `share`: its length is at most an equal share, as in nearly every
 * page; `sum`: the lengths up to it are added up, which costs half as much again.
 */
export type RoomTest = 'share' | 'sum'

/** Of a row of `w`. PostgreSQL has the length of a text without reading the text. */
function hasRoom(test: RoomTest, orderBy: string, asked: Pick<Selection, 'room' | 'limit'>): Sql {
  if (test === 'share')
    return sql('octet_length(w.body) <= ?::int AND octet_length(w.holes) <= ?::int', ...sharesOf(asked))
  const links = `CASE w.holes WHEN '' THEN 0
    ELSE 1 + octet_length(w.holes) - octet_length(replace(w.holes, ',', '')) END`
  const over = `OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING)`
  return sql(
    `(sum(octet_length(w.body) + ?::bigint * ${links}) ${over} <= ?::bigint OR row_number() ${over} = 1)`,
    ...[asked.room.link, asked.room.bytes],
  )
}

/** How many members there are, or are of one owner, as a table of one row. */
export const totalOf = ({ classId }: QueryTables, { owner }: Pick<Selection, 'owner'>): Sql =>
  fill(
    '(SELECT coalesce(sum(total), 0)::bigint AS total FROM $)',
    owner === undefined
      ? sql(`totals WHERE class_id = ${classId}`)
      : sql(`owner_totals WHERE class_id = ${classId} AND owner = ?`, owner),
  )

/** All members in the order of creation: by far the most frequent page. */
export function unfilteredPage(tables: QueryTables, selection: Selection, test: RoomTest): Sql {
  const { owner } = selection
  const way = selection.start.at === 'before' ? 'DESC' : 'ASC'
  return fill(
    `SELECT ${PAGE_COLUMNS}, t.total FROM $ t LEFT JOIN LATERAL (
       SELECT w.*, $ AS has_room FROM (SELECT id, version, body, holes, owner, sequence FROM ${tables.members} $) w
     ) f ON true ORDER BY f.sequence ${way}`,
    totalOf(tables, selection),
    hasRoom(test, `w.sequence ${way}`, selection),
    owner === undefined ? rowsOfAll(selection) : rowsOfOwner(selection, owner),
  )
}

// A page at an offset reads no row beyond itself: the total, of the same snapshot, tells whether there are more.

function rowsOfAll({ start, limit }: Selection): Sql {
  if (start.at === 'offset') return sql('ORDER BY sequence LIMIT ? OFFSET ?', limit, start.offset)
  const [way, beyond] = start.at === 'before' ? ['DESC', '<'] : ['ASC', '>']
  return sql(`WHERE sequence ${beyond} ? ORDER BY sequence ${way} LIMIT ?`, sequenceOf(start), limit + 1)
}

/**
 * As a range of the index by owner, in its order. With `owner = ?`, PostgreSQL could read the primary key in the order of
 * creation instead, and skip the members of all other owners, where it expects this owner to have most.
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

const sequenceOf = ({ position }: Exclude<Start, { at: 'offset' }>): number =>
  position === 'end' ? Number.MAX_SAFE_INTEGER : position.sequence

export interface PageParts {
  /** With the keys `o0` … and what else `orderBy` names. */
  readonly rows: Sql
  readonly orderBy: string
  /** A table of one row; it may use `w`, which the rows are. */
  readonly total: Sql
  /** What both may use. */
  readonly before?: readonly Sql[]
}

/** Rows and total in one statement, and so of one snapshot. */
export function pageOf(
  tables: QueryTables,
  asked: Pick<Selection, 'order' | 'room' | 'limit'>,
  test: RoomTest,
  { rows, orderBy, total, before = [] }: PageParts,
): Sql {
  const keys = asked.order.map((_, index) => `, f.o${index}`)
  const page = fill(
    `w AS MATERIALIZED (
       SELECT w.*, m.id, m.version, m.body, m.holes, m.owner
       FROM ($) w JOIN ${tables.members} m ON m.sequence = w.sequence
     )`,
    rows,
  )
  return fill(
    `WITH $ SELECT ${PAGE_COLUMNS}${keys.join('')}, t.total
     FROM $ t LEFT JOIN (SELECT w.*, $ AS has_room FROM w) f ON true ORDER BY ${orderBy}`,
    join([...before, page], ', '),
    total,
    hasRoom(test, orderBy, asked),
  )
}

type Asked = Pick<Query, 'start' | 'order' | 'limit' | 'count' | 'filters'>

/** `read`: a key from a column. `test`: tried first; `sum` where a second reading would take long. */
export async function readPage(
  run: Run,
  statement: (test: RoomTest) => Sql,
  asked: Asked,
  read: (written: Key) => Key,
  test: RoomTest = 'share',
): Promise<Page> {
  const query = statement(test)
  const found = await run<PageRow>(numbered(query), query.params)
  const rows = found[0]?.[0] == null ? [] : found
  const isCut = rows.some(([, , body], index) => body === null && index < asked.limit)
  if (isCut && test === 'share') return readPage(run, statement, asked, read, 'sum')
  const counted = (found[0]?.at(-1) as number | null) ?? null
  return toPage(shownOf(rows, asked.limit), totalFor(counted, rows.length, asked), asked, read)
}

/** With PostgreSQL's numbered parameters. Values are never in the text, so every question mark is a parameter. */
export function numbered({ text }: Sql): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/** `rows`: one more than the page has where there are more. */
function shownOf(rows: readonly PageRow[], limit: number): Rows {
  const cut = rows.findIndex(([, , body]) => body === null)
  const end = Math.min(limit, cut === -1 ? rows.length : cut)
  return { rows: rows.slice(0, end) as Row[], more: rows.length > end }
}

/** `counted`: null where the page itself tells, being the last one, at an offset. */
function totalFor(counted: number | null, rows: number, asked: Asked): number | undefined {
  // A counter, which is exact beyond MAX_COUNTED.
  if (isCounted(asked)) return counted ?? undefined
  const total = counted ?? offsetOf(asked) + rows
  return asked.count === 'bounded' && total > MAX_COUNTED ? undefined : total
}
