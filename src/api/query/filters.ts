import { JSON_NUMBER, JsonNumber } from '../../json.ts'
import { type Bound, type Bounds, type Filter, rangeOf } from '../../members/index.ts'
import { beginningOf, fold, isBeginning, LONGEST_NEAR, wordsAsked } from '../../text.ts'
import {
  type CollectionClass,
  compareKeys,
  DATATYPES,
  type Datatype,
  DECIMAL,
  datatypeOf,
  filteredWithin,
  headOf,
  indexedKey,
  indexKey,
  type Key,
  keyForm,
  keyOf,
  type Literal,
  nextText,
  type Property,
  pathTo,
  textsBeginningWith,
  type ValueReading,
} from '../../vocabulary/index.ts'
import { readLink } from '../input/identifiers.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import type { FilterParameter, ParsedParameter, ParsedParameters } from './parameters.ts'

/** Limits on the comparisons of one request. */
const MAX_FILTER_VALUES = 100
const MAX_FILTERS = 50
const MAX_WORDS = 32
const MAX_LISTED = 10

/** Reads filters, in the order of the API file; rejects a value that is not of the property's type. */
export function createReadFilters(
  cls: CollectionClass,
  base: string,
): (parsed: ParsedParameters) => Filter[] {
  const all = [...cls.properties, ...filteredWithin(cls)]
  const readersOf = new Map(all.map((property) => [property, createReadValue(property, cls, base)]))
  const formOf = new Map(all.map((property) => [property.name, keyForm(property)]))

  return (parsed) => {
    const filters: Filter[] = []
    for (const sent of parsed) {
      const { parameter, name, values } = sent
      if (parameter.role === 'filter') {
        // Every property of a parameter has readers: both come from the same list.
        const readers = readersOf.get(parameter.property) as ValueReaders
        add(readFilter(parameter, sent, readers), filters)
      } else if (parameter.role === 'exists') {
        const exists = readBoolean(values[0] ?? '', name) as boolean
        filters.push({ property: parameter.property.name, test: 'exists', exists })
      }
    }
    if (filters.length > MAX_FILTERS)
      throw apiProblem('TooManyFilters', { count: filters.length, max: MAX_FILTERS })
    return filters.map((one) =>
      one.test === 'range' ? rangeOf(one.property, one, formOf.get(one.property) ?? 'short') : one,
    )
  }
}

/** The bounds of a range stay folded texts or whole keys until all ranges of the property are joined. */
function readFilter(
  parameter: FilterParameter,
  { name, values }: ParsedParameter,
  readers: ValueReaders,
): Filter {
  const property = parameter.property.name
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
function anyOf(property: string, days: readonly Span[], keys: readonly Key[]): Filter {
  const isWithin = (key: Key, { from, to }: Span) =>
    compareKeys(key, from.key) >= 0 && compareKeys(key, to.key) < 0
  const others = keys.filter((key) => !days.some((day) => isWithin(key, day)))
  const spans = [...days, ...others.map(spanAt)].sort((a, b) => compareKeys(a.from.key, b.from.key))
  const [only] = spans
  return spans.length === 1 ? { property, test: 'range', ...only } : { property, test: 'spans', spans }
}

/** The words of `q`, all of which a member must have; empty without `q`. */
export function readWords([text]: readonly string[] = []): string[] {
  if (text === undefined) return []
  const words = [...new Set(wordsAsked(text).map(indexedWord))].sort()
  if (words.length === 0) throw parameterProblem('NoSearchWord', 'q', { text })
  if (words.length > MAX_WORDS)
    throw parameterProblem('TooManySearchWords', 'q', { count: words.length, max: MAX_WORDS })
  return words
}

/** Of the beginning of a word, an index tells the first 200 characters. */
const indexedWord = (word: string): string =>
  isBeginning(word) ? `${headOf(beginningOf(word)) ?? beginningOf(word)}*` : indexKey(word)

type ReadValue = (text: string, parameter: string) => Literal

interface ValueReaders {
  readonly bound: ReadValue
  /** For operators that compare whole values, which an `enum` restricts. */
  readonly value: ReadValue
}

/** The one place where a value that is not of its datatype becomes a problem. */
const readAs =
  (read: (text: string) => ValueReading): ReadValue =>
  (text, parameter) => {
    const reading = read(text)
    if ('value' in reading) return reading.value
    throw parameterProblem('InvalidFilterValue', parameter, { text, problem: reading.problem })
  }

function createReadValue(property: Property, cls: CollectionClass, base: string): ValueReaders {
  const bound = createReadBound(property, cls, base)
  const values = property.constraints.enum
  if (values === undefined) return { bound, value: bound }
  const keys = new Set(values.map((one) => keyOf(property, one)))
  const known = values.map(String)
  const listed = known.slice(0, MAX_LISTED).map((one) => one.slice(0, LONGEST_NEAR))
  // hypermedia.md, Filters: "A value outside an `enum` is ill-typed."
  const value: ReadValue = (text, parameter) => {
    const found = bound(text, parameter)
    if (keys.has(keyOf(property, found))) return found
    throw parameterProblem('UnknownEnumValue', parameter, { text, known, listed })
  }
  return { bound, value }
}

function createReadBound({ range }: Property, cls: CollectionClass, base: string): ReadValue {
  // IRIs are relative to the collection, as in bodies (hypermedia.md, Filters).
  const target = base + pathTo(cls.collection)
  if (range.kind === 'link') return readAs((text) => readLink(range, text, { base, target }))
  if (range.kind === 'embedded') return neverRead
  const datatype = datatypeOf(range.datatype)
  if (datatype.family === 'boolean') return readBoolean
  return datatype.family === 'number' ? createReadNumber(datatype) : readAs(datatype.read)
}

const neverRead: ReadValue = (_, parameter) => {
  throw new Error(`${parameter} filters an embedded value.`)
}

const readText = readAs(DATATYPES.string.read)

const readBoolean: ReadValue = (text, parameter) => {
  if (text === 'true' || text === 'false') return text === 'true'
  throw parameterProblem('InvalidFilterValue', parameter, { text, expected: 'boolean' })
}

function createReadNumber({ read, iri }: Datatype): ReadValue {
  const expected = iri.endsWith('nteger') ? 'integer' : 'number'
  const readNumber = readAs((text) => read(new JsonNumber(text)))
  return (text, parameter) => {
    // A decimal may be written in ways that JSON does not know, such as 012.5 and .5.
    if (JSON_NUMBER.test(text) || (iri === DATATYPES.decimal.iri && DECIMAL.test(text)))
      return readNumber(text, parameter)
    throw parameterProblem('InvalidFilterValue', parameter, { text, expected })
  }
}

/** Joins two ranges of a property into one. If it has many values, one of them must lie between both bounds. */
function add(filter: Filter, filters: Filter[]): void {
  const last = filters.at(-1)
  if (last?.test === 'range' && filter.test === 'range' && last.property === filter.property) {
    const bounds = { from: narrower(last.from, filter.from, 1), to: narrower(last.to, filter.to, -1) }
    filters[filters.length - 1] = { ...last, ...bounds }
  } else filters.push(filter)
}

/** `sign`: 1 if the greater bound is the narrower one, -1 if the lesser one is. */
function narrower(one: Bound | undefined, other: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const difference = sign * compareKeys(one.key, other.key)
  return difference > 0 || (difference === 0 && !one.inclusive) ? one : other
}
