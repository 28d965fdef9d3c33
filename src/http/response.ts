import type { HttpError } from '../errors.ts'

/** What is to be sent. The server adds Date, Content-Length and what the connection needs. */
export interface Response {
  readonly status: number
  /** Names and values in turn: node:http sends such a list without copying it into an object first. */
  readonly headers: readonly string[]
  /** Undefined for 204 and 304 only. HEAD is answered with the body of GET; the server leaves it out. */
  readonly body: string | undefined
}

export const LD_JSON = 'application/ld+json'

const EXPOSED = [
  'X-Authentication',
  'X-Authorization',
  'WWW-Authenticate',
  'Link',
  'Location',
  'ETag',
  'Retry-After',
  'Allow',
  'Accept-Patch',
  'Preference-Applied',
  'X-Request-Id',
].join(', ')

/** On every response, whatever its status (authentication.md). */
export function commonHeaders(base: string): readonly string[] {
  return [
    'Link',
    `<${base}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    EXPOSED,
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
  ]
}

/** Steps A and B and every error: neither stored by a cache nor typed by what was asked for. */
export const plainHeaders = (common: readonly string[]): readonly string[] => [
  ...common,
  'Content-Type',
  LD_JSON,
  'Cache-Control',
  'no-store',
]

/** One JSON object with one member, the status code as its key (seed.md, Errors). */
export const statusBody = (status: number, sentence: string): string =>
  `{"${status}": ${JSON.stringify(sentence)}}`

/** An error in the form that every client understands. `plain`: see plainHeaders. */
export const errorResponse = (error: HttpError, plain: readonly string[]): Response => ({
  status: error.status,
  headers: [...plain, ...error.headers],
  body: statusBody(error.status, error.message),
})
