import { ApiError, type ErrorKind } from './errors.ts'
import { refusal } from './refusal.ts'
import { type JsonLdNode, openDocument } from './terms.ts'
import { type ApiResponse, type OutgoingRequest, pause, type Send } from './transport.ts'

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions<Path extends string = string, Field extends string = string>
  extends AbortOptions {
  /** Paths of links that are to be replaced by the linked members. */
  readonly include?: Path | readonly Path[] | undefined
  /** The only properties to read, as paths. A member with only some properties cannot be replaced. */
  readonly fields?: Field | readonly Field[] | undefined
}

export interface RequestOptions extends AbortOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** The media type of the body; `application/ld+json` by default. */
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Throws an `ApiError` if the request is refused. */
export type SendRequest = (method: string, iri: string, options?: RequestOptions) => Promise<ApiResponse>

const MOST_REPEATS = 3

/** `patience` is the longest pause, in seconds, before a request is sent again. */
export const createRequest =
  (base: string, begin: () => Send, patience: number): SendRequest =>
  async (method, iri, { body, contentType, headers, signal } = {}) => {
    if (!iri) throw new ApiError('malformed', 'No address.', { code: 'no-address' })
    const request: OutgoingRequest = {
      method,
      // Only an absolute address shows whether it is below the base.
      url: new URL(iri, `${base}/`).href,
      headers: {
        // A problem document has the code and the violations as separate values.
        accept: 'application/ld+json, application/problem+json',
        ...(body ? { 'content-type': contentType || 'application/ld+json' } : {}),
        ...Object.fromEntries(new Headers(headers)),
      },
      body: JSON.stringify(body),
      signal,
    }
    const send = begin()
    for (let repeats = 0; ; repeats += 1) {
      try {
        const response = await send(request)
        if (response.status < 300) return response
        throw refusal(response)
      } catch (error) {
        // Each pause is three times the one before.
        const { kind, retryAfter = 0.3 * 3 ** repeats } = (error ?? {}) as ApiError
        if (!isRepeatable(method, kind) || repeats >= MOST_REPEATS || retryAfter > patience) throw error
        await pause(retryAfter, signal)
      }
    }
  }

/**
 * A throttled request was not carried out, whatever the method. A read can be repeated if the server was unreachable or
 * unavailable; a write without a response may have been carried out, so the caller has to check.
 */
const isRepeatable = (method: string, kind: ErrorKind): boolean =>
  kind === 'throttled' || (method === 'GET' && (kind === 'unreachable' || kind === 'unavailable'))

export const read = async (
  request: SendRequest,
  iri: string,
  options?: RequestOptions,
): Promise<JsonLdNode> => {
  const response = await request('GET', iri, options)
  if (typeof response.body === 'object') return openDocument(response)
  throw notJson(response)
}

/** A person who opens the API's console in a browser may give a program its address instead of that of the API. */
const notJson = ({ url, headers, body }: ApiResponse): ApiError => {
  if (!/^text\/html/.test(`${headers.get('content-type')}`))
    return new ApiError('malformed', `${url} is not JSON.`, { code: 'not-json' })
  const content = /<meta name="hydrant-base" content="([^"]+)/.exec(`${body}`)?.[1] ?? ''
  const named = URL.parse(content.replaceAll('&amp;', '&'))?.href
  const likely = new URL('/api', url).href
  const hint = url.startsWith(likely) ? '' : `; the API is probably at ${likely}`
  const where = named ? `; the API is at ${named}` : hint
  return new ApiError('malformed', `${url} is a web page and not an API${where}.`, { code: 'web-page' })
}
