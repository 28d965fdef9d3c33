import { datatypeOf } from '../datatypes.ts'
import type { Findings } from '../findings.ts'
import { type Constraints, DATATYPE_NAMES, type DatatypeName } from '../model.ts'
import { plural, XSD } from '../names.ts'
import {
  assertedBy,
  type DocumentClasses,
  isCollectionTerm,
  isRestrictionOnMember,
  type MemberClass,
  type Supported,
} from './classes.ts'
import { absolute, type DocumentNode, lastPart, operationsOf } from './graph.ts'

/** The values of a property: values of a datatype, or members of a class. */
export type DocumentRange = ServedDatatype | { readonly target: MemberClass; readonly isCollection: boolean }

interface ServedDatatype {
  readonly datatype: DatatypeName
  readonly constraints?: Constraints
  /** Whether it is served as a datatype other than the document's. */
  readonly differs?: boolean
}

/** Datatypes that are not served themselves, by the datatype that is served instead. */
const SERVED_AS: Partial<Record<DatatypeName, string>> = {
  string:
    'xsd:normalizedString xsd:token xsd:language xsd:Name xsd:NCName xsd:NMTOKEN xsd:ID xsd:IDREF rdfs:Literal rdf:HTML schema:Text',
  boolean: 'schema:Boolean',
  integer: 'xsd:int xsd:long xsd:short xsd:byte xsd:nonPositiveInteger xsd:negativeInteger schema:Integer',
  nonNegativeInteger: 'xsd:unsignedLong xsd:unsignedInt xsd:unsignedShort xsd:unsignedByte',
  decimal: 'schema:Number',
  double: 'schema:Float',
  date: 'schema:Date',
  dateTime: 'xsd:dateTimeStamp schema:DateTime',
  time: 'schema:Time',
  duration: 'xsd:dayTimeDuration xsd:yearMonthDuration schema:Duration',
  anyURI: 'schema:URL',
}

const MAXIMA: Readonly<Record<string, number>> = { 'xsd:nonPositiveInteger': 0, 'xsd:negativeInteger': -1 }

const BY_IRI = new Map<string, ServedDatatype>(
  DATATYPE_NAMES.flatMap((datatype) => {
    const others = SERVED_AS[datatype]?.split(' ') ?? []
    const differing = others.map((name) => {
      const constraints = name in MAXIMA ? { maximum: MAXIMA[name] as number } : {}
      return [absolute(name), { datatype, differs: true, constraints }] as const
    })
    return [[datatypeOf(datatype).iri, { datatype }] as const, ...differing]
  }),
)

export function readRange(
  { node, property, called }: Supported,
  classes: DocumentClasses,
  report: Findings,
): DocumentRange | undefined {
  const link = followToCollection(property, called, classes)
  if (link !== undefined) {
    if (link.memberClass !== undefined) return { target: link.memberClass, isCollection: true }
    return report.problem('UnknownMemberClass', { of: 'property' })
  }
  const ranges = [...new Set([...property.iris('rdfs:range'), ...node.iris('rdfs:range')])]
  const [range, another] = ranges
  if (range === undefined) return withoutRange(property, classes, report)
  if (another === undefined) return rangeNamed(range, classes, report)
  return report.problem('SeveralRanges', { count: ranges.length })
}

/** Older servers name a class of the document as the property itself, when they mean a value of that class. */
function withoutRange(property: DocumentNode, { find }: DocumentClasses, report: Findings): DocumentRange {
  const target = find(property.id)
  if (target !== undefined) {
    report.note('RangeFromProperty', { className: target.name })
    return { target, isCollection: false }
  }
  const datatype = property.isA('hydra:Link') ? 'anyURI' : 'string'
  report.note('NoRange', { datatype })
  return { datatype }
}

const ANYTHING = ['hydra:Resource', 'rdfs:Resource', 'owl:Thing'].map(absolute)

function rangeNamed(iri: string, classes: DocumentClasses, report: Findings): DocumentRange | undefined {
  const target = classes.find(iri)
  if (target !== undefined) return { target, isCollection: false }
  // The terms of schema.org are written with either scheme.
  const known = BY_IRI.get(iri.replace(/^https:(?=\/\/schema\.org\/)/, 'http:'))
  if (known !== undefined) {
    if (known.differs) report.note('ServedAsDatatype', { iri, datatype: known.datatype })
    return known
  }
  if (ANYTHING.includes(iri)) {
    report.note('AnyResource')
    return { datatype: 'anyURI' }
  }
  const candidates = iri.startsWith(XSD) ? DATATYPE_NAMES : classes.memberClasses.map(({ name }) => name)
  return report.problem('UnknownRange', { iri, name: lastPart(iri), known: candidates })
}

/** The members of the collection that a property links to, if that is known; undefined if there is no collection. */
export function followToCollection(
  property: DocumentNode,
  name: string,
  classes: DocumentClasses,
): { readonly memberClass: MemberClass | undefined } | undefined {
  const ranges = property.nodes('rdfs:range')
  const iris = property.iris('rdfs:range')
  const named = classes.collections.find(({ id }) => iris.includes(id))
  const restricted = ranges.some((range) => restrictionsOf(range).length > 0)
  const generic = iris.some((iri) => isCollectionTerm(iri, classes.isKnown))
  const expected = operationsOf(property).flatMap((one) => one.iris('hydra:expects'))
  const created = first(expected, classes)
  // A link without a range to which members can be added (Hydra Core, "supported operations of link properties").
  const open = iris.length === 0 && created !== undefined
  if (named === undefined && !restricted && !generic && !open) return undefined
  const byRange = first(ranges.flatMap(restrictedTo), classes)
  const byClass = named === undefined ? undefined : memberClassOf(named, classes)
  const asserted = first(assertedBy(property), classes)
  return { memberClass: byRange ?? byClass ?? asserted ?? created ?? byName(name, classes) }
}

export function memberClassOf(collection: DocumentNode, classes: DocumentClasses): MemberClass | undefined {
  const operations = operationsOf(collection)
  const said = [
    ...assertedBy(collection),
    ...restrictedTo(collection),
    ...operations.flatMap((one) => one.iris('hydra:expects')),
    ...operations.flatMap((one) => one.iris('hydra:returns')),
  ]
  return first(said, classes) ?? byName(lastPart(collection.id), classes)
}

const restrictedTo = (node: DocumentNode): string[] =>
  restrictionsOf(node).flatMap((one) => one.iris('owl:allValuesFrom', 'owl:someValuesFrom'))

const restrictionsOf = (node: DocumentNode): DocumentNode[] =>
  [node, ...node.nodes('owl:equivalentClass', 'rdfs:subClassOf')].filter(isRestrictionOnMember)

/** `books`, `BookCollection` and `ownedBooks` contain members of Book, unless the document says otherwise. */
function byName(name: string, { memberClasses }: DocumentClasses): MemberClass | undefined {
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
  // Without a plural, the name shows nothing.
  if (many === className) return false
  return name.toLowerCase() === lower || name.endsWith(many) || name.endsWith(`_${lower}`)
}

const first = (iris: readonly string[], { find }: DocumentClasses): MemberClass | undefined =>
  iris.flatMap((iri) => find(iri) ?? [])[0]
