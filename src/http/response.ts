import type { IncomingHttpHeaders } from 'node:http'
import type { HttpError } from '../errors.ts'
import type { Request } from './request.ts'

/** What is to be sent. The server adds Date, Content-Length and what the connection needs. */
export interface Response {
  readonly status: number
  /** Names and values in turn: node:http sends such a list without copying it into an object first. */
  readonly headers: readonly string[]
  /** Undefined for 204 and 304 only. HEAD is answered with the body of GET; the server leaves it out. */
  readonly body: string | undefined
}

export const LD_JSON = 'application/ld+json'

const EXPOSED =
  'X-Authentication, X-Authorization, WWW-Authenticate, Link, Location, ETag, Retry-After, Allow, Accept-Patch, Preference-Applied, X-Request-Id'

/** On every response, whatever its status (authentication.md). */
// biome-ignore format: a header a line
export const commonHeaders = (base: string): readonly string[] => [
  'Link', `<${base}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
  'Access-Control-Allow-Origin', '*',
  'Access-Control-Expose-Headers', EXPOSED,
  'X-Content-Type-Options', 'nosniff',
  'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'",
]

/** On steps A and B and on every error: not stored by a cache, and of one type, whatever was asked for. */
export const noStoreHeaders = (common: readonly string[]): readonly string[] =>
  common.concat('Content-Type', LD_JSON, 'Cache-Control', 'no-store')

/** One JSON object with one member, the status code as its key (seed.md, Errors). */
export const statusBody = (status: number, sentence: string): string =>
  `{"${status}": ${JSON.stringify(sentence)}}`

/** An error in the form that every client understands. `headers`: see noStoreHeaders. */
export const errorResponse = (error: HttpError, headers: readonly string[]): Response => ({
  status: error.status,
  headers: [...headers, ...error.headers],
  body: statusBody(error.status, error.message),
})

/** A browser asks before it sends credentials, and cannot attach any to the question: departure (a) from the seed. */
export const isPreflight = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const ALLOWED_HEADERS =
  'Authorization, X-Authentication, X-Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, Last-Event-ID'

/** The same for every path, so that it tells nothing about any. */
// biome-ignore format: a header a line
export const preflightResponse = (common: readonly string[]): Response => ({
  status: 204,
  headers: [
    ...common,
    'Cache-Control', 'no-store',
    'Access-Control-Allow-Methods', ALLOWED_METHODS,
    'Access-Control-Allow-Headers', ALLOWED_HEADERS,
    'Access-Control-Max-Age', '7200',
  ],
  body: undefined,
})

/** If-None-Match on a read (RFC 9110 §13.1.2): the client has this representation already. */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  const condition = headers['if-none-match']
  if (condition === undefined) return false
  return (
    condition.trim() === '*' || condition.split(',').some((candidate) => withoutWeakness(candidate) === etag)
  )
}

/** Compressing proxies add W/ to a strong ETag. */
const withoutWeakness = (etag: string): string => etag.trim().replace(/^W\//, '')
