import type {
  ClassDescription,
  CollectionDescription,
  PropertyDescription,
} from '../../../src/client/index.ts'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { linkIn } from '../table/link-names.ts'

/** The address of what lies at a path below the API's base: the other way round of `pathBelow`. */
export const addressOf = (base: string, path: string): string => `${base}/${path}`

/** Where a member is kept; undefined for what is in no collection. */
export function collectionHolding(
  collections: readonly CollectionDescription[],
  iri: string,
  cls?: ClassDescription | undefined,
): CollectionDescription | undefined {
  return (
    collections.find((one) => iri.startsWith(`${one.iri.replace(/\/$/, '')}/`)) ??
    collections.find(({ memberClass }) => cls && memberClass?.iri === cls.iri)
  )
}

type Values = Readonly<Record<string, unknown>>

/** A property of a representation: what is described of it, if anything, and its value. */
export interface Entry {
  readonly name: string
  readonly label: string
  readonly property: PropertyDescription | undefined
  readonly value: unknown
}

/** In the order of the documentation; what it says nothing of comes last. */
export function entriesOf(data: Values, cls: ClassDescription | undefined): readonly Entry[] {
  const described = (cls?.properties ?? []).filter(({ readable }) => readable)
  const known = new Set((cls?.properties ?? []).map(({ name }) => name))
  const others = Object.keys(data).filter((name) => !name.startsWith('@') && !known.has(name))
  return [
    ...described.map((property) => entryOf(property.name, property, data)),
    ...others.map((name) => entryOf(name, undefined, data)),
  ]
}

const entryOf = (name: string, property: PropertyDescription | undefined, data: Values): Entry => ({
  name,
  label: capitalised(inWords(name)),
  property,
  // A property may be called as something that every object has.
  value: Object.hasOwn(data, name) ? data[name] : undefined,
})

/** An empty list is no value (hypermedia.md). */
export const isEmpty = ({ value }: Entry): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** The first few links in the order in which they are shown: asking for a name takes a request. */
export function firstLinks(
  data: Values,
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
  at: string,
  most: number,
): ReadonlySet<string> {
  const found = new Set<string>()
  const collect = (values: Values, described: ClassDescription | undefined): void => {
    for (const { property, value } of entriesOf(values, described)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        const link = property?.isLink ? linkIn(one, at) : undefined
        const embedded = classes.find(({ iri }) => iri === property?.range)
        if (link && found.size < most) found.add(link)
        if (!property?.isLink && embedded && typeof one === 'object' && one) collect(one as Values, embedded)
      }
    }
  }
  collect(data, cls)
  return found
}

/** A sentence in parts: addresses stand alone. What ends a sentence or a list is no part of them. */
export const splitAddresses = (text: string): readonly string[] =>
  text.split(/(https?:\/\/[^\s,;"'<>)]*[^\s,;"'<>).])/).filter(Boolean)
