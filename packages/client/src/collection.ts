import type { AnyResource, Including, PathOf, ResourceTypes, SearchQuery, Spelled } from './api-types.ts'
import { ADDS, methodFor, type OperationDescription } from './documentation.ts'
import { ApiError } from './errors.ts'
import { createPlaceIncluded } from './included.ts'
import { createMember, getMember, type Member, type MemberClient, takeMember } from './member.ts'
import { type AbortOptions, type ReadOptions, read } from './request.ts'
import { fillTemplate, readTemplate, type SearchTemplate } from './search-template.ts'
import type { JsonLdNode } from './terms.ts'

/** A collection, by its name in the entry point or by its address. Nothing is requested before it is needed. */
export interface Collection<R extends ResourceTypes = AnyResource>
  extends AsyncIterable<Member<R['member']>> {
  iri(options?: AbortOptions): Promise<string>
  /** One page: the first one, the first one that matches a query, or the one at an address (`next` of another page). */
  page<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): Promise<CollectionPage<Including<R['member'], P>>>
  /** One page after another. */
  pages<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): AsyncGenerator<CollectionPage<Including<R['member'], P>>, void, undefined>
  /** All members, or all members that match the query. */
  members<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): AsyncGenerator<Member<Including<R['member'], P>>, void, undefined>
  /** The parameters that a query may have. */
  search(options?: AbortOptions): Promise<SearchTemplate>
  create(input: R['input'], options?: AbortOptions): Promise<Member<R['member']>>
  /** A member by the last part of its address. */
  get<const P extends PathOf<R> = never>(
    id: string,
    options?: ReadOptions<P>,
  ): Promise<Member<Including<R['member'], P>>>
}

/** A query, whose undefined values are left out; or the address of a page. */
type CollectionQuery<R extends ResourceTypes, P extends string> =
  | string
  | ((R extends { readonly query: infer Q }
      ? Spelled<{ readonly [Name in keyof Q]: Q[Name] | undefined }>
      : SearchQuery) &
      Pick<ReadOptions<P>, 'include'>)

export interface PageOptions extends AbortOptions {
  /** Counts all matches (`Prefer: count=exact`), which may be slow. */
  readonly exactCount?: boolean | undefined
}

export interface CollectionPage<T extends object> {
  readonly iri: string
  readonly members: readonly Member<T>[]
  /** Undefined if the server did not count. */
  readonly totalItems: number | undefined
  /** Addresses of other pages. */
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
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

/** `templates`: by the address of the collection, since the response to a query has no template. */
export function openCollection(
  client: CollectionClient,
  templates: Map<string, SearchTemplate>,
  locate: (options?: AbortOptions) => Promise<string>,
): Collection {
  async function readAt(iri: string, options?: PageOptions): Promise<AnyPage> {
    const headers = options?.exactCount ? { prefer: 'count=exact' } : {}
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

  const pages = (query?: SearchQuery | string, options?: PageOptions) =>
    walk(query, (next) => page(next, options))

  async function* members(query?: SearchQuery | string, options?: PageOptions) {
    for await (const found of pages(query, options)) yield* found.members
  }

  return {
    iri: locate,
    page: page as Collection['page'],
    pages: pages as Collection['pages'],
    members: members as Collection['members'],
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
  }
}

/** From page to page, until there is no next one. */
async function* walk(
  query: SearchQuery | string | undefined,
  readNext: (query: SearchQuery | string | undefined) => Promise<AnyPage>,
): AsyncGenerator<AnyPage, void> {
  // The last page of some servers links to itself, or to the first.
  const seen = new Set<unknown>()
  for (let next = query; !seen.has(next); ) {
    const page = await readNext(next)
    yield page
    seen.add(next).add(page.iri).add(undefined)
    next = page.next
  }
}

/** `iri`: the requested address, in case the response does not name its own. */
function readPage(client: CollectionClient, node: JsonLdNode, iri: string): AnyPage {
  const view = node.one('view')
  const link = (name: string) => view?.one(name)?.id
  const include = URL.parse(view?.id ?? iri)?.searchParams.getAll('include') ?? []
  const members = node.all('member')
  const place = createPlaceIncluded(
    members.map(({ data }) => data),
    include,
  )
  return {
    iri: view?.id ?? iri,
    members: members.map((member) => createMember(client, member, include, place)),
    totalItems: node.one('totalItems')?.value as number | undefined,
    first: link('first'),
    previous: link('previous'),
    next: link('next'),
    last: link('last'),
  }
}
