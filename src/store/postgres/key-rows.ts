import { fold } from '../../text.ts'
import { type Key, type KeyShape, type Keys, least } from '../../vocabulary/keys.ts'
import { numberArray, textArray } from './arrays.ts'
import { keyText, wholeText } from './key-text.ts'
import { isText } from './tables.ts'

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
    const value = values[index] as Key | null | readonly Key[]
    const key = shape.many ? least(value as readonly Key[]) : (value as Key | null)
    const text = key === null ? null : keyText(key)
    if (!isText(shape)) return [text]
    return key === null ? [null, null, null] : [text, wholeText(key), foldedOf(key)]
  })

export const valueRows = (shapes: readonly KeyShape[], { values }: Keys): ValueRow[] =>
  shapes.flatMap(({ many, folded }, property) =>
    many
      ? (values[property] as readonly Key[]).map((key) => ({
          property,
          key: keyText(key),
          whole: wholeText(key),
          folded: folded ? foldedOf(key) : null,
        }))
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

/** A word may be as long as any text, and stands in an index too. */
export const wordRows = ({ words }: Keys): string[] => words.map(keyText)

/** The unique values of a member, with the places of their properties among the shapes. */
export const uniqueKeys = (
  shapes: readonly KeyShape[],
  { values }: Keys,
): { property: number; key: string }[] =>
  shapes.flatMap(({ unique }, property) => {
    const key = values[property] as Key | null
    return unique && key !== null ? [{ property, key: keyText(key) }] : []
  })

/** Nothing where it is the text itself. */
function foldedOf(key: Key): string | null {
  const folded = fold(String(key))
  return folded === key ? null : folded
}
