import type { GateMode } from '../auth/index.ts'
import type { Awaitable } from '../database/index.ts'
import {
  CODINGS,
  type Coding,
  createCodingFor,
  createCompress,
  errorResponse,
  isCompressed,
  isFresh,
  LD_JSON,
  names,
  negotiate,
  type Request,
  type Response,
  type StreamedResponse,
} from '../http/index.ts'
import type { Problem } from '../problem.ts'
import { errorContext, vocabIri } from '../vocabulary/index.ts'
import type { ToRdf } from './output/rdf/conversion.ts'
import { createToRdf, withLimit, withMemory } from './output/rdf/rdf.ts'
import { readProblem, titleOf } from './problems/index.ts'
import { byMediaType, CSV, fingerprint, isRdf, MEDIA_TYPES, type MediaType, PLAIN_JSON } from './request.ts'

/** How requests reach the resources; `anyone`: without signing in. */
export type ServedMode = GateMode | 'anyone'

/** A resource in the negotiated media type. */
interface NegotiatedRepresentation {
  readonly mediaType: MediaType
  /** Undefined for a result that is not a resource. */
  readonly etag: string | undefined
  /** Whether the body may differ under one ETag, so that its compressed form is not cached. */
  readonly isVariable?: boolean
  /** The address of the context, which plain JSON does not have inline. */
  readonly context?: string
  /** `Link` headers of this representation alone. */
  readonly links?: readonly string[]
  /** JSON-LD for RDF, which is converted from it. Called only if a body is sent. */
  readonly body: () => string
}

/** Builds the responses to admitted requests, with the headers that they share. */
export class Respond {
  readonly #bare: readonly string[]
  readonly #typed: Readonly<Record<MediaType, readonly string[]>>
  /** The headers of responses that depend on Accept-Encoding. */
  readonly #bareCoded: readonly string[]
  readonly #coded: Readonly<Record<Coding, Readonly<Record<MediaType, readonly string[]>>>>
  readonly #codingFor: (accepted: string | undefined) => Coding | undefined
  readonly #compress = createCompress()
  readonly #toRdf = createToRdf()
  readonly #limitedToRdf = withLimit(this.#toRdf)

  /** The same for resources that depend on a further header of the request. */
  readonly varyingBy: (header: string) => Respond

  /** `varies`: a header of the request that responses depend on, too. */
  constructor(common: readonly string[], mode: ServedMode, compression: boolean, varies?: string) {
    this.varyingBy = (header) => new Respond(common, mode, compression, header)
    const bare = [...common, ...(varies === undefined ? CACHING[mode] : withVary(CACHING[mode], varies))]
    const bareCoded = bare.map((text, at) => (bare[at - 1] === 'Vary' ? `${text}, Accept-Encoding` : text))
    const typed = (shared: readonly string[], ...more: readonly string[]) =>
      byMediaType((mediaType) => [...shared, 'Content-Type', CONTENT_TYPES[mediaType], ...more])
    this.#bare = bare
    this.#bareCoded = bareCoded
    this.#typed = typed(bare)
    this.#coded = Object.fromEntries(
      CODINGS.map((coding) => [coding, typed(bareCoded, 'Content-Encoding', coding)]),
    ) as Record<Coding, ReturnType<typeof typed>>
    this.#codingFor = compression ? createCodingFor() : () => undefined
  }

  /** A member that has been written is converted without a limit. Not async, since JSON needs no waiting. */
  send(
    request: Request,
    status: number,
    representation: NegotiatedRepresentation,
    more: readonly string[],
    convert: ToRdf = this.#toRdf,
  ): Awaitable<Response> {
    const { mediaType, etag, isVariable, body } = representation
    const headers = [...linksOf(representation), ...more]
    const respondWith = (shared: readonly string[], tag: string | undefined, content: string | Buffer) => ({
      status,
      shared,
      headers: tag === undefined ? headers : ['ETag', tag, ...headers],
      body: content,
    })
    const fromText = (make: (text: string) => Awaitable<Response>): Awaitable<Response> =>
      isRdf(mediaType) ? convert(body(), mediaType).then(make) : make(body())
    const whole = (text: string) => respondWith(this.#typed[mediaType], etag, text)
    const coding = status === 200 ? this.#codingFor(request.headers['accept-encoding']) : undefined
    if (coding === undefined) return fromText(whole)

    const tag = etag && codedTag(etag, coding)
    const inBytes = (bytes: Buffer) => respondWith(this.#coded[coding][mediaType], tag, bytes)
    // One ETag means the same bytes for every user. The address is in the key to be safe.
    const key = isVariable ? undefined : tag && `${tag} ${request.target}`
    const known = key && this.#compress.find(key)
    if (known) return inBytes(known)
    return fromText((text) => {
      if (!isCompressed(text)) return whole(text)
      const bytes = this.#compress.make(key, text, coding)
      return bytes instanceof Promise ? bytes.then(inBytes) : inBytes(bytes)
    })
  }

  /** Responds with 200 and the representation, or with 304 if the client has it already. */
  read(
    request: Request,
    representation: NegotiatedRepresentation & { readonly etag: string },
    convert = this.#limitedToRdf,
  ): Awaitable<Response> {
    const { headers } = request
    const { etag } = representation
    const notModified = (tag: string): Response => {
      const shared = tag === etag ? this.#bare : this.#bareCoded
      // RFC 9111 §3.2: a cache replaces the links that it has kept by those of the 304.
      return { status: 304, shared, headers: ['ETag', tag, ...linksOf(representation)], body: undefined }
    }
    const coding = headers['if-none-match'] && this.#codingFor(headers['accept-encoding'])
    if (!coding)
      return isFresh(headers, etag) ? notModified(etag) : this.send(request, 200, representation, [], convert)
    const tag = codedTag(etag, coding)
    if (headers['if-none-match'] !== '*' && isFresh(headers, tag)) return notModified(tag)
    // Only the body shows whether it is long enough to be compressed.
    return Promise.resolve(this.send(request, 200, representation, [], convert)).then((response) => {
      const [, sent = ''] = response.headers
      return isFresh(headers, sent) ? notModified(sent) : response
    })
  }

  noContent(headers: readonly string[] = []): Response {
    return { status: 204, shared: this.#bare, headers, body: undefined }
  }

  /** A 201 without a body, and so without a Content-Type (authentication.md, On every response). */
  created(headers: readonly string[]): Response {
    return { status: 201, shared: this.#bare, headers, body: '' }
  }

  /**
   * A handler for a resource that never changes while the server runs: built on first request, converted once without a
   * limit.
   */
  fixed(
    make: () => object,
    types: readonly [MediaType, ...MediaType[]] = MEDIA_TYPES,
  ): (context: { readonly request: Request }) => Awaitable<Response> {
    const remembered = withMemory(this.#toRdf)
    let cached: ReturnType<typeof withEtags> | undefined
    return ({ request }) => {
      const mediaType = negotiate(request.headers.accept, types)
      cached ??= withEtags(JSON.stringify(make()))
      const { text, etags } = cached
      return this.read(request, { mediaType, etag: etags[mediaType], body: () => text }, remembered)
    }
  }

  /** A response that is written over time: no proxy may buffer it. */
  stream(mediaType: string, body: StreamedResponse['body']): StreamedResponse {
    const headers = ['Content-Type', mediaType, 'X-Accel-Buffering', 'no']
    return { status: 200, shared: this.#bare, headers, body }
  }
}

const withEtags = (text: string) => ({
  text,
  etags: byMediaType((mediaType) => `"${fingerprint(text, mediaType)}"`),
})

/** Strong ETags must differ between codings (RFC 9110 §8.8.3.3). */
const codedTag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`

/** JSON-LD 1.1 §6.1. */
const contextLink = (address: string): readonly string[] => [
  'Link',
  `<${address}>; rel="http://www.w3.org/ns/json-ld#context"; type="${LD_JSON}"`,
]

const linksOf = ({ mediaType, context, links = [] }: NegotiatedRepresentation): readonly string[] =>
  context !== undefined && mediaType === PLAIN_JSON ? [...contextLink(context), ...links] : links

/** Shared caches do not know X-Authorization: this is correctness, not tuning (authentication.md). */
const CACHING: Readonly<Record<ServedMode, readonly string[]>> = {
  token: ['Cache-Control', 'private, no-cache', 'Vary', 'X-Authorization, Authorization, Accept'],
  nonce: ['Cache-Control', 'no-store'],
  open: ['Cache-Control', 'no-cache', 'Vary', 'Accept'],
  // people.md, Anyone: the response to a request with one of these headers is not for everybody.
  anyone: ['Cache-Control', 'no-cache', 'Vary', 'X-Authorization, X-Authentication, Authorization, Accept'],
}

/** A response that nothing keeps. */
export const withoutStoring = <T extends Response | StreamedResponse>(response: T): T => ({
  ...response,
  shared: response.shared.map((text, at) =>
    response.shared[at - 1] === 'Cache-Control' ? 'no-store' : text,
  ),
})

const withVary = (headers: readonly string[], name: string): readonly string[] =>
  headers.includes('Vary')
    ? headers.map((text, at) => (headers[at - 1] === 'Vary' ? `${text}, ${name}` : text))
    : [...headers, 'Vary', name]

// The registrations of Turtle (Turtle §C) and CSV (RFC 4180 §3) have a charset; the others are always UTF-8.
const CONTENT_TYPES = byMediaType((mediaType) =>
  mediaType === 'text/turtle' || mediaType === CSV ? `${mediaType}; charset=utf-8` : mediaType,
)

const PROBLEM_JSON = 'application/problem+json'

/** Hydra clients recognize an error by this context (hypermedia.md, Writing). */
const HYDRA_ERROR = 'http://www.w3.org/ns/hydra/error'

/** Errors after admission: a problem document (RFC 9457) if Accept names it, else the form of seed.md. */
export function createErrorResponses(noStore: readonly string[], base: string) {
  const context = errorContext(base)
  const shared = [
    ...noStore.map((text) => (text === LD_JSON ? PROBLEM_JSON : text)),
    ...contextLink(HYDRA_ERROR),
  ]

  return (thrown: Problem, accept: string | undefined): Response => {
    const problem = readProblem(thrown)
    if (!names(accept, PROBLEM_JSON)) return errorResponse(problem, noStore)
    const { status, sentence, code, at, headers, violations, extension } = problem
    const violated = violations.length > 0
    const body = JSON.stringify({
      '@context': context,
      '@type': violated ? ['ConstraintViolationList', 'Error'] : ['Error'],
      type: vocabIri(base, code),
      title: titleOf(code),
      detail: sentence,
      status,
      operation: at.operation,
      parameter: at.parameter,
      ...extension,
      ...(violated && { violations }),
    })
    return { status, shared, headers: headers ?? [], body }
  }
}
