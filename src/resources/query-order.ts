import { badRequest } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { Condition, Order } from '../store/store.ts'
import type { Class, Property } from '../vocabulary/model.ts'
import { isSortable, whyUnsortable } from './query-operators.ts'
import type { Given } from './query-parameters.ts'
import { show } from './query-text.ts'

/** Each costs a key in every cursor, and a column in a sort. */
const MOST_ORDERS = 8

/** The order that the query asks for; undefined where it asks for none. */
export function readOrder(given: Given, cls: Class): Order[] | undefined {
  const orders: Order[] = []
  let sort: string | undefined
  for (const [parameter, [value = '']] of given) {
    if (parameter.role === 'order') orders.push(readDirection(parameter.name, parameter.property, value))
    if (parameter.role === 'sort') sort = value
  }
  if (sort !== undefined && orders.length > 0)
    throw badRequest('sort: goes without order[…], which says the same; give one of the two.')
  if (sort !== undefined) orders.push(...readSort(sort, cls))
  if (orders.length > MOST_ORDERS)
    throw badRequest(`The query sorts by ${orders.length} properties; ${MOST_ORDERS} are the limit.`)
  return orders.length === 0 ? undefined : orders
}

/** Several of them rank as in the API file, as a template that is filled in has them; `sort` ranks at will. */
function readDirection(name: string, property: Property, direction: string): Order {
  if (direction !== 'asc' && direction !== 'desc')
    throw badRequest(`${name}: ${show(direction)} must be asc or desc.`)
  return { property: property.name, descending: direction === 'desc' }
}

function readSort(text: string, cls: Class): Order[] {
  const names = new Set<string>()
  return text.split(',').map((part) => {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const property = cls.properties.find((candidate) => candidate.name === name)
    if (property === undefined) throw badRequest(`sort: ${show(name)} is no property; ${right(name, cls)}`)
    const why = whyUnsortable(property)
    if (why !== undefined) throw badRequest(`sort: ${name} ${why}`)
    if (names.has(name)) throw badRequest(`sort: ${name} is there twice; name it once.`)
    names.add(name)
    return { property: name, descending }
  })
}

function right(name: string, cls: Class): string {
  const sortable = cls.properties.filter(isSortable).map((property) => property.name)
  const found = nearest(name, sortable)
  if (found !== undefined) return `did you mean "${found}"?`
  return 'give names of properties with commas between them, a "-" before those in descending order.'
}

/**
 * The order of a query that asks for none: one that the index of its filters has anyway. It depends on nothing but the
 * query, so that a cursor keeps its meaning.
 */
export function impliedOrder(conditions: readonly Condition[], words: readonly string[]): Order[] {
  const isByCreation = words.length > 0 || conditions.some(isPoint)
  const driving = isByCreation ? undefined : conditions.find(isStretch)
  return driving === undefined ? [] : [{ property: driving.property, descending: false }]
}

/** In an index, all members that match are side by side in the order of their creation. */
const isPoint = (condition: Condition): boolean =>
  (condition.test === 'in' && condition.keys.length === 1) ||
  (condition.test === 'exists' && !condition.exists)

/** In an index, the members that match stand in the order of their values. */
const isStretch = ({ test }: Condition): boolean => test === 'in' || test === 'range' || test === 'exists'
