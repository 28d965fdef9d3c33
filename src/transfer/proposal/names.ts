// Makes names of classes, properties and paths from those that data has.
import { claimName } from '../../text.ts'
import {
  findNameProblem,
  isClassName,
  isCollectionName,
  RESERVED_CLASSES,
  RESERVED_PATHS,
} from '../../vocabulary/index.ts'

/** The words of a name, without characters that a name cannot have; no digit first. */
export const wordsOfName = (text: string): string[] =>
  text
    .normalize('NFC')
    .replace(/^[^\p{L}]+/u, '')
    .split(/[^\p{L}\p{Mn}\p{Mc}\p{Nd}]+/u)
    .filter((word) => word !== '')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Empty if no property can be called so. */
export const camelCase = (text: string): string => {
  const name = wordsOfName(text)
    .map((word, index) =>
      index > 0
        ? capital(word)
        : word.replace(/^\p{Lu}+(?=\P{Ll}|$)|^\p{Lu}/u, (capitals) => capitals.toLowerCase()),
    )
    .join('')
  return findNameProblem(name) === undefined ? name : ''
}

export function classNameFor(text: string, taken: Set<string>): string {
  const words = wordsOfName(text).map(capital).join('')
  // The import finds the table by this name, too (`findTable`).
  const name = RESERVED_CLASSES.includes(words) ? `My${words}` : words
  // The names of collection classes end in "Collection".
  return claimName(isClassName(name) && !name.endsWith('Collection') ? name : 'Row', taken)
}

/** The opposite of `plural`, as far as the word itself shows it. */
export const singular = (word: string): string =>
  word
    .replace(/(?<=[^aeiou])ies$/i, 'y')
    .replace(/(?<=s|x|z|ch|sh)es$/i, '')
    .replace(/(?<=[^su])s$/i, '')

export const isFreePath = (path: string): boolean => isCollectionName(path) && !RESERVED_PATHS.includes(path)
