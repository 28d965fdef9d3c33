import type { PropertyDescription } from '../../../../src/client/index.ts'
import { labelOf, singular } from '../../../shared/names.ts'

/** Something that is wrong, and the id of its field; undefined for what concerns no field. */
export interface Problem {
  readonly id: string | undefined
  readonly sentence: string
  /** The form itself can tell whether it is still wrong; otherwise it is until the value changes. */
  readonly checked?: boolean
}

export interface Field {
  readonly id: string
  readonly label: string
}

/** The beginning of the ids of a form that is alone on its page. */
export const ROOT = 'field'

/** Ids by number: the names of properties may, in other APIs, be anything. */
export const fieldId = (outer: string, key: number): string => `${outer}-${key}`

/** The field of a property; within an embedded value both are named: "Home: Street". */
export const fieldOf = (outer: Field, property: PropertyDescription, index: number): Field => ({
  id: fieldId(outer.id, index),
  label: outer.label ? `${outer.label}: ${labelOf(property)}` : labelOf(property),
})

/** One of several values: "Line 2". */
export const itemLabel = (label: string, number: number): string => `${singular(label)} ${number}`

export const fieldOfItem = (outer: Field, key: number, number: number): Field => ({
  id: fieldId(outer.id, key),
  label: itemLabel(outer.label, number),
})

/** Hydrant sends the rest of a sentence; other APIs send whole ones. */
export const sentenceAbout = (label: string, message: string): string =>
  /^\p{Ll}/u.test(message) ? `${label} ${message}` : message

export const inOrder = (list: readonly Problem[]): readonly Problem[] =>
  list.toSorted(({ id: one = 'none' }, { id: other = 'none' }) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )
