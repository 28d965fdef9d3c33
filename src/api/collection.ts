import { BoundedMap } from '../bounded-map.ts'
import type { MemberStore, Selection } from '../members/index.ts'
import type { CollectionClass } from '../vocabulary/index.ts'
import { createCreation } from './creation.ts'
import {
  createRepresentPage,
  type PageDependencies,
  type RepresentedPage,
  type RepresentPage,
  type ShownPage,
} from './output/page.ts'
import type { Fields } from './query/fields.ts'
import type { Include } from './query/include.ts'
import { createReadQuery, type ReadQuery } from './query/query.ts'
import { type MediaType, maxBytes, mediaTypeFor, preferenceApplied, readPreferences } from './request.ts'
import { ifPermitted, writableResource } from './resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from './types.ts'

/** Reads queries and represents pages; the same for every set of roles. */
export interface Listing {
  readonly readQuery: ReadQuery
  readonly representPage: RepresentPage
}

export const createListing = (dependencies: PageDependencies): Listing => ({
  readQuery: createReadQuery(dependencies),
  representPage: createRepresentPage(dependencies),
})

type CollectionDependencies = ClassDependencies & { readonly cls: CollectionClass; readonly listing: Listing }

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
  const { cls, access, store, respond, listing, readInclude, readFields, resolveIncludes } = dependencies
  const { readQuery, representPage } = listing
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
      const parsed = readQuery(query, exactCount ? 'exact' : 'bounded')
      const include = parsed.include && readInclude(parsed.include)
      const fields = parsed.fields && readFields(parsed.fields, include)
      const classes = include === undefined ? [cls.name] : [cls.name, ...include.classes]
      // The state is read before the page: what is written in between belongs to a later state.
      const state = stateOf(store, classes)
      const found = await readPage(
        limited(parsed.selection, mediaType, owner),
        { include, fields },
        principal,
      )
      const represented = representPage(found, parsed, query, mediaType)
      // A page with included members that only their owners may read is for one user: it is not cached.
      const isForAll = !include?.classes.some((name) => access.readRight(name) === 'own')
      if (parsed.isCheap && isForAll) cache.add(key, { ...represented, classes, state })
      return represented
    }
  }

  async function readPage(
    selection: Selection,
    asked: { readonly include: Include | undefined; readonly fields: Fields | undefined },
    user: RequestContext['principal'],
  ): Promise<ShownPage> {
    const { include, fields } = asked
    const page = await store.list(cls.name, selection)
    if (include === undefined) return { page, fields }
    // If a page is read backwards, it is the first members that do not fit.
    const walked = selection.start.at === 'before' ? page.members.toReversed() : page.members
    const maxBytes = selection.byteBudget.bytes
    const includes = await resolveIncludes(walked, { include, fields, user, maxBytes })
    const limit = includes.fitting
    return limit < walked.length ? readPage({ ...selection, limit }, asked, user) : { page, includes, fields }
  }
}

/** Limits a selection to members that the user may list, and to the size that this media type allows. */
function limited(selection: Selection, mediaType: MediaType, owner: number | undefined): Selection {
  const { byteBudget } = selection
  const bytes = maxBytes(byteBudget.bytes, mediaType)
  if (bytes === byteBudget.bytes && owner === undefined) return selection
  return { ...selection, byteBudget: { ...byteBudget, bytes }, owner }
}

/** Undefined if the store does not know the state of one of the classes. */
function stateOf(store: MemberStore, classes: readonly string[]): string | undefined {
  let states = ''
  for (const name of classes) {
    const state = store.state(name)
    if (state === undefined) return undefined
    states += `${state} `
  }
  return states
}

interface CachedPage extends RepresentedPage {
  /** The classes whose members the page shows, and their state. */
  readonly classes: readonly string[]
  readonly state: string | undefined
}

const MAX_CACHED = 64
const LONGEST_CACHED = 64 * 1024

/**
 * Pages, each valid for one state of its classes. A page is cached at its second request in one state: a client that
 * walks through all pages requests each once, and caching those costs more than making them.
 */
function createPageCache(store: MemberStore) {
  const pages = new BoundedMap<string, CachedPage>(MAX_CACHED)
  const requestedOnce = new BoundedMap<string, string>(MAX_CACHED)
  return {
    find(key: string): RepresentedPage | undefined {
      const page = pages.get(key)
      return page !== undefined && stateOf(store, page.classes) === page.state ? page : undefined
    },
    /** A page whose state is unknown is not cached. */
    add(key: string, page: CachedPage): void {
      const { state, body } = page
      if (state === undefined || body.length > LONGEST_CACHED) return
      if (requestedOnce.get(key) !== state) requestedOnce.set(key, state)
      else pages.set(key, page)
    },
  }
}
