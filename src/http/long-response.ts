import type { Socket } from 'node:net'
import type { UnsentLimit } from './limits.ts'

/** Longer responses are sent in pieces of this length. */
export const PIECE = 64 * 1024

/**
 * Sends a long response piece by piece, so that it shows whether its client reads: of one write, nothing is known until its
 * end. `done` is called when the client has taken all of it.
 */
export function sendInPieces(socket: Socket, bytes: Buffer, unsent: UnsentLimit, done: () => void): void {
  let sent = 0
  function next(): void {
    if (socket.destroyed) return
    unsent.set(socket, bytes.length - sent, sent)
    if (sent === bytes.length) {
      done()
      return
    }
    const piece = bytes.subarray(sent, sent + PIECE)
    socket.write(piece, () => {
      sent += piece.length
      next()
    })
  }
  next()
}
