import { columnOf } from '../query/filters.ts'
import { join, type Sql, sql } from '../query/sql.ts'
import { type Filter as KeyFilter, MOST_COUNTED } from '../store.ts'
import { type Fit, fitParams, fits, PAGE_COLUMNS } from './pages.ts'
import { allMembers } from './plain.ts'
import { placingOf, predicate, valueTest } from './predicates.ts'
import type { Filter, TextSelection } from './selecting.ts'
import { fill } from './sql.ts'
import type { Tables } from './tables.ts'
import { byCreation, inMembers, isBackward, orderOf, stretchesBy, walk } from './walks.ts'

/** A selection that is a stretch of one index, in its order: what is looked at is what is answered. */
export interface Straight {
  readonly base: Filter | undefined
  /** How many rows of the index are looked at, at most. */
  readonly rows: number
}

/** Undefined for a selection that is none. */
export function straight(tables: Tables, selection: TextSelection): Straight | undefined {
  const { filters, order, start, limit } = selection
  const [base, ...others] = filters
  const [by, ...further] = order
  if (others.length + further.length > 0) return undefined
  if (by === undefined ? !keepsCreation(base) : !isIndexOf(tables, selection, base, by.property))
    return undefined
  const skipped = start.at === 'offset' ? start.offset : 0
  const counted = selection.count === 'exact' && base !== undefined ? Number.POSITIVE_INFINITY : 0
  const keys = base?.test === 'in' ? base.keys.length : 1
  return { base, rows: Math.max(counted, keys * (skipped + limit + 1)) }
}

/** Whether its members are found in the order of creation. */
function keepsCreation(filter: Filter | undefined): boolean {
  switch (filter?.test) {
    case undefined:
    case 'in':
      return true
    case 'exists':
      return !filter.exists
    case 'words':
      // Of several words, each common, it may take long to find a member that has all.
      return filter.words.length === 1
    default:
      return false
  }
}

/** Whether it says which part of the index of a property; of many values, which part of the least ones. */
function isIndexOf(
  tables: Tables,
  selection: TextSelection,
  filter: Filter | undefined,
  property: string,
): boolean {
  if (filter === undefined) return true
  if (filter.test === 'words' || filter.property !== property) return false
  if (placingOf(tables, selection, property) !== undefined) return false
  if (filter.test === 'range') return filter.whole === undefined
  return filter.test === 'in' || filter.test === 'exists'
}

/** Rows and total in one statement, of one moment. */
export function straightPage(tables: Tables, selection: TextSelection, { base }: Straight, fit: Fit): Sql {
  const { order, start, limit } = selection
  const [by] = order
  const backward = isBackward(selection)
  const down = by === undefined ? backward : by.descending !== backward
  const { source, stretches } =
    by === undefined
      ? byCreation(tables, selection, base)
      : {
          source: inMembers(tables, by.property),
          stretches: stretchesBy(selection, by, base as KeyFilter | undefined),
        }
  const skip = start.at === 'offset' ? start.offset : 0
  const rows = walk(source, stretches, down, by !== undefined, skip, limit + 1)
  const total = base === undefined ? sql(allMembers(tables)) : countedTotal(tables, selection, base)
  return pageOf(tables, selection, fit, { rows, orderBy: orderOf(down), total })
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

export function pageOf(
  tables: Tables,
  selection: TextSelection,
  fit: Fit,
  { rows, orderBy, total, before = [] }: PageParts,
): Sql {
  const keys = selection.order.map((_, index) => `, f.o${index}`)
  const page = fill(
    `w AS MATERIALIZED (
       SELECT w.*, m.id, m.version, m.body, m.holes
       FROM ($) w JOIN ${tables.members} m ON m.sequence = w.sequence
     )`,
    rows,
  )
  return fill(
    `WITH $ SELECT t.total, ${PAGE_COLUMNS}${keys.join('')}
     FROM $ t LEFT JOIN (SELECT w.*, $ AS fits FROM w) f ON true ORDER BY ${orderBy}`,
    join([...before, page], ', '),
    total,
    sql(fits(fit, orderBy), ...fitParams(fit, selection)),
  )
}

/** Null where the page tells. */
function countedTotal(tables: Tables, selection: TextSelection, base: Filter): Sql {
  const count = countOf(tables, base, selection.count === 'exact' ? undefined : MOST_COUNTED + 1)
  const { start, limit } = selection
  if (start.at !== 'offset') return fill('(SELECT ($) AS total)', count)
  const least = start.offset === 0 ? 0 : 1
  return fill(
    '(SELECT CASE WHEN (SELECT count(*) FROM w) BETWEEN $ THEN NULL ELSE ($) END AS total)',
    sql('?::bigint AND ?::bigint', least, limit),
    count,
  )
}

/** How many match one filter, up to `most`. */
function countOf(tables: Tables, base: Filter, most: number | undefined): Sql {
  const limit = (times: number) => (most === undefined ? sql('') : sql('LIMIT ?::bigint', most * times))
  const count = (rows: Sql) => fill('SELECT count(*) FROM ($ $) c', rows, limit(1))
  if (base.test === 'words')
    return count(sql(`SELECT FROM ${tables.words} WHERE word = ?`, base.words[0] as string))
  const { index, shape } = columnOf(tables, base.property)
  if (!shape.many || base.test === 'exists')
    return count(fill(`SELECT FROM ${tables.members} m WHERE $`, predicate(tables, base)))
  const keys = base.test === 'in' ? base.keys.length : 1
  const rows = fill(`SELECT v.sequence FROM ${tables.values} v WHERE $`, valueTest(index, base))
  // A member may have as many of the values as there are keys.
  return keys === 1 ? count(rows) : count(fill('SELECT DISTINCT sequence FROM ($ $) d', rows, limit(keys)))
}
