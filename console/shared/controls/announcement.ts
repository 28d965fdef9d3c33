import { createObservable } from '../state.ts'

/** A screen reader ignores announcements while it starts to read a new page. */
const DELAY_MS = 150
const SHOWN_MS = 10_000

export const announcement = createObservable('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows what was done ("Book 7 was deleted.") on the next page. Call it together with `go`. */
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
