import type { Client } from '../../../src/client/index.ts'
import { createStore, type Store } from '../store.ts'

/** Where in a table one was. */
export interface Spot {
  /** Of the page. */
  readonly down: number
  /** Of the table within it. */
  readonly top: number
  readonly left: number
  /** Of the link that had the focus. */
  readonly href: string | null
}

/** What the page remembers of an API while one is connected to it. */
export interface Memory {
  /** What members are called, by their addresses. */
  readonly names: Store<ReadonlyMap<string, string>>
  /** Collections whose tables ask for the names of what they link to. */
  readonly naming: Set<string>
  /** Columns that nobody wants to see, by collection. */
  readonly hidden: Map<string, ReadonlySet<string>>
  /** How many rows a page has that nobody asked for, by collection. */
  readonly sizes: Map<string, string>
  /** Where in a table one was, by the entry of the history. */
  readonly spots: Map<string, Spot>
}

/** A long walk through a large collection must not fill the page's memory. */
const MOST_NAMES = 10_000

const memories = new WeakMap<Client, Memory>()

/** Kept by the client: who signs in as another user, or opens another API, has another one. */
export function memoryOf(client: Client): Memory {
  const memory = memories.get(client) ?? {
    names: createStore<ReadonlyMap<string, string>>(new Map()),
    naming: new Set(),
    hidden: new Map(),
    sizes: new Map(),
    spots: new Map(),
  }
  memories.set(client, memory)
  return memory
}

/** Whatever was read brings names along, which nobody has to ask for again. */
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
    // The latest come last: the first are forgotten first.
    next.delete(iri)
    next.set(iri, name)
  }
  for (const iri of next.keys()) {
    if (next.size <= MOST_NAMES) break
    next.delete(iri)
  }
  names.set(next)
}
