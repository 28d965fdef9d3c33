import { BoundedMap } from '../../../bounded-map.ts'
import type { Awaitable } from '../../../database/index.ts'
import { busy } from '../../../database/postgres/errors.ts'
import type { Token, UserRoles } from '../index.ts'

const MAX_CACHED = 10_000
/** How long a cached token is valid: a revocation on another host takes effect within one second (authentication.md, Token). */
const LEASE_MS = 500
/** Maximum age of an answer: this process may have hung since it asked. */
const OLDEST_MS = 1_000
const MAX_READS = 2

type FoundToken = Token & UserRoles

/** A time by two clocks: the monotonic one stops while the machine sleeps, the host's may be set. */
interface ClockReading {
  readonly monotonic: number
  readonly host: number
}

const momentAt = (host: number): ClockReading => ({ monotonic: performance.now(), host })

/** A token that was not found is not cached: any host may issue it the moment after. */
export function createTokenCache(read: (hash: string, now: number) => Promise<FoundToken | undefined>) {
  /** `since`: when the reading began. */
  const cached = new BoundedMap<string, { readonly token: FoundToken; readonly since: ClockReading }>(
    MAX_CACHED,
  )
  let generation = 0

  async function readAnew(hash: string, now: number): Promise<FoundToken | undefined> {
    for (let reads = 1; ; reads += 1) {
      const since = momentAt(Date.now())
      const began = generation
      const token = await read(hash, now)
      if (token === undefined) return undefined
      if (isWithin(OLDEST_MS, since, momentAt(Date.now()))) {
        if (began === generation) cached.set(hash, { token, since: { ...since, host: now } })
        return token
      }
      if (reads === MAX_READS) throw busy()
    }
  }

  return {
    /** `now`: by the clock that the token's times are compared with. */
    find(hash: string, now: number): Awaitable<FoundToken | undefined> {
      const known = cached.get(hash)
      if (known !== undefined) {
        if (isWithin(LEASE_MS, known.since, momentAt(now))) return known.token
        cached.delete(hash)
      }
      return readAnew(hash, now)
    },
    /** Empties the cache, when tokens may have ended or roles may have changed. Running reads are not cached either. */
    forget(): void {
      generation += 1
      cached.clear()
    },
  }
}

function isWithin(limitMs: number, since: ClockReading, { monotonic, host }: ClockReading): boolean {
  const hostMs = host - since.host
  return monotonic - since.monotonic < limitMs && hostMs >= 0 && hostMs < limitMs
}
