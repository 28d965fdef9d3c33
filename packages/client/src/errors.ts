/** The kind of failure, found by the server or by the client: for programs that decide what to do next. */
export type ErrorKind =
  /** There was no response: no network, no server, or a browser that does not let the page read the response. */
  | 'unreachable'
  /** Credentials are needed, or were wrong (401). */
  | 'credentials'
  /** Too many wrong passphrases, or too many requests (429). */
  | 'throttled'
  /** The server cannot do it right now (502 and above). */
  | 'unavailable'
  /** Values that were sent are not valid (422); `violations` says which. */
  | 'invalid'
  /** The member has changed since it was read (412): a `ConflictError`. */
  | 'conflict'
  /** There is nothing at this address (404, 410), or no such name. */
  | 'not-found'
  /** The response, the documentation or the query is not what Hydra says. */
  | 'malformed'
  /** Any other refusal; `status` says which. */
  | 'refused'

/** The codes of problems that the client itself finds. */
export type ClientErrorCode =
  | 'no-response'
  | 'timeout'
  | 'credentials-missing'
  | 'credentials-incomplete'
  | 'credentials-wrong'
  | 'outside-base'
  | 'changed'
  | 'unknown-link'
  | 'unknown-operation'
  | 'partial-member'
  | 'impossible-id'
  | 'unknown-parameter'
  | 'no-search-template'
  | 'no-address'
  | 'invalid-base'
  | 'not-json'
  | 'web-page'
  | 'not-a-stream'

/** One of the client's own codes, or the server's: the fragment of `type` in its problem document (RFC 9457). */
export type ErrorCode = ClientErrorCode | ErrorKind | (string & Record<never, never>)

/** A mistake in one property of a body. */
export interface PropertyViolation {
  readonly propertyPath: string
  readonly message: string
  /** Undefined if the server sends no code. */
  readonly code?: string | undefined
}

/** Every error of this library. The message is for people: the server's own sentence, if there is one. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  declare readonly kind: ErrorKind
  /** A stable code; the same as the kind if the server sends none. */
  declare readonly code: ErrorCode
  /** The status of the response; undefined if there was none. */
  declare readonly status: number | undefined
  /** The index of the operation of a batch that failed. */
  declare readonly operation: number | undefined
  /** The query parameter that was refused. */
  declare readonly parameter: string | undefined
  readonly violations: readonly PropertyViolation[] = []
  /** The addresses of members that link to one that could not be deleted; not all, if `hasFurtherLinks`. */
  readonly linkedFrom: readonly string[] = []
  readonly hasFurtherLinks: boolean = false
  /** The address of the history of a member that was deleted, if the user may read it. */
  declare readonly history: string | undefined
  /** Seconds until it makes sense to try again. */
  declare readonly retryAfter: number | undefined

  constructor(kind: ErrorKind, message: string, details?: Partial<ApiError>) {
    super(message, details)
    Object.assign(this, { kind, code: kind }, details)
  }
}

/** `missing`: what has no such name. */
export const unknownName = (code: ClientErrorCode, missing: string, known: readonly string[]): ApiError =>
  new ApiError('not-found', `${missing}; it has ${known.join(', ') || 'nothing'}.`, { code })

type ConflictDetails<Seen, Current> = Pick<ConflictError<Seen, Current>, 'seen' | 'attempted' | 'current'> &
  Partial<Pick<ApiError, 'code' | 'operation'>>

/** A write that would have overwritten somebody else's change. Nothing was written. */
export class ConflictError<Seen = unknown, Current = unknown> extends ApiError {
  override readonly name = 'ConflictError'
  /** The member as the caller has read it. */
  declare readonly seen: Seen
  /** The values to write; undefined for a removal. */
  declare readonly attempted: unknown
  /** The member as it is now, ready to be changed; undefined if it has been deleted. */
  declare readonly current: Current | undefined

  constructor(message: string, details: ConflictDetails<Seen, Current>) {
    super('conflict', message, { code: 'changed', status: 412, ...details } as Partial<ApiError>)
  }
}
