/** A page as it was last represented, and the state of its class that it shows. */
export interface CachedPage {
  readonly state: number
  readonly etag: string
  readonly body: string
}

const PAGES = 64
const LONGEST = 64 * 1024

/**
 * The latest pages of a collection that were asked for twice in one state: a client that walks through all of them asks
 * once for each, and keeping text that is never sent again costs the garbage collector more than making it. Exact: a
 * page is found only in the state that it shows.
 */
export function createPageCache() {
  const pages = new Map<string, CachedPage>()
  const askedOnce = new Map<string, number>()
  return {
    find(key: string, state: number | undefined): CachedPage | undefined {
      const page = pages.get(key)
      return page?.state === state ? page : undefined
    },
    /** A state of undefined cannot be recognised later: such a page is not kept. */
    add(
      key: string,
      state: number | undefined,
      page: { readonly etag: string; readonly body: string },
    ): void {
      if (state === undefined || page.body.length > LONGEST) return
      if (askedOnce.get(key) !== state) put(askedOnce, key, state)
      else put(pages, key, { state, ...page })
    },
  }
}

/** A Map keeps the order of insertion: the first key is the one that was put longest ago. */
function put<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key)
  if (entries.size >= PAGES) entries.delete(entries.keys().next().value as string)
  entries.set(key, value)
}
