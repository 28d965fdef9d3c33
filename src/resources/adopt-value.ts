import { Numeral } from '../json.ts'
import { datatypeOf, type Literal } from '../vocabulary/datatypes.ts'
import type { Range } from '../vocabulary/model.ts'

/** Before the path of a link, while members are gone through: U+0000 is in no text that was ever sent. */
export const LINK_MARK = '\0'

export const isMarked = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(LINK_MARK)

/** A stored value as the present range of its property has it, or what is wrong with it. */
export function fit(
  range: Range,
  stored: unknown,
): { readonly value: unknown } | { readonly message: string } {
  if (range.kind === 'embedded')
    return { message: `must be a ${range.cls.name}, an object with its properties.` }
  if (range.kind === 'link') {
    const id = typeof stored === 'string' ? /^\0?\/[^/]+\/([^/]+)$/.exec(stored)?.[1] : undefined
    if (id !== undefined) return { value: `/${range.collection}/${id}` }
    return { message: `must be a link to a member of ${range.collection}.` }
  }
  if (isMarked(stored)) return { message: `is a link, and must be of type ${range.datatype} now.` }
  const { read } = datatypeOf(range.datatype)
  const reading = read(asSent(stored as Literal) as never)
  if ('value' in reading) return reading
  const other = inOtherType(stored as Literal)
  const second = other === undefined ? reading : read(other as never)
  return 'value' in second ? second : reading
}

const asSent = (stored: Literal): Literal | Numeral =>
  typeof stored === 'number' ? new Numeral(String(stored)) : stored

/**
 * The same text as another JSON type: 12 as "12" and "12" as 12, so that a number can become text and the other way
 * round. Only where the way back leads to the same text.
 */
function inOtherType(stored: Literal): Literal | Numeral | undefined {
  if (typeof stored === 'number' || typeof stored === 'boolean') return String(stored)
  if (typeof stored !== 'string') return undefined
  if (stored === 'true' || stored === 'false') return stored === 'true'
  return String(Number(stored)) === stored ? new Numeral(stored) : undefined
}
