import { createStore } from '../state.ts'

/** A screen reader drops what is said while it begins with a new page. */
const DELAY_MS = 150
const SHOWN_MS = 10_000

export const announcement = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Says what has been done ("Book 7 was deleted.") on the next page: call it beside `go`. */
export function announce(sentence: string): void {
  silence()
  timer = setTimeout(() => {
    announcement.set(sentence)
    timer = setTimeout(silence, SHOWN_MS)
  }, DELAY_MS)
}

export function silence(): void {
  clearTimeout(timer)
  announcement.set('')
}
