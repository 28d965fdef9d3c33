import { BoundedMap } from '../../bounded-map.ts'
import type { Awaitable, Token, UserRoles } from '../index.ts'
import { busy } from './errors.ts'

const MAX_CACHED = 10_000
/** How long a cached token is valid: a revocation on another host takes effect within one second (authentication.md, Token). */
const LEASE_MS = 500
/** How old an answer may be: this process may have hung since it asked. */
const OLDEST_MS = 1_000
const MAX_READS = 2

type FoundToken = Token & UserRoles

/** By two clocks: the monotonic one stops while the machine sleeps, the host's may be set. */
const readClocks = () => ({ monotonic: performance.now(), host: Date.now() })

type Moment = ReturnType<typeof readClocks>

/** A token that was not found is not cached: any host may issue it the moment after. */
export function createTokenCache(read: (hash: string) => Promise<FoundToken | undefined>) {
  /** `since`: when the reading began. */
  const cached = new BoundedMap<string, { readonly token: FoundToken; readonly since: Moment }>(MAX_CACHED)
  let generation = 0

  async function readAnew(hash: string): Promise<FoundToken | undefined> {
    for (let reads = 1; ; reads += 1) {
      const since = readClocks()
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
    find(hash: string): Awaitable<FoundToken | undefined> {
      const known = cached.get(hash)
      if (known !== undefined) {
        if (isWithin(LEASE_MS, known.since)) return known.token
        cached.delete(hash)
      }
      return readAnew(hash)
    },
    /** Empties the cache: a token has ended, or may have, or roles have changed. What is being read now is not cached either. */
    forget(): void {
      generation += 1
      cached.clear()
    },
  }
}

function isWithin(limitMs: number, since: Moment): boolean {
  const { monotonic, host } = readClocks()
  const hostMs = host - since.host
  return monotonic - since.monotonic < limitMs && hostMs >= 0 && hostMs < limitMs
}
