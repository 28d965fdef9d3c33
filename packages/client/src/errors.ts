/** What sort of failure it is, whoever found it: for programs that decide what to do next. */
export type ErrorKind =
  /** No response came: no network, no server, or a browser that may not read the response. */
  | 'unreachable'
  /** Credentials are needed, or were wrong (401). */
  | 'credentials'
  /** Too many wrong paraphrases, or too many requests (429). */
  | 'throttled'
  /** The server cannot do it right now (502 and above). */
  | 'unavailable'
  /** Values that were sent are not valid (422); `violations` says which. */
  | 'invalid'
  /** The member has changed since it was read (412): a `ConflictError`. */
  | 'conflict'
  /** There is no such thing (404, 410). */
  | 'not-found'
  /** The response, the documentation or the query is not what Hydra says. */
  | 'malformed'
  /** Any other refusal; `status` says which. */
  | 'refused'

/** What exactly went wrong, for problems that the client itself finds. */
export type ClientErrorCode =
  | 'no-response'
  | 'timeout'
  | 'credentials-missing'
  | 'credentials-wrong'
  | 'outside-base'
  | 'changed'
  | 'unknown-link'
  | 'unknown-operation'
  | 'impossible-id'
  | 'unknown-parameter'
  | 'no-search-template'
  | 'no-address'
  | 'not-json'
  | 'not-a-stream'

/** One of the client's own codes, or the server's: the fragment of `type` in its problem document (RFC 9457). */
export type ErrorCode = ClientErrorCode | ErrorKind | (string & Record<never, never>)

/** What is wrong with one property that was sent. */
export interface PropertyViolation {
  readonly propertyPath: string
  readonly message: string
  /** Undefined if the server sends no code. */
  readonly code?: string | undefined
}

/** The error of this library. Its message is for people: the server's own sentence, if there is one. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  declare readonly kind: ErrorKind
  /** A stable code; the same as the kind if the server sends none. */
  declare readonly code: ErrorCode
  /** The status of the response; undefined if none came. */
  declare readonly status: number | undefined
  /** The index of the operation of a batch that failed. */
  declare readonly operation: number | undefined
  /** The query parameter that was refused. */
  declare readonly parameter: string | undefined
  readonly violations: readonly PropertyViolation[] = []
  /** The addresses of members that link to one that could not be deleted; not all, if `hasFurtherLinks`. */
  readonly linkedFrom: readonly string[] = []
  readonly hasFurtherLinks: boolean = false
  /** Seconds until it makes sense to try again. */
  declare readonly retryAfter: number | undefined

  constructor(kind: ErrorKind, message: string, details?: Partial<ApiError>) {
    super(message, details)
    Object.assign(this, { kind, code: kind }, details)
  }
}

type ConflictDetails<Seen, Current> = Pick<ConflictError<Seen, Current>, 'seen' | 'attempted' | 'current'> &
  Partial<Pick<ApiError, 'code' | 'operation'>>

/** A write that would have overwritten somebody else's change. Nothing was written. */
export class ConflictError<Seen = unknown, Current = unknown> extends ApiError {
  override readonly name = 'ConflictError'
  /** The member as the caller has read it. */
  declare readonly seen: Seen
  /** What was to be written; undefined for a removal. */
  declare readonly attempted: unknown
  /** The member as it is now, ready to be changed; undefined if it is gone. */
  declare readonly current: Current | undefined

  constructor(message: string, details: ConflictDetails<Seen, Current>) {
    super('conflict', message, { code: 'changed', status: 412, ...details } as Partial<ApiError>)
  }
}
