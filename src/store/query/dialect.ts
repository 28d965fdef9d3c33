import { type Indexed, type Key, type KeyShape, type Keys, least } from '../../vocabulary/keys.ts'

/** A piece of SQL and what is bound in it, each at a question mark. */
export interface Sql {
  readonly text: string
  readonly params: readonly (Key | null)[]
}

export const sql = (text: string, ...params: (Key | null)[]): Sql => ({ text, params })

/** A piece with others in it, each at a `$`, in their order. */
export function fill(template: string, ...parts: readonly Sql[]): Sql {
  const pieces = template.split('$')
  const text = pieces.reduce((before, piece, index) => `${before}${parts[index - 1]?.text ?? ''}${piece}`)
  return { text, params: parts.flatMap(({ params }) => params) }
}

export const join = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
})

export const and = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql('true') : join(parts, ' AND '))

/**
 * The tables of a class, as every store has them.
 *
 * - `members`: what is served, in the order of creation (`sequence`).
 * - `keys`: a row for each member, with a column `k0`, `k1` … for each property: its key, of a property with many values
 *   the least one. Of long text, `x0` … holds the whole text where the key is cut, `f0` … the folded one where it differs
 *   from the whole one. In PostgreSQL these are columns of `members`. `owner`, the number of a user, is in both.
 * - `values`: a row for each key of a property with many values.
 * - `words`: the words of a member, for free text.
 */
export interface QueryTables {
  readonly classId: number
  readonly members: string
  readonly keys: string
  readonly values: string
  readonly words: string
  readonly shapes: readonly KeyShape[]
}

/** In the order in which a row of keys is written: for each property its key, and of text the whole and the folded. */
export const keyColumns = (shapes: readonly KeyShape[]): string[] =>
  shapes.flatMap((shape, index) =>
    hasTextColumns(shape) ? [`k${index}`, `x${index}`, `f${index}`] : [`k${index}`],
  )

/** Of many values, the texts stand beside each. */
export const hasTextColumns = ({ long, many }: KeyShape): boolean => long && !many

/** What stands in the columns of `keyColumns`. `write`: a key as it stands in a column. */
export const keyRow = <K extends Key>(
  shapes: readonly KeyShape[],
  { values }: Keys,
  write: (key: Key) => K,
): (K | string | null)[] =>
  shapes.flatMap((shape, index) => {
    const value = values[index] as Indexed | null | readonly Indexed[]
    const one = shape.many ? least(value as readonly Indexed[]) : (value as Indexed | null)
    const key = one === null ? null : write(one.key)
    return hasTextColumns(shape) ? [key, one?.whole ?? null, one?.folded ?? null] : [key]
  })

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
export function columnOf({ tables: { shapes } }: Dialect, property: string) {
  const index = shapes.findIndex((shape) => shape.property === property)
  const shape = shapes[index]
  if (shape === undefined) throw new Error(`The store was not opened with a key for ${property}.`)
  return { index, shape }
}

/** All members. */
export const byCreation = ({ tables: { keys } }: Dialect): Source => ({
  row: 'k',
  from: `${keys} k`,
  sequence: 'k.sequence',
  key: undefined,
  fixed: [],
})

export const byKey = (dialect: Dialect, property: string): Source => ({
  ...byCreation(dialect),
  key: `k.k${columnOf(dialect, property).index}`,
})

/** The members of one owner. */
export const byOwner = (dialect: Dialect, owner: number): Source => ({
  ...byCreation(dialect),
  fixed: [sql('k.owner = ?', owner)],
})

/** Each value of a property with many. */
export const byValue = (dialect: Dialect, property: string): Source => ({
  row: 'v',
  from: `${dialect.tables.values} v`,
  sequence: 'v.sequence',
  key: 'v.key',
  fixed: [sql(`v.property = ${columnOf(dialect, property).index}`)],
})
