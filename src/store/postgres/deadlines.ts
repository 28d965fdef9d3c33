import { unavailable } from '../../errors.ts'

/** How long a reading is good: by then both clocks differ by some milliseconds, unless one of them was set. */
const CLOCK_READ_MS = 10_000

/** PostgreSQL's own clock in milliseconds since 1970, as far as it is known here: rather less than more. */
export function createDatabaseClock(run: (text: string) => Promise<unknown[][]>) {
  /** How far it is ahead of ours. */
  let ahead: Promise<number> | undefined
  let readAt = 0

  async function read(): Promise<number> {
    const [row] = await run('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000')
    // The clock was read before the answer came: a deadline computed from it is early by that, never late.
    return Number(row?.[0]) - performance.now()
  }

  /** For when the clock has been set, or this machine has slept: it is read anew. */
  function forget(): void {
    ahead = undefined
  }

  return {
    forget,
    async at(moment: number): Promise<number> {
      if (ahead === undefined || performance.now() - readAt > CLOCK_READ_MS) {
        readAt = performance.now()
        ahead = read()
        ahead.catch(forget)
      }
      return moment + (await ahead)
    },
  }
}

/**
 * A condition that is true, or raises TOO_LATE where PostgreSQL's clock is past the parameter: a write that was given up
 * here, and lies in a socket or in a process that stands still, must not happen afterwards. It is evaluated once, when the
 * statement begins; `statement_timeout` bounds the rest.
 */
export const inTime = (place: number): string => `(SELECT ${isBefore(`$${place}::float8`)})`

/** Commits, or undoes all of it where it is too late. */
export const commitBefore = (deadline: number): string => `SELECT ${isBefore(String(deadline))}; COMMIT`

/** Divides by zero: nothing else in our statements divides, and a code of our own would need a function. */
const isBefore = (deadline: string): string =>
  `1 / (clock_timestamp() < to_timestamp(${deadline} / 1000))::int = 1`

/** Rejects with 503 what has not been answered after `limitMs`, and calls `onSilence` then. */
export async function limitTime<T>(answer: Promise<T>, limitMs: number, onSilence = () => {}): Promise<T> {
  const silence = Promise.withResolvers<never>()
  let isAnswered = false
  // Not at once: where this process was held up itself, answers that have arrived are read between timers and immediates.
  const timer = setTimeout(() => setImmediate(giveUp), limitMs)

  function giveUp(): void {
    if (isAnswered) return
    silence.reject(unavailable('The database does not answer; try again shortly.', 2))
    onSilence()
  }

  try {
    return await Promise.race([answer, silence.promise])
  } finally {
    isAnswered = true
    clearTimeout(timer)
  }
}
