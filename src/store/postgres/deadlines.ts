import { unavailable } from '../../errors.ts'

/** PostgreSQL's own clock, as far as it is known here. */
export interface DatabaseClock {
  /** What it will show at a moment of `performance.now()`, in milliseconds since 1970; rather less than more. */
  at(moment: number): Promise<number>
  /** For when the clock has been set, or this machine has slept: it is read anew. */
  forget(): void
}

/** How long a reading is good: by then both clocks differ by some milliseconds, unless one of them was set. */
const GOOD_MS = 10_000

const READ_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000'

export function createDatabaseClock(run: (text: string) => Promise<unknown[][]>): DatabaseClock {
  /** How far PostgreSQL's clock is ahead of ours. */
  let ahead: Promise<number> | undefined
  let readAt = 0

  async function read(): Promise<number> {
    const [row] = await run(READ_CLOCK)
    // The clock was read before the answer came: a deadline computed from it is early by that, never late.
    return Number(row?.[0]) - performance.now()
  }

  return {
    async at(moment) {
      if (ahead === undefined || performance.now() - readAt > GOOD_MS) {
        const reading = read()
        reading.catch(() => {
          if (ahead === reading) ahead = undefined
        })
        ahead = reading
        readAt = performance.now()
      }
      return moment + (await ahead)
    },
    forget() {
      ahead = undefined
    },
  }
}

/** A division by zero: nothing else in our statements divides, and a code of our own would need a function. */
export const TOO_LATE = '22012'

/**
 * A condition that is true, or raises TOO_LATE where PostgreSQL's clock is past the parameter: a write that was given up
 * here, and lies in a socket or in a process that stands still, must not happen afterwards. It is evaluated once, when the
 * statement begins; `statement_timeout` bounds the rest.
 */
export const inTime = (place: number): string => `(SELECT ${isBefore(`$${place}::float8`)})`

/** Commits, or undoes all of it where it is too late. */
export const commitBefore = (deadline: number): string => `SELECT ${isBefore(String(deadline))}; COMMIT`

const isBefore = (deadline: string): string =>
  `1 / (clock_timestamp() < to_timestamp(${deadline} / 1000))::int = 1`

/** Rejects with 503 what has not been answered after `limitMs`, and calls `onSilence` then. */
export const limitTime = <T>(
  answer: Promise<T>,
  limitMs: number,
  onSilence: () => void = () => {},
): Promise<T> =>
  new Promise((resolve, reject) => {
    let isAnswered = false
    // Not at once: where this process was held up itself, answers that have arrived are read between timers and immediates.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs)

    function giveUp(): void {
      if (isAnswered) return
      reject(unavailable('The database does not answer; try again shortly.', 2))
      onSilence()
    }

    const answered = () => {
      isAnswered = true
      clearTimeout(timer)
    }
    answer.then(
      (value) => {
        answered()
        resolve(value)
      },
      (error: unknown) => {
        answered()
        reject(error)
      },
    )
  })
