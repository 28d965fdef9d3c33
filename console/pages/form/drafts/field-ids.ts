import { singular } from '../../../shared/names.ts'

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
  /** Where the server finds its value: `home/street`, `genres/1`. */
  readonly path: string
}

/** Others write `home.street`, `genres[1]`, `/home/street`; and their names may have such signs. */
export const pathOf = (text: string): string =>
  text
    .split(/[/.[\]]/)
    .filter(Boolean)
    .join('/')

/** The beginning of the ids of a form that is alone on its page. */
export const ROOT = 'field'

/** Ids by number: the names of properties may, in other APIs, be anything. */
export const fieldId = (outer: string, key: number): string => `${outer}-${key}`

/** One of several values: "Line 2". */
export const itemLabel = (label: string, number: number): string => `${singular(label)} ${number}`

/** Hydrant sends the rest of a sentence; other APIs send whole ones. */
export const sentenceAbout = (label: string, message: string): string =>
  /^\p{Ll}/u.test(message) ? `${label} ${message}` : message

export const inOrder = (list: readonly Problem[]): readonly Problem[] =>
  list.toSorted(({ id: one = 'none' }, { id: other = 'none' }) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )
