import { expand, findBundledContext, HYDRA, LinkedDataError, RDF, RDFS } from '../vocabulary/index.ts'
import { type Graph, graphOf } from '../vocabulary/long-form/graph.ts'

/** A response as it came over the wire. */
export interface ServerReply {
  /** The address that was asked for, or to which it has redirected. */
  readonly url: string
  /** 0 if there was no answer. */
  readonly status: number
  /** Keyed by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HeaderLink {
  readonly target: string
  readonly rel: string
}

/** A response, with its JSON-LD as a graph: its shape, its prefixes and its context do not matter any more. */
export interface VisitedResource {
  readonly url: string
  readonly status: number
  readonly mediaType: string
  readonly headers: Readonly<Record<string, string>>
  readonly links: readonly HeaderLink[]
  /** Undefined if the body is not JSON. */
  readonly json: unknown
  /** Empty if the body is not JSON-LD. */
  readonly graph: Graph
  /** Why the body is not JSON-LD. */
  readonly unreadable: UnreadableReason | undefined
  /** Where the API may be, if the body is a web page. */
  readonly api: ApiPlace | undefined
  /** Keys without a meaning in the context, which the processor has dropped. */
  readonly dropped: readonly string[]
}

export interface ApiPlace {
  readonly address: string
  /** Whether the page names it; otherwise it is only likely. */
  readonly isNamed: boolean
}

/** `web-page`: it is HTML. `no-context`: its context is on another server, which is not asked, or nothing is there. */
export type UnreadableReason = 'no-answer' | 'status' | 'not-json' | 'web-page' | 'not-json-ld' | 'no-context'

/** Returns the context at an address of the API; undefined if it must not be fetched, or is none. */
export type LoadContext = (address: string) => Promise<object | undefined>

/** The relation by which a response names its context. */
export const CONTEXT_REL = 'http://www.w3.org/ns/json-ld#context'

/** The context that Hydra has for problem documents. */
const ERROR_CONTEXT = {
  type: { '@id': `${RDF}type`, '@type': '@id' },
  title: `${RDFS}label`,
  detail: `${RDFS}comment`,
  status: `${HYDRA}statusCode`,
  instance: { '@id': `${RDFS}seeAlso`, '@type': '@id' },
}

const findKnownContext = (address: string): object | undefined =>
  address === 'http://www.w3.org/ns/hydra/error' ? ERROR_CONTEXT : findBundledContext(address)

/** Reads a response. `isError`: the body of a refusal counts as well. */
export async function readResource(
  reply: ServerReply,
  load: LoadContext,
  isError = false,
): Promise<VisitedResource> {
  const { url, status, headers } = reply
  const mediaType = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const links = readLinks(headers.link ?? '', url)
  const json = parse(reply.body)
  const isPage = mediaType === 'text/html'
  const api = isPage ? findApi(reply) : undefined
  const read = { url, status, mediaType, headers, links, json, api }
  const nothing = { ...read, graph: new Map(), dropped: [] }
  if (status === 0) return { ...nothing, unreadable: 'no-answer' }
  if (!isError && (status < 200 || status > 299)) return { ...nothing, unreadable: 'status' }
  if (typeof json !== 'object' || json === null)
    return { ...nothing, unreadable: isPage ? 'web-page' : 'not-json' }
  // JSON-LD 1.1 §6.1: plain JSON gets its context from a Link.
  const linked = links.find(({ rel }) => rel === CONTEXT_REL)?.target
  const isPlain = mediaType !== 'application/ld+json' && !JSON.stringify(json).includes('"@context"')
  const context = isPlain && linked !== undefined ? linked : undefined
  try {
    const { nodes, dropped } = await expandWith(json, url, load, context)
    return {
      ...read,
      graph: graphOf(nodes),
      dropped: dropped.filter(({ code }) => code === 'invalid property').map(({ what }) => what),
      unreadable: undefined,
    }
  } catch (error) {
    // A document may be nested too deeply to be walked through.
    if (!(error instanceof LinkedDataError || error instanceof RangeError)) throw error
    return {
      ...nothing,
      unreadable: 'code' in error && error.code === 'ForeignContext' ? 'no-context' : 'not-json-ld',
    }
  }
}

/**
 * People may give the address of the console, which names its API in a `meta` element, or that of a website. The client
 * says the same of a page, in its own words.
 */
function findApi({ url, body }: ServerReply): ApiPlace | undefined {
  const content = /<meta name="hydrant-base" content="([^"]+)/.exec(body)?.[1] ?? ''
  const named = URL.parse(content.replaceAll('&amp;', '&'))?.href
  if (named !== undefined) return { address: named, isNamed: true }
  const { href } = new URL('/api', url)
  return url.startsWith(href) ? undefined : { address: href, isNamed: false }
}

const MOST_CONTEXTS = 8

/** The processor asks for contexts synchronously: a missing one is fetched, and the document expanded again. */
async function expandWith(json: object, base: string, load: LoadContext, linked: string | undefined) {
  const contexts = new Map<string, object>()
  const context = linked === undefined ? undefined : { '@context': linked }
  for (;;) {
    let wanted: string | undefined
    const findContext = (address: string) => {
      const found = findKnownContext(address) ?? contexts.get(address)
      if (found === undefined) wanted = address
      return found
    }
    try {
      return await expand(json, { base, findContext, ...(context === undefined ? {} : { context }) })
    } catch (error) {
      if (wanted === undefined || contexts.has(wanted) || contexts.size >= MOST_CONTEXTS) throw error
      const found = await load(wanted)
      if (found === undefined) throw error
      contexts.set(wanted, found)
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** RFC 8288 §3. A link may have several relations. */
function readLinks(header: string, base: string): HeaderLink[] {
  return [...header.matchAll(/<([^<>]*)>([^<>]*)/g)].flatMap(([, target = '', parameters = '']) => {
    const href = URL.parse(target, base)?.href
    const [, quoted, token] = /;[ \t]*rel[ \t]*=[ \t]*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? []
    const rels = (quoted ?? token ?? '').split(/\s/).filter((rel) => rel !== '')
    return href === undefined ? [] : rels.map((rel) => ({ target: href, rel }))
  })
}
