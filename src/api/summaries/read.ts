import type { AskedWord, Filter } from '../../members/index.ts'
import { type CollectionClass, type Model, pathTo, wordStarts } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import { decode, splitPair } from '../query/decoding.ts'
import { toIri } from '../query/encoding.ts'
import { readWords } from '../query/filters.ts'
import { type PageSizes, readCount, requireFollowable } from '../query/paging.ts'
import { generalParameters, isOperator, type ParsedParameters } from '../query/parameters.ts'
import { createParser } from '../query/parse.ts'
import type { Paths } from '../query/path.ts'
import { createReadFilters } from '../query/read-filters.ts'
import { readOrders, type SummaryOrder } from './order.ts'
import {
  FIGURES,
  type FigureName,
  MAX_FIGURES,
  MAX_GROUPS,
  POSITION,
  SUMMARY_PARAMETERS,
} from './parameters.ts'
import { type AskedFigure, type AskedGroup, createSummaryPaths } from './paths.ts'

/** A query of summaries, parsed. */
export interface ParsedSummary {
  readonly groups: readonly AskedGroup[]
  readonly figures: readonly AskedFigure[]
  readonly filters: readonly Filter[]
  readonly words: readonly AskedWord[]
  /** The parameters that filter, for the links to the members of a group. */
  readonly filtering: ParsedParameters
  readonly orders: readonly SummaryOrder[]
  readonly page: number
  readonly limit: number
  /** The query as it was sent, without the page, for links to other pages. */
  readonly linkQuery: string
  /** The query without page, page size and order: it identifies the collection of all these summaries. */
  readonly collectionQuery: string
}

export interface SummaryReading {
  readonly paths: Paths
  read(query: string | undefined): ParsedSummary
}

interface SummaryQueryDependencies {
  readonly cls: CollectionClass
  /** The part that the user may see. */
  readonly model: Pick<Model, 'classes'>
  readonly base: string
  readonly pageSizes: PageSizes
}

type SummaryParameter = (typeof SUMMARY_PARAMETERS)[number] | 'order'

/** A parameter that is no filter. */
interface SentParameter {
  readonly parameter: SummaryParameter
  /** The name as it was sent. */
  readonly name: string
  readonly value: string
}

/** Rejects queries that are unknown, ill-typed or too large. */
export function createSummaryReading(dependencies: SummaryQueryDependencies): SummaryReading {
  const { cls, model, base, pageSizes } = dependencies
  const searched = generalParameters(cls).filter(({ role }) => role === 'q')
  const parser = createParser(cls, model, {
    general: new Map(searched.map((one) => [one.name, one])),
    names: [...searched.map(({ name }) => name), ...SUMMARY_PARAMETERS],
    sorted: 'count',
  })
  const { paths } = parser
  const { readGroup, readFigure } = createSummaryPaths(paths)
  const starts = wordStarts(paths.start.cls)
  const readFilters = createReadFilters(cls, base, starts)
  const { pathname } = new URL(`${base}/summaries${pathTo(cls.collection)}`)
  // Then `order[gte]=5` is a filter.
  const hasOrder = paths.has(paths.start.cls, 'order')

  function read(query: string | undefined): ParsedSummary {
    const pairs = (query ?? '').split('&').filter(Boolean)
    const own: SentParameter[] = []
    const others: string[] = []
    const kept = { link: [] as string[], collection: [] as string[] }
    for (const pair of pairs) {
      const [name, sent] = splitPair(pair)
      const parameter = ownParameter(name, hasOrder)
      if (parameter === undefined) others.push(pair)
      else own.push({ parameter, name, value: decode(sent) })
      if (parameter !== 'page') kept.link.push(pair)
      if (!isPresentation(parameter)) kept.collection.push(pair)
    }
    const filtering = parser.read(others.join('&'))
    const groups = valuesOf(own, 'group').map(readGroup)
    const figures = FIGURES.flatMap((name) => valuesOf(own, name).map((text) => readFigure(name, text)))
    requireBounds(groups, figures)
    const [text] = filtering.flatMap(({ parameter: { role, group }, values }) =>
      role === 'q' && group === undefined ? values : [],
    )
    const linkQuery = toIri(kept.link.join('&'))
    requireFollowable(pathname.length + linkQuery.length + LONGEST_PAGE.length)
    return {
      groups,
      figures,
      filters: readFilters(filtering),
      words: text === undefined ? [] : readWords(text, 'q', starts),
      filtering,
      orders: readOrders(own.filter(isOrder), { groups, figures }),
      page: readCount('page', onlyValue(own, 'page') ?? '1'),
      limit: readLimit(onlyValue(own, 'itemsPerPage'), pageSizes),
      linkQuery,
      collectionQuery: toIri(kept.collection.join('&')),
    }
  }
  return { paths, read }
}

const ORDER = /^order\[([^\]]*)\]$/

const LONGEST_PAGE = '?&page=10000'

/** Undefined for a filter. Parameters win over properties of the same name. */
function ownParameter(name: string, hasOrder: boolean): SummaryParameter | undefined {
  const found = SUMMARY_PARAMETERS.find((one) => one === name)
  if (found !== undefined) return found
  const [, column] = ORDER.exec(name) ?? []
  return column === undefined || (hasOrder && isOperator(column)) ? undefined : 'order'
}

const isOrder = ({ parameter }: SentParameter): boolean => parameter === 'order' || parameter === 'sort'

const isPresentation = (parameter: SummaryParameter | undefined): boolean =>
  parameter === 'order' || parameter === 'sort' || POSITION.some((one) => one === parameter)

const valuesOf = (own: readonly SentParameter[], wanted: 'group' | FigureName): string[] =>
  own.flatMap(({ parameter, value }) => (parameter === wanted ? value : []))

function onlyValue(own: readonly SentParameter[], wanted: SummaryParameter): string | undefined {
  const [first, second] = own.filter(({ parameter }) => parameter === wanted)
  if (second !== undefined) throw parameterProblem('DuplicateParameter', wanted, {})
  return first?.value
}

const readLimit = (size: string | undefined, { standard, maximum }: PageSizes): number =>
  size === undefined ? standard : readCount('itemsPerPage', size, maximum)

function requireBounds(groups: readonly AskedGroup[], figures: readonly AskedFigure[]): void {
  const count = groups.length
  if (count > MAX_GROUPS) throw apiProblem('TooManySummaryPaths', { what: 'groups', count, max: MAX_GROUPS })
  if (figures.length > MAX_FIGURES)
    throw apiProblem('TooManySummaryPaths', { what: 'figures', count: figures.length, max: MAX_FIGURES })
  const seen = new Set<string>()
  for (const { name, text } of [...groups.map(({ text }) => ({ name: 'group', text })), ...figures]) {
    if (seen.has(`${name} ${text}`)) throw parameterProblem('DuplicateSummaryPath', name, { path: text })
    seen.add(`${name} ${text}`)
  }
}
