import { useEffect, useState } from 'preact/hooks'

/** A value that is being read. The one before stays until the new one has come, so that nothing jumps. */
export interface Loading<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly busy: boolean
  readonly reload: () => void
}

export function useLoading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loading<T> {
  const [reloads, setReloads] = useState(0)
  const [state, setState] = useState<Omit<Loading<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    busy: true,
  })
  useAbortableEffect(
    (signal) => {
      setState((before) => ({ ...before, busy: true }))
      read(signal).then(
        (value) => signal.aborted || setState({ value, error: undefined, busy: false }),
        (error: unknown) => signal.aborted || setState({ value: undefined, error, busy: false }),
      )
    },
    [reloads, ...inputs],
  )
  return { ...state, reload: () => setReloads((before) => before + 1) }
}

/** An effect whose signal is aborted when its inputs change and when it is no longer shown. */
export function useAbortableEffect(
  start: (signal: AbortSignal) => unknown,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    const controller = new AbortController()
    const end = start(controller.signal)
    return () => {
      if (typeof end === 'function') end()
      controller.abort()
    }
  }, inputs)
}

export async function forEachConcurrently<T>(
  items: readonly T[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  act: (item: T) => Promise<void>,
): Promise<void> {
  // All workers take from this one iterator.
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return
      await act(item)
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
}
