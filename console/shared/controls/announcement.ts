import { createStore, type Store } from '../state.ts'

/** A screen reader drops what is said while it begins with a new page. */
const DELAY_MS = 150
const SHOWN_MS = 10_000

const said = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

export const announcement: Pick<Store<string>, 'get' | 'watch'> = said

/** Says what has been done ("Book 7 was deleted.") on the next page: call it beside `go`. */
export function announce(sentence: string): void {
  silence()
  timer = setTimeout(() => {
    said.set(sentence)
    timer = setTimeout(silence, SHOWN_MS)
  }, DELAY_MS)
}

export function silence(): void {
  clearTimeout(timer)
  said.set('')
}
