import { badRequest } from '../../errors.ts'
import type { Filter, Order } from '../../store/index.ts'
import { didYouMean, nearest } from '../../text.ts'
import type { Class, Property } from '../../vocabulary/index.ts'
import { show } from './encoding.ts'
import { type Given, isSortable, type Parameter, whyUnsortable } from './parameters.ts'

/** Each costs a key in every cursor, and a column in a sort (hypermedia.md, Sorting). */
const MOST_ORDERS = 4

/** The order that the query asks for, `order[…]` and `sort` ranked as it has them; undefined where it asks for none. */
export function readOrder(given: Given, cls: Class): Order[] | undefined {
  const orders = new Map<string, Order>()
  for (const [parameter, [value = '']] of given) {
    for (const order of readOrders(parameter, value, cls)) {
      const { property } = order
      if (orders.has(property))
        throw badRequest(`${parameter.name}: the query sorts by ${property} already; name it once.`)
      orders.set(property, order)
    }
  }
  if (orders.size > MOST_ORDERS)
    throw badRequest(`The query sorts by ${orders.size} properties; ${MOST_ORDERS} are the limit.`)
  return orders.size === 0 ? undefined : [...orders.values()]
}

function readOrders(parameter: Parameter, value: string, cls: Class): Order[] {
  if (parameter.role === 'order') return [readDirection(parameter.name, parameter.property, value)]
  return parameter.role === 'sort' ? readSort(value, cls) : []
}

/** In any case: real admin clients send DESC. */
function readDirection(name: string, property: Property, value: string): Order {
  const direction = value.toLowerCase()
  if (direction !== 'asc' && direction !== 'desc')
    throw badRequest(`${name}: ${show(value)} must be asc or desc.`)
  return { property: property.name, descending: direction === 'desc' }
}

const readSort = (text: string, cls: Class): Order[] =>
  text.split(',').map((part) => {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const property = cls.properties.find((candidate) => candidate.name === name)
    if (property === undefined) throw badRequest(`sort: ${show(name)} is no property; ${right(name, cls)}`)
    const why = whyUnsortable(property)
    if (why !== undefined) throw badRequest(`sort: ${name} ${why}`)
    return { property: name, descending }
  })

function right(name: string, cls: Class): string {
  const sortable = cls.properties.filter(isSortable).map((property) => property.name)
  const found = nearest(name, sortable)
  if (found !== undefined) return didYouMean(found, name)
  return 'give names of properties with commas between them, a "-" before those in descending order.'
}

/**
 * The order of a query that asks for none: one that the index of its filters has anyway. It depends on nothing but the
 * query, so that a cursor keeps its meaning.
 */
export function impliedOrder(filters: readonly Filter[], words: readonly string[]): Order[] {
  const isByCreation = words.length > 0 || filters.some(isPoint)
  const driving = isByCreation ? undefined : filters.find(isIndexRange)
  return driving === undefined ? [] : [{ property: driving.property, descending: false }]
}

/** In an index, all members that match are side by side in the order of their creation. */
const isPoint = (filter: Filter): boolean =>
  (filter.test === 'in' && filter.keys.length === 1) || (filter.test === 'exists' && !filter.exists)

/** In an index, the members that match stand in the order of their values. */
const isIndexRange = ({ test }: Filter): boolean => test === 'in' || test === 'range' || test === 'exists'
