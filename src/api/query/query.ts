import { type AskedWord, type Filter, isOfMany, type Order, type Selection } from '../../members/index.ts'
import type { TextCipher } from '../../seal.ts'
import { type CollectionClass, type Model, pathTo, wordStarts } from '../../vocabulary/index.ts'
import { encode, toIri } from './encoding.ts'
import { readWords } from './filters.ts'
import { readOrder } from './order.ts'
import {
  type Cursors,
  createCursorsFor,
  type PageSizes,
  readPaging,
  requireFollowable,
  type SentParameters,
} from './paging.ts'
import { isFilter, type ParsedParameters } from './parameters.ts'
import { createParser } from './parse.ts'
import { createReadFilters } from './read-filters.ts'
import { type StepClass, stepClasses } from './restrict.ts'

/** A query of a collection, parsed. */
export interface ParsedQuery {
  readonly selection: Selection
  /** The classes that its paths lead to. */
  readonly steps: readonly StepClass[]
  /** The page number; undefined for paging by cursor. */
  readonly page: number | undefined
  readonly cursors: Cursors
  /** The paths of links to include; undefined if there are none. */
  readonly include: readonly string[] | undefined
  /** The values of `fields`; undefined if there are none. */
  readonly fields: readonly string[] | undefined
  /** The filters as they were sent, percent-encoded: with them the collection is a resource of its own; may be empty. */
  readonly filterQuery: string
  /** Filters, order and page size as a query, which every link of the view repeats; may be empty. */
  readonly linkQuery: string
  /** Whether indexes answer the query without a scan. */
  readonly isCheap: boolean
}

export interface QueryDependencies {
  readonly cls: CollectionClass
  /** The part that the user may see: paths lead through its classes. */
  readonly model: Pick<Model, 'classes'>
  readonly base: string
  readonly pageSizes: PageSizes
  /** For cursors. */
  readonly seal: TextCipher
}

/** `count`: how the members that a query selects are counted. */
export type ReadQuery = (query: string | undefined, count: Selection['count']) => ParsedQuery

/** Rejects queries that are unknown, ill-typed or contradictory. */
export function createReadQuery({ cls, model, base, pageSizes, seal }: QueryDependencies): ReadQuery {
  const parser = createParser(cls, model)
  const cursorsFor = createCursorsFor(cls, parser.paths, seal)
  const starts = wordStarts(parser.paths.start.cls)
  const readFilters = createReadFilters(cls, base, starts)
  const path = new URL(base + pathTo(cls.collection)).pathname
  const byteBudget = { bytes: pageSizes.bytes, link: base.length }

  return (query, count) => {
    const parsed = parser.read(query)
    const sent: SentParameters = {}
    for (const one of parsed) if (one.parameter.group === undefined) sent[one.parameter.role] = one
    const filters = readFilters(parsed)
    const [text] = sent.q?.values ?? []
    const words = text === undefined ? [] : readWords(text, 'q', starts)
    const order = readOrder(parsed, parser.sortedBy) ?? impliedOrder(filters, words)
    const cursors = cursorsFor(order)
    const filterQuery = toIri(parser.filtersAsSent(query))
    const linkQuery = linkQueryOf(filterQuery, parsed)
    // If a cursor would not fit, the links of the first page have page numbers.
    requireFollowable(path.length + linkQuery.length + LONGEST_PAGE.length)
    const canLink = linkQuery.length + cursors.longest <= LONGEST_QUERY
    const { page, ...where } = readPaging(sent, pageSizes, cursors, canLink)
    return {
      selection: { filters, words, order, ...where, byteBudget, count },
      steps: stepClasses({ filters, order }),
      page,
      cursors,
      include: sent.include?.values,
      fields: sent.fields?.values,
      filterQuery,
      linkQuery,
      isCheap: count === 'bounded' && filters.every(isIndexed) && !words.some(isOfMany),
    }
  }
}

/** Whether indexes answer the filter. */
function isIndexed(filter: Filter): boolean {
  if ('filters' in filter) return filter.filters.every(isIndexed)
  if (filter.test === 'words') return !filter.words.some(isOfMany)
  return filter.test !== 'contains' && filter.test !== 'not'
}

/** The order of a query that asks for none: the order of the index that answers its filters, so that it is stable. */
function impliedOrder(filters: readonly Filter[], words: readonly AskedWord[]): Order[] {
  // An index has members with the same key in the order of their creation.
  const isByCreation = filters.some(
    (filter) =>
      filter.test === 'words' ||
      (filter.test === 'in' && filter.keys.length === 1) ||
      (filter.test === 'exists' && !filter.exists),
  )
  if (isByCreation || words.length > 0) return []
  const driving = filters.find(({ test }) => ['in', 'range', 'spans', 'exists'].includes(test))
  return driving !== undefined && 'property' in driving
    ? [{ property: driving.property, descending: false }]
    : []
}

/** The query of a link may be this long; the rest of the 8 KiB of a target is for the path. */
const LONGEST_QUERY = 7 * 1024

const LONGEST_PAGE = '?&page=10000'

const POSITIONS: readonly string[] = ['page', 'after', 'before', 'offset']

/**
 * The query without the position, which each link adds. Filters are repeated as they were sent, so that all pages belong
 * to one collection.
 */
const linkQueryOf = (filterQuery: string, parsed: ParsedParameters): string =>
  [
    ...(filterQuery === '' ? [] : [filterQuery]),
    ...parsed
      .filter(({ parameter }) => !POSITIONS.includes(parameter.role) && !isFilter(parameter))
      .flatMap(({ parameter, values }) =>
        values.map((value) => `${encode(parameter.name)}=${encode(value)}`),
      ),
  ].join('&')
