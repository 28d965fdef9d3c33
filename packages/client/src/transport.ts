import { ApiError, type ErrorCode, type PropertyViolation } from './errors.ts'
import { type JsonLdNode, list, openDocument } from './terms.ts'

/** A response, read to its end unless it is a stream. */
export interface ApiResponse {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  /** JSON is parsed, anything else is text; the body of an event stream is the stream. */
  readonly body: unknown
}

/** A request and its response, to be shown to people: secrets are replaced by placeholders. */
export interface WireRecord {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  /** Undefined if no response came. */
  readonly status: number | undefined
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly milliseconds: number
}

/** By their names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>

/** A request as it goes to `fetch`. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderValues
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The longest wait for the response; without it, `fetch` decides. */
  readonly deadlineMs?: number
}

export type Send = (request: OutgoingRequest) => Promise<ApiResponse>

export const NONCE = 'x-authentication'
export const TOKEN = 'x-authorization'

const PLACEHOLDERS: HeaderValues = {
  authorization: 'Basic <credentials>',
  [TOKEN]: '<token>',
  [NONCE]: '<nonce>',
}

export const createTransport =
  (fetch: typeof globalThis.fetch, observe: ((record: WireRecord) => void) | undefined): Send =>
  async (request) => {
    const { method, url, headers, body, signal } = request
    const startedAt = Date.now()
    let response: Response | undefined
    let text = ''
    let isStream = false
    try {
      response = await fetch(url, fetchOptions(request))
      isStream = response.ok && /event-stream/.test(`${response.headers.get('content-type')}`)
      if (!isStream) text = await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ApiError('unreachable', `${url} did not answer.`, { cause })
    } finally {
      observe?.({
        method,
        url,
        requestHeaders: hideSecrets(Object.entries(headers)),
        requestBody: body,
        status: response?.status,
        responseHeaders: hideSecrets(response?.headers ?? []),
        responseBody: text,
        startedAt,
        milliseconds: Date.now() - startedAt,
      })
    }
    return {
      // A browser does not reveal which redirection it was.
      status: response.status || 302,
      url: response.url || url,
      headers: response.headers,
      body: isStream ? response.body : parse(text),
    }
  }

const fetchOptions = ({ method, headers, body, signal, deadlineMs }: OutgoingRequest): RequestInit => {
  const signals = [deadlineMs ? AbortSignal.timeout(deadlineMs) : [], signal ?? []].flat()
  const isRead = method === 'GET' || method === 'HEAD'
  return {
    method,
    headers,
    body,
    signal: signals.length ? AbortSignal.any(signals) : undefined,
    // Otherwise a browser would answer a challenge with its own password dialog.
    credentials: 'omit',
    // What is about to be overwritten must not come from a browser's cache.
    cache: 'no-cache',
    // On the way to another origin fetch removes Authorization, but not our headers; and it turns a POST into a GET.
    redirect: !isRead || headers.authorization || headers[TOKEN] ? 'manual' : 'follow',
  } as RequestInit
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const hideSecrets = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, PLACEHOLDERS[name] ?? value]))

/** Stops waiting when the signal is aborted. The work itself goes on, since other callers may wait for it too. */
export const interruptible = <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
    signal?.throwIfAborted()
  })

export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  interruptible(new Promise((resolve) => setTimeout(resolve, seconds * 1_000)), signal)

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'credentials',
  404: 'not-found',
  410: 'not-found',
  422: 'invalid',
  429: 'throttled',
}

/** The error of a response, with the server's own sentence: RFC 9457, Hydra's error, or the form of seed.md. */
export const refusal = (response: ApiResponse, ownSentence = ''): ApiError => {
  const { status, headers, url } = response
  const { data, text } = openDocument(response)
  const sentence = ownSentence || text(`${status}`, 'detail', 'description', 'title')
  return new ApiError(
    CODES[status] ?? (status > 501 ? 'unavailable' : 'refused'),
    sentence || `${url} answered with ${status}.`,
    {
      status,
      violations: list(data.violations) as PropertyViolation[],
      retryAfter: secondsToWait(headers.get('retry-after')),
    },
  )
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const secondsToWait = (retryAfter: string | null): number | undefined => {
  const seconds = Number(retryAfter) || (Date.parse(`${retryAfter}`) - Date.now()) / 1_000
  return seconds >= 0 ? seconds : undefined
}

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined
}

/** `include`: paths of links whose members are to be shown in their place. */
export interface ReadOptions<Path extends string = string> extends AbortOptions {
  readonly include?: Path | readonly Path[] | undefined
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
    if (!iri) throw new ApiError('malformed', 'No address.')
    const request: OutgoingRequest = {
      method,
      // Only an absolute address shows whether it is below the base.
      url: new URL(iri, `${base}/`).href,
      headers: {
        // A problem document has its violations apart from the sentence.
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
        const { retryAfter = 0.3 * 3 ** repeats } = (error ?? {}) as ApiError
        if (!isRepeatable(method, error) || repeats >= MOST_REPEATS || retryAfter > patience) throw error
        await pause(retryAfter, signal)
      }
    }
  }

/**
 * A throttled request was not carried out, whatever the method. A read can be repeated if the server was unreachable or
 * unavailable; a write without a response may have happened, so the caller has to look.
 */
const isRepeatable = (method: string, error: unknown): boolean => {
  const { code } = (error ?? {}) as ApiError
  return code === 'throttled' || (method === 'GET' && (code === 'unreachable' || code === 'unavailable'))
}

export const read = async (
  request: SendRequest,
  iri: string,
  options?: RequestOptions,
): Promise<JsonLdNode> => {
  const response = await request('GET', iri, options)
  if (typeof response.body === 'object') return openDocument(response)
  throw new ApiError('malformed', `${response.url} did not answer with JSON.`)
}
