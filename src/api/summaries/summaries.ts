import {
  FIRST_MEMBER,
  type Filter,
  type SummaryQuery,
  type SummaryRow,
  sumOutOfRange,
} from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import {
  type CollectionClass,
  contextAddress,
  hasCollection,
  type Model,
  pathTo,
} from '../../vocabulary/index.ts'
import type { RepresentedPage } from '../output/page.ts'
import { createPageCache, stateOf } from '../page-cache.ts'
import { apiProblem } from '../problems/index.ts'
import { createParser } from '../query/parse.ts'
import { createReadFilters } from '../query/read-filters.ts'
import { restrict, type StepClass, stepClasses } from '../query/restrict.ts'
import { fingerprint, type MediaType, maxBytes, mediaTypeFor } from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import { createMembersLink } from './members.ts'
import { sortRows } from './order.ts'
import { createSummaryReading, type ParsedSummary } from './read.ts'
import { createRepresentSummaries, keysOn } from './represent.ts'
import { classesBeyond, createIndexOf, MAX_SUMMARIES, toStoreQuery } from './store-query.ts'
import { representSummarySearch } from './template.ts'
import { readValues } from './values.ts'

interface SummariesDependencies {
  /** The part that the user may see. */
  readonly permitted: Pick<Model, 'classes'>
  readonly classes: ReadonlyMap<string, ClassDependencies>
}

/** `{base}/summaries/{collection}` (asking.md, Summaries). */
export function summaries({ permitted, classes }: SummariesDependencies): Resource {
  const handlers = new Map<string, Handler>()
  for (const dependencies of classes.values()) {
    const { cls, access } = dependencies
    if (!hasCollection(cls) || !cls.operations.has('list')) continue
    const refused: Handler = () => {
      throw access.refusal('list')
    }
    const handler =
      access.rights.list === 'none'
        ? refused
        : onFirstUse(() => createSummarize({ ...dependencies, cls }, permitted))
    handlers.set(cls.collection, handler)
  }
  return resource({
    GET: (context) => {
      const handler = handlers.get(context.id)
      if (handler !== undefined) return handler(context)
      throw apiProblem('UnknownCollection', { name: context.id, known: [...handlers.keys()] })
    },
  })
}

/** Few collections are summarized by every set of roles. */
function onFirstUse(create: () => Handler): Handler {
  let handler: Handler | undefined
  return (context) => {
    handler ??= create()
    return handler(context)
  }
}

type SummarizedClass = ClassDependencies & { readonly cls: CollectionClass }

/** How often a summary is made again because its long texts were changed before they could be read. */
const MAX_ATTEMPTS = 3

function createSummarize(dependencies: SummarizedClass, model: Pick<Model, 'classes'>): Handler {
  const { cls, base, access, store, respond, pageSizes } = dependencies
  const reading = createSummaryReading({ cls, model, base, pageSizes })
  const isAccepted = createIsAccepted(cls, model, base)
  const cache = createPageCache(store)
  const context = contextAddress('summaries', base)
  const represent = createRepresentSummaries(cls, {
    base,
    standardSize: pageSizes.standard,
    search: representSummarySearch(cls, model, base),
  })

  return async ({ request, query, principal }) => {
    const mediaType = mediaTypeFor(request)
    const owner = access.listedOwner(principal)
    const key = `${owner ?? ''} ${mediaType} ${query ?? ''}`
    const { etag, body } = cache.find(key) ?? (await summarize(key, { query, principal, owner, mediaType }))
    return respond.read(request, { mediaType, etag, context, body: () => body })
  }

  async function summarize(key: string, asked: AskedSummary): Promise<RepresentedPage> {
    const parsed = reading.read(asked.query)
    const filtersBeyond = (to: StepClass): readonly Filter[] => {
      const one = access.ownerBeyond(to, asked.principal)
      return one === undefined ? [] : [{ test: 'owner', owner: one }]
    }
    const columns = toStoreQuery(parsed, filtersBeyond)
    const selection = { ...FIRST_MEMBER, filters: parsed.filters }
    const steps = [...stepClasses(selection), ...classesBeyond(columns)]
    const { filters } = restrict(selection, (step) => access.ownerBeyond(step, asked.principal))
    const names = [...new Set([cls.name, ...steps.map(({ className }) => className)])]
    // The state is read before the members: what is written in between belongs to a later state.
    const state = stateOf(store, names)
    const body = await makePage(
      parsed,
      { ...columns, filters, words: parsed.words, owner: asked.owner },
      asked,
    )
    const page = { etag: `"${fingerprint(body, asked.mediaType)}"`, context, body }
    // A page that depends on members which only their owners may read is for one user: it is not cached.
    if (!steps.some((step) => access.rightBeyond(step) === 'own'))
      cache.add(key, { ...page, classes: names, state })
    return page
  }

  async function makePage(
    parsed: ParsedSummary,
    storeQuery: SummaryQuery,
    { query, principal, owner, mediaType }: AskedSummary,
  ): Promise<string> {
    const ownerAt = (to: StepClass | undefined) => (to ? access.ownerBeyond(to, principal) : owner)
    const indexOf = createIndexOf(parsed.figures)
    const { page, limit, groups, filtering } = parsed
    const { paths } = reading
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
      const served = await readValues(keys, { store, base, className: cls.name, ownerAt }, most)
      if (served !== undefined)
        return represent(
          { rows, total: all.length },
          { parsed, indexOf, served, membersLink, query, mediaType },
        )
    }
    throw apiProblem('SummaryChanged', { retryAfterSeconds: 1 })
  }
}

interface AskedSummary extends Pick<RequestContext, 'query' | 'principal'> {
  readonly owner: number | undefined
  readonly mediaType: MediaType
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
