import type { Filter, Order, Selection } from '../../members/index.ts'
import type { TextCipher } from '../../seal.ts'
import { isBeginning } from '../../text.ts'
import { type CollectionClass, pathTo } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import { encode, encodeText, requireFollowable } from './encoding.ts'
import { isSortable, unsortableReason } from './explain.ts'
import { createReadFilters, readWords } from './filters.ts'
import { type Cursors, createCursorsFor, type PageSizes, readPaging } from './paging.ts'
import { createParameters, isText, type Parameter, type ParsedParameters } from './parameters.ts'

/** A query of a collection, parsed. */
export interface ParsedQuery {
  readonly selection: Selection
  /** The page number; undefined for paging by cursor. */
  readonly page: number | undefined
  readonly cursors: Cursors
  /** The paths of links to include; undefined if there are none. */
  readonly include: readonly string[] | undefined
  /** The values of `fields`; undefined if there are none. */
  readonly fields: readonly string[] | undefined
  /** Filters, order and page size as a query, which every link of the view repeats; may be empty. */
  readonly linkQuery: string
  /** Whether indexes answer the query without a scan. */
  readonly isCheap: boolean
}

export interface QueryDependencies {
  readonly cls: CollectionClass
  readonly base: string
  readonly pageSizes: PageSizes
  /** For cursors. */
  readonly seal: TextCipher
}

/** `count`: how the members that a query selects are counted. */
export type ReadQuery = (query: string | undefined, count: Selection['count']) => ParsedQuery

/** Rejects queries that are unknown, ill-typed or contradictory. */
export function createReadQuery({ cls, base, pageSizes, seal }: QueryDependencies): ReadQuery {
  const cursorsFor = createCursorsFor(cls, seal)
  const parameters = createParameters(cls)
  const readFilters = createReadFilters(cls, base)
  const path = new URL(base + pathTo(cls.collection)).pathname
  const byteBudget = { bytes: pageSizes.bytes, link: base.length }

  return (query, count) => {
    const parsed = parameters.read(query)
    const sent: Partial<Record<Parameter['role'], readonly string[]>> = {}
    for (const { parameter, values } of parsed) sent[parameter.role] = values
    const filters = readFilters(parsed)
    const words = readWords(sent.q)
    const order = readOrder(parsed, cls) ?? impliedOrder(filters, words)
    const cursors = cursorsFor(order)
    const linkQuery = linkQueryOf(parsed)
    // If a cursor would not fit, the links of the first page have page numbers.
    requireFollowable(path.length + linkQuery.length + LONGEST_PAGE.length)
    const canLink = linkQuery.length + cursors.longest <= LONGEST_QUERY
    const { page, ...where } = readPaging(sent, pageSizes, cursors, canLink)
    return {
      selection: { filters, words, order, ...where, byteBudget, count },
      page,
      cursors,
      include: sent.include,
      fields: sent.fields,
      linkQuery,
      isCheap:
        count === 'bounded' &&
        !filters.some(({ test }) => test === 'contains' || test === 'not') &&
        !words.some(isBeginning),
    }
  }
}

/** Each order is a key in every cursor, and a column in a sort (hypermedia.md, Sorting). */
const MAX_ORDERS = 4

/** The order that `order[…]` and `sort` ask for, in the sequence of the query; undefined if there is none. */
function readOrder(parsed: ParsedParameters, cls: CollectionClass): Order[] | undefined {
  const orders = new Map<string, Order>()
  for (const { parameter, name, values } of parsed) {
    for (const order of readOrders(parameter, values[0] ?? '', cls)) {
      const { property } = order
      if (orders.has(property)) throw parameterProblem('DuplicateOrder', name, { property })
      orders.set(property, order)
    }
  }
  if (orders.size > MAX_ORDERS) throw apiProblem('TooManyOrders', { count: orders.size, max: MAX_ORDERS })
  return orders.size === 0 ? undefined : [...orders.values()]
}

function readOrders(parameter: Parameter, value: string, cls: CollectionClass): Order[] {
  if (parameter.role === 'sort') return readSort(value, cls)
  if (parameter.role !== 'order') return []
  // Case is ignored: real admin clients send DESC.
  const direction = value.toLowerCase()
  if (direction !== 'asc' && direction !== 'desc')
    throw parameterProblem('InvalidSortDirection', parameter.name, { text: value })
  return [{ property: parameter.property.name, descending: direction === 'desc' }]
}

function readSort(text: string, { properties }: CollectionClass): Order[] {
  return text.split(',').map((part) => {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const property = properties.find((candidate) => candidate.name === name)
    if (property === undefined) {
      const known = properties.filter(isSortable).map((one) => one.name)
      throw parameterProblem('UnknownSortProperty', 'sort', { name, known, meant: meantOrder(name) })
    }
    const reason = unsortableReason(property)
    if (reason !== undefined) throw parameterProblem('NotSortable', 'sort', { property: name, reason })
    return { property: name, descending }
  })
}

/** Other APIs write `height asc` and `height:desc`. */
function meantOrder(text: string): string | undefined {
  const [, property, direction = ''] = /^([^\s+:]+)[\s+:](asc|desc)$/i.exec(text) ?? []
  return property && `${direction.toLowerCase() === 'desc' ? '-' : ''}${property}`
}

/** The order of a query that asks for none: the order of the index that answers its filters, so that it is stable. */
function impliedOrder(filters: readonly Filter[], words: readonly string[]): Order[] {
  // An index has members with the same key in the order of their creation.
  const isByCreation = filters.some(
    (filter) =>
      (filter.test === 'in' && filter.keys.length === 1) || (filter.test === 'exists' && !filter.exists),
  )
  if (isByCreation || words.length > 0) return []
  const driving = filters.find(({ test }) => ['in', 'range', 'spans', 'exists'].includes(test))
  return driving === undefined ? [] : [{ property: driving.property, descending: false }]
}

/** The query of a link may be this long; the rest of the 8 KiB of a target is for the path. */
const LONGEST_QUERY = 7 * 1024

const LONGEST_PAGE = '?&page=10000'

const POSITIONS: readonly string[] = ['page', 'after', 'before']

/** The canonical query without the position, which each link adds. */
const linkQueryOf = (parsed: ParsedParameters): string =>
  parsed
    .filter(({ parameter }) => !POSITIONS.includes(parameter.role))
    .flatMap(({ parameter, values }) => {
      const encodeValue = isText(parameter) ? encodeText : encode
      return values.map((value) => `${encode(parameter.name)}=${encodeValue(value)}`)
    })
    .join('&')
