import { useEffect, useRef, useState } from 'preact/hooks'
import type { Collection } from '../../../src/client/index.ts'

export interface Counting {
  readonly total: number | undefined
  /** The address of the last page, which comes with the count. */
  readonly last: string | undefined
  readonly busy: boolean
  readonly error: unknown
  readonly count: () => void
}

interface Result extends Pick<Counting, 'total' | 'last' | 'busy' | 'error'> {
  readonly of: string
}

export function useCount(collection: Collection, address: string, of: string): Counting {
  const [result, setResult] = useState<Result>()
  const running = useRef<AbortController>(undefined)
  const giveUp = (): void => {
    running.current?.abort()
    setResult((before) => (before?.busy ? undefined : before))
  }
  useEffect(() => giveUp, [of])

  async function count(): Promise<void> {
    const controller = new AbortController()
    running.current?.abort()
    running.current = controller
    const { signal } = controller
    const nothing = { of, total: undefined, last: undefined, error: undefined, busy: false }
    setResult({ ...nothing, busy: true })
    try {
      const { totalItems, last } = await collection.page(address, { signal, exactCount: true })
      const error = totalItems === undefined ? new Error('The API does not count.') : undefined
      if (!signal.aborted) setResult({ ...nothing, total: totalItems, last, error })
    } catch (error) {
      if (!signal.aborted) setResult({ ...nothing, error })
    }
  }

  const mine = result?.of === of ? result : undefined
  return {
    total: mine?.total,
    last: mine?.last,
    busy: mine?.busy ?? false,
    error: mine?.error,
    count: () => void count(),
  }
}
