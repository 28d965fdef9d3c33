import { AS, RDFS } from '../vocabulary/index.ts'
import type { DocumentNode, Graph } from '../vocabulary/long-form/graph.ts'
import type { VisitedResource } from './resource.ts'

/** Whether two addresses are of one server. */
export function sameOrigin(one: string, other: string): boolean {
  const url = URL.parse(one)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === URL.parse(other)?.origin
}

/** Addresses that differ only in their last slash are one resource to most servers. */
export const isSameAddress = (one: string, other: string): boolean => trimmed(one) === trimmed(other)

const trimmed = (address: string): string => (address.endsWith('/') ? address.slice(0, -1) : address)

/** The described node with an address, or else the first described one. */
export function entryPointNode(graph: Graph, url: string): DocumentNode | undefined {
  const nodes = [...graph.values()].filter(isDescribed)
  return nodes.find(({ id }) => isSameAddress(id, url)) ?? nodes[0]
}

/** Whether a document says anything about a node but that it exists. */
export const isDescribed = (node: DocumentNode): boolean => node.types.size > 0 || [...node.keys()].length > 0

export const documentationNode = (documentation: VisitedResource | undefined): DocumentNode | undefined =>
  documentation && [...documentation.graph.values()].find((node) => node.isA('hydra:ApiDocumentation'))

/** The collection that a response shows; also one that is not called so. */
export function collectionNode({ graph, url }: VisitedResource): DocumentNode | undefined {
  const nodes = [...graph.values()].filter(isDescribed)
  const candidates = nodes.filter(
    (node) => node.isA('hydra:Collection') || node.has('hydra:member') || node.has('hydra:totalItems'),
  )
  const isHere = ({ id }: DocumentNode) => isSameAddress(id, url)
  return candidates.find(isHere) ?? candidates[0] ?? nodes.find(isHere)
}

export const viewOf = (resource: VisitedResource): DocumentNode | undefined =>
  collectionNode(resource)?.nodes('hydra:view')[0]

export const nextOf = (resource: VisitedResource): DocumentNode | undefined =>
  viewOf(resource)?.nodes('hydra:next')[0]

export const searchOf = (resource: VisitedResource): DocumentNode | undefined =>
  collectionNode(resource)?.nodes('hydra:search')[0]

/** The addresses of collections to which the entry point leads, by its own list or by the documentation. */
export function collectionLinks(
  entryPoint: VisitedResource,
  documentation: VisitedResource | undefined,
): string[] {
  const node = entryPointNode(entryPoint.graph, entryPoint.url)
  if (node === undefined) return []
  const listed = node.nodes('hydra:collection')
  const linked = [...node.keys()].flatMap((iri) =>
    leadsToCollection(iri, documentation?.graph) ? node.nodes(iri) : [],
  )
  const urls = [...listed, ...linked].filter((one) => !one.isBlank).map(({ id }) => id)
  return [...new Set(urls)].filter((url) => sameOrigin(url, entryPoint.url))
}

/** Whether the documentation says that the values of a property are collections. */
function leadsToCollection(iri: string, graph: Graph | undefined): boolean {
  const property = graph?.get(iri)
  if (property === undefined) return false
  if (property.has('hydra:memberAssertion', 'hydra:manages')) return true
  return property.nodes(`${RDFS}range`).some((range) => isCollectionClass(range, graph))
}

/** Whether all members of a class are collections, as far as the documentation says so. */
export function isCollectionClass(cls: DocumentNode, graph: Graph | undefined): boolean {
  const says = 'hydra:memberAssertion hydra:manages owl:equivalentClass'.split(' ')
  return (
    cls.has(...says) ||
    [...withParents(cls.id, graph)].some((iri) => iri === COLLECTION || graph?.get(iri)?.has(...says))
  )
}

/** What can say of which class the members of a collection are: itself, its classes, and their parents. */
export function assertionHolders(collection: DocumentNode, graph: Graph | undefined): DocumentNode[] {
  const classes = [...collection.types].flatMap((type) => [...withParents(type, graph)])
  return [collection, ...classes.flatMap((iri) => graph?.get(iri) ?? [])]
}

/**
 * Whether the members of a collection are events, by ActivityStreams. Such a log is read forwards, grows at its end, and may
 * lose its beginning at any time: a total and links back are optional in Hydra, and here they would help nobody.
 */
export function isLog(collection: DocumentNode, graph: Graph | undefined): boolean {
  return assertionHolders(collection, graph)
    .flatMap((holder) => holder.nodes('hydra:memberAssertion', 'hydra:manages'))
    .flatMap((assertion) => assertion.nodes('hydra:object'))
    .some(({ id }) => withParents(id, graph).has(`${AS}Activity`))
}

/** The class, and those that the documentation says it is a subclass of. */
export function withParents(iri: string, graph: Graph | undefined): Set<string> {
  const all = new Set([iri])
  for (const one of all) for (const { id } of graph?.get(one)?.nodes(`${RDFS}subClassOf`) ?? []) all.add(id)
  return all
}

const COLLECTION = 'http://www.w3.org/ns/hydra/core#Collection'
