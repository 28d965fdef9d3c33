import { plural } from '../names.ts'
import { HYDRA, OWL, RDFS } from '../namespaces.ts'
import {
  assertedBy,
  type Classes,
  isCollectionTerm,
  isRestrictionOnMember,
  type MemberClass,
} from './classes.ts'
import type { Node } from './graph.ts'
import { lastPart } from './names.ts'
import { operationsOf } from './operations.ts'

/** What is right where nothing tells. */
export const SAY_WHICH = 'add a "memberAssertion" with "property": "rdf:type" and the class as "object"'

/** What the collection at the end of a property holds, where anything tells; undefined where there is no collection. */
export function followToCollection(
  property: Node,
  name: string,
  classes: Classes,
): { readonly memberClass: MemberClass | undefined } | undefined {
  const ranges = property.nodes(`${RDFS}range`)
  const iris = property.iris(`${RDFS}range`)
  const named = classes.collections.find(({ id }) => iris.includes(id))
  const restricted = ranges.some((range) => restrictionsOf(range).length > 0)
  const generic = iris.some((iri) => isCollectionTerm(iri, classes.isKnown))
  const created = first(saidByOperations(property, 'expects'), classes)
  // A link without a range to which members can be added (Hydra Core, "supported operations of link properties").
  const open = iris.length === 0 && created !== undefined
  if (named === undefined && !restricted && !generic && !open) return undefined
  const byRange = first(ranges.flatMap(restrictedTo), classes)
  const byClass = named === undefined ? undefined : memberClassOf(named, classes)
  const asserted = first(assertedBy(property), classes)
  return { memberClass: byRange ?? byClass ?? asserted ?? created ?? byName(name, classes) }
}

/** The class of the members of a collection class; undefined where nothing tells. */
export function memberClassOf(collection: Node, classes: Classes): MemberClass | undefined {
  const said = [...assertedBy(collection), ...restrictedTo(collection)]
  const operated = ['expects', 'returns'] as const
  const named = [...said, ...operated.flatMap((term) => saidByOperations(collection, term))]
  return first(named, classes) ?? byName(lastPart(collection.id), classes)
}

const restrictedTo = (node: Node): string[] =>
  restrictionsOf(node).flatMap((one) => one.iris(`${OWL}allValuesFrom`, `${OWL}someValuesFrom`))

const restrictionsOf = (node: Node): Node[] =>
  [node, ...node.nodes(`${OWL}equivalentClass`, `${RDFS}subClassOf`)].filter(isRestrictionOnMember)

const saidByOperations = (node: Node, said: 'expects' | 'returns'): string[] =>
  operationsOf(node).flatMap((operation) => operation.iris(HYDRA + said))

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
