import { FIRST_MEMBER, type Filter } from '../../members/index.ts'
import { type CollectionClass, contextAddress, hasCollection, type Model } from '../../vocabulary/index.ts'
import { filtersOf, type Scope, scopeKey, within } from '../access/scope.ts'
import type { RepresentedPage } from '../output/page.ts'
import { createPageCache, type PageLookup } from '../page-cache.ts'
import { apiProblem } from '../problems/index.ts'
import { restrict, type StepClass, stepClasses } from '../query/restrict.ts'
import { fingerprint, type MediaType, mediaTypeFor } from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import { createMakePage } from './page.ts'
import { createSummaryReading } from './read.ts'
import { classesBeyond, toStoreQuery } from './store-query.ts'

interface SummariesDependencies {
  /** The part that the user may see. */
  readonly permitted: Pick<Model, 'classes'>
  readonly classes: ReadonlyMap<string, ClassDependencies>
}

/** `{base}/summaries/{collection}` (asking.md, Summaries). */
export function summaries({ permitted, classes }: SummariesDependencies): Resource {
  const handlers = new Map<string, Handler>()
  /** The collections that the user may list. */
  const listed: string[] = []
  for (const dependencies of classes.values()) {
    const { cls, access } = dependencies
    if (!hasCollection(cls) || !cls.operations.has('list')) continue
    if (access.rights.list === 'none') {
      handlers.set(cls.collection, () => {
        throw access.refusal('list')
      })
      continue
    }
    listed.push(cls.collection)
    handlers.set(
      cls.collection,
      onFirstUse(() => createSummarize({ ...dependencies, cls }, permitted)),
    )
  }
  const served = resource({
    GET: (context) => {
      const handler = handlers.get(context.id)
      if (handler !== undefined) return handler(context)
      throw apiProblem('UnknownCollection', { name: context.id, known: listed })
    },
  })
  return { ...served, has: (id) => listed.includes(id) }
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

function createSummarize(dependencies: SummarizedClass, model: Pick<Model, 'classes'>): Handler {
  const { cls, base, access, store, respond, pageSizes } = dependencies
  const reading = createSummaryReading({ cls, model, base, pageSizes })
  const cache = createPageCache()
  const context = contextAddress('summaries', base)
  const makePage = createMakePage({ cls, model, base, store, pageSizes, paths: reading.paths })

  return async ({ request, query, principal }) => {
    const mediaType = mediaTypeFor(request)
    const scope = access.listedScope(principal)
    const key = `${scopeKey(scope, principal)} ${mediaType} ${query ?? ''}`
    const known = await cache.find(key, store)
    const { etag, body } = known.page ?? (await summarize(key, { query, principal, scope, mediaType, known }))
    return respond.read(request, { mediaType, etag, context, body: () => body })
  }

  async function summarize(key: string, asked: AskedSummary): Promise<RepresentedPage> {
    const parsed = reading.read(asked.query)
    const filtersBeyond = (to: StepClass): readonly Filter[] =>
      filtersOf(access.scopeBeyond(to, asked.principal))
    const columns = toStoreQuery(parsed, filtersBeyond)
    const selection = { ...FIRST_MEMBER, filters: parsed.filters }
    const steps = [...stepClasses(selection), ...classesBeyond(columns)]
    const { filters } = restrict(selection, filtersBeyond)
    const followed = stepClasses({ filters: filtersOf(asked.scope), order: [] })
    const names = [...new Set([cls.name, ...[...steps, ...followed].map(({ className }) => className)])]
    // A page that depends on members which only some users may read is for one user: it is not cached.
    const isOwn = steps.some((step) => access.isTiedBeyond(step))
    const state = isOwn ? undefined : await cache.stateFor(key, store, names, asked.known)
    const body = await makePage(
      parsed,
      within(
        { ...columns, filters, words: parsed.words, owner: undefined, place: access.place },
        asked.scope,
      ),
      { ...asked, scopeAt: (to) => (to ? access.scopeBeyond(to, asked.principal) : asked.scope) },
    )
    const page = { etag: `"${fingerprint(body, asked.mediaType)}"`, context, body }
    if (!isOwn) cache.add(key, { ...page, classes: names, state })
    return page
  }
}

interface AskedSummary extends Pick<RequestContext, 'query' | 'principal'> {
  readonly scope: Scope
  readonly mediaType: MediaType
  readonly known: PageLookup
}
