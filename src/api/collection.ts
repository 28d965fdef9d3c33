import type { Response } from '../http/response.ts'
import type { Page, Selection } from '../store/store.ts'
import { classIri, collectionContext } from '../vocabulary/contexts.ts'
import type { CollectionClass } from '../vocabulary/model.ts'
import { pathTo } from '../vocabulary/names.ts'
import { createHandlers } from './create.ts'
import type { WriteParts } from './member-answer.ts'
import { LONGEST_PAGE } from './output/rdf/rdf-text.ts'
import { representSearch } from './output/search.ts'
import { createRepresentView } from './output/view.ts'
import { createPageMemory } from './page-memory.ts'
import { applied, readPreferences } from './prefer.ts'
import { createParameters, type Parameters } from './query/parameters.ts'
import { createReadQuery, type PageSizes, type Query } from './query/query.ts'
import { type Handler, type Resource, resource } from './resource.ts'
import { byMediaType, fingerprint, isJson, type MediaType, mediaTypeFor } from './serving.ts'

export interface CollectionParts extends WriteParts {
  readonly cls: CollectionClass
  readonly pageSizes: PageSizes
}

/** `{base}/{collection}`: its members page by page; what creates a member is in create.ts. */
export function collection(parts: CollectionParts): Resource {
  const GET = parts.cls.operations.has('list') ? createList(parts) : undefined
  return resource({ GET, ...createHandlers(parts) })
}

function createList(parts: CollectionParts): Handler {
  const { cls, base, store, serving, pageSizes } = parts
  const parameters = createParameters(cls)
  const readQuery = createReadQuery(cls, base, pageSizes, parameters)
  const represent = createRepresent(parts, parameters)
  const memory = createPageMemory()

  return async ({ request, query }) => {
    const mediaType = mediaTypeFor(request)
    const { exactCount } = readPreferences(request)
    const send = async (etag: string, body: string) =>
      confirm(await serving.read(request, mediaType, etag, () => body), exactCount)

    const key = `${mediaType} ${exactCount} ${query ?? ''}`
    // Before the page is read: what is written meanwhile belongs to a later state.
    const state = store.state(cls.name)
    const known = memory.find(key, state)
    if (known !== undefined) return send(known.etag, known.body)

    const asked = await restored(readQuery(query, exactCount ? 'exact' : 'bounded'))
    const page = await store.list(cls.name, fitting(asked.selection, mediaType))
    const etag = represent.etag(page, query, mediaType)
    const body = represent.body(page, asked, query)
    if (asked.isCheap) memory.remember(key, state, etag, body)
    return send(etag, body)
  }

  /** A cursor whose keys did not fit a link names its member, which has them. */
  async function restored(asked: Query): Promise<Query> {
    const { place, selection, cursors } = asked
    const { start } = selection
    if (place?.cut === undefined || start.at === 'offset') return asked
    const position = cursors.restore(place, start.at, await store.find(cls.name, place.cut.id))
    return { ...asked, selection: { ...selection, start: { at: start.at, position } } }
  }
}

/** What is converted has no more bytes than converting them allows. */
function fitting(selection: Selection, mediaType: MediaType): Selection {
  const { room } = selection
  if (isJson(mediaType) || room.bytes <= LONGEST_PAGE) return selection
  return { ...selection, room: { ...room, bytes: LONGEST_PAGE } }
}

const confirm = (response: Response, exactCount: boolean): Response =>
  exactCount ? { ...response, headers: [...response.headers, ...applied('count=exact')] } : response

/** Text around the members, computed at start as far as it does not depend on the page. */
function createRepresent({ cls, base, representation, pageSizes }: CollectionParts, parameters: Parameters) {
  const address = base + pathTo(cls.collection)
  const context = JSON.stringify(collectionContext(cls, base))
  const assertion = { property: 'rdf:type', object: classIri(cls, base) }
  const head =
    `{"@context":${context},"@id":"${address}","@type":["Collection","${cls.name}Collection"],` +
    `"memberAssertion":${JSON.stringify(assertion)}`
  const search = JSON.stringify(representSearch(cls, base, parameters.all))
  const representView = createRepresentView(address, pageSizes)
  // All that a page shows beside its members; what one of these shows is in its own ETag.
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(head, search, String(pageSizes.standard), representation.etag({ version: 0 }, mediaType)),
  )

  return {
    body(page: Page, asked: Query, query: string | undefined): string {
      let members = ''
      for (const member of page.members)
        members += (members === '' ? '' : ',') + representation.within(member)
      const total = page.total === undefined ? '' : `,"totalItems":${page.total}`
      const view = representView(asked, page, query)
      // Larger than many a page, and a name alone stops clients that read RDF (hypermedia.md, Collection).
      return `${head}${total},"member":[${members}],"view":${view}${query ? '' : `,"search":${search}`}}`
    },
    /** Over what the page shows: a version names one state of one member of the class. */
    etag({ members, total, more }: Page, query: string | undefined, mediaType: MediaType): string {
      let versions = ''
      for (const { version } of members) versions += `${version},`
      return `"${fingerprint(versions, `${total} ${more}`, query ?? '', fingerprints[mediaType])}"`
    },
  }
}
