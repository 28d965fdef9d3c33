import type { Class } from '../../vocabulary/index.ts'

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
