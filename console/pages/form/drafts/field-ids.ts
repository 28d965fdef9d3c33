import type { PropertyDescription } from '../../../../src/client/index.ts'
import { capitalised, inWords } from '../../../shared/names/naming.ts'

/** Something that is wrong, and the id of the field that it is about; undefined for what concerns none of them. */
export interface Placed {
  readonly place: string | undefined
  readonly sentence: string
  /** Whether the form itself can tell that it is still wrong; otherwise it is so until the value is another. */
  readonly checked?: boolean
}

/** A field: its id, and what it is called in a sentence. */
export interface Spot {
  readonly place: string
  readonly label: string
}

/** The form itself. */
export const WHOLE: Spot = { place: '', label: '' }

/** Ids by number: the names of properties may, in other APIs, be anything. */
export const placeIn = (outer: string, key: number): string => `${outer || 'field'}-${key}`

export const labelOf = ({ name }: PropertyDescription): string => capitalised(inWords(name))

/** A property; within a value it is called by both: "Home › Street". */
export const spotOf = (outer: Spot, property: PropertyDescription, index: number): Spot => ({
  place: placeIn(outer.place, index),
  label: outer.label ? `${outer.label} › ${labelOf(property)}` : labelOf(property),
})

/** The n-th of several values. */
export const spotOfItem = (outer: Spot, key: number, number: number): Spot => ({
  place: placeIn(outer.place, key),
  label: `${outer.label} (value ${number})`,
})

/** The server says the rest of a sentence; others write whole ones. */
export const sentenceAbout = (label: string, message: string): string =>
  /^\p{Ll}/u.test(message) ? `${label} ${message}` : message

/** In the order of the form; what concerns no field comes last. */
export const inOrder = (list: readonly Placed[]): readonly Placed[] =>
  list.toSorted(({ place: one = 'none' }, { place: other = 'none' }) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )
