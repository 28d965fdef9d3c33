import type { GateMode } from '../auth/index.ts'
import type { Awaitable } from '../database/index.ts'
import type { HttpError } from '../errors.ts'
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
import { errorContext } from '../vocabulary/index.ts'
import type { ToRdf } from './output/rdf/conversion.ts'
import { createToRdf, withLimit, withMemory } from './output/rdf/rdf.ts'
import { byMediaType, fingerprint, isJson, MEDIA_TYPES, type MediaType, PLAIN_JSON } from './request.ts'

/** A resource in the negotiated media type. */
interface Representation {
  readonly mediaType: MediaType
  /** Undefined for a result that is no resource. */
  readonly etag: string | undefined
  /** Whether the body may differ under one ETag, so that its compressed form is not cached. */
  readonly isVariable?: boolean
  /** The address of the context, which plain JSON does not have inline. */
  readonly context?: string
  /** JSON-LD, whatever the media type: RDF is converted from it. Called only where a body is sent. */
  readonly body: () => string
}

/** Builds the responses to admitted requests, with the headers that they share. */
export type Respond = ReturnType<typeof createRespond>

export function createRespond(common: readonly string[], mode: GateMode, compression: boolean) {
  const bare = [...common, ...CACHING[mode]]
  const typed = byMediaType((mediaType) => [...bare, 'Content-Type', CONTENT_TYPES[mediaType]])
  const bareCoded = bare.map((text, at) => (bare[at - 1] === 'Vary' ? `${text}, Accept-Encoding` : text))
  const coded = Object.fromEntries(
    CODINGS.map((coding) => [
      coding,
      byMediaType((mediaType) => [
        ...bareCoded,
        ...['Content-Type', CONTENT_TYPES[mediaType], 'Content-Encoding', coding],
      ]),
    ]),
  ) as Record<Coding, typeof typed>
  const codingFor = compression ? createCodingFor() : () => undefined
  const compress = createCompress()
  const toRdf = createToRdf()
  const limited = withLimit(toRdf)

  /** A member that has been written is converted without a limit. Not async, since JSON needs no waiting. */
  function send(
    request: Request,
    status: number,
    { mediaType, etag, isVariable, context, body }: Representation,
    more: readonly string[],
    convert: ToRdf = toRdf,
  ): Awaitable<Response> {
    const isPlain = context !== undefined && mediaType === PLAIN_JSON
    const headers = isPlain ? [...contextLink(context), ...more] : more
    const respondWith = (shared: readonly string[], tag: string | undefined, content: string | Buffer) => ({
      status,
      shared,
      headers: tag === undefined ? headers : ['ETag', tag, ...headers],
      body: content,
    })
    const fromText = (make: (text: string) => Awaitable<Response>): Awaitable<Response> =>
      isJson(mediaType) ? make(body()) : convert(body(), mediaType).then(make)
    const whole = (text: string) => respondWith(typed[mediaType], etag, text)
    const coding = status === 200 ? codingFor(request.headers['accept-encoding']) : undefined
    if (coding === undefined) return fromText(whole)

    const tag = etag && codedTag(etag, coding)
    const inBytes = (bytes: Buffer) => respondWith(coded[coding][mediaType], tag, bytes)
    // One ETag means the same bytes for every user. The address is in the key to be safe.
    const key = isVariable ? undefined : tag && `${tag} ${request.target}`
    const known = key && compress.find(key)
    if (known) return inBytes(known)
    return fromText((text) => {
      if (!isCompressed(text)) return whole(text)
      const bytes = compress.make(key, text, coding)
      return bytes instanceof Promise ? bytes.then(inBytes) : inBytes(bytes)
    })
  }

  /** 200 with the representation, or 304 when the client has it already. */
  function read(
    request: Request,
    representation: Representation & { readonly etag: string },
    convert = limited,
  ): Awaitable<Response> {
    const { headers } = request
    const { etag } = representation
    const notModified = (tag: string): Response => {
      return { status: 304, shared: tag === etag ? bare : bareCoded, headers: ['ETag', tag], body: undefined }
    }
    const coding = headers['if-none-match'] && codingFor(headers['accept-encoding'])
    if (!coding)
      return isFresh(headers, etag) ? notModified(etag) : send(request, 200, representation, [], convert)
    const tag = codedTag(etag, coding)
    if (headers['if-none-match'] !== '*' && isFresh(headers, tag)) return notModified(tag)
    // Only the body shows whether it is long enough to be compressed.
    return Promise.resolve(send(request, 200, representation, [], convert)).then((response) => {
      const [, sent = ''] = response.headers
      return isFresh(headers, sent) ? notModified(sent) : response
    })
  }

  function noContent(headers: readonly string[] = []): Response {
    return { status: 204, shared: bare, headers, body: undefined }
  }

  /** 201 without the member, and so without a type (authentication.md, On every response). */
  function created(headers: readonly string[]): Response {
    return { status: 201, shared: bare, headers, body: '' }
  }

  /** A handler for what never changes while the server runs: made on first request, and converted once without a limit. */
  function fixed(
    make: () => object,
    types: readonly [MediaType, ...MediaType[]] = MEDIA_TYPES,
  ): (visit: { readonly request: Request }) => Awaitable<Response> {
    const remembered = withMemory(toRdf)
    let cached: ReturnType<typeof withEtags> | undefined
    return ({ request }) => {
      const mediaType = negotiate(request.headers.accept, types)
      cached ??= withEtags(JSON.stringify(make()))
      const { text, etags } = cached
      return read(request, { mediaType, etag: etags[mediaType], body: () => text }, remembered)
    }
  }

  /** A response that is written over time: no proxy may buffer it. */
  function stream(mediaType: string, body: StreamedResponse['body']): StreamedResponse {
    const headers = ['Content-Type', mediaType, 'X-Accel-Buffering', 'no']
    return { status: 200, shared: bare, headers, body }
  }

  return { read, send, noContent, created, fixed, stream }
}

const withEtags = (text: string) => ({
  text,
  etags: byMediaType((mediaType) => `"${fingerprint(text, mediaType)}"`),
})

/** Strong, and so of its own for each coding (RFC 9110 §8.8.3.3). */
const codedTag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`

/** JSON-LD 1.1 §6.1. */
const contextLink = (address: string): readonly string[] => [
  'Link',
  `<${address}>; rel="http://www.w3.org/ns/json-ld#context"; type="${LD_JSON}"`,
]

/** Shared caches do not know X-Authorization: this is correctness, not tuning (authentication.md). */
const CACHING: Readonly<Record<GateMode, readonly string[]>> = {
  token: ['Cache-Control', 'private, no-cache', 'Vary', 'X-Authorization, Authorization, Accept'],
  nonce: ['Cache-Control', 'no-store'],
  open: ['Cache-Control', 'no-cache', 'Vary', 'Accept'],
}

// The registration of Turtle asks for a charset (Turtle §C); the others are always UTF-8.
const CONTENT_TYPES = byMediaType((mediaType) =>
  mediaType === 'text/turtle' ? 'text/turtle; charset=utf-8' : mediaType,
)

const PROBLEM_JSON = 'application/problem+json'

/** Errors after admission: a problem document (RFC 9457) where Accept names it, else the form of seed.md. */
export function createErrorResponses(noStore: readonly string[], base: string) {
  const context = errorContext(base)
  const shared = noStore.map((text) => (text === LD_JSON ? PROBLEM_JSON : text))

  return (error: HttpError, accept: string | undefined): Response => {
    if (!names(accept, PROBLEM_JSON)) return errorResponse(error, noStore)
    const { status, message, violations } = error
    const violated = violations.length > 0
    const body = JSON.stringify({
      '@context': context,
      '@type': violated ? ['ConstraintViolationList', 'Error'] : ['Error'],
      title: TITLES[status] ?? 'The request failed',
      detail: message,
      status,
      ...(violated && { violations }),
    })
    return { status, shared, headers: error.headers, body }
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'The method is not possible here',
  406: 'Nothing acceptable can be sent',
  409: 'The change conflicts with other members',
  412: 'The precondition does not hold',
  413: 'The body is too long',
  414: 'The target is too long',
  415: 'The body has a type that is not understood',
  422: 'Validation failed',
  428: 'A precondition is required',
  500: 'The server failed',
  503: 'Not possible right now',
  507: 'The disk is full',
}
