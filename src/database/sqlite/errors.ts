import { Problem, type ProblemData } from '../../problem.ts'
import { databaseProblem } from '../index.ts'

/** Primary result codes, https://sqlite.org/rescode.html */
const ERROR = 1
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
/** An extended code: a file ends before a page that it should have. */
const SHORT_READ = IO_ERROR | (2 << 8)

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined

const primaryCode = (error: unknown): number | undefined => {
  const code = codeOf(error)
  return code === undefined ? undefined : code & 0xff
}

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(primaryCode(error) ?? 0)

/** As SQLite throws it. */
export const busy = (): Error => Object.assign(new Error('database is locked'), { errcode: BUSY })

export const isDamaged = (error: unknown): boolean => primaryCode(error) === CORRUPT

/** Whether a file, or one that SQLite needs beside it, cannot be opened or made. */
export const isUnopenable = (error: unknown): boolean =>
  [READ_ONLY, CANNOT_OPEN].includes(primaryCode(error) ?? 0)

/** Whether a disk is full. SQLite does not say which one. */
export const isFull = (error: unknown): boolean =>
  primaryCode(error) === FULL || (error as NodeJS.ErrnoException).code === 'ENOSPC'

export const isNoDatabase = (error: unknown): boolean => primaryCode(error) === NOT_A_DATABASE

/** Whether the files do not contain what SQLite has written. */
export const isMangled = (error: unknown): boolean =>
  isDamaged(error) || isNoDatabase(error) || codeOf(error) === SHORT_READ

/** The problem for the client, if the database and not the request is the cause. */
export function translate(error: unknown): unknown {
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return databaseProblem('DatabaseLocked', { retryAfterSeconds: 1 }, { cause: error })
    case FULL:
      return databaseProblem('DiskFull', {}, { cause: error })
    case IO_ERROR:
      return databaseProblem('DiskFailed', { retryAfterSeconds: 5 }, { cause: error })
    default:
      return error
  }
}

/** The name of the table that a statement did not find. SQLite has no code for it, and names the table only in its message. */
export const missingTable = (error: unknown): string | undefined =>
  primaryCode(error) === ERROR ? /no such table: (?:main\.)?(\w+)/.exec(String(error))?.[1] : undefined

/** An error as plain data, to be sent between threads. */
export interface Failure {
  readonly message: string
  readonly stack: string | undefined
  readonly errcode: number | undefined
  readonly problem: (ProblemData & Pick<Problem, 'violations'>) | undefined
}

export function failureOf(error: unknown): Failure {
  const { message, stack, errcode } = error as Error & { errcode?: number }
  return { message, stack, errcode, problem: error instanceof Problem ? dataOf(error) : undefined }
}

const dataOf = ({ code, at, values, violations }: Problem): Failure['problem'] => ({
  code,
  at,
  values,
  violations,
})

/** The error on the thread that has asked. */
export function errorOf({ message, stack, errcode, problem }: Failure): unknown {
  if (problem !== undefined) return new Problem(problem.code, problem.values, problem)
  return translate(Object.assign(new Error(message), { stack, errcode }))
}
