import { arrayOf } from '../../database/postgres/arrays.ts'
import type { Key } from '../../vocabulary/index-keys.ts'
import {
  columnsOf,
  indexOf,
  indexOrder,
  inRange,
  leastValue,
  limited,
  matching,
  orderBy,
  sorted,
} from '../query/compile.ts'
import { and, type Dialect, fill, type IndexScan, join, type Sql, sql } from '../query/dialect.ts'
import { isBackward, isCounted, offsetOf, type StoredQuery, sortFilterOf } from '../query/filters.ts'
import { type IndexPlan, type IndexRange, indexPlan } from '../query/plan.ts'
import { predicate } from '../query/predicates.ts'
import { isOnValues } from '../query/property-tests.ts'
import { type Filter, MAX_COUNTED } from '../selection.ts'
import { nearLinkedRows } from './linked-order.ts'
import { totalOf } from './totals.ts'

/** The SQL of a page. */
export interface PageSql {
  /** Rows with the keys `o0` … and the other columns that `orderBy` names. */
  readonly rows: Sql
  readonly orderBy: string
  /** A table of one row; it may use `w`, the table of the rows. */
  readonly total: Sql
  /** Tables that both may use. */
  readonly before?: readonly Sql[]
}

/** With PostgreSQL's numbered parameters. Values are never in the text, so every question mark is a parameter. */
export function numbered({ text }: Sql): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** A page by a single-index plan. */
export function singleIndexPage(dialect: Dialect, query: StoredQuery, plan: IndexPlan): PageSql {
  const { filter } = plan
  const total =
    filter === undefined || isCounted(query)
      ? totalOf(dialect.tables, query)
      : countedTotal(dialect, query, filter)
  const way = plan.down ? 'DESC' : 'ASC'
  const orderBy = `part, o0 ${way} NULLS LAST, sequence ${way}`
  return { rows: rowsOf(dialect, query, plan, orderBy), orderBy, total }
}

/** The rows of the page and one more, as `part`, `o0` and `sequence`. */
function rowsOf(dialect: Dialect, query: StoredQuery, plan: IndexPlan, orderBy: string): Sql {
  const parts = partsOf(plan.ranges)
  if (parts.length === 0)
    return sql('SELECT 0 AS part, NULL::text AS o0, NULL::bigint AS sequence WHERE false')
  const [take, skip] = [query.limit + 1, offsetOf(query)]
  const page = sql('LIMIT ?::bigint OFFSET ?::bigint', take, skip)
  const rows = join(
    parts.map((part, index) =>
      fill(
        `(SELECT ${index} AS part, r.o0, r.sequence FROM ($) r)`,
        rowsIn(dialect, plan, part, skip + take),
      ),
    ),
    ' UNION ALL ',
  )
  if (plan.ranges.length === 1) return fill('SELECT * FROM ($) u $', rows, page)
  if (query.order.length > 0) return fill(`SELECT * FROM ($) u ORDER BY ${orderBy} $`, rows, page)
  // If a property has many values, a member may have several of the keys.
  const way = plan.down ? 'DESC' : 'ASC'
  return fill(
    `SELECT DISTINCT 0 AS part, NULL::text AS o0, u.sequence FROM ($) u ORDER BY sequence ${way} $`,
    rows,
    page,
  )
}

/** A range, or several of one key each. */
type Part = IndexRange | { readonly kind: 'keys'; readonly keys: readonly Key[]; readonly after?: number }

/** Adjacent keys are looked up by one query, which is planned faster than a query for each. */
function partsOf(ranges: readonly IndexRange[]): Part[] {
  const parts: Part[] = []
  for (const range of ranges) {
    const last = parts.at(-1)
    const isKey = range.kind === 'key' && range.key !== null
    if (isKey && last?.kind === 'keys' && last.after === range.after)
      parts[parts.length - 1] = { ...last, keys: [...last.keys, range.key] }
    else parts.push(isKey ? { ...range, kind: 'keys', keys: [range.key] } : range)
  }
  return parts
}

/** The first `most` rows of a range in order, as `o0` and `sequence`; for several keys, `most` rows of each. */
function rowsIn(dialect: Dialect, { indexScan, down }: IndexPlan, part: Part, most: number): Sql {
  const { from, sequence, key, fixed, repeats } = indexScan
  const rows = (tests: readonly Sql[]) =>
    fill(
      `SELECT ${repeats ? 'DISTINCT ' : ''}${key ?? 'NULL::text'} AS o0, ${sequence} AS sequence FROM ${from} WHERE $
       ORDER BY ${indexOrder(indexScan, down)} LIMIT $`,
      and([...fixed, ...tests]),
      sql('?::bigint', most),
    )
  if (part.kind !== 'keys') return rows(inRange(dialect, indexScan, part, down))
  const [only = '', ...further] = part.keys
  const after = part.after === undefined ? {} : { after: part.after }
  if (further.length === 0)
    return rows(inRange(dialect, indexScan, { kind: 'key', key: only, ...after }, down))
  return fill(
    'SELECT p.o0, p.sequence FROM unnest($) u (key) CROSS JOIN LATERAL ($) p',
    sql('?::text[]', arrayOf(part.keys.map(String))),
    rows([sql(`${key} = u.key`), ...inRange(dialect, indexScan, { kind: 'all', ...after }, down)]),
  )
}

/** Null if the page itself shows the total. */
function countedTotal(dialect: Dialect, query: StoredQuery, filter: Filter): Sql {
  const count = countOf(dialect, filter, query.count === 'exact' ? undefined : MAX_COUNTED + 1)
  if (query.start.at !== 'offset') return fill('(SELECT ($) AS total)', count)
  const least = offsetOf(query) === 0 ? 0 : 1
  return fill(
    '(SELECT CASE WHEN (SELECT count(*) FROM w) BETWEEN $ THEN NULL ELSE ($) END AS total)',
    sql('?::bigint AND ?::bigint', least, query.limit),
    count,
  )
}

/** How many members match one filter, up to `most`. */
function countOf(dialect: Dialect, filter: Filter, most: number | undefined): Sql {
  const limit = (times: number) => (most === undefined ? sql('') : sql('LIMIT ?::bigint', most * times))
  const count = (rows: Sql) => fill('SELECT count(*) FROM ($ $) c', rows, limit(1))
  // A query for each span: with a single query, PostgreSQL would also read the index between the spans.
  const ranges: readonly Filter[] =
    filter.test === 'spans'
      ? filter.spans.map((span) => ({ property: filter.property, test: 'range', ...span }))
      : [filter]
  const rowsIn = ({ from, sequence, fixed }: IndexScan) =>
    fill(`SELECT ${sequence} AS sequence FROM ${from} WHERE $`, and(fixed))
  const rows = join(
    ranges.map((range) => rowsIn(indexOf(dialect, range))),
    ' UNION ALL ',
  )
  if (indexOf(dialect, filter).repeats) return count(fill('SELECT DISTINCT sequence FROM ($) d', rows))
  const keys = filter.test === 'in' && isOnValues(dialect, filter) ? filter.keys.length : 1
  // A member may have as many of the values as there are keys.
  return keys === 1 ? count(rows) : count(fill('SELECT DISTINCT sequence FROM ($ $) d', rows, limit(keys)))
}

/** The limits of the first two steps of `searchPage`. */
export interface SearchSteps {
  readonly few: number
  /** How many rows of an index are read in order. */
  readonly near: number
}

const STEPS: SearchSteps = { few: MAX_COUNTED, near: 5_000 }

/**
 * A page that no single index answers, in one statement of up to three steps, each of which runs only if the one before
 * was not enough (PostgreSQL evaluates a WITH query when it is first read):
 *
 * 1. `few`: up to 1,001 matches, in any order, from the index that promises the fewest. If there are at most 1,000, these
 *    are all.
 * 2. `near`: the first rows of an index in the order of the query, as many as it takes to find a page among them.
 * 3. All matches, sorted. They are in a subquery without the order, so that PostgreSQL finds them by the filters alone:
 *    otherwise it would read a whole index if it wrongly expects matches near its beginning.
 */
export function searchPage(dialect: Dialect, query: StoredQuery, steps: SearchSteps = STEPS): PageSql {
  const [take, skip] = [query.limit + 1, offsetOf(query)]
  const by = orderBy(query.order, isBackward(query))
  const sortFilter = sortFilterOf(dialect, query)
  const all = matching(dialect, query, { driver: sortFilter, withKeys: true })
  const page = (rows: Sql) => limited(sorted(query, rows), take, skip)
  const columns = columnsOf(query.order)
  const choose = (rows: Sql, tests: readonly Sql[]) =>
    fill(`(SELECT ${columns} FROM ($) c WHERE $)`, rows, and(tests))
  const near =
    nearLinkedRows(dialect, query, steps.near, skip + take) ??
    (query.filters.length === 0 ? undefined : nearRows(dialect, query, steps.near, skip + take))
  const isNear = near && sql('(SELECT count(*) FROM near) > ?::bigint', skip + query.limit)
  const nearPage = limited({ select: sql('SELECT * FROM near'), orderBy: by }, take, skip)
  const nearTable = near === undefined ? [] : [fill('near AS MATERIALIZED ($)', near)]
  const total = totalIn(dialect, query, steps)
  if (query.filters.length === 0) {
    const rows =
      isNear === undefined
        ? page(all)
        : join([choose(nearPage, [isNear]), choose(page(all), [fill('NOT $', isNear)])], ' UNION ALL ')
    return { rows, orderBy: by, total, before: nearTable }
  }

  const fewPage = page(
    sortFilter === undefined
      ? sql(`SELECT ${columns} FROM few`)
      : fill('SELECT sequence, $ AS o0 FROM few', leastValue(dialect, sortFilter, 'few.sequence')),
  )
  const everything = page(fill(`SELECT ${columns} FROM ($ OFFSET 0) f`, all))
  const choices = [
    choose(fewPage, [isFew(steps)]),
    ...(isNear === undefined ? [] : [choose(nearPage, [notFew(steps), isNear])]),
    choose(everything, [notFew(steps), ...(isNear === undefined ? [] : [fill('NOT $', isNear)])]),
  ]
  const few = fill(
    `few AS MATERIALIZED ($ LIMIT ${steps.few + 1})`,
    matching(dialect, query, { driver: undefined, withKeys: sortFilter === undefined }),
  )
  return { rows: join(choices, ' UNION ALL '), orderBy: by, total, before: [few, ...nearTable] }
}

const isFew = ({ few }: SearchSteps): Sql => sql(`(SELECT count(*) FROM few) <= ${few}`)
const notFew = ({ few }: SearchSteps): Sql => sql(`(SELECT count(*) FROM few) > ${few}`)

/** The total of a search: a counter, or how many matches there are. */
function totalIn(dialect: Dialect, query: StoredQuery, steps: SearchSteps): Sql {
  if (isCounted(query)) return totalOf(dialect.tables, query)
  if (query.count === 'bounded') return sql('(SELECT count(*) AS total FROM few)')
  return fill(
    '(SELECT CASE WHEN $ THEN (SELECT count(*) FROM few) ELSE (SELECT count(*) FROM ($) n) END AS total)',
    isFew(steps),
    matching(dialect, query, { driver: undefined, withKeys: false }),
  )
}

/** Reads from the beginning of the first range in the order of the query. Undefined if no single index has that order. */
function nearRows(dialect: Dialect, query: StoredQuery, rows: number, take: number): Sql | undefined {
  const plan = indexPlan(dialect, query)
  const [range, ...further] = plan?.ranges ?? []
  const isMerged = query.order.length === 0 && further.length > 0
  if (plan === undefined || range === undefined || isMerged) return undefined
  const least = plan.sortFilter && fill('b.o0 = $', leastValue(dialect, plan.sortFilter, 'b.sequence'))
  // PostgreSQL knows that `key = ?` is the same in all rows, but not that `key IS NULL` is.
  const isOneKey = plan.indexScan.key === undefined || (range.kind === 'key' && range.key !== null)
  const order = indexOrder({ key: isOneKey ? undefined : 'b.o0', sequence: 'b.sequence' }, plan.down)
  // OFFSET 0: the filters are evaluated row by row, and not for rows behind the page.
  return fill(
    `SELECT b.sequence${query.order.length > 0 ? ', b.o0' : ''} FROM ($) b
     CROSS JOIN LATERAL (SELECT FROM ${dialect.tables.keys} k WHERE k.sequence = b.sequence AND $ OFFSET 0) a
     WHERE $ ORDER BY ${order} LIMIT $`,
    rowsIn(dialect, plan, range, rows),
    and(plan.others.map((filter) => predicate(dialect, filter))),
    least ?? sql('true'),
    sql('?::bigint', take),
  )
}
