import type { DocumentClasses, Supported } from './classes.ts'
import type { ApiDocument } from './graph.ts'
import { followToCollection } from './ranges.ts'

/** A property that goes back along a link of another class, and whether the document has that link. */
interface DocumentReverse {
  readonly linkIri: string
  readonly hasLink: boolean
}

/** The links from the other side (asking.md) that a document describes. */
export interface DocumentReverses {
  /** Undefined for any other property. */
  find(supported: Supported): DocumentReverse | undefined
  /** The name that a link has on the other side; undefined if it has none. */
  nameOf(link: Supported): string | undefined
}

export function findReverses(classes: DocumentClasses, { ownTerms }: ApiDocument): DocumentReverses {
  const term = ownTerms.get('reverseOf')
  const reverses = new Map<Supported, DocumentReverse>()
  const names = new Map<Supported, string>()
  for (const target of term === undefined ? [] : classes.memberClasses)
    for (const supported of target.supported) {
      const [linkIri] = supported.node.iris(term ?? '')
      if (linkIri === undefined) continue
      const owner = followToCollection(supported.property, supported.called, classes)?.memberClass
      const found = owner?.supported.find(
        ({ property }) =>
          property.id === linkIri && property.iris('rdfs:range').some((iri) => classes.find(iri) === target),
      )
      reverses.set(supported, { linkIri, hasLink: found !== undefined })
      if (found !== undefined) names.set(found, supported.called)
    }
  return { find: (supported) => reverses.get(supported), nameOf: (link) => names.get(link) }
}
