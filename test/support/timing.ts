import { after } from 'node:test'
import type { Awaitable } from '../../src/database/index.ts'

const ATTEMPTS = 6

/**
 * Compares times, again where the comparison fails: a busy machine is slow sometimes, a mistake every time. What was the
 * least is best kept from attempt to attempt (`createLeast`), since other programs only add to it.
 */
export async function compareTimes(compare: () => Awaitable<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await compare()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** What is timed, made ready first. */
type Timed = () => Awaitable<() => unknown>

/** The least that each work takes of the processors, in microseconds, in turn and from call to call. */
export function createLeast<Works extends readonly Timed[]>(
  works: readonly [...Works],
): (rounds: number) => Promise<{ [Place in keyof Works]: number }> {
  const least = works.map(() => Number.POSITIVE_INFINITY)
  return async (rounds) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, prepare] of works.entries()) {
        const work = await prepare()
        const before = process.cpuUsage()
        await work()
        const { user, system } = process.cpuUsage(before)
        least[place] = Math.min(least[place] as number, user + system)
      }
    }
    return least as { [Place in keyof Works]: number }
  }
}

const LOOK_EVERY_MS = 10
/** More than a turn of the event loop takes where the processors are free. */
const LONGEST_TURN_MS = 50

/**
 * A clock for limits that are kept by timers of this process, such as the one of a request that waits for the database: it
 * stands still while a busy machine keeps the process from running. Started where tests are declared.
 */
export function startOwnTime(): () => number {
  let own = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    own += Math.min(now - last, LONGEST_TURN_MS)
    last = now
    return own
  }
  const looking = setInterval(look, LOOK_EVERY_MS).unref()
  after(() => clearInterval(looking))
  return look
}
