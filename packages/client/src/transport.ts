import { ApiError, type ErrorCode, type PropertyViolation } from './errors.ts'
import { type JsonLdNode, list, openDocument } from './terms.ts'

/** One response, read to its end unless it is a stream. */
export interface ApiResponse {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  /** Parsed where it is JSON; otherwise the text. Of an event stream, the stream itself. */
  readonly body: unknown
}

/** A request and its response, for people to look at: secrets are replaced by placeholders. */
export interface WireRecord {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  /** Undefined where no response came. */
  readonly status: number | undefined
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly milliseconds: number
}

/** By their names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>

/** Positional, as the other functions within the client are: names would take room. */
export type Send = (
  method: string,
  url: string,
  headers: HeaderValues,
  signal?: AbortSignal,
  body?: string,
  /** The longest wait for the answer; without it, as long as `fetch` waits. */
  limitMs?: number,
) => Promise<ApiResponse>

export const NONCE = 'x-authentication'
export const TOKEN = 'x-authorization'

const PLACEHOLDERS: HeaderValues = {
  authorization: 'Basic <credentials>',
  [TOKEN]: '<token>',
  [NONCE]: '<nonce>',
}

export const createTransport =
  (fetch: typeof globalThis.fetch, observe: ((record: WireRecord) => void) | undefined): Send =>
  async (method, url, headers, signal, body, limitMs) => {
    const startedAt = Date.now()
    let response: Response | undefined
    let text = ''
    let isStream = false
    try {
      response = await fetch(url, {
        method,
        headers,
        body,
        signal: limitMs ? AbortSignal.any([AbortSignal.timeout(limitMs), signal ?? []].flat()) : signal,
        // With 'omit' a browser never answers a challenge with a dialog of its own.
        credentials: 'omit',
        // What is read before it is overwritten must not come out of a browser's cache.
        cache: 'no-cache',
        // fetch strips Authorization on the way to another origin, but no header of ours; and of a POST it makes a GET.
        redirect: !/GET|HEAD/.test(method) || headers.authorization || headers[TOKEN] ? 'manual' : 'follow',
      } as RequestInit)
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
      // A browser does not tell which redirection it was.
      status: response.status || 302,
      url: response.url || url,
      headers: response.headers,
      body: isStream ? response.body : parse(text),
    }
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

/** A caller that gives up stops waiting; the work goes on, since other callers may wait for it too. */
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

/** An answer that is a refusal, with the server's own sentence: RFC 9457, Hydra's error, or the form of seed.md. */
export const refusal = (answer: ApiResponse, better = ''): ApiError => {
  const { status, headers, url } = answer
  const { data, text } = openDocument(answer)
  const sentence = better || text(`${status}`, 'detail', 'description', 'title')
  // RFC 9110 §10.2.3: seconds, or a date.
  const wait = headers.get('retry-after') ?? ''
  const seconds = Number(wait) || (Date.parse(wait) - Date.now()) / 1_000
  return new ApiError(
    CODES[status] ?? (status > 501 ? 'unavailable' : 'refused'),
    sentence || `${url} answered with ${status}.`,
    {
      status,
      violations: list(data.violations) as PropertyViolation[],
      retryAfter: seconds >= 0 ? seconds : undefined,
    },
  )
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

/** One that is refused is an `ApiError`. */
export type SendRequest = (method: string, iri: string, options?: RequestOptions) => Promise<ApiResponse>

/** `patience` is the longest pause, in seconds, before a request is sent again. */
export const createRequest =
  (base: string, begin: () => Send, patience: number): SendRequest =>
  async (method, iri, { body, contentType, headers, signal } = {}) => {
    if (!iri) throw new ApiError('malformed', 'No address.')
    // Only what has been written out in full can be told from what lies outside of the API.
    const { href } = new URL(iri, `${base}/`)
    const all = {
      // Errors come as RFC 9457 where the server knows it: with their violations apart from the sentence.
      accept: 'application/ld+json, application/problem+json',
      ...(body ? { 'content-type': contentType || 'application/ld+json' } : {}),
      ...Object.fromEntries(new Headers(headers)),
    }
    const send = begin()
    for (let repeats = 0; ; repeats += 1) {
      try {
        const answer = await send(method, href, all, signal, JSON.stringify(body))
        if (answer.status < 300) return answer
        throw refusal(answer)
      } catch (error) {
        // Three times, after pauses of which each is three times the one before.
        const { code, retryAfter = 0.3 * 3 ** repeats } = (error ?? {}) as ApiError
        // 429 was not carried out, whatever the method. What changes nothing can be repeated where the server was
        // unreachable or unavailable; a write that got no answer may have happened, so the caller has to look.
        const isRepeatable = /throttled|^GET un[ar]/.test(`${method} ${code}`)
        if (!isRepeatable || repeats > 2 || retryAfter > patience) throw error
        await pause(retryAfter, signal)
      }
    }
  }

export const read = async (
  request: SendRequest,
  iri: string,
  options?: RequestOptions,
): Promise<JsonLdNode> => {
  const answer = await request('GET', iri, options)
  if (typeof answer.body === 'object') return openDocument(answer)
  throw new ApiError('malformed', `${answer.url} did not answer with JSON.`)
}
