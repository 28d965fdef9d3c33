import type { DatatypeName } from '../../../vocabulary/index.ts'

/** Keyed by the name in pg_type. Any other type is read as its text. */
const TYPES: Readonly<Record<string, DatatypeName | undefined>> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  money: 'decimal',
  float4: 'float',
  float8: 'double',
  date: 'date',
  timestamp: 'dateTime',
  timestamptz: 'dateTime',
  time: 'time',
  timetz: 'time',
  interval: 'duration',
  bytea: undefined,
  // Made from other columns, for searches.
  tsvector: undefined,
}

export const datatypeOfType = (type: string): DatatypeName | undefined =>
  Object.hasOwn(TYPES, type) ? TYPES[type] : 'string'

/** The header of a type with a length: https://www.postgresql.org/docs/current/catalog-pg-attribute.html, atttypmod. */
const HEADER = 4

/** The most characters of a text, or the digits after the point of a number, by the modifier of its type. */
export function limitsOf(
  type: string,
  modifier: number,
): { readonly maxLength?: number; readonly scale?: number } {
  if (modifier < HEADER) return {}
  if (type === 'varchar' || type === 'bpchar') return { maxLength: modifier - HEADER }
  if (type !== 'numeric') return {}
  // Eleven bits, with a sign.
  const scale = (((modifier - HEADER) & 0x7ff) ^ 0x400) - 0x400
  return scale < 0 ? {} : { scale }
}
