import { BoundedMap } from '../bounded-map.ts'
import type { MemberStore } from '../members/index.ts'
import type { RepresentedPage } from './output/page.ts'

/** Undefined if the store does not know the state of one of the classes. */
export function stateOf(store: MemberStore, classes: readonly string[]): string | undefined {
  let states = ''
  for (const name of classes) {
    const state = store.state(name)
    if (state === undefined) return undefined
    states += `${state} `
  }
  return states
}

interface CachedPage extends RepresentedPage {
  /** The classes whose members the page shows, and their state. */
  readonly classes: readonly string[]
  readonly state: string | undefined
}

const MAX_CACHED = 64
const LONGEST_CACHED = 64 * 1024

/**
 * Pages, each valid for one state of its classes. A page is cached at its second request in one state: a client that
 * walks through all pages requests each once, and caching those costs more than making them.
 */
export function createPageCache(store: MemberStore) {
  const pages = new BoundedMap<string, CachedPage>(MAX_CACHED)
  const requestedOnce = new BoundedMap<string, string>(MAX_CACHED)
  return {
    find(key: string): RepresentedPage | undefined {
      const page = pages.get(key)
      return page !== undefined && stateOf(store, page.classes) === page.state ? page : undefined
    },
    /** A page whose state is unknown is not cached. */
    add(key: string, page: CachedPage): void {
      const { state, body } = page
      if (state === undefined || body.length > LONGEST_CACHED) return
      if (requestedOnce.get(key) !== state) requestedOnce.set(key, state)
      else pages.set(key, page)
    },
  }
}
