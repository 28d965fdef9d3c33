import { plural } from '../names.ts'
import { HYDRA, OWL, RDFS } from '../namespaces.ts'
import { type Classes, isCollectionTerm, isRestrictionOnMember, type MemberClass } from './classes.ts'
import type { Node } from './graph.ts'
import { lastPart } from './names.ts'
import { operationsOf } from './operations.ts'

/** A property whose value is a collection. */
interface CollectionLink {
  /** The class of the members, where anything tells. */
  readonly memberClass: MemberClass | undefined
}

/** What is right where nothing tells. */
export const SAY_WHICH = 'add a "memberAssertion" with "property": "rdf:type" and the class as "object"'

/** What the collection at the other end of a property holds; undefined where the property leads to no collection. */
export function followToCollection(
  property: Node,
  name: string,
  classes: Classes,
): CollectionLink | undefined {
  const ranges = property.nodes(`${RDFS}range`)
  const iris = property.iris(`${RDFS}range`)
  const named = classes.collections.find(({ id }) => iris.includes(id))
  const restricted = ranges.some((range) => restrictionsOf(range).length > 0)
  const generic = iris.some((iri) => isCollectionTerm(iri, classes.isKnown))
  const created = ofOperations(property, 'expects', classes)
  // A link without a range to which members can be added (Hydra Core, "supported operations of link properties").
  const open = iris.length === 0 && created !== undefined
  if (named === undefined && !restricted && !generic && !open) return undefined
  const byRange = ranges.flatMap((range) => restrictedTo(range, classes) ?? [])[0]
  const byClass = named === undefined ? undefined : memberClassOf(named, classes)
  return {
    memberClass: byRange ?? byClass ?? asserted(property, classes) ?? created ?? byName(name, classes),
  }
}

/** The class of the members of a collection class; undefined where nothing tells. */
export function memberClassOf(collection: Node, classes: Classes): MemberClass | undefined {
  return (
    asserted(collection, classes) ??
    restrictedTo(collection, classes) ??
    ofOperations(collection, 'expects', classes) ??
    ofOperations(collection, 'returns', classes) ??
    byName(lastPart(collection.id), classes)
  )
}

/** `memberAssertion`, or `manages` as it was called before: every member has this type. */
function asserted(node: Node, classes: Classes): MemberClass | undefined {
  const assertions = node.nodes(`${HYDRA}memberAssertion`, `${HYDRA}manages`)
  return first(
    assertions.flatMap((assertion) => assertion.iris(`${HYDRA}object`)),
    classes,
  )
}

function restrictedTo(node: Node, classes: Classes): MemberClass | undefined {
  const values = restrictionsOf(node).flatMap((one) =>
    one.iris(`${OWL}allValuesFrom`, `${OWL}someValuesFrom`),
  )
  return first(values, classes)
}

const restrictionsOf = (node: Node): Node[] =>
  [node, ...node.nodes(`${OWL}equivalentClass`, `${RDFS}subClassOf`)].filter(isRestrictionOnMember)

const ofOperations = (node: Node, said: 'expects' | 'returns', classes: Classes): MemberClass | undefined =>
  first(
    operationsOf(node).flatMap((operation) => operation.iris(HYDRA + said)),
    classes,
  )

/** `books`, `BookCollection` and `ownedBooks` hold what is called Book, where the document says nothing better. */
function byName(name: string, { memberClasses }: Classes): MemberClass | undefined {
  const whole = name.replace(/(?:Collection|List)$/, '').toLowerCase()
  const names = (one: MemberClass) => [one.name.toLowerCase(), plural(one.name).toLowerCase()]
  return (
    memberClasses.find((one) => names(one).includes(whole)) ??
    memberClasses.find((one) => isNamedAfter(name, one.name))
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

const first = (iris: readonly string[], { find }: Classes): MemberClass | undefined =>
  iris.flatMap((iri) => find(iri) ?? [])[0]
