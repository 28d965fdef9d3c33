import { plural } from '../names.ts'
import { HYDRA, OWL, RDFS } from '../namespaces.ts'
import { type Classes, type Described, isCollectionTerm, isRestrictionOnMember } from './classes.ts'
import type { Node } from './graph.ts'
import { irisOf, lastPart } from './names.ts'

/** A property whose value is a collection. */
export interface CollectionLink {
  /** The class of the members, where anything tells. */
  readonly held: Described | undefined
}

/** What the collection at the other end of a property holds; undefined where the property leads to no collection. */
export function followToCollection(
  property: Node,
  name: string,
  classes: Classes,
): CollectionLink | undefined {
  const ranges = property.nodes(`${RDFS}range`)
  const named = classes.collections.find(({ id }) => irisOf(property, `${RDFS}range`).includes(id))
  const restricted = ranges.some((range) => restrictionsOf(range).length > 0)
  const generic = irisOf(property, `${RDFS}range`).some((iri) => isCollectionTerm(iri, classes.isKnown))
  // A link without a range to which members can be added (Hydra Core, "supported operations of link properties").
  const open = irisOf(property, `${RDFS}range`).length === 0 && createdBy(property, classes) !== undefined
  if (named === undefined && !restricted && !generic && !open) return undefined
  const byRange = ranges.flatMap((range) => restrictedTo(range, classes) ?? [])[0]
  const held = byRange ?? (named === undefined ? undefined : heldBy(named, classes))
  return {
    held: held ?? asserted(property, classes) ?? createdBy(property, classes) ?? byName(name, classes),
  }
}

/** The class of the members of a collection class; undefined where nothing tells. */
export function heldBy(collection: Node, classes: Classes): Described | undefined {
  return (
    asserted(collection, classes) ??
    restrictedTo(collection, classes) ??
    createdBy(collection, classes) ??
    returnedBy(collection, classes) ??
    byName(lastPart(collection.id), classes)
  )
}

/** `memberAssertion`, or `manages` as it was called before: every member has this type. */
function asserted(node: Node, classes: Classes): Described | undefined {
  const assertions = node.nodes(`${HYDRA}memberAssertion`, `${HYDRA}manages`)
  return first(
    assertions.flatMap((assertion) => irisOf(assertion, `${HYDRA}object`)),
    classes,
  )
}

function restrictedTo(node: Node, classes: Classes): Described | undefined {
  const values = restrictionsOf(node).flatMap((one) =>
    irisOf(one, `${OWL}allValuesFrom`, `${OWL}someValuesFrom`),
  )
  return first(values, classes)
}

const restrictionsOf = (node: Node): Node[] =>
  [node, ...node.nodes(`${OWL}equivalentClass`, `${RDFS}subClassOf`)].filter(isRestrictionOnMember)

function createdBy(node: Node, classes: Classes): Described | undefined {
  const operations = node.nodes(`${HYDRA}supportedOperation`)
  return first(
    operations.flatMap((operation) => irisOf(operation, `${HYDRA}expects`)),
    classes,
  )
}

function returnedBy(node: Node, classes: Classes): Described | undefined {
  const operations = node.nodes(`${HYDRA}supportedOperation`)
  return first(
    operations.flatMap((operation) => irisOf(operation, `${HYDRA}returns`)),
    classes,
  )
}

/** `books`, `BookCollection` and `ownedBooks` hold what is called Book, where the document says nothing better. */
function byName(name: string, { described }: Classes): Described | undefined {
  const whole = name.replace(/(?:Collection|List)$/, '').toLowerCase()
  const names = (one: Described) => [one.name.toLowerCase(), plural(one.name).toLowerCase()]
  return (
    described.find((one) => names(one).includes(whole)) ??
    described.find((one) => isNamedAfter(name, one.name))
  )
}

/** Whether the plural of the class is the last word of a name: `raisedIssues`, `raised_issues`. */
export function isNamedAfter(name: string, className: string): boolean {
  const many = plural(className)
  const lower = many.toLowerCase()
  // Where there is no plural, a name says nothing.
  if (many === className) return false
  return name.toLowerCase() === lower || name.endsWith(many) || name.endsWith(`_${lower}`)
}

const first = (iris: readonly string[], { find }: Classes): Described | undefined =>
  iris.flatMap((iri) => find(iri) ?? [])[0]
