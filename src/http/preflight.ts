import type { Request } from './request.ts'
import type { Response } from './response.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const HEADERS =
  'Authorization, X-Authentication, X-Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, Last-Event-ID'

/** A browser asks before it sends credentials, and cannot attach any to the question: departure (a) from the seed. */
export function isPreflight({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** The same for every path, so that it tells nothing about any. */
export const preflightResponse = (common: readonly string[]): Response => ({
  status: 204,
  headers: [
    ...common,
    'Cache-Control',
    'no-store',
    'Access-Control-Allow-Methods',
    METHODS,
    'Access-Control-Allow-Headers',
    HEADERS,
    'Access-Control-Max-Age',
    '7200',
  ],
  body: undefined,
})
