import type { Key } from '../../vocabulary/keys.ts'
import { and, type Dialect, type QueryTables, type Sql, sql } from '../query/dialect.ts'

/** Which filter drives is left to PostgreSQL, which has statistics: each is written so that it may be the one. */
export const dialectOf = (tables: QueryTables): Dialect => ({
  tables,
  write: keyText,
  read: (written) => keyOf(String(written)),
  text: (column) => `substr(${column}, 2)`,
  find: 'strpos',
  isOneOf: (column, keys) => sql(`${column} = ANY (?::text[])`, arrayOf(keys.map(String))),
  unindexed: (column) => column,
  position: '(?, ?)',
  valuesOfMember: (alias) => `${tables.values} ${alias}`,
  hasWords: (words) =>
    and(
      words.map((word) =>
        sql(`k.sequence IN (SELECT w.sequence FROM ${tables.words} w WHERE w.word = ?)`, word),
      ),
    ),
  withWords: ([word = '']) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.sequence',
    key: undefined,
    fixed: [sql('w.word = ?', word)],
  }),
  mostWords: 1,
})

/** As PostgreSQL has it: the parameters by their numbers. Values are never in the text, so it has no other marks. */
export function numbered({ text }: Sql): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/**
 * Keys as text that PostgreSQL compares byte by byte (`COLLATE "C"`) in the order of `compareKeys`: numbers before all
 * strings, strings by code point. An index entry has at most 2,704 bytes; a key that `indexKey` has made, at most 864.
 */
export const keyText = (key: Key): string => (typeof key === 'number' ? `n${numberText(key)}` : `s${key}`)

/** The key that a text was made of. */
export const keyOf = (text: string): Key => (text.startsWith('n') ? numberOf(text.slice(1)) : text.slice(1))

/** The bits of a double order positive numbers as unsigned integers; negative ones the other way round. */
function numberText(value: number): string {
  const bytes = Buffer.alloc(8)
  // Of both zeros, the one without a sign: they are equal.
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  flip(bytes, value >= 0)
  return bytes.toString('hex')
}

function numberOf(text: string): number {
  const bytes = Buffer.from(text, 'hex')
  flip(bytes, ((bytes[0] ?? 0) & 0x80) !== 0)
  return bytes.readDoubleBE(0)
}

function flip(bytes: Buffer, isPositive: boolean): void {
  if (isPositive) bytes[0] = (bytes[0] as number) ^ 0x80
  else for (let index = 0; index < 8; index += 1) bytes[index] = ~(bytes[index] as number)
}

/**
 * Arrays as one parameter, in the form in which PostgreSQL writes them itself
 * (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO): any number of values in a statement whose text stays
 * the same, far from the limit of 65,535 parameters.
 */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map(element).join(',')}}`

function element(value: string | number | null): string | number {
  if (typeof value === 'string') return quoted(value)
  return value ?? 'NULL'
}

/** Always in quotes: without them NULL would be nothing, and spaces at the ends would be lost. */
const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`

/** Columns of rows, each as an array. */
export const columnArrays = <Name extends string>(
  rows: readonly Readonly<Record<Name, string | number | null>>[],
  ...names: readonly Name[]
): string[] => names.map((name) => arrayOf(rows.map((row) => row[name])))
