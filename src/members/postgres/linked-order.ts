// Members in the order of a property of linked members.
import { and, columnOf, type Dialect, fill, type Sql, sql } from '../query/dialect.ts'
import { isBackward, positionOf, type StoredQuery } from '../query/filters.ts'
import { predicate } from '../query/predicates.ts'

/**
 * The first `take` rows of a query in the order of a property behind one link: the members that link to the first `targets`
 * targets, in order. If there are fewer, further ones may follow. Undefined if the query has another order, or begins with
 * members without the value.
 */
export function nearLinkedRows(
  dialect: Dialect,
  query: StoredQuery,
  targets: number,
  take: number,
): Sql | undefined {
  const [order, ...further] = query.order
  const [step, ...steps] = order?.through ?? []
  if (order === undefined || step === undefined || further.length > 0 || steps.length > 0) return undefined
  const target = dialect.of(step.className)
  const position = positionOf(query)
  const [at = null, tie = null] = position?.keys ?? []
  const isAtEnd = at === null && (isBackward(query) || position !== undefined)
  if (target === undefined || isAtEnd) return undefined
  const way = order.descending === isBackward(query) ? 'ASC' : 'DESC'
  const beyond = way === 'ASC' ? '>' : '<'
  const key = `t.k${columnOf(target, order.property).index}`
  const isBehind =
    position === undefined
      ? [sql(`${key} IS NOT NULL`)]
      : [sql(`(${key}, t.sequence) ${beyond}= (?, ?::bigint)`, at, tie)]
  const isFurther =
    position === undefined
      ? []
      : [sql(`(t.o1 <> ?::bigint OR k.sequence ${beyond} ?::bigint)`, tie, position.sequence)]
  return fill(
    `SELECT p.sequence, t.o0, t.o1 FROM (
       SELECT ${key} AS o0, t.sequence AS o1, t.id FROM ${target.tables.members} t WHERE $
       ORDER BY ${key} ${way}, t.sequence ${way} LIMIT ${targets}
     ) t CROSS JOIN LATERAL (
       SELECT k.sequence FROM ${dialect.tables.keys} k
       WHERE k.k${columnOf(dialect, step.property).index} = 's' || t.id AND $
       ORDER BY k.sequence ${way} LIMIT $
     ) p ORDER BY t.o0 ${way}, t.o1 ${way}, p.sequence ${way} LIMIT $`,
    and([...isBehind, ...step.filters.map((filter) => predicate(target, filter, { alias: 't', level: 1 }))]),
    and([...isFurther, ...query.filters.map((filter) => predicate(dialect, filter))]),
    sql('?::bigint', take),
    sql('?::bigint', take),
  )
}
