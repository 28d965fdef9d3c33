import { type Indexed, type KeyShape, type Keys, least } from '../../vocabulary/keys.ts'
import { numberArray, textArray } from './arrays.ts'
import { keyText } from './key-text.ts'
import { hasTextColumns } from './tables.ts'

/** One of the values of a property that may have many. */
export interface ValueRow {
  /** Its place among the shapes. */
  readonly property: number
  readonly key: string
  readonly whole: string | null
  readonly folded: string | null
}

/** What stands in the columns of `keyColumns`. */
export const keyRow = (shapes: readonly KeyShape[], { values }: Keys): (string | null)[] =>
  shapes.flatMap((shape, index) => {
    const value = values[index] as Indexed | null | readonly Indexed[]
    const one = shape.many ? least(value as readonly Indexed[]) : (value as Indexed | null)
    const key = one === null ? null : keyText(one.key)
    return hasTextColumns(shape) ? [key, one?.whole ?? null, one?.folded ?? null] : [key]
  })

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
