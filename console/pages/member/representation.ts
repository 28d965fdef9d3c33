import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { canRead } from '../../shared/connection/index.ts'
import { labelOf, linkIn, titleOf } from '../../shared/names.ts'
import { linksWithin, type ValuesByName, valueIn } from '../../shared/values.ts'

interface PropertyEntry {
  readonly name: string
  readonly label: string
  readonly property: PropertyDescription | undefined
  readonly value: unknown
}

/** In the order of the documentation; undescribed properties come last. */
export function entriesOf(data: ValuesByName, cls: ClassDescription | undefined): readonly PropertyEntry[] {
  const { properties: stored = [], reverseLinks = [], customOperations = [] } = cls ?? {}
  const properties = [...stored, ...reverseLinks]
  const known = new Set([...properties, ...customOperations].map(({ name }) => name))
  const others = Object.keys(data).filter((name) => !known.has(name) && !NO_PROPERTY.test(name))
  return [
    ...properties
      .filter(({ readable }) => readable)
      .map((property) => ({ name: property.name, label: labelOf(property), property })),
    ...others.map((name) => ({ name, label: titleOf(name), property: undefined })),
  ].map((entry) => ({ ...entry, value: valueIn(data, entry.name) }))
}

/** Keywords of JSON-LD, and the operations of the member, which are shown as buttons. */
const NO_PROPERTY = /^@|^(http:\/\/www\.w3\.org\/ns\/hydra\/core#|hydra:)?operation$/

/** An empty list counts as no value (hypermedia.md). */
export const isEmpty = ({ value }: PropertyEntry): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)

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
