import type { ServerResponse } from 'node:http'

/** Responses that their clients have yet to read, by their bytes. */
export type Unsent = (outgoing: ServerResponse, bytes: number) => void

/**
 * Keeps what slow readers leave lying below `most` bytes in all: beyond that, whoever has been reading longest is cut
 * off. Each is alone entitled to a whole page; a crowd of them would take all memory before the idle ones are reaped.
 */
export function createUnsent(most: number): Unsent {
  /** The oldest first. */
  const lying = new Map<ServerResponse, number>()
  let total = 0

  function forget(outgoing: ServerResponse): void {
    total -= lying.get(outgoing) ?? 0
    lying.delete(outgoing)
  }

  return (outgoing, bytes) => {
    total += bytes
    lying.set(outgoing, bytes)
    outgoing.once('close', () => forget(outgoing))
    for (const oldest of lying.keys()) {
      if (total <= most || oldest === outgoing) break
      forget(oldest)
      oldest.socket?.destroy()
    }
  }
}
