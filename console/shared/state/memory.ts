import type { Client, SearchTemplate } from '../../../src/client/index.ts'
import { createStore, type Store } from './store.ts'

interface ScrollPosition {
  readonly page: number
  readonly top: number
  readonly left: number
  readonly focused: string | null
}

interface Memory {
  readonly names: Store<ReadonlyMap<string, string>>
  /** Collections whose tables read the names of what they link to. */
  readonly naming: Set<string>
  /** By collection; undefined where its first page has been read, which brings the template along. */
  readonly templates: Map<string, SearchTemplate | undefined>
  /** The API's own page size, by collection. */
  readonly sizes: Map<string, string>
  /** By the entry of the browser's history. */
  readonly scrollPositions: Map<string, ScrollPosition>
}

/** Bounds the memory of the page on a long walk through a large collection. */
const MOST_NAMES = 10_000

const memories = new WeakMap<Client, Memory>()

/** Each client has its own: another user or another API begins with none. */
export function memoryOf(client: Client): Memory {
  const memory = memories.get(client) ?? {
    names: createStore<ReadonlyMap<string, string>>(new Map()),
    naming: new Set(),
    templates: new Map(),
    sizes: new Map(),
    scrollPositions: new Map(),
  }
  memories.set(client, memory)
  return memory
}

export function rememberNames(
  client: Client,
  named: readonly (readonly [iri: string, name: string | undefined])[],
): void {
  const { names } = memoryOf(client)
  const known = names.get()
  const news = named.filter(([iri, name]) => name !== undefined && known.get(iri) !== name)
  if (news.length === 0) return
  const next = new Map(known)
  for (const [iri, name = ''] of news) {
    // Deleted first, so that the latest come last and the oldest are forgotten first.
    next.delete(iri)
    next.set(iri, name)
  }
  for (const iri of next.keys()) {
    if (next.size <= MOST_NAMES) break
    next.delete(iri)
  }
  names.set(next)
}
