import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { canRead } from '../../shared/connection/index.ts'
import { labelOf, linkIn, titleOf } from '../../shared/names.ts'
import { linksWithin, type Values, valueIn } from '../../shared/values.ts'

interface Entry {
  readonly name: string
  readonly label: string
  readonly property: PropertyDescription | undefined
  readonly value: unknown
}

/** In the order of the documentation; undescribed properties come last. */
export function entriesOf(data: Values, cls: ClassDescription | undefined): readonly Entry[] {
  const { properties = [], customOperations = [] } = cls ?? {}
  const known = new Set([...properties, ...customOperations].map(({ name }) => name))
  const others = Object.keys(data).filter((name) => !known.has(name) && !NO_PROPERTY.test(name))
  return [
    ...properties
      .filter(({ readable }) => readable)
      .map((property) => ({ name: property.name, label: labelOf(property), property })),
    ...others.map((name) => ({ name, label: titleOf(name), property: undefined })),
  ].map((entry) => ({ ...entry, value: valueIn(data, entry.name) }))
}

/** A keyword of JSON-LD, or what can be done with the member, which is shown by buttons. */
const NO_PROPERTY = /^@|^(http:\/\/www\.w3\.org\/ns\/hydra\/core#|hydra:)?operation$/

/** An empty list is no value (hypermedia.md). */
export const isEmpty = ({ value }: Entry): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)

/** The first few links in the order in which they are shown: reading a name takes a request. */
export function firstLinks(
  { data, iri: at }: { readonly data: Values; readonly iri: string },
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
  most: number,
): ReadonlySet<string> {
  const links = [...linksWithin(data, cls, classes)].flatMap(({ value, target }) =>
    canRead(target) ? (linkIn(value, at) ?? []) : [],
  )
  return new Set([...new Set(links)].slice(0, most))
}

/** A sentence in parts: addresses stand alone, without the punctuation that follows them. */
export const splitAddresses = (text: string): readonly string[] =>
  text.split(/(https?:\/\/[^\s,;"'<>)]*[^\s,;"'<>).])/).filter(Boolean)
