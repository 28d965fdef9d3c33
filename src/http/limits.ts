import type { Socket } from 'node:net'

/** Limits on the bytes and the time that a client may take. */
export interface ServerLimits {
  /** Maximum number of connections; beyond that an idle connection is closed for each new one. */
  readonly connections: number
  readonly bodyBytes: number
  /** All bytes of bodies that arrive before admission. */
  readonly earlyBytes: number
  /** Time from the first byte of a head to its last, and for the first byte of a connection. */
  readonly headersMs: number
  /** Time from the first byte of a request to its last. */
  readonly requestMs: number
  /** Time between two requests. The default is longer than that of proxies, so that they close first and no request is lost. */
  readonly idleMs: number
  /** How long a client may take to read a response: `stallMs`, and its length at the slowest rate. */
  readonly stallMs: number
  readonly slowestBytesPerMs: number
  /** The unread responses of all clients together. */
  readonly unsentBytes: number
  /** How much of a stream may be unread before its writer has to wait. */
  readonly streamBytes: number
  /** How much of a body is still read after an early response, so that the client receives the response. */
  readonly lingerBytes: number
  readonly lingerMs: number
  /** How long running requests may take after `close`. */
  readonly graceMs: number
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 10_000,
  bodyBytes: 1024 * 1024,
  earlyBytes: 64 * 1024 * 1024,
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

/** The first line and the headers, without the ends of the first line and of the head. */
export const MAX_HEAD_BYTES = 16 * 1024
export const MAX_HEADERS = 2_000

/** The deadline for a client to read this many bytes. */
export const readDeadline = (
  { stallMs, slowestBytesPerMs }: ServerLimits,
  now: number,
  bytes: number,
): number => now + stallMs + bytes / slowestBytesPerMs

/** Shorter responses nearly always fit into the buffers of the operating system. */
const SHORT = 64 * 1024

/** A client that has read something this long after the response was sent counts as one that reads. */
const READER_MS = 500

/** The unread response of a client. */
interface Unsent {
  readonly bytes: number
  /** How much the client has read, as far as is known: the operating system buffers the first part. */
  readonly taken: number
  readonly since: number
}

export interface UnsentLimit {
  /** Returns the unread part. */
  remove(socket: Socket): Unsent | undefined
  /** Updates the number of unread bytes. `taken`: how much of the response the client has taken. */
  set(socket: Socket, bytes: number, taken: number): void
}

/**
 * Keeps unread responses below `most` bytes in total: beyond that, clients are disconnected, first those that have not
 * begun to read, then those that have not read for the longest time. Each client may ask for a large page, but many slow
 * clients would take all memory before their deadlines.
 */
export function createUnsentLimit(most: number, now: () => number = () => performance.now()): UnsentLimit {
  /** Clients that have not read anything, in the order of arrival. */
  const silent = new Map<Socket, Unsent>()
  /** Clients that have read a part; the one that has not read for the longest time comes first. */
  const reading = new Map<Socket, Unsent>()
  let total = 0

  function remove(socket: Socket): Unsent | undefined {
    const former = silent.get(socket) ?? reading.get(socket)
    total -= former?.bytes ?? 0
    silent.delete(socket)
    reading.delete(socket)
    return former
  }

  function disconnectBeside(socket: Socket): void {
    for (const clients of [silent, reading]) {
      for (const one of clients.keys()) {
        if (total <= most) return
        if (one === socket) continue
        remove(one)
        one.destroy()
      }
    }
  }

  return {
    remove,
    set(socket: Socket, bytes: number, taken: number): void {
      const isReader = reading.has(socket)
      const before = silent.get(socket) ?? reading.get(socket)
      if (before !== undefined && before.taken === taken && bytes > SHORT) {
        // No progress: the client keeps its place.
        total += bytes - before.bytes
        ;(isReader ? reading : silent).set(socket, { ...before, bytes })
      } else {
        remove(socket)
        if (bytes <= SHORT) return
        total += bytes
        const at = now()
        const since = before?.since ?? at
        const reads = isReader || at - since >= READER_MS
        ;(reads ? reading : silent).set(socket, { bytes, taken, since })
      }
      disconnectBeside(socket)
    },
  }
}
