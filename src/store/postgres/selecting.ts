import type { Key } from '../../vocabulary/keys.ts'
import type { Words } from '../query/filters.ts'
import type { Bound, Bounds, Filter as KeyFilter, Selection } from '../store.ts'
import { keyText } from './key-text.ts'

export type Filter = KeyFilter | Words

/** A selection in terms of what stands in the tables: its keys are texts. */
export interface TextSelection extends Omit<Selection, 'filters' | 'words'> {
  readonly filters: readonly Filter[]
}

export function toText({ filters: given, words, ...rest }: Selection): TextSelection {
  const filters: Filter[] = given.map(conditionText)
  if (words.length > 0) filters.push({ test: 'words', words })
  const { start } = rest
  if (start.at === 'offset' || start.position === 'end') return { ...rest, filters }
  const keys = start.position.keys.map((key) => (key === null ? null : keyText(key)))
  return { ...rest, filters, start: { at: start.at, position: { ...start.position, keys } } }
}

/** No stored string has a U+0000, and PostgreSQL takes none. */
const NUL = '\0'
const hasNul = (key: Key): key is string => typeof key === 'string' && key.includes(NUL)

function conditionText(condition: KeyFilter): KeyFilter {
  const { property } = condition
  switch (condition.test) {
    case 'in': {
      const keys = condition.keys.filter((key) => !hasNul(key))
      return { property, test: 'in', keys: keys.map(keyText) }
    }
    case 'not':
      return hasNul(condition.key)
        ? { property, test: 'exists', exists: true }
        : { property, test: 'not', key: keyText(condition.key) }
    case 'contains':
      return hasNul(condition.text) ? { property, test: 'in', keys: [] } : condition
    case 'range': {
      const { whole } = condition
      const texts = boundsText(condition, keyText)
      // The whole text has no mark of its type.
      return { property, test: 'range', ...texts, ...(whole && { whole: boundsText(whole, String) }) }
    }
    case 'exists':
      return condition
  }
}

const boundsText = ({ from, to }: Bounds, write: (key: Key) => string): Bounds => ({
  ...(from && { from: boundText(from, write, false) }),
  ...(to && { to: boundText(to, write, true) }),
})

/** What is beyond `ab\0…` is beyond `ab`: nothing that is stored lies between them. */
function boundText({ key, inclusive }: Bound, write: (key: Key) => string, isUpper: boolean): Bound {
  return hasNul(key)
    ? { key: write(key.slice(0, key.indexOf(NUL))), inclusive: isUpper }
    : { key: write(key), inclusive }
}
