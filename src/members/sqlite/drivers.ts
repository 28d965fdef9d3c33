// Finds members by several indexes, from the end of a path back to its beginning. (PostgreSQL does so by itself.)
import { indexOf } from '../query/compile.ts'
import { and, columnOf, type Dialect, fill, join, type Sql, sql } from '../query/dialect.ts'
import { isIndexed } from '../query/plan.ts'
import { predicate } from '../query/predicates.ts'
import { type Filter, isOnProperty, type Step, type StepFilter } from '../selection.ts'

/** Conditions that count the rows against the row budget, tested first. `sequence`: the column with the row's number. */
export type RowTicks = (sequence: string) => readonly Sql[]

/** Whether indexes find the members that may match a filter. */
export function isDriver(filter: Filter): boolean {
  if (filter.test === 'any') return filter.filters.every(isDriver)
  if (filter.test === 'some') return driversOf(filter).length > 0
  return isIndexed(filter)
}

/**
 * The filters of a step whose index finds what may match. An index has the members without a value, but a member without
 * a value in one of its embedded values may have it in another.
 */
const driversOf = ({ step, filters }: StepFilter): Filter[] =>
  filters.filter((one) => isDriver(one) && !(step.kind === 'embedded' && isAbsence(one)))

const isAbsence = (filter: Filter): boolean => filter.test === 'exists' && !filter.exists

/** Members that may match a filter, as a query for `sequence`; each may be there several times. Some may not match. */
export function rowsFor(dialect: Dialect, filter: Filter, ticks: RowTicks): Sql {
  if (filter.test === 'any')
    return join(
      filter.filters.map((one) => rowsFor(dialect, one, ticks)),
      ' UNION ALL ',
    )
  if (filter.test === 'some') return rowsByStep(dialect, filter, ticks)
  const { from, sequence, fixed } = indexOf(dialect, filter)
  return fill(`SELECT ${sequence} AS sequence FROM ${from} WHERE $`, and([...ticks(sequence), ...fixed]))
}

function rowsByStep(dialect: Dialect, filter: StepFilter, ticks: RowTicks): Sql {
  const { step, filters } = filter
  if (step.kind === 'embedded') return rowsFor(dialect, best(driversOf(filter)), ticks)
  const other = dialect.of(step.className)
  if (other === undefined) return sql('SELECT 0 AS sequence WHERE false')
  if (step.kind === 'link') return linking(dialect, step, idsOf(other, filters, ticks))
  return fill(
    `SELECT m.sequence AS sequence FROM ($) t CROSS JOIN ${dialect.tables.members} m WHERE m.id = t.id`,
    targetsOf(other, step, filters, ticks),
  )
}

/** The filter whose index is read. */
function best(filters: readonly Filter[]): Filter {
  const drivers = filters.filter(isDriver)
  return (
    drivers.find(({ test }) => test === 'in') ??
    drivers.find(({ test }) => test !== 'owner') ??
    drivers[0] ??
    NO_DRIVER
  )
}

const NO_DRIVER: Filter = { test: 'any', filters: [] }

/** The members that link to one of these ids. */
function linking(dialect: Dialect, { property }: Step, ids: Sql): Sql {
  const { index, shape } = columnOf(dialect, property)
  return shape.many
    ? fill(
        `SELECT v.sequence AS sequence FROM ($) t CROSS JOIN ${dialect.tables.values} v
         WHERE v.property = ${index} AND v.key = t.id`,
        ids,
      )
    : fill(
        `SELECT k.sequence AS sequence FROM ($) t CROSS JOIN ${dialect.tables.keys} k WHERE k.k${index} = t.id`,
        ids,
      )
}

/** The ids of the members that match all filters. */
export function idsOf(dialect: Dialect, filters: readonly Filter[], ticks: RowTicks): Sql {
  return fill(
    `SELECT DISTINCT m.id AS id FROM ($) r CROSS JOIN ${dialect.tables.members} m WHERE m.sequence = r.sequence`,
    matchingRows(dialect, filters, ticks),
  )
}

/** The ids of the members that members of the class link to, if those match all filters. */
function targetsOf(dialect: Dialect, { property }: Step, filters: readonly Filter[], ticks: RowTicks): Sql {
  const { index, shape } = columnOf(dialect, property)
  const rows = matchingRows(dialect, filters, ticks)
  return shape.many
    ? fill(
        `SELECT DISTINCT v.key AS id FROM ($) r CROSS JOIN ${dialect.valuesOfMember('v')}
         WHERE v.sequence = r.sequence AND v.property = ${index}`,
        rows,
      )
    : fill(
        `SELECT DISTINCT k.k${index} AS id FROM ($) r CROSS JOIN ${dialect.tables.keys} k
         WHERE k.sequence = r.sequence AND k.k${index} IS NOT NULL`,
        rows,
      )
}

/** The members that match all filters, as a query for `sequence`. */
function matchingRows(dialect: Dialect, filters: readonly Filter[], ticks: RowTicks): Sql {
  const driver = best(filters)
  // A single index has only members that match.
  const rest = isOnProperty(driver) || isIndexed(driver) ? filters.filter((one) => one !== driver) : filters
  const rows = fill('SELECT DISTINCT sequence FROM ($) a', rowsFor(dialect, driver, ticks))
  if (rest.length === 0) return rows
  return fill(
    `SELECT d.sequence FROM ($) d CROSS JOIN ${dialect.tables.keys} k1 WHERE k1.sequence = d.sequence AND $`,
    rows,
    and(rest.map((one) => predicate(dialect, one, { alias: 'k1', level: 1 }))),
  )
}
