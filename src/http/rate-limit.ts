import { BoundedMap } from '../bounded-map.ts'

/** Maximum number of counted clients; beyond it, those that were counted longest ago begin anew. */
const MAX_CLIENTS = 50_000
const WINDOW_MS = 60_000

interface Counted {
  /** The window that is counted, and how many requests the one before had. */
  window: number
  count: number
  before: number
}

/** Counts a request of a client. Undefined if it may be served, else the seconds after which it may. */
export type RateLimit = (client: string) => number | undefined

/**
 * Allows each client this many requests per minute. Counts those of this minute, and the part of the previous minute's
 * that the last 60 seconds still cover, as if they had come evenly. `now`: a clock that is never set back.
 */
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const clients = new BoundedMap<string, Counted>(MAX_CLIENTS)
  return (client) => {
    const time = now()
    const window = Math.floor(time / WINDOW_MS)
    const passed = (time % WINDOW_MS) / WINDOW_MS
    const counted = clients.get(client) ?? { window, count: 0, before: 0 }
    if (counted.window !== window) {
      counted.before = counted.window === window - 1 ? counted.count : 0
      counted.window = window
      counted.count = 0
    }
    clients.set(client, counted)
    if (counted.count + counted.before * (1 - passed) < perMinute) {
      counted.count += 1
      return undefined
    }
    // After this time, enough of the earlier requests are more than a minute old.
    const over = counted.count + 1 - perMinute
    const share = counted.before > 0 && over <= 0 ? 1 + over / counted.before : 1
    return Math.max(1, Math.ceil(((share - passed) * WINDOW_MS) / 1_000))
  }
}
