import type { WireRecord } from '../../../src/client/index.ts'

/**
 * Which step of the procedure (seed.md, section 5) a request was. `credentials`: tokens are off, and a request with a
 * nonce and credentials was itself served. Undefined where the API asks nobody.
 */
export type Step = 'challenge' | 'exchange' | 'token' | 'credentials'

export type Exchanged = Pick<WireRecord, 'requestHeaders' | 'status' | 'responseHeaders'>

export function stepOf({ requestHeaders, status, responseHeaders }: Exchanged): Step | undefined {
  if (header(requestHeaders, 'authorization') !== undefined) {
    const served = status !== undefined && status < 400 && responseHeaders['x-authorization'] === undefined
    return served ? 'credentials' : 'exchange'
  }
  if (status === 401 && responseHeaders['x-authentication'] !== undefined) return 'challenge'
  return header(requestHeaders, 'x-authorization') === undefined ? undefined : 'token'
}

/** A token was sent, and the API does not know it any more. */
export const isTokenRefused = (record: Exchanged): boolean =>
  stepOf(record) === 'challenge' && header(record.requestHeaders, 'x-authorization') !== undefined

function header(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
}
