import { columnOf } from '../query/filters.ts'
import { inValues, type Source } from '../query/sources.ts'
import { and, join, type Sql, sql } from '../query/sql.ts'
import { type Filter as KeyFilter, MOST_COUNTED, type Order } from '../store.ts'
import type { Fit } from './pages.ts'
import { allMembers } from './plain.ts'
import { allOf, othersThan, type Placing, placingOf, valueTest } from './predicates.ts'
import type { Filter, TextSelection } from './selecting.ts'
import { fill } from './sql.ts'
import { pageOf } from './straight.ts'
import type { Tables } from './tables.ts'
import {
  byCreation,
  inMembers,
  isBackward,
  isOrdered,
  positionOf,
  rowsOf,
  type Stretch,
  stretchesBy,
} from './walks.ts'

/** Where one step ends and the next begins. */
export interface Steps {
  readonly few: number
  /** So many rows of an index are looked at in order. */
  readonly near: number
}

const STEPS: Steps = { few: MOST_COUNTED, near: 5_000 }

/**
 * A page of what no single index has, in one statement of up to three steps, each of which is made only where the one
 * before has not sufficed (PostgreSQL makes a WITH query when it is read):
 *
 * 1. `few`: up to 1,001 that match, in any order, from whatever index promises the fewest. Up to 1,000, that is all.
 * 2. `near`: the first rows in the order of the selection, as far as it takes to find a page among them.
 * 3. All that match, put in order. Without the order in its sight, PostgreSQL finds them by the filters alone: it would
 *    go through a whole index otherwise where it expects matches near its beginning, and is wrong.
 */
export function combinedPage(tables: Tables, selection: TextSelection, fit: Fit, steps: Steps = STEPS): Sql {
  const { filters, order, start, limit, count } = selection
  const skip = start.at === 'offset' ? start.offset : 0
  const by = orderBy(order, isBackward(selection))
  const columns = ['sequence', ...order.map((_, index) => `o${index}`)].join(', ')
  const ordered = (from: Sql, test: Sql) =>
    fill(
      `SELECT ${columns} FROM $ WHERE $ ORDER BY ${by} $`,
      from,
      test,
      sql('LIMIT ?::bigint OFFSET ?::bigint', limit + 1, skip),
    )
  const beyond = beyondOf(selection)
  const all = matches(tables, selection)
  if (filters.length === 0)
    return pageOf(tables, selection, fit, {
      rows: ordered(fill('($) a', all), beyond),
      orderBy: by,
      total: sql(allMembers(tables)),
    })

  const isFew = sql(`(SELECT count(*) FROM few) <= ${steps.few}`)
  const notFew = sql(`(SELECT count(*) FROM few) > ${steps.few}`)
  const near = nearRows(tables, selection, steps.near, skip + limit + 1)
  const isNear = near && sql('(SELECT count(*) FROM near) > ?::bigint', skip + limit)
  const choose = (rows: Sql, ...tests: Sql[]) => fill('(SELECT * FROM ($) c WHERE $)', rows, and(tests))
  const choices = [
    choose(ordered(fill('($) a', fromFew(tables, selection)), beyond), isFew),
    ...(isNear === undefined ? [] : [choose(ordered(sql('near'), sql('true')), notFew, isNear)]),
    choose(
      ordered(fill('($ OFFSET 0) a', all), beyond),
      notFew,
      ...(isNear === undefined ? [] : [fill('NOT $', isNear)]),
    ),
  ]
  const before = [
    fill(`few AS MATERIALIZED ($ LIMIT ${steps.few + 1})`, anyOf(tables, selection)),
    ...(near === undefined ? [] : [fill('near AS MATERIALIZED ($)', near)]),
  ]
  const total =
    count === 'bounded'
      ? sql('(SELECT count(*) AS total FROM few)')
      : fill(
          '(SELECT CASE WHEN $ THEN (SELECT count(*) FROM few) ELSE (SELECT count(*) FROM $) END AS total)',
          isFew,
          fill(`${tables.members} m WHERE $`, allOf(tables, filters)),
        )
  return pageOf(tables, selection, fit, { rows: join(choices, ' UNION ALL '), orderBy: by, total, before })
}

/** All that match, in any order, as `sequence` and the keys that place them. */
function matches(tables: Tables, selection: TextSelection): Sql {
  const [order] = selection.order
  const placing = order && placingOf(tables, selection, order.property)
  if (placing === undefined) return anyOf(tables, selection)
  // The least of each in one go: looking it up for each takes ten times as long.
  const least = fill(
    `(SELECT v.sequence, min(v.key) AS o0 FROM ${tables.values} v WHERE $ GROUP BY v.sequence) g`,
    valueTest(columnOf(tables, placing.property).index, placing),
  )
  const others = othersThan(placing, selection)
  if (others.length === 0) return fill('SELECT g.sequence, g.o0 FROM $', least)
  return fill(
    `SELECT g.sequence, g.o0 FROM $ JOIN ${tables.members} m ON m.sequence = g.sequence WHERE $`,
    least,
    allOf(tables, others),
  )
}

/** The same, but that a member which one of many values places is without its key. */
function anyOf(tables: Tables, selection: TextSelection): Sql {
  const keys = selection.order.map(({ property }, index) =>
    placingOf(tables, selection, property) === undefined
      ? `, m.k${columnOf(tables, property).index} AS o${index}`
      : '',
  )
  return fill(
    `SELECT m.sequence${keys.join('')} FROM ${tables.members} m WHERE $`,
    allOf(tables, selection.filters),
  )
}

function fromFew(tables: Tables, selection: TextSelection): Sql {
  const [order] = selection.order
  const placing = order && placingOf(tables, selection, order.property)
  return placing === undefined
    ? sql('SELECT * FROM few')
    : fill('SELECT f.sequence, $ AS o0 FROM few f', leastOf(tables, placing, 'f.sequence'))
}

/** The value that places a member: the least that matches. */
function leastOf(tables: Tables, placing: Placing, sequence: string): Sql {
  const { index } = columnOf(tables, placing.property)
  return fill(
    `(SELECT min(v.key) FROM ${tables.values} v WHERE v.sequence = ${sequence} AND $)`,
    valueTest(index, placing),
  )
}

/**
 * From the beginning of the first stretch in the order of the selection, behind its position. Undefined where that is
 * no stretch of one index.
 */
function nearRows(tables: Tables, selection: TextSelection, rows: number, take: number): Sql | undefined {
  const found = nearStretch(tables, selection)
  if (found === undefined || !isOrdered(found.stretch)) return undefined
  const { source, stretch, down, asked, base } = found
  const least = base === undefined ? sql('true') : fill('b.o0 = $', leastOf(tables, base, 'b.sequence'))
  const direction = down ? 'DESC' : 'ASC'
  // OFFSET 0: each row is asked when its turn comes, and none behind the page.
  return fill(
    `SELECT b.sequence, b.o0 FROM ($) b
     CROSS JOIN LATERAL (SELECT FROM ${tables.members} m WHERE m.sequence = b.sequence AND $ OFFSET 0) a
     WHERE $ ORDER BY ${stretch.kind === 'span' ? `b.o0 ${direction}, ` : ''}b.sequence ${direction} $`,
    rowsOf(source, stretch, down, rows),
    allOf(tables, asked),
    least,
    sql('LIMIT ?::bigint', take),
  )
}

interface NearStretch {
  readonly source: Source
  readonly stretch: Stretch
  readonly down: boolean
  /** Of each row of the stretch. */
  readonly asked: readonly Filter[]
  /** Whose least matching value places a member. */
  readonly base: Placing | undefined
}

function nearStretch(tables: Tables, selection: TextSelection): NearStretch | undefined {
  const [order, ...further] = selection.order
  const backward = isBackward(selection)
  if (further.length > 0) return undefined
  if (order === undefined) {
    const { source, stretches } = byCreation(tables, selection, undefined)
    const [stretch] = stretches
    return stretch && { source, stretch, down: backward, asked: selection.filters, base: undefined }
  }
  const { property, descending } = order
  const base = placingOf(tables, selection, property)
  // Texts that share the head of a long bound are told apart in the last step only.
  if (base?.test === 'range' && base.whole !== undefined) return undefined
  const bounding = base ?? selection.filters.find((one) => bounds(one, property))
  const [stretch] = stretchesBy(selection, order, bounding as KeyFilter | undefined)
  if (stretch === undefined) return undefined
  const source = base === undefined ? inMembers(tables, property) : inValues(tables, property)
  return { source, stretch, down: descending !== backward, asked: othersThan(base, selection), base }
}

const bounds = (filter: Filter, property: string): boolean =>
  filter.test !== 'words' && filter.property === property && ['in', 'range', 'exists'].includes(filter.test)

/** Members without the value come last in both directions; equals are in the direction of the last order. */
function orderBy(order: readonly Order[], backward: boolean): string {
  const direction = (descending: boolean) => (descending === backward ? 'ASC' : 'DESC')
  const keys = order.map(
    ({ descending }, index) => `o${index} ${direction(descending)} NULLS ${backward ? 'FIRST' : 'LAST'}`,
  )
  return [...keys, `sequence ${direction(order.at(-1)?.descending ?? false)}`].join(', ')
}

/** What comes behind the position in the direction of the walk. */
function beyondOf(selection: TextSelection): Sql {
  const { order } = selection
  const position = positionOf(selection)
  if (position === undefined) return sql('true')
  const backward = isBackward(selection)
  const isDown = (descending: boolean) => descending !== backward
  const last = sql(`sequence ${isDown(order.at(-1)?.descending ?? false) ? '<' : '>'} ?`, position.sequence)
  return order.reduceRight((further, { descending }, index) => {
    const key = position.keys[index] ?? null
    const equal = key === null ? sql(`o${index} IS NULL`) : sql(`o${index} = ?`, key)
    return fill('($ OR ($ AND $))', farther(`o${index}`, key, isDown(descending), backward), equal, further)
  }, last)
}

function farther(column: string, key: string | number | null, down: boolean, backward: boolean): Sql {
  if (key === null) return sql(backward ? `${column} IS NOT NULL` : 'false')
  const compared = `${column} ${down ? '<' : '>'} ?`
  return sql(backward ? compared : `(${compared} OR ${column} IS NULL)`, key)
}
