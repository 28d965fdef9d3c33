import { type Indexed, type Key, type KeyShape, type Keys, least } from '../../vocabulary/keys.ts'

/**
 * The tables of a class, as every store has them.
 *
 * - `members`: what is served, in the order of creation (`sequence`).
 * - `keys`: a row for each member, with a column `k0`, `k1` … for each property: its key, of a property with many values
 *   the least one. Of long text, `x0` … holds the whole text where the key is cut, `f0` … the folded one where it differs
 *   from the whole one. In PostgreSQL these are columns of `members`.
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
