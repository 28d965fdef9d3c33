import { BoundedMap } from '../../bounded-map.ts'
import type { Awaitable, Token, UserRoles } from '../store.ts'
import { busy } from './errors.ts'

/** More tokens than this in use at once are read from the database now and then. */
const MAX_CACHED = 10_000
/** How long a token is believed that was read: a revocation on another host takes effect within one second (authentication.md, Token). */
const LEASE_MS = 500
/** How old an answer may be: a process may have stood still since it asked. */
const OLDEST_MS = 1_000
const MAX_READS = 2

/** A token, and what its user may do. */
type Known = Token & UserRoles

interface CachedToken {
  readonly token: Known
  /** Before it was read: what was revoked since then is not known. */
  readonly since: Moment
}

/** By two clocks: the one that cannot be set stands still while the machine sleeps. */
interface Moment {
  readonly steady: number
  readonly host: number
}

export interface TokenCache {
  find(hash: string): Awaitable<Known | undefined>
  /** Some token has ended, or may have, or a user has other roles. What is being read meanwhile is not cached either. */
  forget(): void
}

/** Nothing is cached of a token that was not found: it may be issued the moment after, on any host. */
export function createTokenCache(read: (hash: string) => Promise<Known | undefined>): TokenCache {
  const cached = new BoundedMap<string, CachedToken>(MAX_CACHED)
  let generation = 0

  async function readAnew(hash: string): Promise<Known | undefined> {
    for (let reads = 1; ; reads += 1) {
      const since: Moment = { steady: performance.now(), host: Date.now() }
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

function isWithin(limitMs: number, { steady, host }: Moment): boolean {
  const hostMs = Date.now() - host
  return performance.now() - steady < limitMs && hostMs >= 0 && hostMs < limitMs
}
