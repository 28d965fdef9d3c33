import { useState } from 'preact/hooks'
import { type Loading, useLoading } from './state.ts'

const AT_ONCE = 20

/** One more than is shown at once, so that it is known whether there are more. */
export const REQUESTED = AT_ONCE + 1

interface GradualBatch<T> {
  readonly source: AsyncGenerator<T, void>
  readonly items: readonly T[]
  /** The first of those that are not shown yet. */
  readonly next: T | undefined
}

/** A long list, of which the user has asked for some. */
export interface Gradual<T> extends Pick<Loading<readonly T[]>, 'error' | 'busy' | 'reload'> {
  /** Undefined until the first ones are read. */
  readonly items: readonly T[] | undefined
  readonly isReadingMore: boolean
  /** Undefined if there are no more. */
  readonly more: (() => Promise<void>) | undefined
}

/** Reads the first items of a list, and further ones when the user asks for them. */
export function useGradual<T>(
  open: (signal: AbortSignal) => AsyncGenerator<T, void>,
  inputs: readonly unknown[],
): Gradual<T> {
  const first = useLoading(
    (signal) => readOn<T>({ source: open(signal), items: [], next: undefined }),
    inputs,
  )
  const [later, setLater] = useState<{
    readonly batch: GradualBatch<T>
    readonly busy: boolean
    readonly error?: unknown
  }>()
  // What was read after the first ones belongs to the list of then.
  const current = later?.batch.source === first.value?.source ? later : undefined
  const batch = current?.batch ?? first.value
  const more = async (read: GradualBatch<T>) => {
    setLater({ batch: read, busy: true })
    try {
      setLater({ batch: await readOn(read), busy: false })
    } catch (error) {
      // A generator that has failed has ended.
      setLater({ batch: { ...read, next: undefined }, busy: false, error })
    }
  }
  return {
    items: batch?.items,
    busy: first.busy,
    error: first.error ?? current?.error,
    reload: first.reload,
    isReadingMore: current?.busy ?? false,
    more: batch?.next === undefined ? undefined : () => more(batch),
  }
}

async function readOn<T>({ source, items, next }: GradualBatch<T>): Promise<GradualBatch<T>> {
  const added: T[] = next === undefined ? [] : [next]
  while (added.length <= AT_ONCE) {
    const { value, done } = await source.next()
    if (done) return { source, items: [...items, ...added], next: undefined }
    added.push(value)
  }
  return { source, items: [...items, ...added.slice(0, AT_ONCE)], next: added[AT_ONCE] }
}
