import { type Indexed, type Key, least } from '../../vocabulary/index-keys.ts'
import type { KeyShape, Keys } from '../../vocabulary/keys.ts'
import type { KeySlot } from '../layout.ts'
import type { AskedWord } from '../selection.ts'

/** A piece of SQL, and the values of its parameters, which are question marks. */
export interface Sql {
  readonly text: string
  readonly params: readonly (Key | null)[]
}

export const sql = (text: string, ...params: (Key | null)[]): Sql => ({ text, params })

/** A template in which each `$` is replaced by a part, in order. */
export function fill(template: string, ...parts: readonly Sql[]): Sql {
  const pieces = template.split('$')
  const text = pieces.reduce((before, piece, index) => `${before}${parts[index - 1]?.text ?? ''}${piece}`)
  return { text, params: parts.flatMap(({ params }) => params) }
}

export const join = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
})

/** A condition that no row meets. */
export const NEVER = sql('false')

export const and = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql('true') : join(parts, ' AND '))

/**
 * The tables of a class, as every store has them.
 *
 * - `members`: what is served, in the order of creation (`sequence`).
 * - `keys`: a row for each member, with a column `k0`, `k1` … for each property: its key, of a property with many values
 *   the least one. For text and moments, `x0` … has what the key does not hold (`Indexed.whole`). In PostgreSQL these are columns of `members`. `owner`, the number of a user, is in both.
 * - `values`: a row for each key of a property with many values; within embedded values, for each of those that has the
 *   key (`Indexed.element`).
 * - `words`: the words of a member, for free text.
 */
export interface QueryTables {
  readonly classId: number
  readonly members: string
  readonly keys: string
  readonly values: string
  readonly words: string
  readonly shapes: readonly KeySlot[]
}

/**
 * The columns of a row of keys, in order: for each property its key, and what a long one does not hold. Without those of
 * other API files, which a host leaves as they are.
 */
export const keyColumns = (shapes: readonly KeySlot[]): string[] =>
  shapes.flatMap((shape, index) => {
    if (shape.isForeign) return []
    return hasWholeColumn(shape) ? [`k${index}`, `x${index}`] : [`k${index}`]
  })

/** The texts of many values are in the table of values. */
export const hasWholeColumn = ({ long, many }: KeyShape): boolean => long && !many

/** The values for `keyColumns`. `write`: converts a key to its stored form. */
export function keyRow<K extends Key>(
  shapes: readonly KeySlot[],
  { values }: Keys,
  write: (key: Key) => K,
): (K | string | null)[] {
  const row: (K | string | null)[] = []
  for (const [index, shape] of shapes.entries()) {
    if (shape.isForeign) continue
    // Without a value where the column was added while the member was on its way.
    const value = values[index] ?? (shape.many ? [] : null)
    const one = shape.many ? least(value as readonly Indexed[]) : (value as Indexed | null)
    row.push(one === null ? null : write(one.key))
    if (hasWholeColumn(shape)) row.push(one?.whole ?? null)
  }
  return row
}

/** The differences in SQL between the two stores. A row of `keys` has the alias `k`, a row of `values` the alias `v`. */
export interface Dialect<Tables extends QueryTables = QueryTables> {
  readonly tables: Tables
  /** The dialect for another class; undefined if that has no tables, and so no members. */
  of(className: string): Dialect<Tables> | undefined
  /** Converts a key to its stored form, and back. */
  write(key: Key): Key
  read(written: Key): Key
  /** The folded text in a column of keys of text, where the key holds it. */
  foldedIn(column: string): string
  /** The function for the position of one text in another, 0 if it is not contained. */
  readonly find: string
  isOneOf(column: string, keys: readonly Key[]): Sql
  /** A column whose index must not be used, because our plan and not the database chooses the index. */
  unindexed(column: string): string
  /** A row value of a key and a sequence number, both parameters. */
  readonly position: string
  /** The values of one member, as a table. */
  valuesOfMember(alias: string): string
  /** A row of keys of this class, and whether it is that of the member that a key of a link leads to. */
  rowOfLink(alias: string, key: string): { readonly from: string; readonly isTarget: string }
  /** The same row, or nulls if it does not pass the test. */
  joinTarget(alias: string, key: string, test: Sql): Sql
  /** A condition on every row of a subquery that may have very many; needless with a time limit of the database. */
  paced(sequence: string): string
  /** Whether a key of a link leads to the member of this class in a row of keys. */
  isLinkTo(key: string, row: string): string
  /** Whether the member in a row of keys has all the words, or words that begin like them (`Selection.words`). */
  hasWords(words: readonly AskedWord[], row: string): Sql
  /** Members that have all the words, in the order of creation. */
  withWords(words: readonly AskedWord[]): IndexScan
  /** Whether one index range has the members with all the words. */
  isOneRange(words: readonly AskedWord[]): boolean
  /** Members of one owner, in the order of creation. */
  ofOwner(owner: number): IndexScan
}

/** Rows of an index: each has the sequence number of a member and, in an index by key, its key. */
export interface IndexScan {
  /** The alias of its rows: keys, values, words or members of an owner. */
  readonly row: 'k' | 'v' | 'w' | 'o'
  readonly from: string
  readonly sequence: string
  readonly key: string | undefined
  /** Whether a member may have several rows with one key. */
  readonly repeats?: boolean
  /** Conditions on all its rows. */
  readonly fixed: readonly Sql[]
}

/** The index and the shape of a property's key. */
export function columnOf({ tables: { shapes } }: Pick<Dialect, 'tables'>, property: string) {
  const index = shapes.findIndex((shape) => shape.property === property)
  const shape = shapes[index]
  if (shape === undefined) throw new Error(`The store was not opened with a key for ${property}.`)
  return { index, shape }
}

/** All members. */
export const byCreation = ({ keys }: QueryTables): IndexScan => ({
  row: 'k',
  from: `${keys} k`,
  sequence: 'k.sequence',
  key: undefined,
  fixed: [],
})

export const byKey = (dialect: Dialect, property: string): IndexScan => ({
  ...byCreation(dialect.tables),
  key: `k.k${columnOf(dialect, property).index}`,
})

/** Each value of a property with many values. */
export function byValue(dialect: Dialect, property: string): IndexScan {
  const { index, shape } = columnOf(dialect, property)
  return {
    row: 'v',
    from: `${dialect.tables.values} v`,
    sequence: 'v.sequence',
    key: 'v.key',
    repeats: shape.depth !== undefined,
    fixed: [sql(`v.property = ${index}`)],
  }
}
