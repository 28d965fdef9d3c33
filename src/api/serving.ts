import { hash } from 'node:crypto'
import type { GateMode } from '../auth/gate.ts'
import { negotiate } from '../http/negotiate.ts'
import type { Request } from '../http/request.ts'
import { isFresh, LD_JSON, type Response } from '../http/response.ts'
import type { Awaitable } from '../store/store.ts'
import { RDF_TYPES } from './output/rdf/rdf.ts'
import { createRdfText, type ToRdf, withLimit, withMemory } from './output/rdf/rdf-text.ts'

/** The same bytes go out under both. */
export const JSON_TYPES = [LD_JSON, 'application/json'] as const

/** The first is the default and wins among equals. */
export const MEDIA_TYPES = [...JSON_TYPES, ...RDF_TYPES] as const

export type MediaType = (typeof MEDIA_TYPES)[number]

/** A value for each media type, computed at start. */
export type ByMediaType<T> = Readonly<Record<MediaType, T>>

export const byMediaType = <T>(compute: (mediaType: MediaType) => T): ByMediaType<T> =>
  Object.fromEntries(MEDIA_TYPES.map((mediaType) => [mediaType, compute(mediaType)])) as ByMediaType<T>

export const mediaTypeFor = ({ headers }: Request): MediaType => negotiate(headers.accept, MEDIA_TYPES)

/** Builds the responses to admitted requests, with the headers that they share. Bodies come in as JSON-LD. */
export interface Serving {
  /** 200 with the body, or 304 when the client has it already. `body` is asked for only where it is needed. */
  read(request: Request, mediaType: MediaType, etag: string, body: () => string): Awaitable<Response>
  /** Another status with a body, for example 201. */
  answer(status: number, mediaType: MediaType, headers: readonly string[], body: string): Awaitable<Response>
  /** 204. */
  nothing(headers?: readonly string[]): Response
  /** Reads what never changes while the server runs: converted once, whatever its length. */
  fixed(representation: object): (visit: { readonly request: Request }) => Awaitable<Response>
}

export function createServing(common: readonly string[], mode: GateMode): Serving {
  const bare = [...common, ...CACHING[mode]]
  const typed = byMediaType((mediaType) => [...bare, 'Content-Type', CONTENT_TYPES[mediaType]])
  const toRdf = createRdfText()
  const limited = withLimit(toRdf)

  // Nothing is waited for on the way of JSON, which is that of nearly all requests.
  function send(
    status: number,
    mediaType: MediaType,
    headers: readonly string[],
    body: string,
    convert: ToRdf,
  ): Awaitable<Response> {
    const all = [...typed[mediaType], ...headers]
    if (isJson(mediaType)) return { status, headers: all, body }
    return convert(body, mediaType).then((text) => ({ status, headers: all, body: text }))
  }

  function read(request: Request, mediaType: MediaType, etag: string, body: () => string, convert: ToRdf) {
    if (isFresh(request.headers, etag))
      return { status: 304, headers: [...bare, 'ETag', etag], body: undefined }
    return send(200, mediaType, ['ETag', etag], body(), convert)
  }

  return {
    read: (request, mediaType, etag, body) => read(request, mediaType, etag, body, limited),
    // Without the limit: it is one member, and it has been written.
    answer: (status, mediaType, headers, body) => send(status, mediaType, headers, body, toRdf),
    nothing: (headers = []) => ({ status: 204, headers: [...bare, ...headers], body: undefined }),
    fixed(representation) {
      const body = JSON.stringify(representation)
      const etags = byMediaType((mediaType) => `"${fingerprint(body, mediaType)}"`)
      const remembered = withMemory(toRdf)
      const offered = isContext(representation) ? JSON_TYPES : MEDIA_TYPES
      return ({ request }) => {
        const mediaType = negotiate<MediaType>(request.headers.accept, offered)
        return read(request, mediaType, etags[mediaType], () => body, remembered)
      }
    },
  }
}

/** Shared caches do not know X-Authorization: this is correctness, not tuning (authentication.md). */
const CACHING: Readonly<Record<GateMode, readonly string[]>> = {
  token: ['Cache-Control', 'private, no-cache', 'Vary', 'X-Authorization, Authorization, Accept'],
  nonce: ['Cache-Control', 'no-store'],
  open: ['Cache-Control', 'no-cache', 'Vary', 'Accept'],
}

// Turtle's registration wants it said (Turtle §C); the others are UTF-8 by themselves.
const CONTENT_TYPES = byMediaType((mediaType) =>
  mediaType === 'text/turtle' ? 'text/turtle; charset=utf-8' : mediaType,
)

export const isJson = (mediaType: MediaType): mediaType is (typeof JSON_TYPES)[number] =>
  mediaType === LD_JSON || mediaType === 'application/json'

/** A context says how to read other documents and nothing by itself: it has no form in Turtle. */
const isContext = (representation: object): boolean => Object.keys(representation).join() === '@context'

/** Short and stable: names a representation in an ETag. */
export const fingerprint = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 12)

/** A resource whose representation never changes while the server runs. */
export const createFixed = (serving: Serving, representation: object) => serving.fixed(representation)
