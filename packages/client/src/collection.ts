import type { AnyResource, Including, PathOf, ResourceTypes, SearchQuery } from './api-types.ts'
import { ADDS, methodFor, type OperationDescription } from './documentation.ts'
import { ApiError } from './errors.ts'
import { createPlaceIncluded } from './included.ts'
import { createMember, getMember, type MemberClient, takeMember } from './member.ts'
import type { DeletedMember, HistoryOptions, Member } from './member-types.ts'
import type { CheckedFields, CollectionQuery, PathsIn, ShownMember } from './query-types.ts'
import { type AbortOptions, type ReadOptions, read } from './request.ts'
import { addParameters, fillTemplate, readTemplate, type SearchTemplate } from './search-template.ts'
import type { Summary, SummaryQuery } from './summary-types.ts'
import type { JsonLdNode, JsonRecord } from './terms.ts'

/** A collection, by its name in the entry point or by its address. Nothing is requested before it is needed. */
export interface Collection<R extends ResourceTypes = AnyResource>
  extends AsyncIterable<Member<R['member']>> {
  iri(options?: AbortOptions): Promise<string>
  /** One page: the first one, the first one that matches a query, or the one at an address (`next` of another page). */
  page<const Asked extends object = object>(
    query?: CollectionQuery<R, Asked> | string,
    options?: PageOptions,
  ): Promise<PageAsked<R['member'], PathsIn<Asked, 'include'>, PathsIn<Asked, 'fields'>>>
  /** One page after another. */
  pages<const Asked extends object = object>(
    query?: CollectionQuery<R, Asked> | string,
    options?: PageOptions,
  ): AsyncGenerator<
    PageAsked<R['member'], PathsIn<Asked, 'include'>, PathsIn<Asked, 'fields'>>,
    void,
    undefined
  >
  /** All members, or all members that match the query. */
  members<const Asked extends object = object>(
    query?: CollectionQuery<R, Asked> | string,
    options?: PageOptions,
  ): AsyncGenerator<
    MemberAsked<R['member'], PathsIn<Asked, 'include'>, PathsIn<Asked, 'fields'>>,
    void,
    undefined
  >
  /** Counts, sums and other figures of all members or of those that match, by groups: one page of them. */
  summary<const Asked extends object = object>(
    query?: SummaryQuery<R, Asked> | string,
    options?: AbortOptions,
  ): Promise<SummaryPage<Summary<R, Asked>>>
  /** All summaries, page after page. */
  summaries<const Asked extends object = object>(
    query?: SummaryQuery<R, Asked> | string,
    options?: AbortOptions,
  ): AsyncGenerator<Summary<R, Asked>, void, undefined>
  /** The parameters that a query may have. */
  search(options?: AbortOptions): Promise<SearchTemplate>
  create(input: R['input'], options?: AbortOptions): Promise<Member<R['member']>>
  /** A member by the last part of its address. */
  get<const P extends PathOf<R> = never, const F extends string = never>(
    id: string,
    options?: ReadOptions<P, F> & { readonly fields?: CheckedFields<R['member'], F> },
  ): Promise<MemberAsked<R['member'], P, F>>
  /** The members that were deleted and can be restored, those that were deleted last first. */
  deleted(options?: HistoryOptions): AsyncGenerator<DeletedMember<R['member']>, void>
}

/** A member with its included members, and with only some of its fields. */
export type MemberAsked<T extends object, Include extends string, Field extends string> = Member<
  ShownMember<T, Include, Field>,
  Including<T, Include>
>

type PageAsked<T extends object, Include extends string, Field extends string> = CollectionPage<
  ShownMember<T, Include, Field>,
  Including<T, Include>
>

export interface PageOptions extends AbortOptions {
  /** Counts all matches (`Prefer: count=exact`), which may be slow. */
  readonly exactCount?: boolean | undefined
}

/** A page of a collection, or of its summaries. */
interface PageLinks {
  readonly iri: string
  /** Undefined if the server did not count. */
  readonly totalItems: number | undefined
  /** Addresses of other pages. */
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
}

export interface CollectionPage<T extends object, Whole extends object = T> extends PageLinks {
  readonly members: readonly Member<T, Whole>[]
}

export interface SummaryPage<S> extends PageLinks {
  readonly summaries: readonly S[]
}

/** The part of the client that collections use. */
export interface CollectionClient extends MemberClient {
  collections(
    options?: AbortOptions,
  ): Promise<readonly { readonly iri: string; readonly operations: readonly OperationDescription[] }[]>
}

/** The method that adds a member to the collection at this address. */
export const methodToAdd = async (
  { collections }: Pick<CollectionClient, 'collections'>,
  iri: string,
  options?: AbortOptions,
): Promise<string> =>
  methodFor((await collections(options)).find((one) => one.iri === iri)?.operations, ADDS, 'POST')

type AnyPage = CollectionPage<Member['data']>
type AnySummaryPage = SummaryPage<JsonRecord>

/** `templates`: by the address of the collection, since the response to a query has no template. */
export function openCollection(
  client: CollectionClient,
  templates: Map<string, SearchTemplate>,
  locate: (options?: AbortOptions) => Promise<string>,
): Collection {
  async function readAt(iri: string, options?: PageOptions): Promise<AnyPage> {
    const headers: Record<string, string> = options?.exactCount ? { prefer: 'count=exact' } : {}
    const node = await read(client.request, iri, { ...options, headers })
    const template = readTemplate(node)
    if (template) templates.set(await locate(options), template)
    return readPage(client, node, iri)
  }

  async function search(options?: AbortOptions): Promise<SearchTemplate> {
    const iri = await locate(options)
    // The collection without a query has the template.
    if (!templates.has(iri)) await readAt(iri, options)
    const template = templates.get(iri)
    if (!template)
      throw new ApiError('malformed', `${iri} has no search template.`, { code: 'no-search-template' })
    return template
  }

  async function page(query: SearchQuery | string = {}, options?: PageOptions): Promise<AnyPage> {
    if (typeof query === 'string') return readAt(query, options)
    const iri = await locate(options)
    const filled = Object.keys(query).length ? fillTemplate((await search(options)).template, query) : ''
    return readAt(new URL(filled, iri).href, options)
  }

  async function summary(query: SearchQuery | string = {}, options?: AbortOptions): Promise<AnySummaryPage> {
    const isAddress = typeof query === 'string'
    const address = isAddress ? query : (await search(options)).summary
    const iri = address ? addParameters(address, isAddress ? {} : query) : ''
    const node = await read(client.request, iri, options)
    return { ...readLinks(node, iri), summaries: node.all('member').map(({ data }) => data) }
  }

  const pages = (query?: SearchQuery | string, options?: PageOptions) =>
    walk(query, (next) => page(next, options))

  async function* members(query?: SearchQuery | string, options?: PageOptions) {
    for await (const found of pages(query, options)) yield* found.members
  }

  async function* summaries(query?: SearchQuery | string, options?: AbortOptions) {
    for await (const found of walk(query, (next) => summary(next, options))) yield* found.summaries
  }

  return {
    iri: locate,
    page: page as Collection['page'],
    pages: pages as Collection['pages'],
    members: members as Collection['members'],
    summary: summary as Collection['summary'],
    summaries: summaries as Collection['summaries'],
    search,
    [Symbol.asyncIterator]: members,
    async create(body, options) {
      const iri = await locate(options)
      const method = await methodToAdd(client, iri, options)
      return takeMember(client, await client.request(method, iri, { ...options, body }), { ...options })
    },
    async get(id, options) {
      // In a URL, "." and ".." mean folders even when they are percent-encoded: they would lead out of the collection.
      if (/^\.{0,2}$/.test(id))
        throw new ApiError('not-found', `No member is called "${id}".`, { code: 'impossible-id' })
      const iri = (await locate(options)).replace(/\/?$/, `/${encodeURIComponent(id)}`)
      return getMember(client, iri, options) as never
    },
    async *deleted(options) {
      yield* (await client.histories()).deletedFrom(await locate(options), options)
    },
  }
}

/** From page to page, until there is no next one. */
async function* walk<Page extends PageLinks>(
  query: SearchQuery | string | undefined,
  readNext: (query: SearchQuery | string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void> {
  // The last page of some servers links to itself, or to the first.
  const seen = new Set<unknown>()
  for (let next = query; !seen.has(next); ) {
    const page = await readNext(next)
    yield page
    seen.add(next).add(page.iri).add(undefined)
    next = page.next
  }
}

function readPage(client: CollectionClient, node: JsonLdNode, requested: string): AnyPage {
  const links = readLinks(node, requested)
  const asked = (name: string) => URL.parse(links.iri)?.searchParams.getAll(name) ?? []
  const shown = { include: asked('include'), fields: asked('fields') }
  const members = node.all('member')
  const place = createPlaceIncluded(
    members.map(({ data }) => data),
    shown.include,
  )
  return { ...links, members: members.map((member) => createMember(client, member, shown, place)) }
}

/** `iri`: the requested address, in case the response does not name its own. */
function readLinks(node: JsonLdNode, iri: string): PageLinks {
  const view = node.one('view')
  const link = (name: string) => view?.one(name)?.id
  return {
    iri: view?.id ?? iri,
    totalItems: node.one('totalItems')?.value as number | undefined,
    first: link('first'),
    previous: link('previous'),
    next: link('next'),
    last: link('last'),
  }
}
