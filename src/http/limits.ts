import type { Socket } from 'node:net'
import { badRequest, HttpError } from '../errors.ts'

/** How much, and for how long, a client may keep a connection busy. */
export interface ServerLimits {
  /** How many connections there may be; beyond that the idlest gives way to a newcomer. */
  readonly connections: number
  readonly bodyBytes: number
  /** All that has come of bodies before admission. */
  readonly earlyBytes: number
  /** From the first byte of a head to its last, and for the first byte of a connection. */
  readonly headersMs: number
  /** From the first byte of a request to its last. */
  readonly requestMs: number
  /** Between two requests: by default longer than proxies keep a connection, so that they close it and no request is lost. */
  readonly idleMs: number
  /** How long a client may take to read a response: `stallMs`, and its length at the slowest rate. */
  readonly stallMs: number
  readonly slowestBytesPerMs: number
  /** The unread responses of all clients together. */
  readonly unsentBytes: number
  /** How much of a stream may be unread before its writer has to wait. */
  readonly streamBytes: number
  /** How much of a body is still read after an early response, so that the client gets to see it. */
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

// What is refused before the gate, the same for everyone (authentication.md, Before the gate).

export const notWellFormed = (): HttpError => badRequest('This is not well-formed HTTP/1.1.')

export const unknownMethod = (): HttpError =>
  badRequest('This method is not known here; methods are written in capitals, such as GET or POST.')

export const tooLarge = (): HttpError =>
  new HttpError(
    431,
    `The request line and the headers together are longer than 16 KiB, or more than ${MAX_HEADERS}.`,
  )

export const tooSlow = (): HttpError => new HttpError(408, 'The request was not sent in time.')

/** When a client must have read so many bytes. */
export const readDeadline = (
  { stallMs, slowestBytesPerMs }: ServerLimits,
  now: number,
  bytes: number,
): number => now + stallMs + bytes / slowestBytesPerMs

/** Shorter responses nearly always fit into the buffers of the operating system. */
const SHORT = 64 * 1024

/**
 * Keeps unread responses below `most` bytes in all: beyond that, the client that has been reading longest is disconnected.
 * Each client may ask for a large page, but many slow ones would take all memory before their deadlines.
 */
export function createUnsentLimit(most: number) {
  /** The oldest first. */
  const unsent = new Map<Socket, number>()
  let total = 0

  function remove(socket: Socket): void {
    total -= unsent.get(socket) ?? 0
    unsent.delete(socket)
  }

  return {
    remove,
    /** Replaces the former number of unread bytes. */
    add(socket: Socket, bytes: number): void {
      remove(socket)
      if (bytes <= SHORT) return
      total += bytes
      unsent.set(socket, bytes)
      for (const oldest of unsent.keys()) {
        if (total <= most || oldest === socket) break
        remove(oldest)
        oldest.destroy()
      }
    },
  }
}

export type UnsentLimit = ReturnType<typeof createUnsentLimit>
