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

/** Calls `start` when the work may begin, which may be at once. Returns what is to be called when it has ended. */
export type Enter = (claims: Claims, start: () => void) => () => void

interface Work {
  readonly start: () => void
  /** How many it waits for. */
  before: number
  readonly after: Work[]
}

interface Holders {
  /** The last work that owns the thing. */
  owner: Work | undefined
  /** What needs it since. */
  readonly needing: Set<Work>
}

/**
 * Lets work begin that has nothing to do with what came before it and has not ended: what owns a thing waits for all
 * before it that own or need the thing, and what needs it for those that own it. The result is the same as if each had
 * waited for all before it.
 */
export function createOrdering(): Enter {
  const holders = new Map<string, Holders>()

  function waitFor(before: Work, work: Work): void {
    before.after.push(work)
    work.before++
  }

  function own(thing: string, work: Work): void {
    const found = holders.get(thing)
    if (found?.owner !== undefined) waitFor(found.owner, work)
    for (const needing of found?.needing ?? []) waitFor(needing, work)
    holders.set(thing, { owner: work, needing: new Set() })
  }

  function need(thing: string, work: Work): void {
    const found = holders.get(thing) ?? { owner: undefined, needing: new Set() }
    if (found.owner === work || found.needing.has(work)) return
    if (found.owner !== undefined) waitFor(found.owner, work)
    found.needing.add(work)
    holders.set(thing, found)
  }

  function letGo(thing: string, work: Work): void {
    const found = holders.get(thing)
    if (found === undefined) return
    if (found.owner === work) found.owner = undefined
    found.needing.delete(work)
    if (found.owner === undefined && found.needing.size === 0) holders.delete(thing)
  }

  return ({ owns, needs }, start) => {
    const work: Work = { start, before: 0, after: [] }
    for (const thing of owns) own(thing, work)
    for (const thing of needs) need(thing, work)
    if (work.before === 0) start()
    return () => {
      for (const thing of [...owns, ...needs]) letGo(thing, work)
      for (const next of work.after) if (--next.before === 0) next.start()
    }
  }
}

/**
 * Runs work in its turn, so that no request holds a connection while it waits in PostgreSQL for the one before. 503 where
 * the turn does not come in time; what has begun is not given up.
 */
export function createTurns(): <T>(claims: Claims, work: () => Promise<T>) => Promise<T> {
  const enter = createOrdering()
  return async (claims, work) => {
    let leave = () => {}
    await new Promise<void>((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(busy())
      }, LONGEST_WAIT_MS)
      leave = enter(claims, () => {
        clearTimeout(timer)
        // What is behind it has waited for it alone, and so for all before it.
        if (isLate) leave()
        else resolve()
      })
    })
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
