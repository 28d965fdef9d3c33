import { createStore, type Store } from '../state/index.ts'

const holders = new Set<symbol>()
const store = createStore(false)

export const unsaved: Pick<Store<boolean>, 'get' | 'watch'> = store

export const hasUnsavedChanges = (): boolean => store.get()

/** There are unsaved changes until the returned function is called. */
export function holdUnsaved(): () => void {
  const holder = Symbol()
  holders.add(holder)
  store.set(true)
  return () => {
    holders.delete(holder)
    store.set(holders.size > 0)
  }
}
