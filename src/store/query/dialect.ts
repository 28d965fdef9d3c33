import type { Key, KeyShape } from '../../vocabulary/keys.ts'
import type { Sql } from './sql.ts'
import type { QueryTables } from './tables.ts'

/** How a store spells what the two do not have in common. A row of `keys` is called `k` everywhere, one of `values` `v`. */
export interface Dialect {
  readonly tables: QueryTables
  /** A key as it stands in a column, and back. */
  write(key: Key): Key
  read(written: Key): Key
  /** The text in a column of keys. */
  text(column: string): string
  /** The function that says where a text has another one, 0 for nowhere. */
  readonly find: string
  isOneOf(column: string, keys: readonly Key[]): Sql
  /** A column whose index must not be chosen, where the plan and not the database says which filter drives. */
  unindexed(column: string): string
  /** Where a key and a sequence number are bound, to be compared with both columns at once. */
  readonly position: string
  /** The values of one member, as a table. */
  valuesOfMember(alias: string): string
  /** Whether the member in row `k` has all the words. */
  hasWords(words: readonly string[]): Sql
  /** Members that have all the words, in the order of creation. */
  withWords(words: readonly string[]): Source
  /** More words than these are not asked of one index at once. */
  readonly mostWords: number
}

/** Rows of an index: each has the sequence number of a member, and its key where it is an index by key. */
export interface Source {
  /** What its rows are called: those of keys, values or words. */
  readonly row: 'k' | 'v' | 'w'
  readonly from: string
  readonly sequence: string
  readonly key: string | undefined
  /** What all its rows must pass. */
  readonly fixed: readonly Sql[]
}

/** Which column of the keys a property has, and its shape. The caller has both from the model of this store. */
export function columnOf(
  { tables: { shapes } }: Dialect,
  property: string,
): { readonly index: number; readonly shape: KeyShape } {
  const index = shapes.findIndex((shape) => shape.property === property)
  const shape = shapes[index]
  if (shape === undefined) throw new Error(`The store was not opened with a key for ${property}.`)
  return { index, shape }
}
