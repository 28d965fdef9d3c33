/** PostgreSQL's own clock, as far as it is known here. */
export interface DatabaseClock {
  /** What it will show at a moment of `performance.now()`, in milliseconds since 1970; rather less than more. */
  at(moment: number): Promise<number>
  /** It has been set, or this machine has slept: the next one who asks reads it anew. */
  forget(): void
}

interface Reading {
  /** PostgreSQL's time less ours. */
  readonly ahead: number
  readonly readAt: number
}

/** How long a reading is good: by then both clocks differ by some milliseconds, unless one of them was set. */
const GOOD_MS = 10_000

export const READ_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000'

/** `ask`: makes the statement READ_CLOCK. */
export function createDatabaseClock(ask: () => Promise<number>): DatabaseClock {
  let reading: Promise<Reading> | undefined
  let known: Reading | undefined

  async function read(): Promise<Reading> {
    const time = await ask()
    // It was read before the answer came: a deadline that is computed from it comes too early by that, never too late.
    const readAt = performance.now()
    known = { ahead: time - readAt, readAt }
    return known
  }

  function readOnce(): Promise<Reading> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    async at(moment) {
      const isGood = known !== undefined && performance.now() - known.readAt < GOOD_MS
      const { ahead } = known !== undefined && isGood ? known : await readOnce()
      return moment + ahead
    },
    forget() {
      known = undefined
    },
  }
}

/**
 * The code of what raises when it is too late. Nothing else in our statements divides; a function that raises a code of
 * its own would be one more thing in the schema.
 */
export const TOO_LATE = '22012'

/**
 * A condition that is true, or raises TOO_LATE where PostgreSQL's clock is past the parameter: a write that was given up
 * here and lies in a socket, or in a process that stands still, must not happen afterwards. Looked at once, when the
 * statement begins; `statement_timeout` bounds the rest.
 */
export const inTime = (place: number): string => `(SELECT ${isBefore(`$${place}::float8`)})`

/** Commits, or undoes all of it where it is too late. */
export const commitBefore = (deadline: number): string => `SELECT ${isBefore(String(deadline))}; COMMIT`

const isBefore = (deadline: string): string =>
  `1 / (clock_timestamp() < to_timestamp(${deadline} / 1000))::int = 1`
