import type { SearchTemplate } from 'hydrant-client'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from './attempt.ts'

export type Store<T> = ReturnType<typeof createStore<T>>

export function createStore<T>(first: T) {
  let value = first
  const watching = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next: T) {
      if (Object.is(value, next)) return
      value = next
      for (const see of [...watching]) see(next)
    },
    watch(see: (value: T) => void) {
      watching.add(see)
      return () => watching.delete(see)
    },
  }
}

export function useStore<T>(store: Pick<Store<T>, 'get' | 'watch'>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    // The value may have changed since the first rendering.
    setValue(() => store.get())
    return store.watch((next) => setValue(() => next))
  }, [store])
  return value
}

/** What the browser knows, read anew at each event. */
export function useBrowser<T>(target: EventTarget, event: string, read: () => T): T {
  const [value, setValue] = useState(read)
  useAbortableEffect((signal) => target.addEventListener(event, () => setValue(read), { signal }), [])
  return value
}

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
  const [state, setState] = useState<Omit<Loading<T>, 'reload'>>(WAITING)
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

const WAITING = { value: undefined, error: undefined, busy: true, reload() {} }

/** Reads a value for each of `items`, three at a time. One that fails does not take the others with it. */
export function useLoadingEach<T extends object, V>(
  items: readonly T[],
  read: (item: T, signal: AbortSignal) => Promise<V>,
): readonly (T & Loading<V>)[] {
  const [states, setStates] = useState<readonly Loading<V>[]>([])
  useAbortableEffect(
    (signal) => {
      const load = async (index: number): Promise<void> => {
        const change = (changes: Partial<Loading<V>>) =>
          signal.aborted ||
          setStates((before) => before.map((one, at) => (at === index ? { ...one, ...changes } : one)))
        change({ busy: true, error: undefined })
        try {
          change({ busy: false, value: await read(items[index] as T, signal) })
        } catch (error) {
          change({ busy: false, error })
        }
      }
      setStates(items.map((_, index) => ({ ...WAITING, reload: () => load(index) })))
      forEachConcurrently([...items.keys()], { limit: 3, signal }, load)
    },
    [items],
  )
  return items.map((item, index) => ({ ...item, ...(states[index] ?? WAITING) }))
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

/** What the pages remember of one connection: another user or another API begins with nothing. */
export const createMemory = () => ({
  names: createStore<ReadonlyMap<string, string>>(new Map()),
  /** Collections whose tables read the names of what they link to. */
  naming: new Set<string>(),
  /** By collection; undefined where its first page has been read, which brings the template along. */
  templates: new Map<string, SearchTemplate | undefined>(),
  /** The API's own page size, by collection. */
  sizes: new Map<string, string>(),
  /** By the entry of the browser's history. */
  scrollPositions: new Map<string, { page: number; top: number; left: number; focused: string | null }>(),
})

export type Memory = ReturnType<typeof createMemory>

/** Bounds the memory of the page on a long walk through a large collection. */
const MOST_NAMES = 10_000

export function rememberNames(
  { names }: Pick<Memory, 'names'>,
  named: readonly (readonly [iri: string, name: string | undefined])[],
): void {
  const known = names.get()
  const news = named.filter(([iri, name]) => name !== undefined && known.get(iri) !== name)
  if (news.length === 0) return
  const next = new Map(known)
  for (const [iri, name = ''] of news) {
    // Deleted first, so that the latest come last and the oldest are forgotten first.
    next.delete(iri)
    next.set(iri, name)
  }
  for (const iri of next.keys()) {
    if (next.size <= MOST_NAMES) break
    next.delete(iri)
  }
  names.set(next)
}

/** What the browser keeps for this page. It may refuse a page its storage: then there is none. */
export type BrowserMemory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Until the tab is closed. */
export const tabMemory = (): BrowserMemory | undefined => attempt(() => sessionStorage)

/** For good. */
export const lastingMemory = (): BrowserMemory | undefined => attempt(() => localStorage)

/** What was kept as JSON. */
export const recall = (memory: BrowserMemory | undefined, key: string): unknown =>
  attempt(() => JSON.parse(memory?.getItem(key) ?? 'null'))

/** Undefined removes what was kept. Where the storage is full, the next page begins without it. */
export const keep = (memory: BrowserMemory | undefined, key: string, value: string | undefined): void =>
  attempt(() => (value === undefined ? memory?.removeItem(key) : memory?.setItem(key, value)))
