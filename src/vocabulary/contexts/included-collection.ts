import { type Context, termsOf } from '../json-ld.ts'
import { HYDRA, RDF } from '../names.ts'

const word = (name: string, rest: Context = {}): Context => ({ '@id': HYDRA + name, ...rest })

// By whole IRIs: the terms of the member around it are in scope too, and one of them may be called `hydra`.
const VIEW: Context = {
  PartialCollectionView: word('PartialCollectionView'),
  ...termsOf('first last next previous', (name) => word(name, { '@type': '@id' })),
}
const ASSERTION: Context = {
  rdf: RDF,
  ...termsOf('property object', (name) => word(name, { '@type': '@vocab' })),
}

/** A collection that stands in place of a link from the other side (asking.md). */
interface IncludedCollection {
  /** The name of the collection's class, and its IRI. */
  readonly name: string
  readonly iri: string
  /** The context of its members. */
  readonly members: Context
}

/**
 * The terms of an included collection, scoped to the link (`scope`). They are added to those of the member that has the
 * link, because an address that is not replaced is read by the term of the link. A term with the name of the link is scoped
 * to the type instead, as in `memberContext`.
 */
export function includedCollectionContext(
  { name, iri, members }: IncludedCollection,
  scope: string,
): Context {
  const all: Context = {
    Collection: word('Collection'),
    totalItems: word('totalItems'),
    member: word('member', { '@type': '@id', '@context': [null, members] }),
    view: word('view', { '@type': '@id', '@context': VIEW }),
    memberAssertion: word('memberAssertion', { '@context': ASSERTION }),
  }
  const { [scope]: taken, ...terms } = all
  if (name === scope) return terms
  return { ...terms, [name]: { '@id': iri, ...(taken !== undefined && { '@context': { [scope]: taken } }) } }
}

/** The types of an included collection: an IRI where the link has the name of the type. */
export const includedCollectionTypes = (
  { name, iri }: Omit<IncludedCollection, 'members'>,
  scope: string,
): string[] => [scope === 'Collection' ? `${HYDRA}Collection` : 'Collection', scope === name ? iri : name]
