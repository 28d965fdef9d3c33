import type { Selection } from '../members/index.ts'
import type { CollectionClass } from '../vocabulary/index.ts'
import { createCreation } from './creation.ts'
import {
  createRepresentPage,
  type PageDependencies,
  type PageWithIncludes,
  type RepresentedPage,
  type RepresentPage,
} from './output/page.ts'
import { createPageCache, stateOf } from './page-cache.ts'
import type { Include } from './query/include.ts'
import { createReadQuery, type ReadQuery } from './query/query.ts'
import { restrict } from './query/restrict.ts'
import { type MediaType, maxBytes, mediaTypeFor, preferenceApplied, readPreferences } from './request.ts'
import { ifPermitted, writableResource } from './resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from './types.ts'

/** Reads queries and represents pages, for the part of the model that a set of roles may see. */
export interface Listing {
  readonly readQuery: ReadQuery
  readonly representPage: RepresentPage
}

/** Created at the first request, since few collections are asked by every set of roles. */
export function createListing(dependencies: PageDependencies): () => Listing {
  let listing: Listing | undefined
  return () => {
    listing ??= { readQuery: createReadQuery(dependencies), representPage: createRepresentPage(dependencies) }
    return listing
  }
}

type CollectionDependencies = ClassDependencies & {
  readonly cls: CollectionClass
  readonly listing: () => Listing
}

/** `{base}/{collection}`: its members page by page, and the methods that add one. */
export function collection(dependencies: CollectionDependencies): Resource {
  const create = ifPermitted(dependencies, 'create', createCreation(dependencies))
  const writes = Object.fromEntries(dependencies.cls.methods.create.map((method) => [method, create]))
  return writableResource(
    ifPermitted(dependencies, 'list', createList(dependencies)),
    writes,
    dependencies,
    'new',
  )
}

function createList(dependencies: CollectionDependencies): Handler {
  const { cls, access, store, respond, listing, readInclude, resolveIncludes } = dependencies
  const cache = createPageCache(store)

  return async ({ request, query, principal }) => {
    const mediaType = mediaTypeFor(request)
    const { exactCount } = readPreferences(request)
    const owner = access.listedOwner(principal)
    const key = `${owner ?? ''} ${mediaType} ${exactCount} ${query ?? ''}`
    const { etag, context, body } = cache.find(key) ?? (await represent())
    const response = await respond.read(request, { mediaType, etag, context, body: () => body })
    if (!exactCount) return response
    return { ...response, headers: [...response.headers, ...preferenceApplied('count=exact')] }

    async function represent(): Promise<RepresentedPage> {
      const { readQuery, representPage } = listing()
      const parsed = readQuery(query, exactCount ? 'exact' : 'bounded')
      const include = parsed.include && readInclude(parsed.include)
      const included = include?.classes ?? []
      const classes = [...new Set([cls.name, ...included, ...parsed.steps.map(({ className }) => className)])]
      // The state is read before the page: what is written in between belongs to a later state.
      const state = stateOf(store, classes)
      const readable = restrict(parsed.selection, (step) => access.ownerBeyond(step, principal))
      const found = await readPage(limited(readable, mediaType, owner), include, principal)
      const represented = representPage(found, parsed, query, mediaType)
      // A page that depends on members which only their owners may read is for one user: it is not cached.
      const isOwn =
        included.some((name) => access.readRight(name) === 'own') ||
        parsed.steps.some((step) => access.rightBeyond(step) === 'own')
      if (parsed.isCheap && !isOwn) cache.add(key, { ...represented, classes, state })
      return represented
    }
  }

  async function readPage(
    selection: Selection,
    include: Include | undefined,
    user: RequestContext['principal'],
  ): Promise<PageWithIncludes> {
    const page = await store.list(cls.name, selection)
    if (include === undefined) return { page }
    // If a page is read backwards, it is the first members that do not fit.
    const walked = selection.start.at === 'before' ? page.members.toReversed() : page.members
    const includes = await resolveIncludes(walked, include, user, selection.byteBudget.bytes)
    const limit = includes.fitting
    return limit < walked.length ? readPage({ ...selection, limit }, include, user) : { page, includes }
  }
}

/** Limits a selection to members that the user may list, and to the size that this media type allows. */
function limited(selection: Selection, mediaType: MediaType, owner: number | undefined): Selection {
  const { byteBudget } = selection
  const bytes = maxBytes(byteBudget.bytes, mediaType)
  if (bytes === byteBudget.bytes && owner === undefined) return selection
  return { ...selection, byteBudget: { ...byteBudget, bytes }, owner }
}
