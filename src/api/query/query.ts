import { badRequest } from '../../errors.ts'
import type { Filter, Order, Selection, Start } from '../../store/index.ts'
import { didYouMean, nearest } from '../../text.ts'
import type { CollectionClass, Property } from '../../vocabulary/index.ts'
import { type Cursors, createCursorsFor } from './cursor.ts'
import { createReadFilters, readWords } from './filters.ts'
import {
  encode,
  type Given,
  isSortable,
  type Parameter,
  type Parameters,
  show,
  whyUnsortable,
} from './parameters.ts'

export interface PageSizes {
  readonly standard: number
  readonly maximum: number
  /** Of the members on a page: with more it is cut. */
  readonly bytes: number
}

/** What a query asks a collection for. */
export interface Query extends Paging {
  readonly selection: Selection
  readonly cursors: Cursors
  /** Filters, order and size of the page, as every link of the view repeats them; empty without any. */
  readonly kept: string
  /** Nothing in it needs a look at each member. */
  readonly isCheap: boolean
}

interface Paging {
  /** Undefined on the way by cursor. */
  readonly page: number | undefined
  readonly itemsPerPage: number
  readonly start: Start
}

export interface QueryParts {
  readonly cls: CollectionClass
  readonly base: string
  readonly sizes: PageSizes
  readonly parameters: Parameters
}

/** 400 for what is unknown, ill-typed or contradictory. */
export function createReadQuery({ cls, base, sizes, parameters }: QueryParts) {
  const readFilters = createReadFilters(cls, base)
  const cursorsFor = createCursorsFor(cls)
  const room = { bytes: sizes.bytes, link: base.length }

  return (query: string | undefined, count: Selection['count']): Query => {
    const given = parameters.read(query)
    const filters = readFilters(given)
    const words = readWords(given)
    const order = readOrder(given, cls) ?? impliedOrder(filters, words)
    const cursors = cursorsFor(order)
    const kept = keptOf(given)
    const paging = readPaging(given, sizes, cursors, kept.length + cursors.longest <= LONGEST_QUERY)
    const { start, itemsPerPage } = paging
    return {
      ...paging,
      selection: { filters, words, order, start, limit: itemsPerPage, room, count },
      cursors,
      kept,
      isCheap: count === 'bounded' && !filters.some(({ test }) => test === 'contains' || test === 'not'),
    }
  }
}

/** Each costs a key in every cursor, and a column in a sort (hypermedia.md, Sorting). */
const MOST_ORDERS = 4

/** The order that the query asks for, `order[…]` and `sort` ranked as it has them; undefined where it asks for none. */
function readOrder(given: Given, cls: CollectionClass): Order[] | undefined {
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

function readOrders(parameter: Parameter, value: string, cls: CollectionClass): Order[] {
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

const readSort = (text: string, cls: CollectionClass): Order[] =>
  text.split(',').map((part) => {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const property = cls.properties.find((candidate) => candidate.name === name)
    if (property === undefined) throw badRequest(`sort: ${show(name)} is no property; ${right(name, cls)}`)
    const why = whyUnsortable(property)
    if (why !== undefined) throw badRequest(`sort: ${name} ${why}`)
    return { property: name, descending }
  })

function right(name: string, cls: CollectionClass): string {
  const sortable = cls.properties.filter(isSortable).map((property) => property.name)
  const found = nearest(name, sortable)
  if (found !== undefined) return didYouMean(found, name)
  return 'give names of properties with commas between them, a "-" before those in descending order.'
}

/**
 * The order of a query that asks for none: one that the index of its filters has anyway. It depends on nothing but the
 * query, so that a cursor keeps its meaning.
 */
function impliedOrder(filters: readonly Filter[], words: readonly string[]): Order[] {
  const isByCreation = words.length > 0 || filters.some(isPoint)
  const driving = isByCreation ? undefined : filters.find(isIndexRange)
  return driving === undefined ? [] : [{ property: driving.property, descending: false }]
}

/** In an index, all members that match are side by side in the order of their creation. */
const isPoint = (filter: Filter): boolean =>
  (filter.test === 'in' && filter.keys.length === 1) || (filter.test === 'exists' && !filter.exists)

/** In an index, the members that match stand in the order of their values. */
const isIndexRange = ({ test }: Filter): boolean => test === 'in' || test === 'range' || test === 'exists'

/** So long may a link be from its question mark on; the rest of the 8 KiB of a target is for the path. */
const LONGEST_QUERY = 7 * 1024

/** `hasRoom`: beside what the links repeat of the query, for any cursor. Where it has none, they lead from page to page. */
function readPaging(given: Given, sizes: PageSizes, cursors: Cursors, hasRoom: boolean): Paging {
  const sent = new Map<string, string>()
  for (const [{ role }, [value = '']] of given) sent.set(role, value)
  const [page, after, before] = [sent.get('page'), sent.get('after'), sent.get('before')]
  const size = sent.get('itemsPerPage')
  const itemsPerPage = size === undefined ? sizes.standard : readCount('itemsPerPage', size, sizes.maximum)

  if (after !== undefined && before !== undefined)
    throw badRequest('before: goes without after; give one of the two.')
  if (page !== undefined && (after ?? before) !== undefined)
    throw badRequest('page: goes without after and before; give a page or a cursor.')
  if (page !== undefined) return pageAt(readCount('page', page, Number.MAX_SAFE_INTEGER), itemsPerPage)

  const byCursor = { page: undefined, itemsPerPage }
  if (after !== undefined) return { ...byCursor, start: { at: 'after', position: cursors.readAfter(after) } }
  if (before !== undefined)
    return { ...byCursor, start: { at: 'before', position: cursors.readBefore(before) } }
  return hasRoom ? { ...byCursor, start: { at: 'offset', offset: 0 } } : pageAt(1, itemsPerPage)
}

/** Counting off pages gets slower with every one: past this many members, cursors do better. */
const DEEPEST = 10_000

/** Whether the page begins among the members that can be reached by page. */
export const isReachable = (page: number, itemsPerPage: number): boolean =>
  (page - 1) * itemsPerPage < DEEPEST

function pageAt(page: number, itemsPerPage: number): Paging {
  if (isReachable(page, itemsPerPage))
    return { page, itemsPerPage, start: { at: 'offset', offset: (page - 1) * itemsPerPage } }
  throw badRequest(
    `page: ${page} is too far; pages reach the first ${DEEPEST} members. ` +
      'Cursors reach all: leave "page" out and follow "next".',
  )
}

function readCount(name: string, text: string, maximum: number): number {
  const count = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= maximum) return count
  const range = maximum === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${maximum}`
  throw badRequest(`${name}: ${show(text)} is not a whole number ${range}.`)
}

/** Each link of a view says its own. */
const OWN_OF_A_LINK: ReadonlySet<string> = new Set(['page', 'after', 'before'])

/** In one spelling and one order, whatever those of the request. */
function keptOf(given: Given): string {
  const kept: string[] = []
  for (const [parameter, values] of given) {
    if (OWN_OF_A_LINK.has(parameter.role)) continue
    for (const value of values) kept.push(`${encode(parameter.name)}=${encode(value)}`)
  }
  return kept.join('&')
}
