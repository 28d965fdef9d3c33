import { randomUUID } from 'node:crypto'

/** One thing that is wrong with what was sent, and where: `propertyPath` is a JSON path such as `author` or `genres/2`. */
export interface Violation {
  readonly propertyPath: string
  readonly message: string
  /** What kind of violation it is, where the API itself has found it. */
  readonly code?: string
}

interface ErrorDetails {
  /** Further response headers as a flat list of names and values, for example `Allow` or `Retry-After`. */
  readonly headers?: readonly string[]
  readonly violations?: readonly Violation[]
  /** What kind of problem it is, where the API itself has found it. */
  readonly code?: string
  readonly cause?: unknown
}

/**
 * What went wrong, as the client will read it. Thrown anywhere, rendered in one place (app.ts).
 * The sentence says what was wrong, where, and what would be right.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: readonly string[]
  readonly violations: readonly Violation[]
  readonly code: string | undefined

  constructor(status: number, sentence: string, details: ErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'HttpError'
    this.status = status
    this.headers = details.headers ?? []
    this.violations = details.violations ?? []
    this.code = details.code
  }
}

export const badRequest = (sentence: string) => new HttpError(400, sentence)

export const notFound = (sentence: string) => new HttpError(404, sentence)

export const methodNotAllowed = (method: string, allow: string) =>
  new HttpError(405, `${method} is not possible here; this resource takes ${allow || 'no method at all'}.`, {
    headers: ['Allow', allow],
  })

/** 422 whose sentence names every violation, for clients that read nothing else. */
export const invalid = (violations: readonly Violation[]) =>
  new HttpError(422, violations.map(sentenceOf).join(' '), { violations })

/** 422 at one property: `throw violation('lines/0/quantity', 'must not be more than there are.')`. */
export const violation = (path: string, sentence: string): HttpError =>
  invalid([{ propertyPath: path, message: sentence }])

export const sentenceOf = ({ propertyPath, message }: Violation): string =>
  propertyPath === '' ? message : `${propertyPath}: ${message}`

export const bodyTooLong = (limit: number) =>
  new HttpError(413, `The body is longer than the limit of ${limit} bytes.`)

/** 503 for a temporary condition, such as a full queue. */
export const unavailable = (sentence: string, retryAfterSeconds: number, cause?: unknown) =>
  new HttpError(503, sentence, { headers: ['Retry-After', String(retryAfterSeconds)], cause })

/** What is told of an error that is none of ours: the client gets the id under which `onFault` logs it. */
export function fault(error: unknown, onFault: OnFault): HttpError {
  const requestId = randomUUID()
  onFault(error, requestId)
  return new HttpError(500, `The server failed; its log has the reason under ${requestId}.`, {
    headers: ['X-Request-Id', requestId],
  })
}

export type OnFault = (error: unknown, requestId: string) => void
