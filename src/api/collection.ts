import { randomUUID } from 'node:crypto'
import { BoundedMap } from '../bounded-map.ts'
import { invalid } from '../errors.ts'
import type { Selection } from '../store/index.ts'
import { type CollectionClass, pathTo } from '../vocabulary/index.ts'
import { readBody, requireMediaType } from './input/input.ts'
import type { MemberParts } from './member.ts'
import { prepareResponses } from './output/member.ts'
import { createPageRepresentation } from './output/page.ts'
import { LONGEST_PAGE } from './output/rdf/rdf.ts'
import { createCursorsFor } from './query/cursor.ts'
import { createReadQuery, type QueryParts } from './query/query.ts'
import { refusal } from './refusals.ts'
import {
  APPLIED_EXACT,
  type Handler,
  isJson,
  type MediaType,
  mediaTypeFor,
  type Resource,
  readPreferences,
  resource,
} from './respond.ts'

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
  const { rights, refusal: refusalOf } = parts.access
  const list = rights.list === 'none' ? { refusal: () => refusalOf('list') } : createList(parts)
  const create = rights.create === 'none' ? { refusal: () => refusalOf('create') } : createCreate(parts)
  return resource({
    GET: operations.has('list') && list,
    ...(operations.has('create') && Object.fromEntries(methods.create.map((method) => [method, create]))),
  })
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

function createCreate(parts: CollectionParts): Handler {
  const { cls, access, base, store, input, now } = parts
  const address = base + pathTo(cls.collection)

  return async (visit) => {
    const { request, principal } = visit
    const responses = prepareResponses(visit, parts)
    requireMediaType(request, 'member')
    const sent = await input.toOwnTerms(await readBody(request, 'member'), address)
    const created = input.create(sent, newId(), now(), { creator: principal })
    const member = access.limitLinks(created, principal)
    const added = await store.add(cls.name, member)
    if (added.outcome === 'added')
      return responses.created({ ...member, owner: member.owner, version: added.version })
    if (added.outcome === 'refused') throw refusal(added)
    throw invalid([{ propertyPath: '@id', message: `${member.id} exists already.` }])
  }
}

/** In the order of time, to the millisecond, and not to be guessed (RFC 9562 §5.7). */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
