import { type JsonValue, Numeral } from '../../json.ts'
import { datatypeOf } from '../datatypes.ts'
import { type Constraints, type Range, toConstraints } from '../model.ts'
import { SH, XSD } from '../namespaces.ts'
import { whyNoPattern } from '../patterns.ts'
import type { Findings } from './findings.ts'
import type { Graph, Literal, Node } from './graph.ts'
import { irisOf } from './names.ts'

/** The SHACL shape of a property of a class; undefined where the document has none. */
export type FindShape = (cls: Node, property: Node) => Node | undefined

/** Shapes are found by `sh:targetClass`, or as the class itself (SHACL §2.1.3.3). */
export function createShapeFinder(graph: Graph): FindShape {
  const byClass = new Map<string, Node[]>()
  for (const node of graph.values()) {
    const properties = node.nodes(`${SH}property`)
    for (const iri of [...irisOf(node, `${SH}targetClass`), node.id])
      if (properties.length > 0) byClass.set(iri, [...(byClass.get(iri) ?? []), ...properties])
  }
  return (cls, property) =>
    byClass.get(cls.id)?.find((shape) => irisOf(shape, `${SH}path`).includes(property.id))
}

/** hypermedia.md, The API file: the same constraints as in the short form; what does not fit the type is left out. */
export function readShape(
  shape: Node | undefined,
  range: Range,
  place: string,
  findings: Findings,
): Constraints {
  if (shape === undefined || range.kind !== 'datatype') return {}
  const { family } = datatypeOf(range.datatype)
  const numbers = family === 'number'
  const text = family === 'text'
  const minLength = text ? lengthOf(shape, 'minLength') : undefined
  const maxLength = text ? lengthOf(shape, 'maxLength') : undefined
  const pattern = text ? patternOf(shape, place, findings) : undefined
  const minimum = numbers ? numberOf(shape, 'minInclusive') : undefined
  const maximum = numbers ? numberOf(shape, 'maxInclusive') : undefined
  const values =
    family === 'boolean' || family === 'languages' ? undefined : enumOf(shape, range, place, findings)
  noteIgnored(shape, place, findings)
  return toConstraints({ minLength, maxLength, pattern, minimum, maximum, enum: values })
}

function numberOf(shape: Node, name: string): number | undefined {
  const [literal] = shape.literals(SH + name)
  const value = literal === undefined ? Number.NaN : Number(literal.value)
  return Number.isFinite(value) ? value : undefined
}

function lengthOf(shape: Node, name: string): number | undefined {
  const length = numberOf(shape, name)
  return length !== undefined && Number.isSafeInteger(length) && length >= 0 ? length : undefined
}

/** SHACL has the patterns of SPARQL, which are nearly those of JavaScript. */
function patternOf(shape: Node, place: string, findings: Findings): string | undefined {
  const pattern = shape.text(`${SH}pattern`)
  if (pattern === undefined) return undefined
  const why = whyNoPattern(pattern)
  if (why !== undefined) return findings.problem(place, why)
  if (shape.text(`${SH}flags`) === undefined) return pattern
  return findings.problem(place, 'a pattern with flags cannot be checked here; write it without "sh:flags"')
}

function enumOf(
  shape: Node,
  range: Extract<Range, { kind: 'datatype' }>,
  place: string,
  findings: Findings,
): (string | number)[] | undefined {
  const literals = shape.literals(`${SH}in`)
  if (literals.length === 0) return undefined
  const readings = literals.map((literal) => datatypeOf(range.datatype).read(jsonOf(literal)))
  const wrong = readings.find((reading) => 'message' in reading)
  if (wrong !== undefined && 'message' in wrong)
    return findings.problem(place, `one of its possible values (sh:in) ${wrong.message.replace(/\.$/, '')}`)
  return readings.flatMap((reading) => ('value' in reading ? [reading.value as string | number] : []))
}

/** As JSON would have sent it; what has been RDF may have become text with a datatype. */
export function jsonOf({ value, datatype = '' }: Literal): JsonValue {
  if (typeof value === 'number') return new Numeral(String(value))
  if (typeof value === 'boolean') return value
  if (datatype === `${XSD}boolean`) return value === 'true' || value === '1'
  return NUMERIC.test(datatype) && Number.isFinite(Number(value)) ? new Numeral(String(Number(value))) : value
}

const NUMERIC = /#(?:integer|double|float|nonNegativeInteger|positiveInteger)$/

/** Checks that the document promises and that are not made here. */
const UNCHECKED = [
  'minExclusive',
  'maxExclusive',
  'equals',
  'disjoint',
  'lessThan',
  'not',
  'or',
  'xone',
  'hasValue',
]

function noteIgnored(shape: Node, place: string, findings: Findings): void {
  for (const name of UNCHECKED.filter((one) => shape.values(SH + one).length > 0))
    findings.ignored(place, `"sh:${name}", which is not checked here`)
}
