import type { Outline, RangeTo } from '../embedding.ts'
import type { Findings, Report } from '../findings.ts'
import { hasKey, isFilterable } from '../keys.ts'
import type { Property } from '../model.ts'
import { whyNoPropertyName } from '../names.ts'
import { DASH, HYDRA, isAbsoluteIri, OWL, RDF, RDFS, SH } from '../namespaces.ts'
import type { Classes, MemberClass, Supported } from './classes.ts'
import { isNamedAfter } from './collections.ts'
import type { Document } from './document.ts'
import type { Node } from './graph.ts'
import { lastPart, propertyPath, quoted } from './names.ts'
import { type DocumentRange, readRange } from './ranges.ts'
import { type FindShape, readDefaultValue, readShape } from './shapes.ts'

/** What the properties of a document are read with. */
export interface Reading {
  readonly document: Document
  readonly classes: Classes
  readonly findShape: FindShape
  /** Whether the document says of any link between members how many it may have. */
  readonly saysCardinality: boolean
  readonly findings: Findings
  readonly owner: MemberClass & Outline
  readonly rangeTo: RangeTo
}

/** Undefined where it cannot be served, or is no property of its own. */
export function readProperty(supported: Supported, reading: Reading): Property | undefined {
  const { node, property, called } = supported
  const { document, classes, owner } = reading
  if (property.id === `${RDF}type`) return undefined
  const part = property.isBlank ? undefined : lastPart(property.id)
  const name = nameOf([called, property.text(`${HYDRA}title`), part, property.text(`${RDFS}label`)])
  const report = reading.findings.at(propertyPath(owner.name, called))
  if (!property.isBlank && !isAbsoluteIri(property.id))
    return report.problem(`its property ${quoted(property.id)} is not an absolute IRI; correct it`)
  const said = readRange(supported, classes, report)
  if (said === undefined) {
    // A property that is not finished is not checked with the others, and all problems are reported at once.
    const wrong = whyNoPropertyName(name)
    return wrong === undefined ? undefined : report.problem(wrong)
  }
  const label = classes.isKnown(property.id) ? undefined : property.here.text(`${RDFS}label`, `${HYDRA}title`)
  const shape = reading.findShape(owner.node, property)
  const many = isMany(supported, { range: said, shape, saysCardinality: reading.saysCardinality })
  const flags = readFlags(node, shape, report)
  const range =
    'target' in said
      ? reading.rangeTo(said.target.name)
      : ({ kind: 'datatype', datatype: said.datatype } as const)
  if (range.kind === 'impossible') return report.problem(range.why)
  const isCollected = owner.collection !== undefined
  const read: Property = {
    name,
    iri: document.isOwn(property.id) ? undefined : property.id,
    title: (name === called ? label : undefined) ?? called,
    description:
      node.text(`${HYDRA}description`) ?? property.here.text(`${HYDRA}description`, `${RDFS}comment`) ?? '',
    range,
    many,
    ...flags,
    unique: isCollected && !many && identifies(property, shape) && hasKey({ range }),
    filterable: isCollected && isFilterable({ range }),
    default: undefined,
    constraints: { ...('constraints' in said && said.constraints), ...readShape(shape, range, report) },
    was: undefined,
  }
  return { ...read, default: readDefaultValue(shape, read, report) }
}

/** Two members with one value of it would be one and the same (OWL 2 §9.2.8), or are refused (DASH). */
function identifies(property: Node, shape: Node | undefined): boolean {
  if (property.types.has(`${OWL}InverseFunctionalProperty`)) return true
  const said = `${DASH}uniqueValueForClass`
  return shape !== undefined && shape.values(said).length > 0 && shape.flag(said) !== false
}

/** Its title, if that can be a key in JSON; a keyword is no name at all, whatever else there is. */
function nameOf(candidates: readonly (string | undefined)[]): string {
  const given = candidates.flatMap((candidate) => candidate?.normalize('NFC') ?? [])
  if (given[0]?.startsWith('@')) return given[0]
  return given.find((candidate) => whyNoPropertyName(candidate) === undefined) ?? given[0] ?? ''
}

function readFlags(
  node: Node,
  shape: Node | undefined,
  report: Report,
): { required: boolean; writable: boolean } {
  const flag = (name: string) => node.flag(HYDRA + name)
  const writable = flag('writable') ?? flag('writeable') ?? !(flag('readonly') ?? false)
  const required = flag('required') ?? false
  const filled = writable || (shape?.values(`${SH}defaultValue`).length ?? 0) > 0
  if (flag('readable') === false || flag('writeonly') === true)
    report.ignored('that it cannot be read; everybody who reads a member reads it')
  if (!filled && required) report.ignored('that it is required, since nobody can write it')
  else if (!filled) report.note('nobody can write it and nothing fills it in; it stays empty')
  return { required: required && filled, writable }
}

function isMany(
  { property, called }: Supported,
  {
    range,
    shape,
    saysCardinality,
  }: { range: DocumentRange; shape: Node | undefined; saysCardinality: boolean },
): boolean {
  if ('datatype' in range && range.datatype === 'langString') return false
  if ('target' in range && range.isCollection) return true
  if (shape !== undefined) return !shape.literals(`${SH}maxCount`).some(({ value }) => Number(value) === 1)
  if (property.types.has(`${OWL}FunctionalProperty`)) return false
  const said = property.literals(`${OWL}maxCardinality`, `${OWL}cardinality`)
  if (said.length > 0) return said.some(({ value }) => Number(value) > 1)
  if ('datatype' in range) return false
  // A document that says "at most one" of some links means "many" by its silence about others.
  return saysCardinality || isNamedAfter(called, range.target.name)
}
