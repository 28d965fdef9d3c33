import { ApiError } from './errors.ts'
import { attempt } from './terms.ts'

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
  /** Undefined if there was no response. */
  readonly status: number | undefined
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly milliseconds: number
}

/** Headers, keyed by name in lower case. */
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
      const code = (cause as Error).name === 'TimeoutError' ? 'timeout' : 'no-response'
      throw new ApiError('unreachable', `${url} did not answer.`, { code, cause })
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
      // A browser hides the status of a redirect.
      status: response.status || 302,
      url: response.url || url,
      headers: response.headers,
      body: isStream ? response.body : attempt(JSON.parse, text),
    }
  }

const fetchOptions = ({ method, headers, body, signal, deadlineMs }: OutgoingRequest): RequestInit => {
  return {
    method,
    headers,
    body,
    signal: AbortSignal.any([signal ?? [], deadlineMs ? AbortSignal.timeout(deadlineMs) : []].flat()),
    // Otherwise a browser would answer a challenge with its own password dialog.
    credentials: 'omit',
    // A member that is about to be overwritten must not come from the browser's cache.
    cache: 'no-cache',
    // On the way to another origin fetch removes Authorization, but not our headers; and it turns a POST into a GET.
    redirect: !/^(GET|HEAD)$/.test(method) || headers.authorization || headers[TOKEN] ? 'manual' : 'follow',
  } as RequestInit
}

const hideSecrets = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, PLACEHOLDERS[name] ?? value]))

/** Stops waiting when the signal is aborted. The work itself continues, since other callers may wait for it too. */
export const interruptible = <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
    signal?.throwIfAborted()
  })

export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  interruptible(new Promise((resolve) => setTimeout(resolve, seconds * 1_000)), signal)
