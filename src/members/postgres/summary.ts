// Summaries in one statement, and so of one snapshot.
import { isOutOfRange } from '../../database/postgres/errors.ts'
import type { RunSql } from '../../database/postgres/pool.ts'
import { elementShift } from '../../vocabulary/index-keys.ts'
import { FARTHEST_POINT, FIRST_INSTANT, LAST_INSTANT, YEAR_ZERO } from '../../vocabulary/lexical-forms.ts'
import { matching } from '../query/compile.ts'
import { type Dialect, fill, join, type Sql, sql } from '../query/dialect.ts'
import { toQuery } from '../query/filters.ts'
import { type JoinedValues, joinValues } from '../query/values.ts'
import { FIRST_MEMBER } from '../selection.ts'
import {
  type FigurePath,
  type GroupPath,
  type SummaryRows,
  type SummarySelection,
  sharedDepth,
  sumOutOfRange,
  UNIT_LENGTH,
} from '../summary.ts'
import { numbered } from './pages.ts'

type SummaryTableRow = readonly (string | number | null)[]

export async function summarize(
  run: RunSql,
  dialect: Dialect,
  query: SummarySelection,
): Promise<SummaryRows> {
  const { groups, figures, maxGroups } = query
  const statement = summarySql(dialect, query)
  const rows = await run<SummaryTableRow & unknown[]>(numbered(statement), statement.params).catch(
    (error) => {
      throw isOutOfRange(error) ? sumOutOfRange() : error
    },
  )
  if (rows.length > maxGroups) return undefined
  const readKey = (written: string | number | null = null) =>
    written === null ? null : dialect.read(written)
  return rows.map((row) => ({
    group: groups.map((_, index) => readKey(row[index])),
    count: Number(row[groups.length]),
    figures: figures.map((figure, index) => {
      const [count, sum, least, greatest] = row.slice(groups.length + 1 + index * 4)
      return {
        count: Number(count ?? 0),
        sum: sum === null || sum === undefined ? null : figure.sum === 'double' ? Number(sum) : String(sum),
        least: readKey(least),
        greatest: readKey(greatest),
      }
    }),
  }))
}

function summarySql(dialect: Dialect, query: SummarySelection): Sql {
  const { groups, figures, maxGroups } = query
  const grouped = groups.map((group, index) => groupOf(dialect, group, `g${index}`))
  const added = figures.map((figure, index) => figureOf(dialect, figure, `f${index}`, groups))
  const keys = grouped.map(({ key }) => key)
  const columns = [...keys, 'count(*)', ...added.flatMap(({ columns: own }) => own)]
  const by = keys.length === 0 ? '' : `GROUP BY ${keys.map((_, index) => index + 1).join(', ')}`
  return fill(
    `SELECT ${columns.join(', ')} FROM $ $ ${by} LIMIT $`,
    matchingMembers(dialect, query),
    join(
      [...grouped, ...added].flatMap(({ joins }) => joins),
      ' ',
    ),
    sql('?::bigint', maxGroups + 1),
  )
}

/** The members that match, as rows `k`. */
function matchingMembers(dialect: Dialect, asked: SummarySelection): Sql {
  const query = toQuery(dialect, { ...FIRST_MEMBER, ...asked })
  const { keys } = dialect.tables
  if (query.filters.length === 0) return sql(`${keys} k`)
  return fill(
    `($) w JOIN ${keys} k ON k.sequence = w.sequence`,
    matching(dialect, query, { driver: undefined, withKeys: false }),
  )
}

const NO_VALUE: JoinedValues = { joins: [], key: 'NULL::text', element: undefined, isMany: false }

/** The key of a group. A member with several values has a row for each; one without a value has one row with null. */
function groupOf(dialect: Dialect, group: GroupPath, alias: string): { joins: Sql[]; key: string } {
  const { joins, key, element, isMany } = joinValues(dialect, group, `${alias}_`) ?? NO_VALUE
  const unit = inUnit(group, key)
  if (!isMany) return { joins: [...joins], key: unit }
  const rows = fill(
    `LEFT JOIN LATERAL (
       SELECT ${unit} AS key, array_agg(${element ?? 0}) AS elements FROM (SELECT 1) one $ WHERE ${key} IS NOT NULL GROUP BY 1
     ) ${alias} ON true`,
    join(joins, ' '),
  )
  return { joins: [rows], key: `${alias}.key` }
}

/** In SQL: the year, month or day that a key is in, as the key of a text. */
function inUnit({ unit }: GroupPath, key: string): string {
  if (unit === undefined) return key
  const day =
    unit.of === 'date'
      ? `substr(${key}, 2)`
      : `to_char(to_timestamp(${fourDigits(`substr(${key}, 2, 12)::bigint - ${YEAR_ZERO}`)}) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  return `('s' || substr(${day}, 1, ${UNIT_LENGTH[unit.name]}))`
}

/** An instant in a year without four digits counts as the nearest that has four, as on SQLite. */
const fourDigits = (instant: string): string =>
  `CASE WHEN ${instant} < ${FIRST_INSTANT} THEN ${FIRST_INSTANT} WHEN ${instant} > ${LAST_INSTANT} THEN ${LAST_INSTANT} ELSE ${instant} END`

/** Four columns: how many values, their sum, the least and the greatest. */
function figureOf(
  dialect: Dialect,
  figure: FigurePath,
  alias: string,
  groups: readonly GroupPath[],
): { joins: Sql[]; columns: string[] } {
  const { joins, key, element, isMany } = joinValues(dialect, figure, `${alias}_`) ?? NO_VALUE
  const number = figure.sum === undefined ? undefined : numberOf(key, figure.sum)
  const extremes = (column: (name: 'min' | 'max') => string) =>
    figure.extremes ? [column('min'), column('max')] : ['NULL', 'NULL']
  if (!isMany)
    return {
      joins: [...joins],
      columns: [
        `count(${key})`,
        sumOf(number, figure, 'k.sequence'),
        ...extremes((name) => `${name}(${key})`),
      ],
    }
  const order = `${element ?? 0}, ${key}`
  const isShared = groups.flatMap((group, index) => {
    const depth = sharedDepth(group, figure)
    return depth === 0
      ? []
      : [
          `(${element} >> ${elementShift(depth)}) IN (SELECT e >> ${elementShift(depth)} FROM unnest(g${index}.elements) e)`,
        ]
  })
  const rows = fill(
    `LEFT JOIN LATERAL (
       SELECT count(*) AS count, ${sumOf(number, figure, order, '')} AS sum, min(${key}) AS min, max(${key}) AS max
       FROM (SELECT 1) one $ WHERE ${[`${key} IS NOT NULL`, ...isShared].join(' AND ')}
     ) ${alias} ON true`,
    join(joins, ' '),
  )
  const total = figure.sum === undefined ? undefined : `${alias}.sum`
  return {
    joins: [rows],
    columns: [
      `sum(${alias}.count)`,
      sumOf(total, figure, 'k.sequence'),
      ...extremes((name) => `${name}(${alias}.${name})`),
    ],
  }
}

/** Doubles are added in the order of members, so that the sum is the same on every store. */
function sumOf(number: string | undefined, { sum }: FigurePath, order: string, cast = '::text'): string {
  if (number === undefined) return 'NULL'
  return sum === 'double' ? `sum(${number} ORDER BY ${order})` : `sum(${number})${cast}`
}

/** The number that a key stands for (`keyText`, `decimalKey`). */
const numberOf = (key: string, kind: NonNullable<FigurePath['sum']>): string =>
  kind === 'decimal' ? decimalOf(key) : doubleOf(key, kind === 'integer')

function decimalOf(key: string): string {
  const digits = (size: string) =>
    `(substr(${size}, 9) || 'e' || (substr(${size}, 1, 8)::int - ${FARTHEST_POINT} - length(${size}) + 8))::numeric`
  const complement = `translate(substr(${key}, 3, length(${key}) - 3), '0123456789', '9876543210')`
  return `CASE substr(${key}, 2, 1) WHEN '1' THEN 0::numeric WHEN '2' THEN ${digits(`substr(${key}, 3)`)} ELSE -${digits(complement)} END`
}

const FRACTION = 2n ** 52n

/** From the bits of a double, as `keyText` has them. */
function doubleOf(key: string, isInteger: boolean): string {
  const bits = `('x' || substr(${key}, 2))::bit(64)::bigint`
  const size = `(CASE WHEN ${bits} < 0 THEN ${bits} ELSE ~${bits} END & ${2n ** 63n - 1n})`
  const fraction = `(${size} & ${FRACTION - 1n})`
  const exponent = `(${size} >> 52)::int`
  const sign = `CASE WHEN ${bits} < 0 THEN 1 ELSE -1 END`
  const value = isInteger
    ? `((${fraction} | ${FRACTION}) >> (1075 - ${exponent}))::numeric`
    : `CASE ${exponent} WHEN 0 THEN ${fraction}::float8 * power(2::float8, -1074)
       ELSE (${fraction} | ${FRACTION})::float8 * power(2::float8, ${exponent} - 1075) END`
  return `CASE WHEN ${key} IS NULL THEN NULL WHEN ${size} = 0 THEN 0 ELSE ${sign} * ${value} END`
}
