import { nearest } from '../../text.ts'
import { DATATYPE_NAMES, type DatatypeName, datatypeOf, isDatatypeName } from '../datatypes.ts'
import type { Report } from '../findings.ts'
import type { Constraints } from '../model.ts'
import { HYDRA, OWL, RDF, RDFS, XSD } from '../namespaces.ts'
import type { Classes, MemberClass, Supported } from './classes.ts'
import { followToCollection, SAY_WHICH } from './collections.ts'
import type { Node } from './graph.ts'
import { lastPart, quoted } from './names.ts'

/** What a property holds: values of a datatype, or members of a class. */
export type DocumentRange = ServedDatatype | { readonly target: MemberClass; readonly isCollection: boolean }

/** A datatype of a document, as it is served. */
interface ServedDatatype {
  readonly datatype: DatatypeName
  readonly constraints?: Constraints
  /** It is served as another datatype than the document says. */
  readonly differs?: boolean
}

const served = (datatype: DatatypeName, names: string, constraints: Constraints = {}) =>
  names.split(' ').map((name) => [XSD + name, { datatype, differs: true, constraints }] as const)

const SCHEMA_ORG: Readonly<Record<string, DatatypeName>> = {
  Text: 'string',
  Boolean: 'boolean',
  Integer: 'integer',
  Number: 'decimal',
  Float: 'double',
  Date: 'date',
  DateTime: 'dateTime',
  Time: 'time',
  Duration: 'duration',
  URL: 'anyURI',
}

const BY_IRI = new Map<string, ServedDatatype>([
  ...DATATYPE_NAMES.map((datatype) => [datatypeOf(datatype).iri, { datatype }] as const),
  ...served('string', 'normalizedString token language Name NCName NMTOKEN ID IDREF'),
  ...served('integer', 'int long short byte'),
  ...served('nonNegativeInteger', 'unsignedLong unsignedInt unsignedShort unsignedByte'),
  ...served('integer', 'nonPositiveInteger', { maximum: 0 }),
  ...served('integer', 'negativeInteger', { maximum: -1 }),
  ...served('dateTime', 'dateTimeStamp'),
  ...served('duration', 'dayTimeDuration yearMonthDuration'),
  [`${RDFS}Literal`, { datatype: 'string', differs: true }],
  [`${RDF}HTML`, { datatype: 'string', differs: true }],
  ...Object.entries(SCHEMA_ORG).flatMap(([name, datatype]) =>
    ['http', 'https'].map(
      (scheme) => [`${scheme}://schema.org/${name}`, { datatype, differs: true }] as const,
    ),
  ),
])

export function readRange(
  { node, property, called }: Supported,
  classes: Classes,
  report: Report,
): DocumentRange | undefined {
  const link = followToCollection(property, called, classes)
  if (link !== undefined) {
    if (link.memberClass !== undefined) return { target: link.memberClass, isCollection: true }
    return report.problem(`nothing says which class its collection holds; ${SAY_WHICH}`)
  }
  const ranges = [...new Set([...property.iris(`${RDFS}range`), ...node.iris(`${RDFS}range`)])]
  const [range, another] = ranges
  if (range === undefined) return withoutRange(property, classes, report)
  if (another === undefined) return rangeNamed(range, classes, report)
  const right = 'keep the one that is meant'
  return report.problem(`it has ${ranges.length} ranges, and can have one; ${right}`)
}

/** Older servers name a class of the document as the property itself, where they mean a value of that class. */
function withoutRange(property: Node, { find }: Classes, report: Report): DocumentRange {
  const target = find(property.id)
  if (target !== undefined) {
    report.note(`its property is the class ${target.name}, which is taken for its range`)
    return { target, isCollection: false }
  }
  const datatype = property.types.has(`${HYDRA}Link`) ? 'anyURI' : 'string'
  report.note(`it has no range; completed: ${datatype}`)
  return { datatype }
}

/** Links to anything at all. */
const ANYTHING = [`${HYDRA}Resource`, `${RDFS}Resource`, `${OWL}Thing`]

function rangeNamed(
  iri: string,
  { find, memberClasses }: Classes,
  report: Report,
): DocumentRange | undefined {
  const target = find(iri)
  if (target !== undefined) return { target, isCollection: false }
  const known = BY_IRI.get(iri)
  if (known !== undefined) {
    if (known.differs) report.note(`its range ${quoted(iri)} is served as ${known.datatype}`)
    return known
  }
  if (ANYTHING.includes(iri)) {
    report.note('it leads to any resource; it is served as anyURI, an IRI that is not checked')
    return { datatype: 'anyURI' }
  }
  const candidates = iri.startsWith(XSD) ? DATATYPE_NAMES : memberClasses.map(({ name }) => name)
  const meant = nearest(lastPart(iri), candidates)
  const right =
    meant === undefined
      ? `it must be a class of this document, or one of ${DATATYPE_NAMES.map(prefixed).join(', ')}`
      : `did you mean ${isDatatypeName(meant) ? prefixed(meant) : meant}?`
  return report.problem(`the range ${quoted(iri)} is not known; ${right}`)
}

const prefixed = (name: DatatypeName) => (name === 'langString' ? `rdf:${name}` : `xsd:${name}`)
