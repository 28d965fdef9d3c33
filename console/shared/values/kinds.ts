import type { PropertyDescription } from '../../../src/client/index.ts'

/** What the values of a property are, as far as it matters for showing and asking. */
export type Kind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'dateTime'
  /** A member, by its address. */
  | 'link'
  /** Any other address. */
  | 'address'
  /** Text by language. */
  | 'languages'
  /** A value with properties of its own. */
  | 'embedded'

const XSD = 'http://www.w3.org/2001/XMLSchema#'
const NUMBER = /^(decimal|double|float|(unsigned)?(byte|short|int|long)|.*integer)$/i

export function kindOf({ isLink, range = '' }: Pick<PropertyDescription, 'isLink' | 'range'>): Kind {
  if (isLink) return 'link'
  if (range.endsWith('#langString')) return 'languages'
  if (!range.startsWith(XSD)) return range ? 'embedded' : 'text'
  const datatype = range.slice(XSD.length)
  if (datatype === 'boolean' || datatype === 'date' || datatype === 'dateTime') return datatype
  if (datatype === 'anyURI') return 'address'
  return NUMBER.test(datatype) ? 'number' : 'text'
}
