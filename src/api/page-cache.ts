import { BoundedMap } from '../bounded-map.ts'
import type { Awaitable } from '../database/index.ts'
import type { MemberStore } from '../members/index.ts'
import type { RepresentedPage } from './output/page.ts'

type StateStore = Pick<MemberStore, 'state'>

/** Undefined if the store does not know the state of one of the classes. */
function stateOf(store: StateStore, classes: readonly string[]): Awaitable<string | undefined> {
  // Asked for all at once, so that PostgreSQL is asked once.
  const states: unknown[] = []
  try {
    for (const name of classes) {
      const state = store.state(name)
      if (state === undefined) return abandon(states)
      states.push(state)
    }
  } catch (error) {
    abandon(states)
    throw error
  }
  return states.some((state) => state instanceof Promise) ? Promise.all(states).then(joined) : joined(states)
}

/** Nobody waits for these any more: one that is rejected must not end the process. */
function abandon(states: readonly unknown[]): undefined {
  for (const state of states) if (state instanceof Promise) state.catch(() => {})
}

const joined = (states: readonly unknown[]): string | undefined =>
  states.includes(undefined) ? undefined : states.join(' ')

interface CachedPage extends RepresentedPage {
  /** The classes whose members the page shows, and their state. */
  readonly classes: readonly string[]
  readonly state: string | undefined
}

/** The page, if it is still exact; otherwise the present state, where the cache has found it out. */
export interface PageLookup {
  readonly page?: RepresentedPage
  readonly state?: string | undefined
}

const MAX_CACHED = 64
const LONGEST_CACHED = 64 * 1024
const UNKNOWN: PageLookup = {}

/**
 * Pages, each valid for one state of its classes, at the server that it was read from (`store`), which is part of its key.
 * A page is cached at its second request: a client that walks through all pages requests each once, and caching those
 * costs more than making them.
 */
export function createPageCache() {
  const pages = new BoundedMap<string, CachedPage>(MAX_CACHED)
  const requested = new BoundedMap<string, true>(MAX_CACHED)
  return {
    find(key: string, store: StateStore): Awaitable<PageLookup> {
      const page = pages.get(key)
      if (page === undefined) return UNKNOWN
      const state = stateOf(store, page.classes)
      const compared = (found: string | undefined) => (found === page.state ? { page } : { state: found })
      return state instanceof Promise ? state.then(compared) : compared(state)
    },
    /** The state in which a page is to be cached, read before the page: what is written in between belongs to a later one. */
    stateFor(
      key: string,
      store: StateStore,
      classes: readonly string[],
      { state }: PageLookup,
    ): Awaitable<string | undefined> {
      if (state !== undefined) return state
      if (requested.has(key)) return stateOf(store, classes)
      requested.set(key, true)
      return undefined
    },
    /** A page whose state is unknown is not cached. */
    add(key: string, page: CachedPage): void {
      if (page.state !== undefined && page.body.length <= LONGEST_CACHED) pages.set(key, page)
    },
  }
}
