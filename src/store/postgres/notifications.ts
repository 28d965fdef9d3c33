import { setTimeout } from 'node:timers/promises'
import { type Connection, createConnection, createHostChoice } from './connection.ts'
import { limitTime } from './deadlines.ts'

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
const pauseMs = (failures: number): number => Math.min(50 * 2 ** failures, LONGEST_PAUSE_MS)

/**
 * Calls `onEnd` when a token has ended anywhere, and whenever one may have ended unheard: each time that listening begins,
 * again and again until it is closed. No token is cached for so long that safety depends on it.
 */
export function listenForEnds(url: string, onEnd: () => void): Listening {
  const closing = new AbortController()
  const { signal } = closing
  const hosts = createHostChoice()
  let connection: Connection | undefined

  async function listenForEver(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (await listenOnce()) failures = 0
      await pause(pauseMs(failures))
    }
  }

  /** Until the connection is lost; false where it did not come about. */
  async function listenOnce(): Promise<boolean> {
    const lost = new AbortController()
    const own = createConnection(url, {
      sockets: 1,
      pipeline: 1,
      session: SESSION,
      hosts,
      onNotify: onEnd,
      onClose: () => lost.abort(),
    })
    connection = own
    const ended = AbortSignal.any([signal, lost.signal])
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

  const pause = (ms: number, until: AbortSignal = signal): Promise<void> =>
    setTimeout(ms, undefined, { signal: until }).catch(() => {})

  const listening = listenForEver()
  return {
    async close() {
      closing.abort()
      // Rejects what is waited for.
      await connection?.end(0)
      await listening
    },
  }
}
