import { HttpError, unavailable } from '../../errors.ts'

/** Primary result codes, https://sqlite.org/rescode.html */
const ERROR = 1
const BUSY = 5
const LOCKED = 6
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(primaryCode(error) ?? 0)

/** As SQLite throws it. */
export const busy = (): Error => Object.assign(new Error('database is locked'), { errcode: BUSY })

export const isDamaged = (error: unknown): boolean => primaryCode(error) === CORRUPT

export const isNoDatabase = (error: unknown): boolean => primaryCode(error) === NOT_A_DATABASE

/** The error for the client, where the database and not the request is the cause. */
export function translate(error: unknown): unknown {
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return unavailable('The database is locked by another process; try again shortly.', 1, error)
    case FULL:
      return new HttpError(507, 'The disk of the database is full; nothing was changed.', { cause: error })
    case IO_ERROR:
      return unavailable('The database cannot be read or written right now; nothing was changed.', 5, error)
    default:
      return error
  }
}

/** The name of the table that a statement did not find. */
export const missingTable = (error: unknown): string | undefined =>
  primaryCode(error) === ERROR ? /no such table: (?:main\.)?(\w+)/.exec(String(error))?.[1] : undefined

/** An error as plain data, to be sent between threads. */
export interface Failure {
  readonly message: string
  readonly stack: string | undefined
  readonly errcode: number | undefined
  readonly http: { readonly status: number; readonly headers: readonly string[] } | undefined
}

export function failureOf(error: unknown): Failure {
  const { message, stack, errcode } = error as Error & { errcode?: number }
  const http = error instanceof HttpError ? { status: error.status, headers: error.headers } : undefined
  return { message, stack, errcode, http }
}

/** The error for the client. */
export function errorOf({ message, stack, errcode, http }: Failure): unknown {
  if (http !== undefined) return new HttpError(http.status, message, http)
  return translate(Object.assign(new Error(message), { stack, errcode }))
}
