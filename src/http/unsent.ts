/** A connection that may be cut off. */
interface Cuttable {
  destroy(): void
}

/**
 * Keeps unread responses below `most` bytes in all; beyond that, the client that has been reading longest is cut off.
 * Each client is entitled to a whole page, but many slow ones would take all memory before the idle ones are reaped.
 */
export interface UnsentLimit {
  /** Instead of what it had unread before. */
  add(connection: Cuttable, bytes: number): void
  remove(connection: Cuttable): void
}

/** Shorter ones are with the operating system at once, as good as always. */
const SHORT = 64 * 1024

export function createUnsentLimit(most: number): UnsentLimit {
  /** The oldest first. */
  const unsent = new Map<Cuttable, number>()
  let total = 0

  function remove(connection: Cuttable): void {
    total -= unsent.get(connection) ?? 0
    unsent.delete(connection)
  }

  return {
    remove,
    add(connection, bytes) {
      remove(connection)
      if (bytes <= SHORT) return
      total += bytes
      unsent.set(connection, bytes)
      for (const oldest of unsent.keys()) {
        if (total <= most || oldest === connection) break
        remove(oldest)
        oldest.destroy()
      }
    },
  }
}
