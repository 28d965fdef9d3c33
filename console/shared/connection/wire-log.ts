import type { WireRecord } from 'hydrant-client'

export interface WireEntry extends WireRecord {
  readonly number: number
  readonly dropped?: readonly ('request' | 'response')[]
}

const MOST_ENTRIES = 200
/** Of all bodies together. A character takes one byte, or two. */
export const MOST_CHARACTERS = 20_000_000
/** Dropping a body this short gains nothing. */
const SHORT = 1_000

export const DROPPED = 'Of all bodies, the latest 20 MB are kept.'

/** Old entries lose their bodies, older ones are dropped. The latest comes first. */
export function latestOf(entries: readonly WireEntry[]): readonly WireEntry[] {
  let left = MOST_CHARACTERS
  const fits = (text: string): boolean => {
    if (text.length <= SHORT) return true
    left -= text.length
    return left >= 0
  }
  return entries.slice(0, MOST_ENTRIES).map((entry, index) => {
    const { requestBody = '', responseBody, dropped = [] } = entry
    const bodies = [['request', requestBody] as const, ['response', responseBody] as const]
    const tooMuch = bodies.filter(([, text]) => !fits(text)).map(([side]) => side)
    // The latest one is kept whole, whatever its size.
    if (index === 0 || tooMuch.length === 0) return entry
    return {
      ...entry,
      requestBody: tooMuch.includes('request') ? undefined : entry.requestBody,
      responseBody: tooMuch.includes('response') ? '' : responseBody,
      dropped: [...dropped, ...tooMuch],
    }
  })
}

/**
 * Which step of the procedure (seed.md, section 5) a request was. `credentials`: tokens are off, and a request with a
 * nonce and credentials was itself served. Undefined where the API asks nobody.
 */
export type Step = 'challenge' | 'exchange' | 'token' | 'credentials'

type Exchanged = Pick<WireRecord, 'requestHeaders' | 'status' | 'responseHeaders'>

export function stepOf({ requestHeaders, status, responseHeaders }: Exchanged): Step | undefined {
  const sent = new Headers(requestHeaders)
  if (sent.has('authorization')) {
    const served = status !== undefined && status < 400 && responseHeaders['x-authorization'] === undefined
    return served ? 'credentials' : 'exchange'
  }
  if (status === 401 && responseHeaders['x-authentication'] !== undefined) return 'challenge'
  return sent.has('x-authorization') ? 'token' : undefined
}

export const isTokenRefused = ({ requestHeaders, status }: Exchanged): boolean =>
  status === 401 && new Headers(requestHeaders).has('x-authorization')

/** A new token (the server may have restarted), a missing collection, or a write that was offered and is forbidden, is a reason to read the description again. */
export function mayHaveChanged(
  seen: Exchanged & Pick<WireRecord, 'method' | 'url'>,
  collections: readonly { readonly iri: string }[],
): boolean {
  const { method, url, status = 500 } = seen
  if (status === 403) return method !== 'GET'
  if (status === 404) return collections.some(({ iri }) => iri === url.split('?')[0])
  return stepOf(seen) === 'exchange' && status < 300
}
