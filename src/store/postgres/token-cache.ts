import { BoundedMap } from '../../bounded-map.ts'
import type { Awaitable, Token, UserRoles } from '../store.ts'
import { busy } from './errors.ts'

const MAX_CACHED = 10_000
/** How long a cached token is valid: a revocation on another host takes effect within one second (authentication.md, Token). */
const LEASE_MS = 500
/** How old an answer may be: this process may have hung since it asked. */
const OLDEST_MS = 1_000
const MAX_READS = 2

type FoundToken = Token & UserRoles

interface CachedToken {
  readonly token: FoundToken
  /** When the reading began. */
  readonly since: Moment
}

/** By two clocks: the monotonic one stops while the machine sleeps, the host's may be set. */
interface Moment {
  readonly monotonic: number
  readonly host: number
}

export interface TokenCache {
  find(hash: string): Awaitable<FoundToken | undefined>
  /** Empties the cache: a token has ended, or may have, or roles have changed. What is being read now is not cached either. */
  forget(): void
}

/** A token that was not found is not cached: any host may issue it the moment after. */
export function createTokenCache(read: (hash: string) => Promise<FoundToken | undefined>): TokenCache {
  const cached = new BoundedMap<string, CachedToken>(MAX_CACHED)
  let generation = 0

  async function readAnew(hash: string): Promise<FoundToken | undefined> {
    for (let reads = 1; ; reads += 1) {
      const since: Moment = { monotonic: performance.now(), host: Date.now() }
      const began = generation
      const token = await read(hash)
      if (token === undefined) return undefined
      if (isWithin(OLDEST_MS, since)) {
        if (began === generation) cached.set(hash, { token, since })
        return token
      }
      if (reads === MAX_READS) throw busy()
    }
  }

  return {
    find(hash) {
      const known = cached.get(hash)
      if (known !== undefined) {
        if (isWithin(LEASE_MS, known.since)) return known.token
        cached.delete(hash)
      }
      return readAnew(hash)
    },
    forget() {
      generation += 1
      cached.clear()
    },
  }
}

function isWithin(limitMs: number, { monotonic, host }: Moment): boolean {
  const hostMs = Date.now() - host
  return performance.now() - monotonic < limitMs && hostMs >= 0 && hostMs < limitMs
}
