/** Does one thing after the other, but a few at once; begins nothing more once it is given up. */
export async function inTurns<T>(
  things: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  act: (thing: T) => Promise<void>,
): Promise<void> {
  const waiting = things.values()
  const worker = async (): Promise<void> => {
    // All of them take from the same queue.
    for (const thing of waiting) {
      if (signal.aborted) return
      await act(thing)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
