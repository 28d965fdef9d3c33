import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { labelOf, titleOf } from './names.ts'
import { type ValuesByName, valueIn } from './values.ts'

interface PropertyEntry {
  readonly name: string
  readonly label: string
  readonly property: PropertyDescription | undefined
  readonly value: unknown
}

/** In the order of the documentation; undescribed properties come last. */
export function entriesOf(data: ValuesByName, cls: ClassDescription | undefined): readonly PropertyEntry[] {
  const { properties: stored = [], reverseLinks = [], customOperations = [], history = '' } = cls ?? {}
  const properties = [...stored, ...reverseLinks]
  const known = new Set([history, ...[...properties, ...customOperations].map(({ name }) => name)])
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
