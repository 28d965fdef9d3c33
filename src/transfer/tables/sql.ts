import type { JoinTable, RowPart, RowQuery, SourceColumn, SourceTable } from './schema.ts'

/** What differs between the two databases. */
export interface SqlDialect {
  /** The name of a table in statements. */
  table(name: string): string
  /** A value as it is read. */
  value(expression: string, column: SourceColumn): string
  /** A value of a key as text. */
  text(expression: string): string
  /** A list of lists of texts, as JSON. */
  lists(expressions: readonly string[]): string
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

const named = (alias: string, column: string): string => `${alias}.${quotedName(column)}`

/** The statement that reads the rows of a table, in the order of its key, or else of their values. */
export function selectRows({ table, parts }: RowQuery, dialect: SqlDialect): string {
  const joins = parts.flatMap((part, index) =>
    part.kind === 'joined' ? [joinLinks(part.join, `j${index}`, table, dialect)] : [],
  )
  const values = parts.map((part, index) => partValue(part, index, dialect))
  const order =
    table.key.length > 0 ? table.key.map((name) => named('t', name)) : parts.map((_, index) => index + 1)
  return [
    `SELECT ${values.length === 0 ? '1' : values.join(', ')}`,
    `FROM ${dialect.table(table.name)} AS t`,
    ...joins,
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
  ].join(' ')
}

function partValue(part: RowPart, index: number, dialect: SqlDialect): string {
  if (part.kind === 'joined') return `j${index}.links`
  if (part.kind === 'column') return dialect.value(named('t', part.column.name), part.column)
  const { reference, keyColumn } = part
  const { table, columns, targets } = reference
  const same = targets.map((target, at) => `${named('o', target)} = ${named('t', columns[at] ?? '')}`)
  const found =
    `SELECT ${dialect.text(named('o', keyColumn))} FROM ${dialect.table(table)} AS o ` +
    `WHERE ${same.join(' AND ')} LIMIT 1`
  // A reference to no row stays one, and is reported as a link to no member.
  return `coalesce((${found}), ${dialect.text(named('t', columns[0] ?? ''))})`
}

/** The links of all rows at once: the database chooses how to join, and sorts on its disk. */
function joinLinks({ table, from, to }: JoinTable, alias: string, own: SourceTable, dialect: SqlDialect) {
  const keys = from.columns.map((name) => named('l', name))
  const links = dialect.lists(to.columns.map((name) => named('l', name)))
  const same = own.key.map((name, at) => `${named(alias, from.columns[at] ?? '')} = ${named('t', name)}`)
  return (
    `LEFT JOIN (SELECT ${keys.join(', ')}, ${links} AS links FROM ${dialect.table(table.name)} AS l ` +
    `WHERE ${to.columns.map((name) => `${named('l', name)} IS NOT NULL`).join(' AND ')} ` +
    `GROUP BY ${keys.join(', ')}) AS ${alias} ON ${same.join(' AND ')}`
  )
}

export const countRows = (table: SourceTable, dialect: SqlDialect): string =>
  `SELECT count(*) FROM ${dialect.table(table.name)}`

/** Whether each of the columns has a blank text, as 1 or 0. */
export const selectBlank = (table: SourceTable, columns: readonly string[], dialect: SqlDialect): string =>
  `SELECT ${columns
    .map((name) => {
      const value = named('t', name)
      return `CASE WHEN EXISTS (SELECT 1 FROM ${dialect.table(table.name)} AS t WHERE trim(${dialect.text(value)}) = '') THEN 1 ELSE 0 END`
    })
    .join(', ')}`

export const selectMost = (table: SourceTable, columns: readonly string[], dialect: SqlDialect): string =>
  `SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${dialect.table(table.name)} ` +
  `GROUP BY ${columns.map(quotedName).join(', ')}) AS counted`
