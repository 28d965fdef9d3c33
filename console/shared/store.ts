import { useEffect, useState } from 'preact/hooks'

/** A value that others look at while it changes. */
export interface Store<T> {
  get(): T
  set(value: T): void
  /** Told of each new value until the returned function is called. */
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

/** The value, now and whenever it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'watch'>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    // It may have changed between the first look and this one.
    setValue(() => store.get())
    return store.watch((next) => setValue(() => next))
  }, [store])
  return value
}
