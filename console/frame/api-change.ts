import type { WireRecord } from '../../src/client/index.ts'
import { stepOf } from '../shared/connection/index.ts'

type Seen = Pick<WireRecord, 'url' | 'status' | 'requestHeaders' | 'responseHeaders'>

/**
 * Whether a response is a reason to read the API's description again: a new token was needed, perhaps since the server
 * has restarted; or a collection of the entry point is gone. (A single resource need not exist yet.)
 */
export function mayHaveChanged(seen: Seen, collections: readonly { readonly iri: string }[]): boolean {
  const { url, status = 500 } = seen
  if (status === 404) return collections.some(({ iri }) => iri === url.split('?')[0])
  return stepOf(seen) === 'exchange' && status < 300
}
