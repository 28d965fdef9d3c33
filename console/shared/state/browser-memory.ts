/** What the browser keeps for this page. It may refuse a page its storage: then there is none. */
export type BrowserMemory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Until the tab is closed. */
export const tabMemory = (): BrowserMemory | undefined => opened(() => sessionStorage)

/** For good. */
export const lastingMemory = (): BrowserMemory | undefined => opened(() => localStorage)

function opened(find: () => Storage): BrowserMemory | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}

/** Undefined removes what was kept. */
export function keep(memory: BrowserMemory | undefined, key: string, value: string | undefined): void {
  try {
    if (value === undefined) memory?.removeItem(key)
    else memory?.setItem(key, value)
  } catch {
    // The storage is full: the next page begins without it.
  }
}
