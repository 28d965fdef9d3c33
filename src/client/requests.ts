import { ApiError } from './errors.ts'
import type { Session } from './session.ts'
import { type Node, openDocument } from './terms.ts'
import { type Answer, interruptible, refusal } from './transport.ts'

export interface Options {
  readonly signal?: AbortSignal | undefined
}

/** `include`: paths of links whose members are to be shown in their place. */
export interface ReadOptions<Path extends string = string> extends Options {
  readonly include?: Path | readonly Path[] | undefined
}

export interface RequestOptions extends Options {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Of the body: `application/ld+json` unless told. */
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** One that is refused is an `ApiError`. */
export type Request = (method: string, iri: string, options?: RequestOptions) => Promise<Answer>

/** `patience` is the longest pause, in seconds, before a request is sent again. */
export const createRequest =
  (base: string, { begin }: Session, patience: number): Request =>
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
        await interruptible(new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000)), signal)
      }
    }
  }

export const read = async (request: Request, iri: string, options?: RequestOptions): Promise<Node> => {
  const answer = await request('GET', iri, options)
  if (typeof answer.body === 'object') return openDocument(answer)
  throw new ApiError('malformed', `${answer.url} did not answer with JSON.`)
}
