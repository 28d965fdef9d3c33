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

interface Waiting {
  readonly since: number
  readonly reject: (error: unknown) => void
}

/** How often overdue answers are looked for. */
const INTERVAL_MS = 50

/**
 * Rejects with 503 what has not been answered after `limitMs`, and calls `onSilence`. One timer for all: a timer for each
 * statement would cost as much as reading a member.
 */
export function createTimeLimit(
  limitMs: number,
  onSilence: () => void,
): <T>(answer: Promise<T>) => Promise<T> {
  /** In the order in which they began. */
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0

  function look(): void {
    const now = performance.now()
    // Where this process was held up itself, the answers may have arrived and are read after this.
    const isLate = now - lookedAt > 10 * INTERVAL_MS
    lookedAt = now
    if (!isLate) rejectOverdue(now)
    timer = waiting.size === 0 ? undefined : setTimeout(look, INTERVAL_MS)
  }

  function rejectOverdue(now: number): void {
    let isSilent = false
    for (const one of waiting) {
      if (now - one.since < limitMs) break
      waiting.delete(one)
      one.reject(unavailable('The database does not answer; try again shortly.', 2))
      isSilent = true
    }
    if (isSilent) onSilence()
  }

  return (answer) =>
    new Promise((resolve, reject) => {
      const one: Waiting = { since: performance.now(), reject }
      waiting.add(one)
      if (timer === undefined) {
        lookedAt = one.since
        timer = setTimeout(look, INTERVAL_MS)
      }
      answer.then(
        (value) => {
          waiting.delete(one)
          resolve(value)
        },
        (error: unknown) => {
          waiting.delete(one)
          reject(error)
        },
      )
    })
}
