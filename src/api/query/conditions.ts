import { badRequest } from '../../errors.ts'
import { fold, wordsOf } from '../../folding.ts'
import type { Bound, Condition } from '../../store/store.ts'
import { compareKeys, type Key } from '../../vocabulary/keys.ts'
import { beginningWith, intersect } from './bounds.ts'
import type { FilterParameter, Given, Parameter } from './parameters.ts'
import { show } from './text.ts'
import type { ValueReader } from './values.ts'

/** What one request may ask a store to compare. */
const MOST_VALUES = 100
const MOST_CONDITIONS = 50
const MOST_WORDS = 32

/** In the order of the API file, whatever the order in the query. */
export function readConditions(given: Given, read: ValueReader): Condition[] {
  const conditions: Condition[] = []
  for (const [parameter, values] of given) {
    if (parameter.role === 'filter') add(readFilter(parameter, values, read), conditions)
    else if (parameter.role === 'exists')
      conditions.push(readExists(parameter, parameter.property.name, values))
  }
  if (conditions.length > MOST_CONDITIONS)
    throw badRequest(`The query has ${conditions.length} conditions; ${MOST_CONDITIONS} are the limit.`)
  return conditions
}

/** What is between two bounds is one range, also of a property with many values: one value lies between both. */
function add(condition: Condition, conditions: Condition[]): void {
  const last = conditions.at(-1)
  const merged =
    last?.test === 'range' && condition.test === 'range' && last.property === condition.property
      ? intersect(last, condition)
      : undefined
  if (merged === undefined) conditions.push(condition)
  else conditions[conditions.length - 1] = merged
}

function readFilter(parameter: FilterParameter, values: readonly string[], read: ValueReader): Condition {
  const property = parameter.property.name
  const [value = ''] = values
  const bound = (inclusive: boolean): Bound => ({ key: read.key(parameter, value), inclusive })
  switch (parameter.operator) {
    case 'eq':
      if (values.length > MOST_VALUES)
        throw badRequest(`${parameter.name}: given ${values.length} times; ${MOST_VALUES} are the limit.`)
      return { property, test: 'in', keys: readAll(parameter, values, read) }
    case 'ne':
      return { property, test: 'not', key: read.key(parameter, value) }
    case 'gt':
      return { property, test: 'range', from: bound(false) }
    case 'gte':
      return { property, test: 'range', from: bound(true) }
    case 'lt':
      return { property, test: 'range', to: bound(false) }
    case 'lte':
      return { property, test: 'range', to: bound(true) }
    case 'startsWith':
      return { property, test: 'range', ...beginningWith(read.text(parameter, value)) }
    case 'contains': {
      const text = read.text(parameter, value)
      if (text === '') throw badRequest(`${parameter.name}: "" is in every text; say what to look for.`)
      return { property, test: 'contains', text: fold(text) }
    }
  }
}

/** Each once, and in one order: two queries for the same values are the same selection. */
const readAll = (parameter: FilterParameter, values: readonly string[], read: ValueReader): Key[] =>
  [...new Set(values.map((value) => read.key(parameter, value)))].sort(compareKeys)

function readExists({ name }: Parameter, property: string, [text = '']: readonly string[]): Condition {
  if (text === 'true' || text === 'false') return { property, test: 'exists', exists: text === 'true' }
  throw badRequest(`${name}: ${show(text)} must be true or false.`)
}

/** `q`, as the words that a member must have; none where the query has no `q`. */
export function readWords(given: Given): string[] {
  for (const [{ role }, [text = '']] of given) {
    if (role !== 'q') continue
    const words = [...new Set(wordsOf(text))].sort()
    if (words.length === 0)
      throw badRequest(`q: ${show(text)} has no word in it; a word is letters or digits.`)
    if (words.length > MOST_WORDS) throw badRequest(`q: ${words.length} words; ${MOST_WORDS} are the limit.`)
    return words
  }
  return []
}
