// Whether a member matches a filter, whatever path the filter takes: linked members, members that link here, embedded values.
import { elementShift } from '../../vocabulary/index-keys.ts'
import type { Filter, PropertyFilter, Step, StepFilter } from '../selection.ts'
import { and, columnOf, type Dialect, fill, join, NEVER, type Sql, sql } from './dialect.ts'
import { isOnValues, memberTest, valueTest } from './property-tests.ts'

/** A row of keys that filters are tested on, and how deep in subqueries it is: deeper rows have other aliases. */
export interface PredicateRow {
  readonly alias: string
  readonly level: number
}

export const TOP: PredicateRow = { alias: 'k', level: 0 }

/** Whether the member in a row of keys matches. */
export function predicate(dialect: Dialect, filter: Filter, row: PredicateRow = TOP): Sql {
  switch (filter.test) {
    case 'words':
      return dialect.hasWords(filter.words, row.alias)
    case 'owner':
      return sql(`${dialect.unindexed(`${row.alias}.owner`)} = ?`, filter.owner)
    case 'any': {
      const tests = filter.filters.map((one) => fill('($)', predicate(dialect, one, row)))
      return fill('($)', join(tests, ' OR '))
    }
    case 'some':
    case 'none':
      return stepTest(dialect, filter, row)
    default:
      return propertyTest(dialect, filter, row)
  }
}

function propertyTest(dialect: Dialect, filter: PropertyFilter, { alias, level }: PredicateRow): Sql {
  if (!isOnValues(dialect, filter)) return memberTest(dialect, filter, dialect.unindexed, alias)
  const value = `v${level}`
  return fill(
    `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember(value)} WHERE ${value}.sequence = ${alias}.sequence AND $)`,
    valueTest(dialect, filter, value),
  )
}

function stepTest(dialect: Dialect, filter: StepFilter, row: PredicateRow): Sql {
  const found = someTest(dialect, filter, row)
  return filter.test === 'some' ? found : fill('NOT $', found)
}

function someTest(dialect: Dialect, { step, filters }: StepFilter, row: PredicateRow): Sql {
  switch (step.kind) {
    case 'link':
      return linkTest(dialect, step, filters, row)
    case 'reverse':
      return reverseTest(dialect, step, filters, row)
    case 'embedded': {
      const value = `v${row.level + 1}`
      const tests = elementTests(dialect, depthOf(step), filters, { row, value })
      return fill(
        `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember(value)} WHERE ${value}.sequence = ${row.alias}.sequence AND $)`,
        and(tests),
      )
    }
  }
}

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>

function linkTest(
  dialect: Dialect,
  step: StepOf<'link'>,
  filters: readonly Filter[],
  row: PredicateRow,
): Sql {
  const { index, shape } = columnOf(dialect, step.property)
  if (!shape.many) return targetTest(dialect, step, filters, { row, key: `${row.alias}.k${index}` })
  const value = `v${row.level + 1}`
  return fill(
    `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember(value)}
      WHERE ${value}.sequence = ${row.alias}.sequence AND ${value}.property = ${index} AND $)`,
    targetTest(dialect, step, filters, { row: { ...row, level: row.level + 1 }, key: `${value}.key` }),
  )
}

/** Whether the member that a key of a link leads to matches. */
function targetTest(
  dialect: Dialect,
  { className }: StepOf<'link'>,
  filters: readonly Filter[],
  { row, key }: { readonly row: PredicateRow; readonly key: string },
): Sql {
  const target = dialect.of(className)
  if (target === undefined) return NEVER
  const inner = below(row)
  const { from, isTarget } = target.rowOfLink(inner.alias, key)
  return fill(`EXISTS (SELECT 1 FROM ${from} WHERE ${isTarget} AND $)`, allOf(target, filters, inner))
}

function reverseTest(
  dialect: Dialect,
  step: StepOf<'reverse'>,
  filters: readonly Filter[],
  row: PredicateRow,
): Sql {
  const source = dialect.of(step.className)
  if (source === undefined) return NEVER
  const inner = below(row)
  const { index, shape } = columnOf(source, step.property)
  const { alias } = inner
  if (!shape.many)
    return fill(
      `EXISTS (SELECT 1 FROM ${source.tables.keys} ${alias} WHERE ${dialect.isLinkTo(`${alias}.k${index}`, row.alias)}
        AND ${dialect.paced(`${alias}.sequence`)} AND $)`,
      allOf(source, filters, inner),
    )
  const value = `v${inner.level}`
  return fill(
    `EXISTS (SELECT 1 FROM ${source.tables.values} ${value}
      CROSS JOIN ${source.tables.keys} ${alias}
      WHERE ${alias}.sequence = ${value}.sequence AND ${value}.property = ${index}
        AND ${dialect.isLinkTo(`${value}.key`, row.alias)} AND ${dialect.paced(`${value}.sequence`)} AND $)`,
    allOf(source, filters, inner),
  )
}

const below = ({ level }: PredicateRow): PredicateRow => ({ alias: `k${level + 1}`, level: level + 1 })

const allOf = (dialect: Dialect, filters: readonly Filter[], row: PredicateRow): Sql =>
  and(filters.map((filter) => predicate(dialect, filter, row)))

/** How many embedded values a step within embedded values leads through. */
const depthOf = ({ property }: Step): number => property.split('.').length

/** A row of the values of a member, which one of the filters on an embedded value is tested on. */
interface ElementRow {
  readonly row: PredicateRow
  readonly value: string
}

/**
 * Conditions for an embedded value to match all filters. The row `value` has a value that matches the first of them; for
 * each of the others, the same embedded value must have another row.
 */
function elementTests(dialect: Dialect, depth: number, filters: readonly Filter[], at: ElementRow): Sql[] {
  const anchor = filters.find(isPositive)
  if (anchor === undefined) throw new Error('No filter on the embedded value has to match.')
  const others = filters.filter((filter) => filter !== anchor)
  return [
    ...rowTests(dialect, anchor, at),
    ...others.map((filter, index) => besideTest(dialect, depth, filter, at, index)),
  ]
}

type ElementFilter = PropertyFilter | StepFilter

const isPositive = (filter: Filter): filter is ElementFilter =>
  filter.test === 'exists' ? filter.exists : filter.test !== 'none'

/** Conditions for a row of the values to match. */
function rowTests(dialect: Dialect, filter: ElementFilter, at: ElementRow): Sql[] {
  const { row, value } = at
  if ('property' in filter) {
    if (filter.test !== 'exists') return [valueTest(dialect, filter, value)]
    return [sql(`${value}.property = ${columnOf(dialect, filter.property).index}`)]
  }
  const { step, filters } = filter
  if (step.kind === 'embedded') return elementTests(dialect, depthOf(step), filters, at)
  if (step.kind === 'reverse') throw new Error('No member links to an embedded value.')
  const isLink = sql(`${value}.property = ${columnOf(dialect, step.property).index}`)
  const inner = { row: { ...row, level: row.level + 1 }, key: `${value}.key` }
  return [isLink, targetTest(dialect, step, filters, inner)]
}

/** Whether the embedded value of a row also matches another filter. */
function besideTest(
  dialect: Dialect,
  depth: number,
  filter: Filter,
  { row, value }: ElementRow,
  index: number,
): Sql {
  const other: ElementRow = { row: { ...row, level: row.level + 1 }, value: `${value}_${index}` }
  const shift = elementShift(depth)
  const isSame = (alias: string) => `(${alias}.element >> ${shift})`
  const found = fill(
    `EXISTS (SELECT 1 FROM ${dialect.valuesOfMember(other.value)} WHERE ${other.value}.sequence = ${row.alias}.sequence
      AND ${isSame(other.value)} = ${isSame(value)} AND $)`,
    and(rowTests(dialect, positiveOf(filter), other)),
  )
  return isPositive(filter) ? found : fill('NOT $', found)
}

/** The filter that a negative filter negates. */
function positiveOf(filter: Filter): ElementFilter {
  if (filter.test === 'exists') return { ...filter, exists: true }
  if (filter.test === 'none') return { ...filter, test: 'some' }
  return filter as ElementFilter
}
