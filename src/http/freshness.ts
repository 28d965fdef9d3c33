import type { IncomingHttpHeaders } from 'node:http'

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
