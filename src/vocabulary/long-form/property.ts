import { nearest } from '../../text.ts'
import { DATATYPE_NAMES, type DatatypeName, isDatatypeName } from '../datatypes.ts'
import { whyNoPropertyName } from '../names.ts'
import { DASH, HYDRA, isAbsoluteIri, OWL, RDF, RDFS, SH, XSD } from '../namespaces.ts'
import type { Classes, Described } from './classes.ts'
import { propertyPlace, quoted } from './findings.ts'
import type { Node } from './graph.ts'
import { followToCollection, isNamedAfter } from './held.ts'
import { flagOf, irisOf, lastPart, textOf } from './names.ts'
import { findDatatype, type Mapped, saysOne } from './ranges.ts'
import type { Reading } from './reading.ts'
import type { Supported } from './supported.ts'

/** What a property holds, before it is known how its class is served. */
export type Held = { readonly mapped: Mapped } | { readonly target: Described }

export interface PropertyOutline {
  readonly name: string
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  readonly held: Held
  readonly many: boolean
  readonly required: boolean
  readonly writable: boolean
  /** No two members have the same value. */
  readonly identifies: boolean
  readonly shape: Node | undefined
  /** For messages. */
  readonly place: string
}

/** Everything but what depends on other classes; undefined where it cannot be served, or is no property of its own. */
export function outlineProperty(
  supported: Supported,
  owner: Described,
  reading: Reading,
): PropertyOutline | undefined {
  const { node, property, called } = supported
  if (property.id === `${RDF}type`) return undefined
  const part = property.isBlank ? undefined : lastPart(property.id)
  const name = nameOf([called, textOf(property, `${HYDRA}title`), part, textOf(property, `${RDFS}label`)])
  const place = propertyPlace(owner.name, called)
  if (!property.isBlank && !isAbsoluteIri(property.id))
    return reading.findings.problem(
      place,
      `its property ${quoted(property.id)} is not an absolute IRI; correct it`,
    )
  const held = readHeld(supported, place, reading)
  if (held === undefined) {
    // A property that is not finished is not checked with the others, and all problems are reported at once.
    const wrong = whyNoPropertyName(name)
    return wrong === undefined ? undefined : reading.findings.problem(place, wrong)
  }
  const isClass = reading.classes.isKnown(property.id)
  const label = isClass ? undefined : textOf(property.here, `${RDFS}label`, `${HYDRA}title`)
  const shape = reading.findShape(owner.node, property)
  const { required, writable } = readFlags(node, shape, place, reading)
  return {
    name,
    iri: reading.document.isOwn(property.id) ? undefined : property.id,
    title: (name === called ? label : undefined) ?? called,
    description:
      textOf(node, `${HYDRA}description`) ??
      textOf(property.here, `${HYDRA}description`, `${RDFS}comment`) ??
      '',
    held,
    many: isMany(supported, held, shape, reading),
    required,
    writable,
    identifies: identifies(property, shape),
    shape,
    place,
  }
}

/** Two members with one value of it would be one and the same (OWL 2 §9.2.8), or are refused (DASH). */
function identifies(property: Node, shape: Node | undefined): boolean {
  if (property.types.has(`${OWL}InverseFunctionalProperty`)) return true
  const said = `${DASH}uniqueValueForClass`
  return shape !== undefined && shape.values(said).length > 0 && flagOf(shape, said) !== false
}

/** Its title, if that can be a key in JSON; a keyword is no name at all, whatever else there is. */
function nameOf(candidates: readonly (string | undefined)[]): string {
  const given = candidates.flatMap((candidate) => candidate?.normalize('NFC') ?? [])
  if (given[0]?.startsWith('@')) return given[0]
  return given.find((candidate) => whyNoPropertyName(candidate) === undefined) ?? given[0] ?? ''
}

function readHeld({ node, property, called }: Supported, place: string, reading: Reading): Held | undefined {
  const { classes, findings } = reading
  const link = followToCollection(property, called, classes)
  if (link !== undefined) {
    if (link.held !== undefined) return { target: link.held }
    const right = 'add a "memberAssertion" with "property": "rdf:type" and the class as "object"'
    return findings.problem(place, `nothing says which class its collection holds; ${right}`)
  }
  const ranges = [...new Set([...irisOf(property, `${RDFS}range`), ...irisOf(node, `${RDFS}range`)])]
  const [range, another] = ranges
  if (range === undefined) return withoutRange(property, place, reading)
  if (another !== undefined)
    return findings.problem(
      place,
      `it has ${ranges.length} ranges, and can have one; keep the one that is meant`,
    )
  return readRange(range, place, reading)
}

/** Links to anything at all. */
const ANYTHING = [`${HYDRA}Resource`, `${RDFS}Resource`, `${OWL}Thing`]

function readRange(range: string, place: string, { classes, findings }: Reading): Held | undefined {
  const target = classes.find(range)
  if (target !== undefined) return { target }
  const mapped = findDatatype(range)
  if (mapped !== undefined) {
    if (mapped.differs === true)
      findings.note(place, `its range ${quoted(range)} is served as ${mapped.datatype}`)
    return { mapped }
  }
  if (ANYTHING.includes(range)) {
    findings.note(place, 'it leads to any resource; it is served as anyURI, an IRI that is not checked')
    return { mapped: { datatype: 'anyURI' } }
  }
  return findings.problem(place, `the range ${quoted(range)} is not known; ${rightRange(range, classes)}`)
}

function rightRange(range: string, { described }: Classes): string {
  const candidates = range.startsWith(XSD) ? DATATYPE_NAMES : described.map(({ name }) => name)
  const meant = nearest(lastPart(range), candidates)
  if (meant !== undefined) return `did you mean ${isDatatypeName(meant) ? prefixed(meant) : meant}?`
  return `it must be a class of this document, or one of ${DATATYPE_NAMES.map(prefixed).join(', ')}`
}

const prefixed = (name: DatatypeName) => (name === 'langString' ? `rdf:${name}` : `xsd:${name}`)

/** Older servers name a class of the document as the property itself, where they mean a value of that class. */
function withoutRange(property: Node, place: string, { classes, findings }: Reading): Held {
  const target = classes.find(property.id)
  if (target !== undefined) {
    findings.note(place, `its property is the class ${target.name}, which is taken for its range`)
    return { target }
  }
  const datatype = property.types.has(`${HYDRA}Link`) ? 'anyURI' : 'string'
  findings.note(place, `it has no range; completed: ${datatype}`)
  return { mapped: { datatype } }
}

function readFlags(
  node: Node,
  shape: Node | undefined,
  place: string,
  { findings }: Reading,
): { required: boolean; writable: boolean } {
  const flag = (name: string) => flagOf(node, HYDRA + name)
  const writable = flag('writable') ?? flag('writeable') ?? !(flag('readonly') ?? false)
  const required = flag('required') ?? false
  const filled = writable || (shape?.values(`${SH}defaultValue`).length ?? 0) > 0
  if (flag('readable') === false || flag('writeonly') === true)
    findings.ignored(place, 'that it cannot be read; everybody who reads a member reads it')
  if (!filled && required) findings.ignored(place, 'that it is required, since nobody can write it')
  else if (!filled) findings.note(place, 'nobody can write it and nothing fills it in; it stays empty')
  return { required: required && filled, writable }
}

function isMany(
  { property, called }: Supported,
  held: Held,
  shape: Node | undefined,
  reading: Reading,
): boolean {
  if ('mapped' in held && held.mapped.datatype === 'langString') return false
  if (followToCollection(property, called, reading.classes) !== undefined) return true
  if (shape !== undefined) return !saysOne(shape, `${SH}maxCount`)
  if (property.types.has(`${OWL}FunctionalProperty`)) return false
  const said = property.literals(`${OWL}maxCardinality`, `${OWL}cardinality`)
  if (said.length > 0) return said.some(({ value }) => Number(value) > 1)
  if ('mapped' in held) return false
  // Who says "at most one" of some links means "many" by the silence about others.
  return reading.saysCardinality || isNamedAfter(called, held.target.name)
}
