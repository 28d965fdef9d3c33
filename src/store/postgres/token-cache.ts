import { setTimeout } from 'node:timers/promises'
import { BoundedMap } from '../../bounded-map.ts'
import type { Awaitable, Standing, Token } from '../store.ts'
import { type Connection, createConnection, createHostChoice } from './connection.ts'
import { limitTime } from './deadlines.ts'
import { busy } from './errors.ts'

/** More tokens than this in use at once are read from the database now and then. */
const REMEMBERED = 10_000
/**
 * How long a token is believed that was read. A revocation on another host takes effect within one second
 * (authentication.md, Token), whether or not word of it arrives.
 */
const LEASE_MS = 500
/** How old an answer may be: a process may have stood still since it asked. */
const OLDEST_MS = 1_000
const MOST_READS = 2

/** A token, and what its user may do. */
type Known = Token & Standing

interface Remembered {
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
  /** Some token has ended, or may have, or a user has other roles. What is being read meanwhile is not remembered either. */
  forget(): void
}

/** Nothing is remembered of a token that was not found: it may be issued the moment after, on any host. */
export function createTokenCache(read: (hash: string) => Promise<Known | undefined>): TokenCache {
  const remembered = new BoundedMap<string, Remembered>(REMEMBERED)
  let generation = 0

  async function readAnew(hash: string): Promise<Known | undefined> {
    for (let reads = 1; ; reads += 1) {
      const since: Moment = { steady: performance.now(), host: Date.now() }
      const began = generation
      const token = await read(hash)
      if (token === undefined) return undefined
      if (isWithin(OLDEST_MS, since)) {
        if (began === generation) remembered.set(hash, { token, since })
        return token
      }
      if (reads === MOST_READS) throw busy()
    }
  }

  return {
    find(hash) {
      const known = remembered.get(hash)
      if (known !== undefined) {
        if (isWithin(LEASE_MS, known.since)) return known.token
        remembered.delete(hash)
      }
      return readAnew(hash)
    },
    forget() {
      generation += 1
      remembered.clear()
    },
  }
}

function isWithin(limitMs: number, { steady, host }: Moment): boolean {
  const hostMs = Date.now() - host
  return performance.now() - steady < limitMs && hostMs >= 0 && hostMs < limitMs
}

export interface Listening {
  close(): Promise<void>
}

/** Named, so that an administrator can tell whose connection does nothing but listen. */
const SESSION = { application_name: 'hydrant listening' }
/** The channel is the schema's name, which is no longer than PostgreSQL lets a channel be. */
const LISTEN = "DO $$ BEGIN EXECUTE format('LISTEN %I', current_schema()); END $$"
const ANSWER_MS = 2_000
/** A connection can be open and dead: nothing comes, and nothing says so. */
const LIFE_SIGN_MS = 5_000
const LONGEST_PAUSE_MS = 1_000

/**
 * Calls `onEnd` when a token has ended anywhere, and whenever one may have ended unheard: each time that listening begins,
 * again and again until it is closed. No token is cached for so long that safety depends on it.
 */
export function listenForEnds(url: string, onEnd: () => void): Listening {
  const closing = new AbortController()
  const hosts = createHostChoice()
  let connection: Connection | undefined

  /** Until the connection is lost; false where it did not come about. */
  async function listenOnce(): Promise<boolean> {
    const lost = new AbortController()
    const onClose = () => lost.abort()
    const own = createConnection(url, { session: SESSION, hosts, onNotify: onEnd, onClose })
    connection = own
    const ended = AbortSignal.any([closing.signal, lost.signal])
    let isListening = false
    try {
      await limitTime(own.script(LISTEN), ANSWER_MS)
      isListening = true
      onEnd()
      while (!ended.aborted) {
        await pause(LIFE_SIGN_MS, ended)
        if (!ended.aborted) await limitTime(own.script('SELECT 1'), ANSWER_MS)
      }
    } catch {
      // Requests tell of the fault; here it is only tried again.
    } finally {
      await own.end(0)
    }
    return isListening
  }

  async function listen(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      if (await listenOnce()) failures = 0
      await pause(Math.min(50 * 2 ** failures, LONGEST_PAUSE_MS), closing.signal)
    }
  }

  const listening = listen()
  return {
    async close() {
      closing.abort()
      // Rejects what is waited for.
      await connection?.end(0)
      await listening
    },
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {})
