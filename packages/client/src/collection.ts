import type { AnyResource, Including, PathOf, ResourceTypes, SearchQuery, Spelled } from './api-types.ts'
import { ADDS, methodFor, type OperationDescription } from './documentation.ts'
import { ApiError } from './errors.ts'
import { createPlaceIncluded } from './included.ts'
import { createMember, getMember, type Member, type MemberClient, takeMember } from './member.ts'
import { type JsonLdNode, list } from './terms.ts'
import { type AbortOptions, type ReadOptions, read } from './transport.ts'

/** The search template of a collection (`hydra:IriTemplate`). */
export interface SearchTemplate {
  readonly template: string
  readonly variables: readonly SearchVariable[]
}

export interface SearchVariable {
  readonly name: string
  /** What it is about. */
  readonly property: string | undefined
  readonly required: boolean
}

/** A collection, by its name in the entry point or by its address. Requests are sent when something is needed. */
export interface Collection<R extends ResourceTypes = AnyResource>
  extends AsyncIterable<Member<R['member']>> {
  /** Its address. */
  iri(options?: AbortOptions): Promise<string>
  /** One page: the first, the first of those that match, or the one at an address (`next` of another page). */
  page<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): Promise<CollectionPage<Including<R['member'], P>>>
  /** One page after the other. */
  pages<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): AsyncGenerator<CollectionPage<Including<R['member'], P>>, void, undefined>
  /** Every member of every page, or of those that match. */
  members<const P extends string = never>(
    query?: CollectionQuery<R, P>,
    options?: PageOptions,
  ): AsyncGenerator<Member<Including<R['member'], P>>, void, undefined>
  /** What it can be asked. */
  search(options?: AbortOptions): Promise<SearchTemplate>
  create(input: R['input'], options?: AbortOptions): Promise<Member<R['member']>>
  /** A member by the last part of its address. */
  get<const P extends PathOf<R> = never>(
    id: string,
    options?: ReadOptions<P>,
  ): Promise<Member<Including<R['member'], P>>>
}

/** A query, in which an undefined value asks for nothing, or the address of a page. */
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
  /** Undefined where the server has not counted. */
  readonly totalItems: number | undefined
  /** Addresses of other pages. */
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
}

/** The parts of the client that collections use. */
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

/** `templates` are by the address of their collection: an answer to a query has none. */
export function openCollection(
  parts: CollectionClient,
  templates: Map<string, SearchTemplate>,
  locate: (options?: AbortOptions) => Promise<string>,
): Collection {
  async function readPage(iri: string, options?: PageOptions): Promise<AnyPage> {
    const node = await read(parts.request, iri, {
      ...options,
      headers: options?.exactCount ? { prefer: 'count=exact' } : {},
    })
    const template = readTemplate(node)
    if (template) templates.set(await locate(options), template)
    const view = node.one('view')
    const link = (name: string) => view?.one(name)?.id
    const include = URL.parse(view?.id ?? iri)?.searchParams.getAll('include') ?? []
    const members = node.all('member')
    const data = members.map((member) => member.data)
    const place = createPlaceIncluded(data, include)
    return {
      iri: view?.id ?? iri,
      members: members.map((member) => createMember(parts, member, include, place)),
      totalItems: node.one('totalItems')?.value as number | undefined,
      first: link('first'),
      previous: link('previous'),
      next: link('next'),
      last: link('last'),
    }
  }

  async function search(options?: AbortOptions): Promise<SearchTemplate> {
    const iri = await locate(options)
    if (!templates.has(iri)) await readPage(iri, options)
    const template = templates.get(iri)
    if (!template) throw new ApiError('malformed', `${iri} has no search template.`)
    return template
  }

  /** The collection without a query has the template. */
  async function page(query: SearchQuery | string = {}, options?: PageOptions): Promise<AnyPage> {
    if (typeof query === 'string') return readPage(query, options)
    const iri = await locate(options)
    const filled = Object.keys(query).length ? fillTemplate((await search(options)).template, query) : ''
    return readPage(new URL(filled, iri).href, options)
  }

  async function* pages(query?: SearchQuery | string, options?: PageOptions) {
    // Some servers lead from the last page to itself, or to the first.
    const seen = new Set<unknown>()
    for (let next = query; !seen.has(next); ) {
      const found: AnyPage = await page(next, options)
      yield found
      seen.add(next).add(found.iri).add(undefined)
      next = found.next
    }
  }

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
      const method = await methodToAdd(parts, iri, options)
      return takeMember(parts, await parts.request(method, iri, { ...options, body }), '', options)
    },
    async get(id, options) {
      // However they are written, URLs take these for folders: what is above the collection is no member of it.
      if (/^\.{0,2}$/.test(id)) throw new ApiError('not-found', `No member is called "${id}".`)
      const iri = (await locate(options)).replace(/\/?$/, `/${encodeURIComponent(id)}`)
      return getMember(parts, iri, options) as never
    },
  }
}

/** Undefined where the answer has none, or only names it. */
const readTemplate = (collection: JsonLdNode): SearchTemplate | undefined => {
  const search = collection.one('search')
  const template = search?.text('template')
  return template
    ? {
        template,
        variables: (search as JsonLdNode).all('mapping').map((mapping) => ({
          name: decode(mapping.text('variable')),
          property: mapping.one('property')?.id,
          required: mapping.text('required') === 'true',
        })),
      }
    : undefined
}

/** RFC 6570 §2.3: the names of variables may be percent-encoded. */
const decode = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The other spelling of an operator: `p.gte` and `p[gte]`, `p.exists` and `exists[p]`. */
const respell = (name: string): string => {
  const [, outer, inner] = /^([^[]+)\[([^[\]]+)]$/.exec(name) ?? []
  if (inner) return outer === 'exists' ? `${inner}.exists` : `${outer}.${inner}`
  const dot = name.lastIndexOf('.')
  if (dot < 0) return name
  const [property, operator] = [name.slice(0, dot), name.slice(dot + 1)]
  return operator === 'exists' ? `exists[${property}]` : `${property}[${operator}]`
}

/** RFC 6570 without prefixes and pairs. An unknown name is an error: without it the query would mean something else. */
export const fillTemplate = (template: string, query: SearchQuery): string => {
  const known: string[] = []
  // What every object has by inheritance, such as a constructor, nobody has asked for; a class may have getters.
  const asked = (name: string) =>
    Object.hasOwn(query, name) || !(name in Object.prototype) ? query[name] : undefined
  const expressions = /\{(\W?)([^{}]+)\}/g
  for (const [, , names = ''] of template.matchAll(expressions))
    known.push(...names.split(',').map((spec) => decode(spec.replace(/[:*].*/, ''))))
  const isOther = (name: string) => !known.includes(name)
  const filled = template.replace(expressions, (_, sign: string, names: string) => {
    const encode = /[+#]/.test(sign) ? encodeURI : encodeURIComponent
    const parts = names.split(',').flatMap((spec) => {
      const [written, most] = spec.split(/[:*]/) as [string, string?]
      const name = decode(written)
      const other = respell(name)
      const value = asked(name) ?? (isOther(other) ? asked(other) : undefined)
      const values = list(value).map((one) => encode(`${one}`))
      const texts = most === '' || !values.length ? values : [values.join()]
      return /[;?&]/.test(sign) ? texts.map((text) => `${written}=${text}`) : texts
    })
    return parts.length
      ? sign.replace('+', '') + parts.join(sign.replace(/[+#]/, '').replace('?', '&') || ',')
      : ''
  })
  const unknown = Object.keys(query).filter(
    (name) => query[name] != null && isOther(name) && isOther(respell(name)),
  )
  if (unknown.length) throw new ApiError('malformed', `The search template has no ${unknown.join(', ')}.`)
  return filled
}
