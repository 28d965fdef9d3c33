import type { RunSql } from '../../../database/postgres/pool.ts'
import type { RemovalRule } from '../../../vocabulary/index.ts'
import {
  type ForeignKey,
  isSame,
  type OtherThing,
  type SourceColumn,
  type SourceSchema,
  type SourceTable,
} from '../schema.ts'
import { quotedName } from '../sql.ts'
import { datatypeOfType, limitsOf } from './types.ts'

// https://www.postgresql.org/docs/current/catalogs.html; lists of names as JSON, since the driver reads no arrays here.

const TABLES = `
  SELECT c.oid::text, c.relname::text, c.relkind::text, has_table_privilege(c.oid, 'SELECT')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
  ORDER BY c.relname`

const COLUMNS = `
  SELECT a.attrelid::text, a.attname::text, format_type(a.atttypid, a.atttypmod), coalesce(e.typname, b.typname)::text,
    e.oid IS NOT NULL, CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END,
    a.attnotnull OR t.typnotnull, a.attgenerated <> '', pg_get_expr(d.adbin, d.adrelid),
    (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = coalesce(e.oid, b.oid))::text,
    (SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c')::text
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid
  JOIN pg_type b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
  LEFT JOIN pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE n.nspname = $1 AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attrelid, a.attnum`

const namesOf = (relation: string, numbers: string, more = ''): string => `
  (SELECT json_agg(a.attname ORDER BY p.place) FROM unnest(${numbers}) WITH ORDINALITY AS p (number, place)
    LEFT JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = p.number ${more})::text`

const CONSTRAINTS = `
  SELECT k.conrelid::text, k.contype::text, ${namesOf('k.conrelid', 'k.conkey')}, k.confrelid::text,
    ${namesOf('k.confrelid', 'k.confkey')}, k.confdeltype::text, pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND k.contype IN ('p', 'f', 'c') AND k.conparentid = 0
  ORDER BY k.conrelid, k.conname`

/** Keys without expressions, over all rows. */
const INDEXES = `
  SELECT i.indrelid::text, ${namesOf('i.indrelid', 'i.indkey::int2[]', 'WHERE p.place <= i.indnkeyatts')}
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND i.indisunique AND NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL
  ORDER BY i.indrelid, i.indexrelid`

type PostgresColumn = [
  table: string,
  name: string,
  type: string,
  typeName: string,
  isList: boolean,
  modifier: number,
  isRequired: boolean,
  isGenerated: boolean,
  fallback: string | null,
  choices: string | null,
  checks: string | null,
]

type ConstraintRow = [
  table: string,
  kind: 'p' | 'f' | 'c',
  columns: string | null,
  target: string,
  targets: string | null,
  onDelete: string,
  definition: string,
]

const listIn = (json: string | null): string[] => (json === null ? [] : JSON.parse(json))

/** Describes the tables of one schema. */
export async function readCatalog(run: RunSql, schema: string): Promise<SourceSchema> {
  const found = await run<[oid: string, name: string, kind: string, isReadable: boolean]>(TABLES, [schema])
  const columns = Map.groupBy(await run<PostgresColumn>(COLUMNS, [schema]), ([table]) => table)
  const constraints = Map.groupBy(await run<ConstraintRow>(CONSTRAINTS, [schema]), ([table]) => table)
  const indexes = Map.groupBy(await run<[string, string]>(INDEXES, [schema]), ([table]) => table)
  const others = found.flatMap(([, name, kind, isReadable]): OtherThing[] => {
    if (kind === 'v' || kind === 'm') return [{ name, reason: 'view' }]
    return isReadable ? [] : [{ name, reason: 'forbidden' }]
  })
  const readable = found.filter(([, name]) => others.every((other) => other.name !== name))
  const names = new Map(readable.map(([oid, name]) => [oid, name]))
  const tables = readable.map(([oid, name]) => {
    const unique = (indexes.get(oid) ?? []).map(([, json]) => listIn(json))
    return describeTable(name, columns.get(oid) ?? [], constraints.get(oid) ?? [], { unique, names })
  })
  return { tables, others }
}

interface TableContext {
  readonly unique: readonly (readonly string[])[]
  /** The tables that can be read, by their numbers. */
  readonly names: ReadonlyMap<string, string>
}

function describeTable(
  name: string,
  columns: readonly PostgresColumn[],
  constraints: readonly ConstraintRow[],
  { unique, names }: TableContext,
): SourceTable {
  const isNeverNull = (column: string) => columns.some((row) => row[1] === column && row[6])
  const primary = constraints.find(([, kind]) => kind === 'p')
  const key = primary ? listIn(primary[2]) : (unique.find((one) => one.every(isNeverNull)) ?? [])
  const ofColumns = columns.flatMap(([, column, , , , , , , , , checks]) =>
    // A domain calls its value so.
    listIn(checks).map((text) => conditionIn(text).replaceAll(/\bVALUE\b/g, quotedName(column))),
  )
  return {
    name,
    columns: columns.map(describeColumn),
    key,
    references: constraints.flatMap((row) => referenceIn(row, names)),
    unique: unique.filter((one) => !isSame(one, key)),
    checks: [
      ...constraints.filter(([, kind]) => kind === 'c').map((row) => conditionIn(row[6])),
      ...ofColumns,
    ],
  }
}

/** `CHECK ((a > 0)) NOT VALID` */
const conditionIn = (definition: string): string =>
  definition.slice(definition.indexOf('(') + 1, definition.lastIndexOf(')'))

function describeColumn([, name, type, typeName, isList, modifier, ...row]: PostgresColumn): SourceColumn {
  const [isRequired, isGenerated, fallback, choices] = row
  return {
    ...{ name, type, isList, isRequired, isGenerated },
    datatype: datatypeOfType(typeName),
    default: isGenerated ? undefined : (fallback ?? undefined),
    ...limitsOf(typeName, modifier),
    ...(choices !== null && { choices: listIn(choices) }),
  }
}

const RULES: Readonly<Record<string, RemovalRule>> = { c: 'delete', n: 'unset' }

/** A reference to a table of another schema is none here. */
function referenceIn(
  [, kind, columns, target, targets, onDelete]: ConstraintRow,
  names: TableContext['names'],
): ForeignKey[] {
  const table = names.get(target)
  if (kind !== 'f' || table === undefined) return []
  return [
    { columns: listIn(columns), table, targets: listIn(targets), onDelete: RULES[onDelete] ?? 'refuse' },
  ]
}
