import {
  type MemberStore,
  type SummaryRow,
  type SummarySelection,
  sumOutOfRange,
} from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import { type CollectionClass, type Model, pathTo } from '../../vocabulary/index.ts'
import { apiProblem } from '../problems/index.ts'
import type { PageSizes } from '../query/paging.ts'
import { createParser } from '../query/parse.ts'
import type { Paths } from '../query/path.ts'
import { createReadFilters } from '../query/read-filters.ts'
import { type MediaType, maxBytes } from '../request.ts'
import { createMembersLink } from './members.ts'
import { sortRows } from './order.ts'
import type { ParsedSummary } from './read.ts'
import { createRepresentSummaries, keysOn } from './represent.ts'
import { createIndexOf, MAX_SUMMARIES } from './store-query.ts'
import { representSummarySearch } from './template.ts'
import { readValues, type ValueDependencies } from './values.ts'

interface SummaryPageDependencies {
  readonly cls: CollectionClass
  /** The part that the user may see. */
  readonly model: Pick<Model, 'classes'>
  readonly base: string
  readonly store: MemberStore
  readonly pageSizes: PageSizes
  readonly paths: Paths
}

/** Makes the text of a page. `query`: as it was sent. */
type MakeSummaryPage = (
  parsed: ParsedSummary,
  storeQuery: SummarySelection,
  asked: {
    readonly query: string | undefined
    readonly mediaType: MediaType
    readonly scopeAt: ValueDependencies['scopeAt']
  },
) => Promise<string>

/** How often a summary is made again because its long texts were changed before they could be read. */
const MAX_ATTEMPTS = 3

export function createMakePage(dependencies: SummaryPageDependencies): MakeSummaryPage {
  const { cls, model, base, store, pageSizes, paths } = dependencies
  const isAccepted = createIsAccepted(cls, model, base)
  const represent = createRepresentSummaries(cls, {
    base,
    standardSize: pageSizes.standard,
    search: representSummarySearch(cls, model, base),
  })

  return async (parsed, storeQuery, { query, mediaType, scopeAt }) => {
    const indexOf = createIndexOf(parsed.figures)
    const { page, limit, groups, filtering } = parsed
    const membersLink = createMembersLink({
      ...{ paths, groups, filtering, isAccepted },
      address: base + pathTo(cls.collection),
    })
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const all = requireRows(await store.summarize(cls.name, storeQuery))
      const sorted = sortRows(all, parsed.orders, { ...parsed, indexOf })
      const rows = sorted.slice((page - 1) * limit, page * limit)
      // A page has at least one summary, whatever its size.
      const most = rows.length === 1 ? undefined : maxBytes(pageSizes.bytes, mediaType)
      const keys = keysOn(rows, parsed, indexOf)
      const served = await readValues(keys, { store, base, className: cls.name, scopeAt }, most)
      if (served !== undefined)
        return represent(
          { rows, total: all.length },
          { parsed, indexOf, served, membersLink, query, mediaType },
        )
    }
    throw apiProblem('SummaryChanged', { retryAfterSeconds: 1 })
  }
}

function requireRows(rows: readonly SummaryRow[] | undefined): readonly SummaryRow[] {
  if (rows === undefined) throw apiProblem('TooManyGroups', { max: MAX_SUMMARIES })
  const areFinite = ({ figures }: SummaryRow) =>
    figures.every(({ sum }) => typeof sum !== 'number' || Number.isFinite(sum))
  if (!rows.every(areFinite)) throw sumOutOfRange()
  return rows
}

/**
 * Whether the collection takes a query with a group as a filter. It does not if a stored value is not among those that an
 * `enum` allows by now, or if there are too many filters.
 */
function createIsAccepted(cls: CollectionClass, model: Pick<Model, 'classes'>, base: string) {
  const parser = createParser(cls, model)
  const readFilters = createReadFilters(cls, base)
  return (query: string): boolean => {
    try {
      readFilters(parser.read(query))
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }
}
