import { createStore, type Store } from '../store.ts'

/** A screen reader drops what is said while it begins with a new page; and a region has to be there before its text. */
const BEGIN_MS = 150
const SHOWN_MS = 10_000

const said = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

/** What is being said; empty for nothing. */
export const announcement: Pick<Store<string>, 'get' | 'watch'> = said

/**
 * Says what has been done ("Book 7 was deleted.") on the page that one is led to afterwards, since the page that did it
 * is gone by then: call it beside `go`. It is seen at the foot of the window, and read out.
 */
export function announce(sentence: string): void {
  silence()
  later(() => {
    said.set(sentence)
    later(silence, SHOWN_MS)
  }, BEGIN_MS)
}

/** Nothing is said any more, nor what was about to be. */
export function silence(): void {
  clearTimeout(timer)
  said.set('')
}

function later(act: () => void, ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(act, ms)
}
