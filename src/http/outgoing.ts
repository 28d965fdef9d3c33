import type { Socket } from 'node:net'
import type { UnsentLimit } from './limits.ts'

/** Longer responses are sent in pieces of this length. */
const PIECE = 64 * 1024

/** The output of a connection. */
export class Outgoing {
  readonly #socket: Socket
  readonly #unsent: UnsentLimit
  /** Whether a part of a long response is still to be written. */
  #isInPieces = false

  constructor(socket: Socket, unsent: UnsentLimit) {
    this.#socket = socket
    this.#unsent = unsent
  }

  /**
   * Returns whether the operating system has taken all of it at once. If not, a long response calls `done` later; any
   * other response is sent when the socket emits `drain`.
   */
  send(text: string, encoding: BufferEncoding, done: () => void): boolean {
    if (text.length <= PIECE) return this.#socket.write(text, encoding)
    this.#sendInPieces(Buffer.from(text, encoding), done)
    return false
  }

  /** Sends FIN after the text. */
  end(text: string, encoding: BufferEncoding, done: () => void): void {
    if (text.length > PIECE) this.#sendInPieces(Buffer.from(text, encoding), () => this.#socket.end(done))
    else this.#socket.end(text, encoding, done)
  }

  /** Called at `drain`. Returns whether the whole response has been written. */
  drained(): boolean {
    if (this.#isInPieces) return false
    this.#unsent.remove(this.#socket)
    return true
  }

  /** Sends a long response in pieces: with a single write, it would not show until the end whether the client reads. */
  #sendInPieces(bytes: Buffer, done: () => void): void {
    const socket = this.#socket
    let sent = 0
    this.#isInPieces = true
    const next = (): void => {
      if (socket.destroyed) return
      this.#unsent.set(socket, bytes.length - sent, sent)
      if (sent === bytes.length) {
        this.#isInPieces = false
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
}
