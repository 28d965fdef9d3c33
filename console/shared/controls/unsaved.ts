import { createStore, type Store } from '../store.ts'

const holders = new Set<symbol>()
const store = createStore(false)

/** Whether something was typed somewhere that is not saved. */
export const unsaved: Pick<Store<boolean>, 'get' | 'watch'> = store

/** For who is about to take the page away, by a way that is no address: signing out, another API. */
export const hasUnsavedChanges = (): boolean => store.get()

/** There is something to lose, until the returned function is called. */
export function holdUnsaved(): () => void {
  const holder = Symbol()
  holders.add(holder)
  store.set(true)
  return () => {
    holders.delete(holder)
    store.set(holders.size > 0)
  }
}
