import { hash } from 'node:crypto'
import type { GateMode } from '../auth/gate.ts'
import { negotiate } from '../http/negotiate.ts'
import type { Request } from '../http/request.ts'
import { LD_JSON, type Response } from '../http/response.ts'
import { isFresh } from './conditions.ts'

/** The first is the default and wins among equals; the same bytes go out under both. */
export const MEDIA_TYPES = [LD_JSON, 'application/json'] as const

export type MediaType = (typeof MEDIA_TYPES)[number]

/** A value for each media type, computed at start. */
export type ByMediaType<T> = Readonly<Record<MediaType, T>>

export const byMediaType = <T>(compute: (mediaType: MediaType) => T): ByMediaType<T> =>
  Object.fromEntries(MEDIA_TYPES.map((mediaType) => [mediaType, compute(mediaType)])) as ByMediaType<T>

export const mediaTypeFor = ({ headers }: Request): MediaType => negotiate(headers.accept, MEDIA_TYPES)

/** Builds the responses to admitted requests, with the headers that they share. */
export interface Serving {
  /** 200 with the body, or 304 when the client has it already. `body` is asked for only where it is needed. */
  read(request: Request, mediaType: MediaType, etag: string, body: () => string): Response
  /** Another status with a body, for example 201. */
  answer(status: number, mediaType: MediaType, headers: readonly string[], body: string): Response
  /** 204. */
  nothing(headers?: readonly string[]): Response
}

export function createServing(common: readonly string[], mode: GateMode): Serving {
  const bare = [...common, ...CACHING[mode]]
  const typed = byMediaType((mediaType) => [...bare, 'Content-Type', mediaType])
  return {
    read(request, mediaType, etag, body) {
      if (isFresh(request, etag)) return { status: 304, headers: [...bare, 'ETag', etag], body: undefined }
      return { status: 200, headers: [...typed[mediaType], 'ETag', etag], body: body() }
    },
    answer: (status, mediaType, headers, body) => ({
      status,
      headers: [...typed[mediaType], ...headers],
      body,
    }),
    nothing: (headers = []) => ({ status: 204, headers: [...bare, ...headers], body: undefined }),
  }
}

/** Shared caches do not know X-Authorization: this is correctness, not tuning (authentication.md). */
const CACHING: Readonly<Record<GateMode, readonly string[]>> = {
  token: ['Cache-Control', 'private, no-cache', 'Vary', 'X-Authorization, Authorization, Accept'],
  nonce: ['Cache-Control', 'no-store'],
  open: ['Cache-Control', 'no-cache', 'Vary', 'Accept'],
}

/** Short and stable: names a representation in an ETag. */
export const fingerprint = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 12)

/** A resource whose representation never changes while the server runs. */
export function createFixed(serving: Serving, representation: object) {
  const body = JSON.stringify(representation)
  const etags = byMediaType((mediaType) => `"${fingerprint(body, mediaType)}"`)
  return ({ request }: { readonly request: Request }): Response => {
    const mediaType = mediaTypeFor(request)
    return serving.read(request, mediaType, etags[mediaType], () => body)
  }
}
