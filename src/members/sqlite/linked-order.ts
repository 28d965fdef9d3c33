// Members in the order of a property of linked members.
import { matching, type OrderedRows } from '../query/compile.ts'
import { and, columnOf, type Dialect, fill, type Sql, sql } from '../query/dialect.ts'
import { isBackward, positionOf, type StoredQuery } from '../query/filters.ts'
import { predicate } from '../query/predicates.ts'
import type { Filter, Order, OrderStep, Position } from '../selection.ts'
import type { AccessPath } from './pages.ts'

/**
 * Reads the index of the last target, and for each of its rows the members that link to it: no row is sorted. Undefined if
 * the query has another order. `budget`: how many rows may be read.
 */
export function linkedOrderPath(
  dialect: Dialect,
  query: StoredQuery,
  budget: number,
): AccessPath | undefined {
  const [order, ...further] = query.order
  if (order === undefined || further.length > 0) return undefined
  const chain = chainOf(dialect, order)
  if (chain === undefined) return undefined
  const counted = [sql('tick()'), sql('(k.sequence IS NULL OR tick())')]
  const others = query.filters.map((filter) => predicate(dialect, filter))
  const backward = isBackward(query)
  const down = order.descending !== backward
  const way = down ? 'DESC' : 'ASC'
  const withKey = (tests: readonly Sql[]): OrderedRows => ({
    select: fill(
      `SELECT k.sequence AS sequence, ${chain.key} AS o0, t.sequence AS o1 FROM ${chain.from} WHERE $`,
      and([...counted, ...tests, ...chain.tests, ...others]),
    ),
    orderBy: `${chain.key} ${way}, t.sequence ${way}, k.sequence ${way}`,
  })
  const position = positionOf(query)
  const keyed = keyedRanges(chain.key, position, backward, down).map(withKey)
  const none = withoutKey(dialect, order, others, { position, down })
  const isInKeyed = position !== undefined && position.keys[0] !== null
  const rows = backward ? [...(isInKeyed ? [] : [none]), ...keyed] : [...keyed, none]
  return {
    budget,
    rows,
    matching: () =>
      matching(dialect, query, { driver: undefined, withKeys: false, ticks: () => [sql('tick()')] }),
  }
}

interface Chain {
  /** The tables from the last target, `t`, to the member, `k`. */
  readonly from: string
  readonly tests: readonly Sql[]
  readonly key: string
}

/** Undefined if a class on the way has no members. */
function chainOf(dialect: Dialect, { property, through }: Order): Chain | undefined {
  if (through === undefined) return undefined
  const dialects: Dialect[] = [dialect]
  for (const { className } of through) {
    const target = dialects.at(-1)?.of(className)
    if (target === undefined) return undefined
    dialects.push(target)
  }
  const last = dialects.at(-1) as Dialect
  const aliasOf = (index: number) => (index === 0 ? 'k' : index === through.length ? 't' : `c${index}`)
  const from: string[] = []
  const tests: Sql[] = []
  for (let index = through.length; index > 0; index -= 1) {
    const [target, alias] = [dialects[index] as Dialect, aliasOf(index)]
    const [source, row] = [dialects[index - 1] as Dialect, aliasOf(index - 1)]
    const step = through[index - 1] as OrderStep
    if (index === through.length) from.push(`${target.tables.keys} ${alias}`)
    from.push(`${target.tables.members} ${alias}_m`, `${source.tables.keys} ${row}`)
    tests.push(
      ...step.filters.map((filter) => predicate(target, filter, { alias, level: 1 })),
      sql(`${alias}_m.sequence = ${alias}.sequence`),
      sql(`${row}.k${columnOf(source, step.property).index} = ${alias}_m.id`),
    )
  }
  return { from: from.join(' CROSS JOIN '), tests, key: `t.k${columnOf(last, property).index}` }
}

/** The rest of the target at the position, then the further ones. */
function keyedRanges(
  key: string,
  position: Position | undefined,
  backward: boolean,
  down: boolean,
): (readonly Sql[])[] {
  const all = [sql(`${key} IS NOT NULL`)]
  const [at = null, tie = null] = position?.keys ?? []
  if (position === undefined) return [all]
  if (at === null) return backward ? [all] : []
  const further = down ? '<' : '>'
  return [
    [sql('t.sequence = ?', tie), sql(`${key} = ?`, at), sql(`k.sequence ${further} ?`, position.sequence)],
    [sql(`(${key}, t.sequence) ${further} (?, ? COLLATE BINARY)`, at, tie)],
  ]
}

/** Members whose path leads to no value, in the order of creation. */
function withoutKey(
  dialect: Dialect,
  { property, through = [] }: Order,
  others: readonly Sql[],
  { position, down }: { readonly position: Position | undefined; readonly down: boolean },
): OrderedRows {
  const isBeyond =
    position !== undefined && position.keys[0] === null
      ? [sql(`k.sequence ${down ? '<' : '>'} ?`, position.sequence)]
      : []
  const found = through.reduceRight<Filter>(
    (filter, step) => ({ test: 'some', step, filters: [...step.filters, filter] }),
    { property, test: 'exists', exists: true },
  )
  return {
    select: fill(
      `SELECT k.sequence AS sequence, NULL AS o0, NULL AS o1 FROM $ WHERE $`,
      unvalued(dialect, through, property),
      and([sql('tick()'), ...isBeyond, fill('NOT $', predicate(dialect, found)), ...others]),
    ),
    orderBy: `k.sequence ${down ? 'DESC' : 'ASC'}`,
  }
}

/** The rows that may be members without the value: for one link that everybody may follow, those that indexes find. */
function unvalued(dialect: Dialect, through: readonly OrderStep[], property: string): Sql {
  const { keys } = dialect.tables
  const [step, ...further] = through
  const target = step && dialect.of(step.className)
  if (step === undefined || target === undefined || further.length > 0 || step.filters.length > 0)
    return sql(`${keys} k`)
  const link = columnOf(dialect, step.property).index
  const valued = columnOf(target, property).index
  return sql(
    `(SELECT sequence FROM ${keys} WHERE k${link} IS NULL
      UNION ALL SELECT o.sequence FROM ${target.tables.keys} t CROSS JOIN ${target.tables.members} m
        CROSS JOIN ${keys} o WHERE t.k${valued} IS NULL AND m.sequence = t.sequence AND o.k${link} = m.id) u
     CROSS JOIN ${keys} k ON k.sequence = u.sequence`,
  )
}
