import { HttpError, unavailable } from '../../errors.ts'
import { overtaken } from '../rules/overtaking.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, and the names that the driver and node give. */
const UNREACHABLE = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])
const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const DISK_FULL = '53100'
const UNDEFINED_TABLE = '42P01'
const UNIQUE_VIOLATION = '23505'

/** Also of what `translate` has made. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof HttpError) return codeOf(error.cause)
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export const isTakenElsewhere = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION

/** Another writer was in the way: the same statement may succeed when it is made again. */
export const isConflict = (error: unknown): boolean =>
  [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error) ?? '')

/** Something is wrong with the connection, or with what is at its other end. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return UNREACHABLE.has(code) || code === READ_ONLY || code.startsWith('08')
}

export const isCanceled = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED

/** What the client should hear of an error that the database has and a request did not cause. */
export function translate(error: unknown): unknown {
  if (isUnreachable(error)) {
    return unavailable('The database cannot be reached right now; try again shortly.', 2, error)
  }
  switch (codeOf(error)) {
    case QUERY_CANCELED:
    case LOCK_NOT_AVAILABLE:
    case SERIALIZATION_FAILURE:
    case DEADLOCK_DETECTED:
      return unavailable('The database is busy; try again shortly.', 1, error)
    case DISK_FULL:
      return new HttpError(507, 'The disk of the database is full; nothing was changed.', { cause: error })
    case UNDEFINED_TABLE:
      return isOurTable(error) ? overtaken(error) : error
    default:
      return error
  }
}

/** By its name alone: the words around it are in the language of the server. */
const isOurTable = (error: unknown): boolean =>
  /\b(?:members|values|words|order|versions)_[0-9]+\b/.test(String(error))
