import { beginningOf, fold, isBeginning, wordsAsked } from '../../folding.ts'
import type { AskedWord, Bound, Bounds, PropertyFilter, RangeFilter } from '../../members/index.ts'
import {
  compareKeys,
  DATATYPES,
  headOf,
  indexedKey,
  indexKey,
  type Key,
  keyForm,
  keyOf,
  nextText,
  type Property,
  textsBeginningWith,
} from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import type { FilterParameter, ParsedParameter } from './parameters.ts'
import { readText, type ValueReaders } from './values.ts'

/** Limits on the comparisons of one request. */
const MAX_FILTER_VALUES = 100
const MAX_WORDS = 32

/** The bounds of a range stay folded texts or whole keys until all ranges of the property are joined. */
export function readFilter(
  parameter: FilterParameter,
  { name, values }: Pick<ParsedParameter, 'name' | 'values'>,
  readers: ValueReaders,
): PropertyFilter {
  const property = parameter.path.key ?? ''
  const [value = ''] = values
  const keyOfText = (text: string): Key => indexedKey(parameter.property, readers.value(text, name))
  const boundOf = (text: string): Key => {
    const key = keyOf(parameter.property, readers.bound(text, name))
    return keyForm(parameter.property) === 'text' ? fold(String(key)) : key
  }
  const spanOf = (text: string): Span => dayOf(parameter.property, text) ?? spanAt(boundOf(text))
  // Any text is allowed here, even if the property takes only IRIs.
  const text = () => readText(value, name) as string
  switch (parameter.operator) {
    case 'eq': {
      if (values.length > MAX_FILTER_VALUES)
        throw parameterProblem('TooManyFilterValues', name, {
          count: values.length,
          max: MAX_FILTER_VALUES,
        })
      // Unique and sorted, so that two queries for the same values are the same selection.
      const days = new Map<Key, Span>()
      const keys = new Set<Key>()
      for (const one of values) {
        const day = dayOf(parameter.property, one)
        if (day === undefined) keys.add(keyOfText(one))
        else days.set(day.from.key, day)
      }
      if (days.size === 0) return { property, test: 'in', keys: [...keys].sort(compareKeys) }
      return anyOf(property, [...days.values()], [...keys])
    }
    case 'ne': {
      const day = dayOf(parameter.property, value)
      if (day === undefined) return { property, test: 'not', key: keyOfText(value) }
      return { property, test: 'spans', spans: [{ to: beyond(day.from) }, { from: beyond(day.to) }] }
    }
    case 'gt':
      return { property, test: 'range', from: beyond(spanOf(value).to) }
    case 'gte':
      return { property, test: 'range', from: spanOf(value).from }
    case 'lt':
      return { property, test: 'range', to: beyond(spanOf(value).from) }
    case 'lte':
      return { property, test: 'range', to: spanOf(value).to }
    case 'startsWith':
      return { property, test: 'range', ...textsBeginningWith(fold(text())) }
    case 'contains':
      if (value === '') throw parameterProblem('EmptyFilterValue', name, {})
      return { property, test: 'contains', text: fold(text()) }
  }
}

/** The keys that one value of a query stands for, from the first to the last. */
type Span = Required<{ readonly [K in keyof Bounds]: Bound }>

const spanAt = (key: Key): Span => ({ from: { key, inclusive: true }, to: { key, inclusive: true } })

/** The bound of the keys on the other side of this one. */
const beyond = ({ key, inclusive }: Bound): Bound => ({ key, inclusive: !inclusive })

/** hypermedia.md, Filters: "A date for a dateTime is that whole day in UTC". Undefined for any other text or property. */
function dayOf({ range }: Property, text: string): Span | undefined {
  const { date, dateTime } = DATATYPES
  if (range.kind !== 'datatype' || range.datatype !== 'dateTime' || !('value' in date.read(text)))
    return undefined
  // The fractions of the last second belong to the day.
  const nextKey = nextText(`${dateTime.key(`${text}T23:59:59Z`)}.`) as string
  return {
    from: { key: dateTime.key(`${text}T00:00:00Z`), inclusive: true },
    to: { key: nextKey, inclusive: false },
  }
}

/** Matches any of these days or instants. */
function anyOf(property: string, days: readonly Span[], keys: readonly Key[]): PropertyFilter {
  const isWithin = (key: Key, { from, to }: Span) =>
    compareKeys(key, from.key) >= 0 && compareKeys(key, to.key) < 0
  const others = keys.filter((key) => !days.some((day) => isWithin(key, day)))
  const spans = [...days, ...others.map(spanAt)].sort((a, b) => compareKeys(a.from.key, b.from.key))
  const [only] = spans
  return spans.length === 1 ? { property, test: 'range', ...only } : { property, test: 'spans', spans }
}

/**
 * The words of `q`, all of which a member must have. `starts`: the prefixes of words in properties that this user may
 * see, but not everybody (`wordStarts`).
 */
export function readWords(text: string, parameter: string, starts: readonly string[]): AskedWord[] {
  const words = [...new Set(wordsAsked(text).map(indexedWord))].sort()
  if (words.length === 0) throw parameterProblem('NoSearchWord', parameter, { text })
  if (words.length > MAX_WORDS)
    throw parameterProblem('TooManySearchWords', parameter, { count: words.length, max: MAX_WORDS })
  if (starts.length === 0) return words
  return words.map((word) => [word, ...starts.map((start) => start + word)])
}

/** The beginning of a word is looked up by its first 200 characters at most. */
const indexedWord = (word: string): string =>
  isBeginning(word) ? `${headOf(beginningOf(word)) ?? beginningOf(word)}*` : indexKey(word)

/** Joins two ranges of a property into one. If it has many values, one of them must lie between both bounds. */
export const joinRanges = (one: RangeFilter, other: RangeFilter): RangeFilter => ({
  ...one,
  from: narrower(one.from, other.from, 1),
  to: narrower(one.to, other.to, -1),
})

/** `sign`: 1 if the greater bound is the narrower one, -1 if the lesser one is. */
function narrower(one: Bound | undefined, other: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const difference = sign * compareKeys(one.key, other.key)
  return difference > 0 || (difference === 0 && !one.inclusive) ? one : other
}
