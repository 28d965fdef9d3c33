/** A page as it was last represented, and the state of its class that it shows. */
export interface RememberedPage {
  readonly state: number
  readonly etag: string
  readonly body: string
}

const PAGES = 64
const LONGEST = 64 * 1024

/**
 * The latest pages of a collection that were asked for twice in one state: whoever walks through all of them asks
 * once, and text that is kept for nobody costs the garbage collector more than making it. Exact: a page is found only
 * in the state that it shows.
 */
export function createPageMemory() {
  const pages = new Map<string, RememberedPage>()
  const askedOnce = new Map<string, number>()
  return {
    find(key: string, state: number | undefined): RememberedPage | undefined {
      const page = pages.get(key)
      return page?.state === state ? page : undefined
    },
    /** A state of undefined cannot be recognised later: such a page is not kept. */
    remember(key: string, state: number | undefined, etag: string, body: string): void {
      if (state === undefined || body.length > LONGEST) return
      if (askedOnce.get(key) !== state) put(askedOnce, key, state)
      else put(pages, key, { state, etag, body })
    },
  }
}

/** At the end of the line, at whose front the next one to be forgotten stands. */
function put<T>(line: Map<string, T>, key: string, value: T): void {
  line.delete(key)
  if (line.size >= PAGES) line.delete(line.keys().next().value as string)
  line.set(key, value)
}
