import type { SearchTemplate } from 'hydrant-client'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from './attempt.ts'

/** A value that components and other code can watch. */
export interface Observable<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls back after each change, until the returned function is called. */
  readonly watch: (see: (value: T) => void) => () => void
}

export function createObservable<T>(first: T): Observable<T> {
  let value = first
  const watchers = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next: T) {
      if (Object.is(value, next)) return
      value = next
      for (const see of [...watchers]) see(next)
    },
    watch(see: (value: T) => void) {
      watchers.add(see)
      return () => void watchers.delete(see)
    },
  }
}

export function useObservable<T>(observable: Pick<Observable<T>, 'get' | 'watch'>): T {
  const [value, setValue] = useState(observable.get())
  useEffect(() => {
    // The value may have changed since the first rendering.
    setValue(() => observable.get())
    return observable.watch((next) => setValue(() => next))
  }, [observable])
  return value
}

/** A value of the browser, read again after each event. */
export function useBrowser<T>(target: EventTarget, event: string, read: () => T): T {
  const [value, setValue] = useState(read)
  useAbortableEffect((signal) => target.addEventListener(event, () => setValue(read), { signal }), [])
  return value
}

/** A value that is being read. The previous one stays until the new one arrives, so that the page does not jump. */
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

/** Reads a value for each of `items`, three at a time. A failure leaves the others alone. */
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

/** An effect whose signal is aborted when its inputs change or its component is unmounted. */
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

/** What pages remember during one connection: another user or another API starts empty. */
export interface Memory {
  /** The names of members, by address. */
  readonly names: Observable<ReadonlyMap<string, string>>
  /** Collections whose tables show the names of linked members. */
  readonly naming: Set<string>
  /** Keyed by collection; undefined once its first page has been read, since the client then has the template. */
  readonly templates: Map<string, SearchTemplate | undefined>
  /** The API's default page size, by collection. */
  readonly sizes: Map<string, string>
  /** Keyed by the entry of the browser's history. */
  readonly scrollPositions: Map<string, ScrollPosition>
}

interface ScrollPosition {
  readonly page: number
  readonly top: number
  readonly left: number
  /** The address of the link that had the focus. */
  readonly focused: string | null
}

export const createMemory = (): Memory => ({
  names: createObservable<ReadonlyMap<string, string>>(new Map()),
  naming: new Set(),
  templates: new Map(),
  sizes: new Map(),
  scrollPositions: new Map(),
})

/** Bounds the memory that the page uses when someone pages through a large collection. */
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
    // Deleted first, so that the map is in order of use, and the oldest names are dropped first.
    next.delete(iri)
    next.set(iri, name)
  }
  for (const iri of next.keys()) {
    if (next.size <= MOST_NAMES) break
    next.delete(iri)
  }
  names.set(next)
}

/** The storage of the browser. Undefined if the browser does not allow the page to use it. */
export type BrowserMemory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Lasts until the tab is closed. */
export const tabMemory = (): BrowserMemory | undefined => attempt(() => sessionStorage)

/** Lasts after the browser is closed. */
export const lastingMemory = (): BrowserMemory | undefined => attempt(() => localStorage)

/** Reads a value that was kept as JSON. */
export const recall = (memory: BrowserMemory | undefined, key: string): unknown =>
  attempt(() => JSON.parse(memory?.getItem(key) ?? 'null'))

/** Undefined removes the value. If the storage is full, nothing is kept. */
export const keep = (memory: BrowserMemory | undefined, key: string, value: string | undefined): void =>
  attempt(() => (value === undefined ? memory?.removeItem(key) : memory?.setItem(key, value)))
