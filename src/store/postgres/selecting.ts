import type { Key, KeyShape } from '../../vocabulary/keys.ts'
import { columnOf, type Words } from '../query/filters.ts'
import type { Bound, Filter as KeyFilter, Position, Selection } from '../store.ts'
import { headOf, keyText, textOfCut } from './key-text.ts'
import { isText, type Tables } from './tables.ts'

/** A condition whose keys are texts as they stand in an index. */
export type TextFilter = Exclude<KeyFilter, { test: 'range' }> | TextRange

export interface TextRange {
  readonly property: string
  readonly test: 'range'
  readonly from?: Bound
  readonly to?: Bound
  /** Bounds that are too long for an index: the whole string is to be compared as well where there is one. */
  readonly whole?: { readonly from?: Bound; readonly to?: Bound }
}

export type Filter = TextFilter | Words

/** A selection in terms of what stands in the tables. */
export interface TextSelection extends Omit<Selection, 'filters' | 'words'> {
  readonly filters: readonly Filter[]
}

export function toText(tables: Tables, { filters: given, words, ...rest }: Selection): TextSelection {
  const filters: Filter[] = given.map(conditionText)
  if (words.length > 0) filters.push({ test: 'words', words: words.map(keyText) })
  const { start } = rest
  if (start.at === 'offset' || start.position === 'end') return { ...rest, filters }
  return {
    ...rest,
    filters,
    start: { at: start.at, position: placeText(tables, rest.order, start.position) },
  }
}

/** Whether the whole string of a key that is cut is kept beside it. */
export const hasWhole = (shape: KeyShape): boolean => shape.many || isText(shape)

function placeText(tables: Tables, order: Selection['order'], { keys, sequence }: Position): Position {
  const texts = order.map(({ property }, index) => {
    const key = keys[index] ?? null
    if (key === null) return null
    return hasWhole(columnOf(tables, property).shape) ? keyText(key) : textOfCut(key)
  })
  return { keys: texts, sequence }
}

/** No stored string has a U+0000, and PostgreSQL takes none. */
const NUL = '\0'
const hasNul = (key: Key): key is string => typeof key === 'string' && key.includes(NUL)

function conditionText(condition: KeyFilter): TextFilter {
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
    case 'range':
      return rangeText(condition)
    case 'exists':
      return condition
  }
}

function rangeText({ property, from, to }: Extract<KeyFilter, { test: 'range' }>): TextRange {
  const [low, high] = [from && withoutNul(from, false), to && withoutNul(to, true)]
  const [longFrom, longTo] = [low && headIn(low), high && headIn(high)]
  const whole = {
    ...(longFrom === undefined ? {} : { from: low as Bound }),
    ...(longTo === undefined ? {} : { to: high as Bound }),
  }
  return {
    property,
    test: 'range',
    ...(low === undefined ? {} : { from: textBound(low, longFrom, '') }),
    ...(high === undefined ? {} : { to: textBound(high, longTo, BEHIND_DIGESTS) }),
    ...(longFrom === undefined && longTo === undefined ? {} : { whole }),
  }
}

/** What is beyond `ab\0…` is beyond `ab`: nothing that is stored lies between them. */
function withoutNul({ key, inclusive }: Bound, isUpper: boolean): Bound {
  return hasNul(key) ? { key: key.slice(0, key.indexOf(NUL)), inclusive: isUpper } : { key, inclusive }
}

const headIn = ({ key }: Bound): string | undefined => (typeof key === 'string' ? headOf(key) : undefined)

/** Behind every digest, which is of 0 to 9 and a to f. */
const BEHIND_DIGESTS = 'g'

/** Of a long bound, so much that all with the same head are within; the head itself is less than any of them. */
const textBound = ({ key, inclusive }: Bound, head: string | undefined, behind: string): Bound =>
  head === undefined ? { key: keyText(key), inclusive } : { key: `s${head}${behind}`, inclusive: false }
