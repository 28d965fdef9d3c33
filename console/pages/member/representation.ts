import type { ClassDescription } from 'hydrant-client'
import { canRead } from '../../shared/connection/index.ts'
import { linkIn } from '../../shared/names.ts'
import { linksWithin, type ValuesByName } from '../../shared/values.ts'

/** The first few links, in the order in which they are shown. Each name needs a request. */
export function firstLinks(
  { data, iri: at }: { readonly data: ValuesByName; readonly iri: string },
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
  most: number,
): ReadonlySet<string> {
  const links = [...linksWithin(data, cls, classes)].flatMap(({ value, target }) =>
    canRead(target) ? (linkIn(value, at) ?? []) : [],
  )
  return new Set([...new Set(links)].slice(0, most))
}

/** The filtered table that an address stands for; undefined for the address of a member. */
export function tableAt<T extends { readonly iri: string }>(
  address: string,
  collections: readonly T[],
): { readonly collection: T; readonly query: string } | undefined {
  const [path = '', query] = address.split('?')
  const collection = query && collections.find(({ iri }) => iri === path)
  return collection ? { collection, query: String(new URLSearchParams(query)) } : undefined
}
