import { badRequest } from '../../errors.ts'
import { Numeral } from '../../json.ts'
import { type Bound, type Bounds, type Filter, rangeOf } from '../../store/index.ts'
import { fold, wordsOf } from '../../text.ts'
import {
  type CollectionClass,
  compareKeys,
  DATATYPES,
  type Datatype,
  DECIMAL,
  datatypeOf,
  indexKey,
  type Key,
  keyOf,
  type Literal,
  type Property,
  pathTo,
  type Reading,
} from '../../vocabulary/index.ts'
import { readLink } from '../input/value.ts'
import { type FilterParameter, type Given, show } from './parameters.ts'

/** What one request may ask a store to compare. */
const MOST_VALUES = 100
const MOST_FILTERS = 50
const MOST_WORDS = 32

/** In the order of the API file, whatever the order in the query; 400 for a value of another type than the property's. */
export function createReadFilters(cls: CollectionClass, base: string): (given: Given) => Filter[] {
  const readers = new Map(cls.properties.map((property) => [property, createReadValue(property, cls, base)]))

  return (given) => {
    const filters: Filter[] = []
    for (const [parameter, values] of given) {
      if (parameter.role === 'filter') {
        add(readFilter(parameter, values, readers.get(parameter.property) ?? readText), filters)
      } else if (parameter.role === 'exists') {
        const exists = readAs(parameter, values[0] ?? '', readBoolean) as boolean
        filters.push({ property: parameter.property.name, test: 'exists', exists })
      }
    }
    if (filters.length > MOST_FILTERS)
      throw badRequest(`The query has ${filters.length} filters; ${MOST_FILTERS} are the limit.`)
    return filters.map((one) => (one.test === 'range' ? rangeOf(one.property, one) : one))
  }
}

/** The bounds of a range are whole keys here, as long as it may be joined with another one. */
function readFilter(parameter: FilterParameter, values: readonly string[], read: ReadValue): Filter {
  const property = parameter.property.name
  const [value = ''] = values
  const keyOfText = (text: string): Key => keyOf(parameter.property, readAs(parameter, text, read))
  const bound = (inclusive: boolean): Bound => ({ key: keyOfText(value), inclusive })
  // Any text, even where a whole value would have to be an IRI.
  const text = () => readAs(parameter, value, readText) as string
  switch (parameter.operator) {
    case 'eq': {
      if (values.length > MOST_VALUES)
        throw badRequest(`${parameter.name}: given ${values.length} times; ${MOST_VALUES} are the limit.`)
      // Each once, and in one order: two queries for the same values are the same selection.
      const keys = new Set(values.map((one) => indexKey(keyOfText(one))))
      return { property, test: 'in', keys: [...keys].sort(compareKeys) }
    }
    case 'ne':
      return { property, test: 'not', key: indexKey(keyOfText(value)) }
    case 'gt':
    case 'gte':
      return { property, test: 'range', from: bound(parameter.operator === 'gte') }
    case 'lt':
    case 'lte':
      return { property, test: 'range', to: bound(parameter.operator === 'lte') }
    case 'startsWith':
      return { property, test: 'range', ...beginningWith(text()) }
    case 'contains':
      if (value === '') throw badRequest(`${parameter.name}: "" is in every text; say what to look for.`)
      return { property, test: 'contains', text: fold(text()) }
  }
}

/** `q`, as the words that a member must have; none where the query has no `q`. */
export function readWords(given: Given): string[] {
  const text = [...given].find(([{ role }]) => role === 'q')?.[1][0]
  if (text === undefined) return []
  const words = [...new Set(wordsOf(text).map(indexKey))].sort()
  if (words.length === 0) throw badRequest(`q: ${show(text)} has no word in it; a word is letters or digits.`)
  if (words.length > MOST_WORDS) throw badRequest(`q: ${words.length} words; ${MOST_WORDS} are the limit.`)
  return words
}

type ReadValue = (text: string) => Reading

function readAs({ name }: { readonly name: string }, text: string, read: ReadValue): Literal {
  const reading = read(text)
  if ('message' in reading) throw badRequest(`${name}: ${show(text)} ${reading.message}`)
  return reading.value
}

function createReadValue({ range }: Property, cls: CollectionClass, base: string): ReadValue {
  // By IRI, relative ones to the collection, as in what is written (hypermedia.md, Filters).
  const target = base + pathTo(cls.collection)
  if (range.kind === 'link') return (text) => readLink(range, text, { base, target })
  if (range.kind === 'embedded') return () => ({ message: 'cannot be compared.' })
  const datatype = datatypeOf(range.datatype)
  if (datatype.family === 'boolean') return readBoolean
  return datatype.family === 'number' ? (text) => readNumber(text, datatype) : datatype.read
}

const readText: ReadValue = (text) => DATATYPES.string.read(text)

const readBoolean: ReadValue = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : { message: 'must be true or false.' }

/** RFC 8259 §6; the datatypes count on it. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

function readNumber(text: string, { read, iri }: Datatype): Reading {
  // A decimal may be written in ways that JSON does not know, such as 012.5 and .5.
  if (NUMBER.test(text) || (iri === DATATYPES.decimal.iri && DECIMAL.test(text)))
    return read(new Numeral(text))
  return {
    message: iri.endsWith('nteger') ? 'must be an integer such as 12.' : 'must be a number such as 12.5.',
  }
}

/** Two ranges of a property become one, also where it has many values: one value must lie between both bounds. */
function add(filter: Filter, filters: Filter[]): void {
  const last = filters.at(-1)
  if (last?.test === 'range' && filter.test === 'range' && last.property === filter.property) {
    const bounds = { from: narrower(last.from, filter.from, 1), to: narrower(last.to, filter.to, -1) }
    filters[filters.length - 1] = { ...last, ...bounds }
  } else filters.push(filter)
}

/** `sign`: 1 where the greater bound is the narrower one. */
function narrower(one: Bound | undefined, other: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const difference = sign * compareKeys(one.key, other.key)
  return difference > 0 || (difference === 0 && !one.inclusive) ? one : other
}

/** All texts with this beginning are a range by code point, up to the least text behind them. */
export function beginningWith(prefix: string): Bounds {
  const from: Bound = { key: prefix, inclusive: true }
  const after = textBehind(prefix)
  return after === undefined ? { from } : { from, to: { key: after, inclusive: false } }
}

/** Undefined where none is behind: after nothing but U+10FFFF, the last code point. */
export function textBehind(prefix: string): string | undefined {
  const points = [...prefix]
  while (points.at(-1) === '\u{10ffff}') points.pop()
  const last = points.pop()?.codePointAt(0)
  if (last === undefined) return undefined
  // Surrogates are no characters: behind U+D7FF comes U+E000.
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return points.join('') + String.fromCodePoint(next)
}
