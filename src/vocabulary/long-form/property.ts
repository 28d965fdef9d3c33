import { JsonNumber, type JsonValue } from '../../json.ts'
import { EVERYONE } from '../access/access.ts'
import { type DeclaredValues, fits, readConstraints, readDefault } from '../constraints.ts'
import type { Findings } from '../findings.ts'
import type { Outline, RangeTo } from '../finish-classes.ts'
import { isFilterable, keylessKind } from '../keys.ts'
import {
  type Constraints,
  type CustomOperation,
  type DefaultValue,
  isFilled,
  isText,
  type Property,
  type Range,
  REMOVAL_RULES,
} from '../model.ts'
import { findNameProblem, HYDRA, isAbsoluteIri, type OwnTerm, RDF, XSD } from '../names.ts'
import { type DocumentClasses, isHistoryLink, type MemberClass, type Supported } from './classes.ts'
import {
  type ApiDocument,
  type DocumentNode,
  lastPart,
  operationsOf,
  propertyPath,
  type RdfLiteral,
} from './graph.ts'
import { type DocumentRange, isNamedAfter, readRange } from './ranges.ts'
import type { DocumentReverses } from './reverse-links.ts'

/** The context in which the properties of a class of a document are read. */
interface PropertySources {
  readonly document: ApiDocument
  readonly classes: DocumentClasses
  readonly findShape: ShapeFinder
  readonly reverses: DocumentReverses
  /** Whether the document states a cardinality for any link between members. */
  readonly saysCardinality: boolean
  readonly findings: Findings
  readonly owner: MemberClass & Outline
  readonly rangeTo: RangeTo
}

export function readProperties(reading: PropertySources): Property[] {
  const { owner, findings } = reading
  const seen = new Map<string, string>()
  return owner.supported.flatMap((supported) => {
    const property = readProperty(supported, reading)
    if (property?.iri === undefined) return property ?? []
    const same = seen.get(property.iri)
    seen.set(property.iri, same ?? property.name)
    if (same === undefined) return property
    // Linked data names properties by IRI, so within a class an IRI must identify one property.
    findings.at(propertyPath(owner.name, supported.called)).note('SharedIri', { other: same })
    return { ...property, iri: undefined }
  })
}

/** Undefined for a property that cannot be served, or does not belong to the class. */
function readProperty(supported: Supported, reading: PropertySources): Property | undefined {
  const { node, property, called } = supported
  const { document, classes, owner, reverses } = reading
  if (property.id === `${RDF}type` || isHistoryLink(supported)) return undefined
  const part = property.isBlank ? undefined : lastPart(property.id)
  const name = nameOf([called, property.text('hydra:title'), part, property.text('rdfs:label')])
  const report = reading.findings.at(propertyPath(owner.name, called))
  if (readOwnOperation(supported, classes) !== undefined) return report.ignored('OperationOfProgram')
  const reverse = reverses.find(supported)
  if (reverse !== undefined)
    return reverse.hasLink
      ? undefined
      : report.ignored('OwnTermIgnored', { term: 'reverseOf', value: reverse.linkIri })
  if (!property.isBlank && !isAbsoluteIri(property.id))
    return report.problem('RelativePropertyIri', { iri: property.id })
  const said = readRange(supported, classes, report)
  if (said === undefined) {
    // Checked here, since an incomplete property is not checked with the others, and all problems are reported at once.
    const code = findNameProblem(name)
    return code && report.problem(code, { name })
  }
  const ofTerm = classes.isKnown(property.id) ? undefined : property.here.text('rdfs:label', 'hydra:title')
  const label = node.text('rdfs:label') ?? ofTerm
  const shape = reading.findShape(owner.node, property)
  const many = isMany(supported, { range: said, shape, isSaid: reading.saysCardinality })
  const range =
    'target' in said
      ? reading.rangeTo(said.target.name)
      : ({ kind: 'datatype', datatype: said.datatype } as const)
  if (range.kind === 'impossible') return report.add(range.problem)
  const word = node.text(document.ownTerms.get('always') ?? '')
  const always = isFilled(word, { range, many }) ? word : undefined
  const flags = readFlags(node, { always, hasDefault: shape?.has('sh:defaultValue') ?? false }, report)
  const isCollected = owner.collection !== undefined
  const read: Property = {
    name,
    iri: document.isOwn(property.id) ? undefined : property.id,
    title: (name === called ? label : undefined) ?? called,
    description:
      node.text('hydra:description') ?? property.here.text('hydra:description', 'rdfs:comment') ?? '',
    range,
    many,
    ...flags,
    unique: isCollected && !many && identifies(property, shape) && keylessKind({ range }) === undefined,
    filterable: isFilterable({ range }),
    multiline: isText({ range }) && shape?.flag('dash:singleLine') === false,
    default: undefined,
    always: undefined,
    onDelete: 'refuse',
    reverse: range.kind === 'link' ? reverses.nameOf(supported) : undefined,
    example: undefined,
    unit: undefined,
    constraints: {
      ...('constraints' in said && said.constraints),
      ...readShape(shape, range, report, document.ownTerms.get('scale')),
    },
    formerName: undefined,
  }
  return {
    ...read,
    default: readDefaultValue(shape, read, report),
    ...readOwnTerms(node, read, document, report),
  }
}

/** What a class says of a property in our own terms (model.md). What does not fit is left out, and noted. */
function readOwnTerms(
  node: DocumentNode,
  property: Property,
  { ownTerms }: ApiDocument,
  report: Findings,
): Pick<Property, 'always' | 'onDelete' | 'example' | 'unit' | 'writable'> {
  const text = (term: OwnTerm) => node.text(ownTerms.get(term) ?? '')
  const { range, required, writable } = property
  const word = text('always')
  const always = isFilled(word, property) && !(word === 'user' && required) ? word : undefined
  if (word !== undefined && always === undefined)
    report.ignored('OwnTermIgnored', { term: 'always', value: word })
  const said = text('onDelete')
  const found = REMOVAL_RULES.find((one) => one === said)
  const rule = range.kind === 'link' && !(found === 'unset' && required) ? found : undefined
  if (said !== undefined && rule === undefined)
    report.ignored('OwnTermIgnored', { term: 'onDelete', value: said })
  const [example] = node.literals(ownTerms.get('example') ?? '')
  return {
    always,
    writable: writable && always === undefined,
    onDelete: rule ?? 'refuse',
    example: range.kind === 'datatype' ? example?.value : undefined,
    unit: text('unit'),
  }
}

/** A custom operation (library.md) is a link to a resource without a class, which has the operation. */
export function readOwnOperation(
  { property, called }: Supported,
  { find }: DocumentClasses,
): CustomOperation | undefined {
  const [operation] = operationsOf(property)
  const isLink = property.iris('rdfs:range').includes(`${HYDRA}Resource`)
  if (operation === undefined || !isLink) return undefined
  const classIn = (said: string) => operation.iris(`hydra:${said}`).flatMap((iri) => find(iri)?.name ?? [])[0]
  const title = operation.text('hydra:title') ?? called
  return { name: called, title, expects: classIn('expects'), returns: classIn('returns'), grantees: EVERYONE }
}

/** Whether the property is unique: by OWL 2 §9.2.8, or by DASH. */
function identifies(property: DocumentNode, shape: DocumentNode | undefined): boolean {
  if (property.isA('owl:InverseFunctionalProperty')) return true
  const said = 'dash:uniqueValueForClass'
  return (shape?.has(said) && shape.flag(said) !== false) ?? false
}

/** The first candidate that can be the name of a property. A keyword stays, so that it is reported. */
function nameOf(candidates: readonly (string | undefined)[]): string {
  const given = candidates.flatMap((candidate) => candidate?.normalize('NFC') ?? [])
  if (given[0]?.startsWith('@')) return given[0]
  return given.find((candidate) => findNameProblem(candidate) === undefined) ?? given[0] ?? ''
}

/** Without authentication there is no user, so that `always: user` sets nothing. */
function readFlags(
  node: DocumentNode,
  { always, hasDefault }: { always: Property['always']; hasDefault: boolean },
  report: Findings,
) {
  const flag = (name: string) => node.flag(`hydra:${name}`)
  const writable = flag('writable') ?? flag('writeable') ?? !(flag('readonly') ?? false)
  const required = flag('required') ?? false
  const filled = writable || always === 'now' || hasDefault
  if (flag('readable') === false || flag('writeonly') === true) report.ignored('NotReadable')
  if (!filled && required) report.ignored('RequiredIgnored')
  else if (!filled && always === undefined) report.note('NeverFilled')
  return { required: required && filled, writable }
}

/** `isSaid`: whether the document states a cardinality for any link between members. */
function isMany(
  { property, called }: Supported,
  { range, shape, isSaid }: { range: DocumentRange; shape: DocumentNode | undefined; isSaid: boolean },
): boolean {
  if ('datatype' in range && range.datatype === 'langString') return false
  if ('target' in range && range.isCollection) return true
  if (shape !== undefined) return !shape.literals('sh:maxCount').some(({ value }) => Number(value) === 1)
  if (property.isA('owl:FunctionalProperty')) return false
  const said = property.literals('owl:maxCardinality', 'owl:cardinality')
  if (said.length > 0) return said.some(({ value }) => Number(value) > 1)
  if ('datatype' in range) return false
  // If a document says "at most one" for some links, it means "many" for the others.
  return isSaid || isNamedAfter(called, range.target.name)
}

type ShapeFinder = (cls: DocumentNode, property: DocumentNode) => DocumentNode | undefined

/** SHACL shapes of the properties of classes, by `sh:targetClass` or as the class itself (SHACL §2.1.3.3). */
export function createShapeFinder({ graph }: ApiDocument): ShapeFinder {
  const byClass = new Map<string, DocumentNode[]>()
  for (const node of graph.values()) {
    const properties = node.nodes('sh:property')
    for (const iri of [...node.iris('sh:targetClass'), node.id])
      if (properties.length > 0) byClass.set(iri, [...(byClass.get(iri) ?? []), ...properties])
  }
  return (cls, property) => byClass.get(cls.id)?.find((shape) => shape.iris('sh:path').includes(property.id))
}

/** Constraints of SHACL that are not checked here. */
const UNCHECKED = 'minExclusive maxExclusive equals disjoint lessThan not or xone hasValue'.split(' ')

/** The terms of SHACL for the constraints of the short form. */
const TERMS: Readonly<Record<keyof Constraints, string>> = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'pattern',
  minimum: 'minInclusive',
  maximum: 'maxInclusive',
  enum: 'in',
  scale: 'scale',
}

/** hypermedia.md, The API file: the same constraints as in the short form; those that do not fit the type are left out. */
function readShape(shape: DocumentNode | undefined, range: Range, report: Findings, scale = ''): Constraints {
  if (shape === undefined || range.kind !== 'datatype') return {}
  for (const name of UNCHECKED.filter((one) => shape.has(`sh:${one}`)))
    report.ignored('UncheckedConstraint', { name: `sh:${name}` })
  return readConstraints(range, (name) => {
    const term = name === 'scale' ? scale : `sh:${TERMS[name]}`
    const literals = fits(name, range) ? shape.literals(term) : []
    if (literals.length === 0) return undefined
    if (name === 'pattern' && shape.literals('sh:flags').length > 0) return report.problem('PatternWithFlags')
    // SHACL has the patterns of SPARQL, which are nearly those of JavaScript.
    const read = name === 'enum' ? jsonOf : name === 'pattern' ? textOf : jsonNumberOf
    return {
      name: name === 'scale' ? '"scale"' : `"sh:${TERMS[name]}"`,
      values: literals.map(read),
      refuse: refusing(report),
    }
  })
}

function readDefaultValue(
  shape: DocumentNode | undefined,
  property: Property,
  report: Findings,
): DefaultValue | undefined {
  const { range, many } = property
  const literals = shape?.literals('sh:defaultValue') ?? []
  if (literals.length === 0) return undefined
  if (range.kind !== 'datatype' || range.datatype === 'langString') return report.ignored('DefaultIgnored')
  if (literals.length > 1 && !many) return report.problem('SeveralDefaults')
  const given = { name: 'its default', values: literals.map(jsonOf), refuse: refusing(report) }
  return readDefault(property, range.datatype, given)
}

const refusing =
  (report: Findings): DeclaredValues['refuse'] =>
  (problem) =>
    report.add(problem)

const NUMERIC = /#(?:integer|double|float|nonNegativeInteger|positiveInteger)$/

/** A literal as JSON: in RDF, numbers and booleans may be text with a datatype. */
function jsonOf(literal: RdfLiteral): JsonValue {
  const { value, datatype = '' } = literal
  if (typeof value === 'boolean') return value
  if (datatype === `${XSD}boolean`) return value === 'true' || value === '1'
  return typeof value === 'number' || NUMERIC.test(datatype) ? jsonNumberOf(literal) : value
}

/** Numbers here need no more digits than a double has. */
const jsonNumberOf = ({ value }: RdfLiteral): JsonValue =>
  Number.isFinite(Number(value)) ? new JsonNumber(String(Number(value))) : String(value)

const textOf = ({ value }: RdfLiteral): JsonValue => String(value)
