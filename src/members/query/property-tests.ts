// Tests of one property, on a row of keys or on a row of values.
import type { Bounds, PropertyFilter } from '../selection.ts'
import { and, columnOf, type Dialect, fill, hasWholeColumn, join, type Sql, sql } from './dialect.ts'

/** Whether the filter is tested on each value of the property. */
export const isOnValues = (dialect: Dialect, { property, test }: PropertyFilter): boolean =>
  test !== 'exists' && columnOf(dialect, property).shape.many

/** Whether a row of keys matches, by its key. */
export function memberTest(
  dialect: Dialect,
  filter: PropertyFilter,
  columnIn: (key: string) => string = (key) => key,
  row = 'k',
): Sql {
  const { index, shape } = columnOf(dialect, filter.property)
  const whole = hasWholeColumn(shape) ? `${row}.x${index}` : 'NULL'
  return keyTest(dialect, filter, { key: columnIn(`${row}.k${index}`), whole })
}

/** Whether a row of the values matches. */
export function valueTest(dialect: Dialect, filter: PropertyFilter, row: string): Sql {
  const isOfProperty = sql(`${row}.property = ${columnOf(dialect, filter.property).index}`)
  return and([isOfProperty, keyTest(dialect, filter, { key: `${row}.key`, whole: `${row}.whole` })])
}

/** The columns of a property (`Indexed`). */
type KeyColumns = Readonly<Record<'key' | 'whole', string>>

function keyTest(dialect: Dialect, filter: PropertyFilter, { key, whole }: KeyColumns): Sql {
  switch (filter.test) {
    case 'in':
      return filter.keys.length === 1
        ? sql(`${key} = ?`, filter.keys[0] ?? null)
        : dialect.isOneOf(key, filter.keys)
    case 'range':
      return filter.whole === undefined
        ? rangeTest(key, filter)
        : fill(`$ AND (${whole} IS NULL OR $)`, rangeTest(key, filter), rangeTest(whole, filter.whole))
    case 'spans': {
      const tests = filter.spans.map((span) => fill('($)', rangeTest(key, span)))
      return fill('($)', join(tests, ' OR '))
    }
    case 'not':
      return sql(`${key} <> ?`, filter.key)
    case 'contains':
      // The whole key first, which is quick: cutting the folded text out of it takes as long as all the rest.
      return sql(
        `${dialect.find}(coalesce(${whole}, ${key}), ?) > 0
          AND ${dialect.find}(coalesce(${whole}, ${dialect.foldedIn(key)}), ?) > 0`,
        filter.text,
        filter.text,
      )
    case 'exists':
      return sql(`${key} IS ${filter.exists ? 'NOT ' : ''}NULL`)
  }
}

export function rangeTest(column: string, { from, to }: Bounds): Sql {
  const tests = [
    from && sql(`${column} >${from.inclusive ? '=' : ''} ?`, from.key),
    to && sql(`${column} <${to.inclusive ? '=' : ''} ?`, to.key),
  ].filter((test) => test !== undefined)
  return tests.length === 0 ? sql(`${column} IS NOT NULL`) : and(tests)
}
