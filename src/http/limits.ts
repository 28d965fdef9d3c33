/** How much, and for how long, a client may keep a connection busy. */
export interface ServerLimits {
  readonly bodyBytes: number
  /** From the first byte of a head to its last, and for the first byte of a connection. */
  readonly headersMs: number
  /** From the first byte of a request to its last. */
  readonly requestMs: number
  /** Between two requests: longer than proxies keep a connection, so that they close it and no request is lost. */
  readonly idleMs: number
  /** How long a client may take to read: so long, and longer by what there is to read at the slowest rate. */
  readonly stallMs: number
  readonly slowestBytesPerMs: number
  /** What clients have asked for and not read yet, all together. */
  readonly unsentBytes: number
  /** What the client of a stream may leave unread before its writer has to wait. */
  readonly streamBytes: number
  /** How much of a body is still read after an early response, so that the client gets to see it. */
  readonly lingerBytes: number
  readonly lingerMs: number
  /** How long requests in flight may take after `close`. */
  readonly graceMs: number
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 75_000,
  stallMs: 30_000,
  slowestBytesPerMs: 16,
  unsentBytes: 256 * 1024 * 1024,
  streamBytes: 256 * 1024,
  lingerBytes: 64 * 1024,
  lingerMs: 2_000,
  graceMs: 10_000,
}

/** When a client must have read so many bytes. */
export const readDeadline = (
  { stallMs, slowestBytesPerMs }: ServerLimits,
  now: number,
  bytes: number,
): number => now + stallMs + bytes / slowestBytesPerMs

/** The first line and the headers, without the ends of the first line and of the head. */
export const MAX_HEAD_BYTES = 16 * 1024
export const MAX_HEADERS = 2_000
