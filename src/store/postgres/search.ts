import { columnsOf, indexOrder, leastValue, limited, matching, orderBy, sorted } from '../query/compile.ts'
import type { Dialect } from '../query/dialect.ts'
import { isBackward, offsetOf, placingFilter, type Query } from '../query/filters.ts'
import { indexPlan } from '../query/plan.ts'
import { predicate } from '../query/predicates.ts'
import { and, fill, join, type Sql, sql } from '../query/sql.ts'
import { MOST_COUNTED } from '../store.ts'
import { type Fit, pageOf, totalOf } from './pages.ts'
import { rowsIn } from './single-index.ts'

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
 * 2. `near`: the first rows of an index in the order of the query, as far as it takes to find a page among them.
 * 3. All that match, put in order. Without the order in its sight, PostgreSQL finds them by the filters alone: it would
 *    go through a whole index otherwise where it expects matches near its beginning, and is wrong.
 */
export function searchPage(dialect: Dialect, query: Query, fit: Fit, steps: Steps = STEPS): Sql {
  const [take, skip] = [query.limit + 1, offsetOf(query)]
  const by = orderBy(query.order, isBackward(query))
  const all = matching(dialect, query, { driver: placingFilter(dialect, query), withKeys: true })
  const page = (rows: Sql) => limited(sorted(query, rows), take, skip)
  if (query.filters.length === 0)
    return pageOf(dialect, query, fit, { rows: page(all), orderBy: by, total: sql(totalOf(dialect.tables)) })

  const columns = columnsOf(query.order)
  const isFew = sql(`(SELECT count(*) FROM few) <= ${steps.few}`)
  const notFew = sql(`(SELECT count(*) FROM few) > ${steps.few}`)
  const near = nearRows(dialect, query, steps.near, skip + take)
  const isNear = near && sql('(SELECT count(*) FROM near) > ?::bigint', skip + query.limit)
  const choose = (rows: Sql, ...tests: Sql[]) =>
    fill(`(SELECT ${columns} FROM ($) c WHERE $)`, rows, and(tests))
  const choices = [
    choose(page(sql(`SELECT ${columns} FROM few`)), isFew),
    ...(isNear === undefined
      ? []
      : [choose(limited({ select: sql('SELECT * FROM near'), orderBy: by }, take, skip), notFew, isNear)]),
    choose(
      page(fill(`SELECT ${columns} FROM ($ OFFSET 0) f`, all)),
      notFew,
      ...(isNear === undefined ? [] : [fill('NOT $', isNear)]),
    ),
  ]
  const before = [
    fill(
      `few AS MATERIALIZED ($ LIMIT ${steps.few + 1})`,
      matching(dialect, query, { driver: undefined, withKeys: true }),
    ),
    ...(near === undefined ? [] : [fill('near AS MATERIALIZED ($)', near)]),
  ]
  const total =
    query.count === 'bounded'
      ? sql('(SELECT count(*) AS total FROM few)')
      : fill(
          '(SELECT CASE WHEN $ THEN (SELECT count(*) FROM few) ELSE (SELECT count(*) FROM ($) n) END AS total)',
          isFew,
          matching(dialect, query, { driver: undefined, withKeys: false }),
        )
  return pageOf(dialect, query, fit, { rows: join(choices, ' UNION ALL '), orderBy: by, total, before })
}

/** From the beginning of the first range in the order of the query. Undefined where no one index has it. */
function nearRows(dialect: Dialect, query: Query, rows: number, take: number): Sql | undefined {
  const plan = indexPlan(dialect, query)
  const [range, ...further] = plan?.ranges ?? []
  const isMerged = query.order.length === 0 && further.length > 0
  if (plan === undefined || range === undefined || isMerged) return undefined
  const least = plan.placing && fill('b.o0 = $', leastValue(dialect, plan.placing, 'b.sequence'))
  // OFFSET 0: each row is asked when its turn comes, and none behind the page.
  const { key } = plan.source
  const order = indexOrder({ ...plan.source, sequence: 'b.sequence', key: key && 'b.o0' }, plan.down)
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
