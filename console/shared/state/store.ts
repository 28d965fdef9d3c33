import { useEffect, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(value: T): void
  watch(see: (value: T) => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const watching = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const see of [...watching]) see(next)
    },
    watch(see) {
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
