/** How much, and for how long, a client may keep a connection busy. */
export interface ServerLimits {
  readonly bodyBytes: number
  readonly headersMs: number
  readonly requestMs: number
  /** A client that neither reads nor sends for so long is disconnected. */
  readonly idleMs: number
  /** What clients have asked for and not read yet, all together. */
  readonly unsentBytes: number
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
  idleMs: 60_000,
  unsentBytes: 256 * 1024 * 1024,
  lingerBytes: 64 * 1024,
  lingerMs: 2_000,
  graceMs: 10_000,
}

/** The first line and the headers, without the ends of the first line and of the head. */
export const MAX_HEAD_BYTES = 16 * 1024
export const MAX_HEADERS = 2_000
