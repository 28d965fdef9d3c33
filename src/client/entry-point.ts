import type { Representation } from './api-types.ts'
import type { Node } from './terms.ts'

/** Where everything begins. */
export interface EntryPoint {
  readonly iri: string
  /** Addresses by name: collections, single resources, the session. */
  readonly links: Readonly<Record<string, string>>
  /** The address of the documentation. */
  readonly documentation: string
  readonly data: Representation
}

export function readEntryPoint({ data, headers, id, one }: Node, base: string): EntryPoint {
  const links = Object.entries(data).flatMap(([key, value]) => {
    const link = one(key)?.id
    // A list is the one of all collections.
    return link && key[0] !== '@' && !Array.isArray(value) ? [[key, link]] : []
  })
  const named = headers?.get('link')?.match(/<([^<>]+)>[^<]*core#apiDoc/)?.[1]
  return {
    iri: id as string,
    links: Object.fromEntries(links),
    documentation: new URL(named ?? 'vocab', `${base}/`).href,
    data: data as Representation,
  }
}
