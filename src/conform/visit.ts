import { HYDRA } from '../vocabulary/index.ts'
import type { DocumentNode } from '../vocabulary/long-form/graph.ts'
import {
  collectionLinks,
  collectionNode,
  documentationNode,
  entryPointNode,
  nextOf,
  sameOrigin,
  searchOf,
} from './reading.ts'
import { type LoadContext, readResource, type ServerReply, type VisitedResource } from './resource.ts'
import { fillVariable } from './template.ts'

/** Everything that was seen of an API. */
export interface VisitedApi {
  /** The answer at the address that was given, which may be any resource of the API. */
  readonly start: VisitedResource
  readonly documentation: VisitedResource | undefined
  readonly entryPoint: VisitedResource
  readonly collections: readonly VisitedCollection[]
  /** The answer to a request for a member that does not exist. */
  readonly unknownMember: VisitedResource | undefined
  /** The answer to a request with a query parameter that does not exist. */
  readonly unknownParameter: VisitedResource | undefined
  readonly requests: number
}

export interface VisitedCollection {
  readonly first: VisitedResource
  /** The page to which `hydra:next` of the first leads. */
  readonly next: VisitedResource | undefined
  /** The first member. */
  readonly member: VisitedResource | undefined
  /** The collection with a filter that nothing passes. */
  readonly filtered: VisitedResource | undefined
}

/** Sends a GET request, signed in if need be; undefined if there is no time left. Rejects if nothing can be checked. */
export type SendGet = (url: string) => Promise<ServerReply | undefined>

const MOST_REQUESTS = 60
const MOST_COLLECTIONS = 10

interface VisitOptions {
  readonly address: string
  readonly send: SendGet
  /** A name that nothing in the API has. */
  readonly unknown: string
}

/** Walks an API: entry point, documentation, collections, a page and a member of each, and two mistakes. */
export async function visitApi({ address, send, unknown }: VisitOptions): Promise<VisitedApi> {
  let requests = 0
  let home = address
  const seen = new Map<string, Promise<ServerReply | undefined>>()
  /** Undefined once there were enough requests, or if the address is of another server. */
  function fetchOnce(iri: string): Promise<ServerReply | undefined> {
    const [url = ''] = iri.split('#', 1)
    const known = seen.get(url)
    if (known !== undefined) return known
    if (requests >= MOST_REQUESTS || !sameOrigin(url, home)) return Promise.resolve(undefined)
    requests += 1
    const reply = send(url)
    seen.set(url, reply)
    return reply
  }
  const load: LoadContext = async (url) => contextIn((await fetchOnce(url))?.body)
  async function visit(url: string | undefined, isError = false): Promise<VisitedResource | undefined> {
    const reply = url === undefined ? undefined : await fetchOnce(url)
    return reply === undefined ? undefined : readResource(reply, load, isError)
  }

  const start = (await visit(address)) as VisitedResource
  home = start.url
  const documentation = await visit(documentationOf(start))
  const named = documentationNode(documentation)?.nodes('hydra:entrypoint')[0]?.id
  const entryPoint = (named !== undefined && (await visit(named))) || start
  const collections: VisitedCollection[] = []
  for (const url of collectionLinks(entryPoint, documentation).slice(0, MOST_COLLECTIONS))
    collections.push(...(await visitCollection(url, visit, unknown)))
  return {
    start,
    documentation,
    entryPoint,
    collections,
    unknownMember: await visit(unknownMemberOf(collections, unknown), true),
    unknownParameter: await visit(unknownParameterOf(collections, unknown), true),
    requests,
  }
}

type Visit = (url: string | undefined) => Promise<VisitedResource | undefined>

async function visitCollection(url: string, visit: Visit, unknown: string): Promise<VisitedCollection[]> {
  const first = await visit(url)
  if (first === undefined) return []
  const collection = collectionNode(first)
  // A member may be a part of the page, named by a fragment.
  const member = collection?.nodes('hydra:member').find(({ id, isBlank }) => !isBlank && !id.includes('#'))
  return [
    {
      first,
      next: await visit(nextOf(first)?.id),
      member: await visit(member?.id),
      filtered: await visit(filterOf(first, member, unknown)),
    },
  ]
}

/** Found by the header or, in representations without it, by the property. */
function documentationOf({ links, graph, url }: VisitedResource): string | undefined {
  const named = links.find(({ rel }) => rel === `${HYDRA}apiDocumentation`)?.target
  return named ?? entryPointNode(graph, url)?.nodes('hydra:apiDocumentation')[0]?.id
}

function contextIn(body: string | undefined): object | undefined {
  try {
    const context = JSON.parse(body ?? '')['@context']
    return typeof context === 'object' && context !== null ? context : undefined
  } catch {
    return undefined
  }
}

/** A filter by a text that no member has. */
function filterOf(
  first: VisitedResource,
  member: DocumentNode | undefined,
  unknown: string,
): string | undefined {
  const search = searchOf(first)
  const template = search?.text('hydra:template')
  if (member === undefined || search === undefined || template === undefined) return undefined
  const isText = (iri: string) =>
    member.literals(iri).some(({ value, datatype }) => typeof value === 'string' && datatype === undefined)
  for (const mapping of search.nodes('hydra:mapping')) {
    const variable = mapping.text('hydra:variable')
    const property = mapping.nodes('hydra:property')[0]?.id
    if (variable === undefined || property === undefined || !isText(property)) continue
    const filled = fillVariable(template, variable, unknown)
    if (filled !== undefined) return URL.parse(filled, first.url)?.href
  }
  return undefined
}

/** The address of a member with another id; below the collection if none has members. */
function unknownMemberOf(collections: readonly VisitedCollection[], unknown: string): string | undefined {
  const member = collections.find((one) => one.member !== undefined)?.member
  // Relative to the member, since its address says where members are; without query and fragment.
  if (member !== undefined) return new URL(unknown, member.url).href
  const [collection] = collections
  if (collection === undefined) return undefined
  const { origin, pathname } = new URL(collection.first.url)
  return `${origin}${pathname}/${unknown}`
}

function unknownParameterOf([collection]: readonly VisitedCollection[], unknown: string): string | undefined {
  if (collection === undefined) return undefined
  const url = new URL(collection.first.url)
  url.searchParams.set(unknown, '1')
  return url.href
}
