/** A page as it was last represented, and the state of its class that it shows. */
export interface RememberedPage {
  readonly state: number
  readonly etag: string
  readonly body: string
}

const PAGES = 64
const LONGEST = 256 * 1024

/** The latest pages of a collection that were asked for. Exact: a page is found only in the state that it shows. */
export function createPageMemory() {
  const pages = new Map<string, RememberedPage>()
  return {
    find(key: string, state: number | undefined): RememberedPage | undefined {
      const page = pages.get(key)
      return page?.state === state ? page : undefined
    },
    /** A state of undefined cannot be recognised later: such a page is not kept. */
    remember(key: string, state: number | undefined, etag: string, body: string): void {
      if (state === undefined || body.length > LONGEST) return
      // To the end of the line, at whose front the next one to be forgotten stands.
      pages.delete(key)
      if (pages.size >= PAGES) pages.delete(pages.keys().next().value as string)
      pages.set(key, { state, etag, body })
    },
  }
}
