import { HttpError } from '../errors.ts'
import type { Request } from '../http/request.ts'

/** If-None-Match on a read (RFC 9110 §13.1.2): the client has this representation already. */
export function isFresh({ headers }: Request, etag: string): boolean {
  const condition = headers['if-none-match']
  if (condition === undefined) return false
  return (
    condition.trim() === '*' || condition.split(',').some((candidate) => withoutWeakness(candidate) === etag)
  )
}

/**
 * If-Match on a write: the versions that the client will accept, undefined for any. Only the version in an
 * ETag counts: the representation it was read in does not matter for a write (hypermedia.md, Writing).
 */
export function readIfMatch({ headers }: Request, required: boolean): readonly number[] | undefined {
  const condition = headers['if-match']
  if (condition === undefined) {
    if (required)
      throw new HttpError(
        428,
        'This server takes changes only with an If-Match header; send the ETag that you read.',
      )
    return undefined
  }
  if (condition.trim() === '*') return undefined
  return condition.split(',').flatMap((candidate) => {
    const version = /^"([1-9]\d{0,15})-/.exec(withoutWeakness(candidate))?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** Compressing proxies add W/ to a strong ETag. */
const withoutWeakness = (etag: string): string => etag.trim().replace(/^W\//, '')
