/** A mistake in a body, and its place: `propertyPath` is a path such as `author` or `genres/2`. */
export interface Violation {
  readonly propertyPath: string
  readonly message: string
  /** The kind of violation, if the API itself has found it. */
  readonly code?: string
}

interface HttpErrorDetails {
  /** Further response headers as a flat list of names and values, for example `Retry-After`. */
  readonly headers?: readonly string[]
  readonly violations?: readonly Violation[]
  /** The kind of problem, if the API itself has found it. */
  readonly code?: string
  readonly cause?: unknown
}

/** Thrown by a program's code to choose the response, in its own words (library.md). Hydrant itself throws problems as data. */
export class HttpError extends Error {
  readonly status: number
  readonly headers: readonly string[]
  readonly violations: readonly Violation[]
  readonly code: string | undefined

  constructor(status: number, sentence: string, details: HttpErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'HttpError'
    this.status = status
    this.headers = details.headers ?? []
    this.violations = details.violations ?? []
    this.code = details.code
  }
}

/** 422 at one property: `throw violation('lines/0/quantity', 'must not be more than there are.')`. */
export const violation = (path: string, sentence: string): HttpError =>
  new HttpError(422, path === '' ? sentence : `${path}: ${sentence}`, {
    violations: [{ propertyPath: path, message: sentence }],
  })
