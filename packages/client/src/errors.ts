/** The kind of failure: stable codes for programs. The message is for people. */
export type ErrorCode =
  /** No answer came: no network, no server, or a browser that may not read the answer. */
  | 'unreachable'
  /** Credentials were wanted and not given, or were wrong. */
  | 'credentials'
  /** Too many wrong paraphrases, or requests (429). */
  | 'throttled'
  /** The server cannot do it right now (502, 503, 504). */
  | 'unavailable'
  /** What was sent is not allowed (422); `violations` says where. */
  | 'invalid'
  /** Another change came first (412); a `ConflictError`. */
  | 'conflict'
  | 'not-found'
  /** The answer, the documentation or the template is not what Hydra says. */
  | 'malformed'
  /** Any other refusal: `status` says which. */
  | 'refused'

/** What is wrong with one property of what was sent. */
export interface PropertyViolation {
  readonly propertyPath: string
  readonly message: string
}

/** The one error of this library. Its message is the server's own sentence wherever there is one. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  declare readonly code: ErrorCode
  /** Of the response; undefined where none came. */
  declare readonly status: number | undefined
  readonly violations: readonly PropertyViolation[] = []
  /** Seconds until it makes sense to try again. */
  declare readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, details?: Partial<ApiError>) {
    super(message, details)
    Object.assign(this, { code }, details)
  }
}

/** A change that would have overwritten another's. Nothing was changed. */
export class ConflictError<Seen = unknown, Current = unknown> extends ApiError {
  override readonly name = 'ConflictError'
  /** The member as it was when it was read. */
  declare readonly seen: Seen
  /** What was to be written; undefined for a removal. */
  declare readonly attempted: unknown
  /** The member as it is now, ready to be changed; undefined when it is gone. */
  declare readonly current: Current | undefined

  constructor(
    message: string,
    details: Pick<ConflictError<Seen, Current>, 'seen' | 'attempted' | 'current'>,
  ) {
    super('conflict', message, { status: 412, ...details } as Partial<ApiError>)
  }
}
