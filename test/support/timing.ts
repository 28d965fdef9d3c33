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
