import { type Class, isFilterable, keylessKind, type Property } from '../../vocabulary/index.ts'

/** A link from the other side, as a property of the class that it links to (asking.md). */
export interface ReverseLink {
  readonly name: string
  /** The class that links, and its collection. */
  readonly className: string
  readonly collection: string
  /** The link. */
  readonly property: string
}

export const reverseLinksOf = (cls: Class & { readonly reverseLinks?: readonly ReverseLink[] }) =>
  cls.reverseLinks ?? []

/** The properties within embedded values that have filters, named by their paths. */
export const filteredWithin = ({ properties }: Class): readonly Property[] =>
  properties.flatMap((property) => within(property, 3))

const hasKeys = (property: Property): boolean => isFilterable(property) && keylessKind(property) === undefined

function within({ name: outer, range, many }: Property, deeper: number): readonly Property[] {
  if (range.kind !== 'embedded' || deeper === 0) return []
  return range.cls.properties
    .flatMap((one) => (hasKeys(one) ? one : within(one, deeper - 1)))
    .map((one) => ({
      ...one,
      name: `${outer}.${one.name}`,
      many: many || one.many,
      unique: false,
      filterable: true,
    }))
}
