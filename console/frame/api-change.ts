import type { WireRecord } from '../../src/client/index.ts'
import { stepOf } from '../shared/wire/log.ts'

type Seen = Pick<WireRecord, 'url' | 'status' | 'requestHeaders' | 'responseHeaders'>

/**
 * Whether a request is a reason to ask whether the API is still what it said: somebody had to sign in again, perhaps
 * since the server began anew; or a collection of the entry point is not there. (A single resource need not be there yet.)
 */
export function isDoubtful(seen: Seen, collections: readonly { readonly iri: string }[]): boolean {
  const { url, status = 500 } = seen
  if (status === 404) return collections.some(({ iri }) => iri === url.split('?')[0])
  return stepOf(seen) === 'exchange' && status < 300
}
