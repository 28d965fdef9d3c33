import { BoundedMap } from '../bounded-map.ts'
import type { Selection } from '../store/index.ts'
import type { CollectionClass } from '../vocabulary/index.ts'
import type { MemberParts } from './member.ts'
import { createPageRepresentation } from './output/page.ts'
import { LONGEST_PAGE } from './output/rdf/rdf.ts'
import { createCursorsFor } from './query/cursor.ts'
import { createReadQuery, type QueryParts } from './query/query.ts'
import {
  APPLIED_EXACT,
  type Handler,
  isJson,
  type MediaType,
  mediaTypeFor,
  type Resource,
  readPreferences,
  refuse,
  resource,
} from './respond.ts'
import { requestsTo, writeMethods } from './write-requests.ts'
import { createCreation, refused } from './writes.ts'

/** What lists are read and shown with, whoever asks. */
export type Listing = ReturnType<typeof createListing>

export const createListing = (
  parts: QueryParts & Pick<MemberParts, 'representation'> & { readonly secret: Buffer },
) => ({
  readQuery: createReadQuery(parts),
  pages: createPageRepresentation(parts),
})

type CollectionParts = MemberParts & { readonly cls: CollectionClass; readonly listing: Listing }

/** `{base}/{collection}`: its members page by page, and the methods that add one. */
export function collection(parts: CollectionParts): Resource {
  const { operations, methods } = parts.cls
  const { rights, refusal } = parts.access
  const list = rights.list === 'none' ? refuse(() => refusal('list')) : createList(parts)
  const creation = createCreation(parts)
  const create = rights.create === 'none' ? refused(creation, () => refusal('create')) : creation
  const creating = operations.has('create') ? methods.create : []
  const writes = writeMethods(Object.fromEntries(creating.map((method) => [method, create])), parts)
  return resource({ GET: operations.has('list') && list, ...requestsTo(writes, parts) }, writes)
}

function createList(parts: CollectionParts): Handler {
  const { cls, access, store, respond, listing } = parts
  const { readQuery, pages } = listing
  const cache = createPageCache()
  const cursorsFor = createCursorsFor(cls, access.sequences)

  return async ({ request, query, principal }) => {
    const mediaType = mediaTypeFor(request)
    const { exactCount } = readPreferences(request)
    const owner = access.listedOwner(principal)
    const asAsked = `${mediaType} ${exactCount} ${query ?? ''}`
    const key = owner === undefined ? asAsked : `${owner} ${asAsked}`
    // Before the page is read: what is written meanwhile belongs to a later state.
    const state = store.state(cls.name)
    const { etag, body } = cache.find(key, state) ?? (await represent())
    const response = await respond.read(request, { mediaType, etag, body: () => body })
    if (!exactCount) return response
    return { ...response, headers: [...response.headers, ...APPLIED_EXACT] }

    async function represent(): Promise<Represented> {
      const asked = readQuery(query, exactCount ? 'exact' : 'bounded', cursorsFor)
      const selection = owner === undefined ? asked.selection : { ...asked.selection, owner }
      const page = await store.list(cls.name, limitBytes(selection, mediaType))
      const represented = { etag: pages.etag(page, query, mediaType), body: pages.body(page, asked, query) }
      if (asked.isCheap) cache.add(key, state, represented)
      return represented
    }
  }
}

/** A page that is converted to RDF has no more bytes than a conversion may take. */
function limitBytes(selection: Selection, mediaType: MediaType): Selection {
  const { room } = selection
  if (isJson(mediaType) || room.bytes <= LONGEST_PAGE) return selection
  return { ...selection, room: { ...room, bytes: LONGEST_PAGE } }
}

interface Represented {
  readonly etag: string
  readonly body: string
}

const MOST_CACHED = 64
const LONGEST_CACHED = 64 * 1024

/**
 * The latest pages that were asked for twice in one state, found only in that state: a client that walks through all of
 * them asks once for each, and keeping text that is never sent again costs more than making it.
 */
function createPageCache() {
  const pages = new BoundedMap<string, Represented & { readonly state: number }>(MOST_CACHED)
  const askedOnce = new BoundedMap<string, number>(MOST_CACHED)
  return {
    find(key: string, state: number | undefined): Represented | undefined {
      const page = pages.get(key)
      return page?.state === state ? page : undefined
    },
    /** A state of undefined cannot be recognised later: such a page is not kept. */
    add(key: string, state: number | undefined, page: Represented): void {
      if (state === undefined || page.body.length > LONGEST_CACHED) return
      if (askedOnce.get(key) !== state) askedOnce.set(key, state)
      else pages.set(key, { state, ...page })
    },
  }
}
