import type { DatabaseSync } from 'node:sqlite'
import { arrays } from '../../../database/sqlite/connection.ts'
import type { RemovalRule } from '../../../vocabulary/index.ts'
import { checksIn } from '../condition.ts'
import type { ForeignKey, OtherThing, SourceColumn, SourceSchema, SourceTable } from '../schema.ts'
import { datatypeIn } from './types.ts'

type TableRow = [name: string, type: string, sql: string | null]
type SqliteColumn = [
  name: string,
  type: string,
  notNull: number,
  fallback: string | null,
  key: number,
  hidden: number,
]
type ReferenceRow = [
  number: number,
  table: string,
  from: string,
  to: string | null,
  onDelete: string,
  sequence: number,
]
type IndexRow = [name: string, unique: number, partial: number, origin: string]

const TABLES = `
  SELECT l.name, l.type, s.sql FROM pragma_table_list AS l
  LEFT JOIN sqlite_schema AS s ON s.type = 'table' AND s.name = l.name
  WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name`

/** Describes the tables of a database, which is only read. */
export function readCatalog(db: DatabaseSync): SourceSchema {
  const found = arrays(db, TABLES).all<TableRow>()
  const others = found.flatMap(([name, type]): OtherThing[] => {
    if (type === 'view') return [{ name, reason: 'view' }]
    // Shadow tables are the inner parts of virtual ones.
    return type === 'virtual' ? [{ name, reason: 'virtual' }] : []
  })
  const rows = found.filter(([, type]) => type === 'table')
  const keys = new Map(rows.map(([name]) => [name.toLowerCase(), { name, key: keyOf(columnsOf(db, name)) }]))
  const tables = rows.map(([name, , sql]) => describeTable(db, name, sql ?? '', keys))
  return { tables, others }
}

type PrimaryKeys = ReadonlyMap<string, { readonly name: string; readonly key: readonly string[] }>

function describeTable(db: DatabaseSync, name: string, sql: string, keys: PrimaryKeys): SourceTable {
  const rows = columnsOf(db, name)
  const primary = keyOf(rows)
  const unique = uniqueKeys(db, name)
  const isNeverNull = (column: string) => rows.some(([one, , notNull]) => one === column && notNull === 1)
  const key = primary.length > 0 ? primary : (unique.find((names) => names.every(isNeverNull)) ?? [])
  return {
    name,
    columns: rows.map((row) => describeColumn(row, primary)),
    key,
    references: referencesOf(db, name, keys),
    unique: unique.filter((names) => names !== key),
    checks: checksIn(sql),
  }
}

/** Without columns that cannot be read: 1 is a hidden column of a virtual table. */
const columnsOf = (db: DatabaseSync, table: string): SqliteColumn[] =>
  arrays(
    db,
    'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid',
  ).all<SqliteColumn>(table)

const keyOf = (rows: readonly SqliteColumn[]): string[] =>
  rows
    .filter(([, , , , place]) => place > 0)
    .toSorted((one, other) => one[4] - other[4])
    .map(([name]) => name)

function describeColumn(
  [name, type, notNull, fallback, , hidden]: SqliteColumn,
  primary: readonly string[],
): SourceColumn {
  return {
    name,
    type,
    datatype: datatypeIn(type),
    isList: false,
    isRequired: notNull === 1 || primary.includes(name),
    isGenerated: hidden > 1,
    default: fallback ?? undefined,
  }
}

/** Keys without expressions, over all rows. */
function uniqueKeys(db: DatabaseSync, table: string): string[][] {
  const indexes = arrays(db, 'SELECT name, "unique", partial, origin FROM pragma_index_list(?) ORDER BY seq')
  const columns = arrays(db, 'SELECT name FROM pragma_index_info(?) ORDER BY seqno')
  return indexes
    .all<IndexRow>(table)
    .filter(([, unique, partial, origin]) => unique === 1 && partial === 0 && origin !== 'pk')
    .map(([index]) => columns.all<[string | null]>(index).map(([name]) => name))
    .filter((names): names is string[] => names.every((name) => name !== null))
}

const RULES: Readonly<Record<string, RemovalRule>> = { CASCADE: 'delete', 'SET NULL': 'unset' }

function referencesOf(db: DatabaseSync, table: string, keys: PrimaryKeys): ForeignKey[] {
  const rows = arrays(
    db,
    'SELECT id, "table", "from", "to", on_delete, seq FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq',
  ).all<ReferenceRow>(table)
  return [...Map.groupBy(rows, ([number]) => number).values()].flatMap((parts): ForeignKey[] => {
    const [first] = parts
    // SQLite finds tables without regard to case, and needs none to be there.
    const target = keys.get(first?.[1].toLowerCase() ?? '')
    if (first === undefined || target === undefined) return []
    const columns = parts.map(([, , from]) => from)
    const targets = parts.map(([, , , to], at) => to ?? target.key[at] ?? '')
    return [{ columns, table: target.name, targets, onDelete: RULES[first[4]] ?? 'refuse' }]
  })
}
