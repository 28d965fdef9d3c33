import { setTimeout as sleep } from 'node:timers/promises'
import { busy, isInTheWay } from './errors.ts'

const MOST_TRIES = 4
/** Nothing is begun later, so that every request is answered within 3 s, also where the database is silent. */
export const LONGEST_WAIT_MS = 1_000
/** Random up to this, times the number of tries, so that two writers do not meet again. */
const MOST_PAUSE_MS = 20

/** Whether there is time for one more try. */
export function createPatience(ms: number = LONGEST_WAIT_MS): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() < end
}

/** Again where another writer was in the way, a few times. */
export async function retrying<T>(work: () => Promise<T>, hasTime = createPatience()): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isInTheWay(error) || tries === MOST_TRIES || !hasTime()) throw error
    }
    await sleep(Math.random() * MOST_PAUSE_MS * tries)
  }
}

/** What a piece of work has for itself, and what it only needs to stay as it is. */
export interface Claims {
  readonly owns: readonly string[]
  readonly needs: readonly string[]
}

/** The ends of the last work that owns a thing, and of what needs it since. */
interface Holders {
  owner: Promise<void> | undefined
  readonly needing: Set<Promise<void>>
}

/**
 * Runs work in its turn, so that no request holds a connection while it waits in PostgreSQL for the one before: what owns
 * a thing waits for all before it that own or need the thing, and what needs it for those that own it. The result is the
 * same as if each had waited for all before it. 503 where the turn does not come in time; what has begun is not given up.
 */
export function createTurns(): <T>(claims: Claims, work: () => Promise<T>) => Promise<T> {
  const holders = new Map<string, Holders>()

  /** What it has to wait for. */
  function enter({ owns, needs }: Claims, end: Promise<void>): Set<Promise<void>> {
    const before = new Set<Promise<void>>()
    for (const thing of owns) {
      const found = holders.get(thing)
      if (found?.owner !== undefined) before.add(found.owner)
      for (const needing of found?.needing ?? []) before.add(needing)
      holders.set(thing, { owner: end, needing: new Set() })
    }
    for (const thing of needs) {
      const found = holders.get(thing) ?? { owner: undefined, needing: new Set() }
      if (found.owner === end) continue
      if (found.owner !== undefined) before.add(found.owner)
      found.needing.add(end)
      holders.set(thing, found)
    }
    return before
  }

  function leave({ owns, needs }: Claims, end: Promise<void>): void {
    for (const thing of [...owns, ...needs]) {
      const found = holders.get(thing)
      if (found === undefined) continue
      if (found.owner === end) found.owner = undefined
      found.needing.delete(end)
      if (found.owner === undefined && found.needing.size === 0) holders.delete(thing)
    }
  }

  return async (claims, work) => {
    const end = Promise.withResolvers<void>()
    const before = enter(claims, end.promise)
    const turn = before.size === 0 ? undefined : Promise.all(before)
    try {
      if (turn !== undefined) await inTime(turn)
      return await work()
    } finally {
      // Also where it was late: what is behind it waits for it alone, and so for all before it.
      const finish = () => {
        leave(claims, end.promise)
        end.resolve()
      }
      if (turn === undefined) finish()
      else turn.then(finish)
    }
  }
}

async function inTime(turn: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(busy()), LONGEST_WAIT_MS)
  try {
    await Promise.race([turn, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
