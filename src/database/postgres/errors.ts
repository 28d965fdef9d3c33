import { setTimeout as sleep } from 'node:timers/promises'
import type { LockLimit } from '../../locks.ts'
import { Problem } from '../../problem.ts'
import { databaseProblem } from '../index.ts'

/**
 * Codes of PostgreSQL, https://www.postgresql.org/docs/current/errcodes-appendix.html, of these classes: connection,
 * authorisation, no such database, resources, operator intervention, system.
 */
const UNREACHABLE = /^(?:08|28|3D|53|57P|58)/
/** Ends an open connection, perhaps after a commit; other codes of this class are responses to a connection attempt. */
const ENDS = /^57P0[125]/
export const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const DISK_FULL = '53100'
const NUMERIC_VALUE_OUT_OF_RANGE = '22003'
const UNDEFINED_TABLE = '42P01'
const UNIQUE_VIOLATION = '23505'
/** An error of our own (deadlines.ts). Codes that begin with I to Z are free for that. */
export const TOO_LATE = 'TLATE'

/** The code of PostgreSQL, the driver or Node.js, even of an error that `translate` has wrapped. */
export const codeOf = (error: unknown): string | undefined => {
  const root = rootOf(error)
  // A Problem has its own kind of code.
  if (!(root instanceof Error) || root instanceof Problem) return undefined
  return 'code' in root && typeof root.code === 'string' ? root.code : undefined
}

/** The error of PostgreSQL, the driver or Node.js that others wrap. None of them names the password. */
export const rootOf = (error: unknown): unknown =>
  error instanceof Problem && error.cause !== undefined ? rootOf(error.cause) : error

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const hasCode =
  (...codes: readonly string[]) =>
  (error: unknown): boolean =>
    codes.includes(codeOf(error) ?? '')

export const isTooLate = hasCode(TOO_LATE)

export const isCanceled = hasCode(QUERY_CANCELED)

/** A sum of doubles is greater than every double. */
export const isOutOfRange = hasCode(NUMERIC_VALUE_OUT_OF_RANGE)

export const isTableUndefined = hasCode(UNDEFINED_TABLE)

/**
 * Another writer was faster, and PostgreSQL has rolled back, perhaps because of a unique value that was free a moment ago;
 * the next try sees it. Or the deadline was computed from a clock that has been set since; the next try reads it again.
 */
const isConflict = hasCode(
  ...[SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION, TOO_LATE, LOCK_NOT_AVAILABLE],
)

/** Whether the error comes from the server, not from the driver or Node.js. */
export const isOfPostgres = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PostgresError'

/** Whether the connection failed, or the server cannot serve: it starts, stops, or is a standby. */
export function isUnreachable(error: unknown): boolean {
  const root = rootOf(error)
  if (root instanceof ConnectionLost) return true
  const code = codeOf(root) ?? ''
  return isOfPostgres(root) && code !== DISK_FULL && (code === READ_ONLY || UNREACHABLE.test(code))
}

/**
 * Whether PostgreSQL has rolled the statement back: nothing was written, and it may be sent again. After a lost connection
 * that is not known, and after a timeout there is no time left.
 */
export const isRolledBack = (error: unknown): boolean => isConflict(error) || isOfPostgres(error)

/** Whether PostgreSQL has replied with an error, and so has carried nothing out. */
export const isRefused = (error: unknown): boolean =>
  isOfPostgres(rootOf(error)) && !ENDS.test(codeOf(error) ?? '')

/** The connection ended before a result arrived, whatever error the driver or Node.js gave for it. */
export class ConnectionLost extends Error {
  readonly code: string

  constructor(cause?: unknown) {
    super(cause instanceof Error ? cause.message : 'The connection was lost.', { cause })
    this.name = 'ConnectionLost'
    this.code = codeOf(cause) ?? 'CONNECTION_CLOSED'
  }
}

export const busy = (cause?: unknown): Problem =>
  databaseProblem('DatabaseBusy', { retryAfterSeconds: 1 }, { cause })

/** The problem for the client, if the database and not the request is the cause. */
export function translate(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isUnreachable(error))
    return databaseProblem('DatabaseUnreachable', { retryAfterSeconds: 2 }, { cause: error })
  switch (codeOf(error)) {
    case QUERY_CANCELED:
    case LOCK_NOT_AVAILABLE:
    case SERIALIZATION_FAILURE:
    case DEADLOCK_DETECTED:
    case TOO_LATE:
      return busy(error)
    case DISK_FULL:
      return databaseProblem('DiskFull', {}, { cause: error })
    default:
      return error
  }
}

/** Reports to the operator once when the database stops answering, and once when it answers again. */
export interface Reachability {
  lost(error: unknown): void
  /** Called for every result: costs next to nothing while the database can be reached. */
  answered(): void
}

/** The database counts as reachable after this time without a failure: connections may alternately fail and succeed. */
const QUIET_MS = 1_000
const REMINDER_MS = 60_000

/** `now`: milliseconds of a clock that never runs backwards. */
export function watchReachability(
  onUnreachable: (reason: string) => void,
  onReachable: () => void,
  now: () => number = () => performance.now(),
): Reachability {
  let isDown = false
  let reportedAt = 0
  let lostAt = 0
  return {
    lost(error) {
      lostAt = now()
      if (isDown && lostAt - reportedAt < REMINDER_MS) return
      isDown = true
      reportedAt = lostAt
      onUnreachable(messageOf(rootOf(error)))
    },
    answered() {
      if (!isDown || now() - lostAt < QUIET_MS) return
      isDown = false
      onReachable()
    },
  }
}

const MAX_TRIES = 4
/** No statement begins later than this, so that every request is answered within 3 s, even if the database is silent. */
export const MAX_WAIT_MS = 1_000
export const LOCK_LIMIT: LockLimit = { ms: MAX_WAIT_MS, onTimeout: () => busy() }
/** The pause before another try is random, up to this times the number of tries, so that two writers do not collide again. */
const MAX_PAUSE_MS = 20

/** Tries again if another writer was faster, a few times and until the deadline (of `performance.now()`). */
export async function retryOnConflict<T>(
  work: () => Promise<T>,
  deadline = performance.now() + MAX_WAIT_MS,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || tries === MAX_TRIES || performance.now() >= deadline) throw error
    }
    await sleep(Math.random() * MAX_PAUSE_MS * tries)
  }
}
