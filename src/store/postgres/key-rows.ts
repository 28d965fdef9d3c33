import type { Indexed, KeyShape, Keys } from '../../vocabulary/keys.ts'
import { keyRow as writeKeyRow } from '../query/dialect.ts'
import { numberArray, textArray } from './arrays.ts'
import { keyText } from './key-text.ts'

/** One of the values of a property that may have many. */
export interface ValueRow {
  /** Its place among the shapes. */
  readonly property: number
  readonly key: string
  readonly whole: string | null
  readonly folded: string | null
}

/** What stands in the columns of `keyColumns`. */
export const keyRow = (shapes: readonly KeyShape[], keys: Keys): (string | null)[] =>
  writeKeyRow(shapes, keys, keyText)

export const valueRows = (shapes: readonly KeyShape[], { values }: Keys): ValueRow[] =>
  shapes.flatMap(({ many }, property) =>
    many
      ? (values[property] as readonly Indexed[]).map((one) => ({ ...one, property, key: keyText(one.key) }))
      : [],
  )

/** As arrays, in the order of `VALUE_COLUMNS`. */
export const valueArrays = (rows: readonly ValueRow[]): string[] => [
  numberArray(rows.map(({ property }) => property)),
  textArray(rows.map(({ key }) => key)),
  textArray(rows.map(({ whole }) => whole)),
  textArray(rows.map(({ folded }) => folded)),
]

export const VALUE_COLUMNS = 'property, key, whole, folded'

/** The unique values of a member, with the places of their properties among the shapes. */
export const uniqueKeys = (
  shapes: readonly KeyShape[],
  { values }: Keys,
): { property: number; key: string }[] =>
  shapes.flatMap(({ unique }, property) => {
    const value = values[property] as Indexed | null
    return unique && value !== null ? [{ property, key: keyText(value.key) }] : []
  })
