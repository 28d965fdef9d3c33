import { type JsonValue, Numeral } from '../../json.ts'
import { fits, readDefaultOf, readLiterals, toConstraints } from '../constraints.ts'
import type { Report } from '../findings.ts'
import type { Constraints, DefaultValue, Property, Range } from '../model.ts'
import { SH, XSD } from '../namespaces.ts'
import { whyNoPattern } from '../patterns.ts'
import type { Graph, Literal, Node } from './graph.ts'

/** The SHACL shape of a property of a class; undefined where the document has none. */
export type FindShape = (cls: Node, property: Node) => Node | undefined

/** Shapes are found by `sh:targetClass`, or as the class itself (SHACL §2.1.3.3). */
export function createShapeFinder(graph: Graph): FindShape {
  const byClass = new Map<string, Node[]>()
  for (const node of graph.values()) {
    const properties = node.nodes(`${SH}property`)
    for (const iri of [...node.iris(`${SH}targetClass`), node.id])
      if (properties.length > 0) byClass.set(iri, [...(byClass.get(iri) ?? []), ...properties])
  }
  return (cls, property) =>
    byClass.get(cls.id)?.find((shape) => shape.iris(`${SH}path`).includes(property.id))
}

/** Checks that the document promises and that are not made here. */
const UNCHECKED = [
  ...['minExclusive', 'maxExclusive', 'equals', 'disjoint', 'lessThan'],
  ...['not', 'or', 'xone', 'hasValue'],
]

/** hypermedia.md, The API file: the same constraints as in the short form; what does not fit the type is left out. */
export function readShape(shape: Node | undefined, range: Range, report: Report): Constraints {
  if (shape === undefined || range.kind !== 'datatype') return {}
  const minLength = fits('minLength', range) ? lengthOf(shape, 'minLength') : undefined
  const maxLength = fits('maxLength', range) ? lengthOf(shape, 'maxLength') : undefined
  const pattern = fits('pattern', range) ? patternOf(shape, report) : undefined
  const minimum = fits('minimum', range) ? numberOf(shape, 'minInclusive') : undefined
  const maximum = fits('maximum', range) ? numberOf(shape, 'maxInclusive') : undefined
  const values = fits('enum', range) ? enumOf(shape, range, report) : undefined
  for (const name of UNCHECKED.filter((one) => shape.values(SH + one).length > 0))
    report.ignored(`"sh:${name}", which is not checked here`)
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
function patternOf(shape: Node, report: Report): string | undefined {
  const [literal] = shape.literals(`${SH}pattern`)
  if (literal === undefined) return undefined
  const pattern = String(literal.value)
  const why = whyNoPattern(pattern)
  if (why !== undefined) return report.problem(why)
  if (shape.literals(`${SH}flags`).length === 0) return pattern
  return report.problem('a pattern with flags cannot be checked here; write it without "sh:flags"')
}

type DatatypeRange = Extract<Range, { kind: 'datatype' }>

function enumOf(shape: Node, { datatype }: DatatypeRange, report: Report): (string | number)[] | undefined {
  const literals = shape.literals(`${SH}in`)
  if (literals.length === 0) return undefined
  const refused: string[] = []
  const values = readLiterals(datatype, literals.map(jsonOf), (message) => refused.push(message))
  const [message] = refused
  if (message === undefined) return values as (string | number)[]
  return report.problem(`one of its possible values (sh:in) ${message.replace(/\.$/, '')}`)
}

/** `sh:defaultValue`. */
export function readDefaultValue(
  shape: Node | undefined,
  property: Property,
  report: Report,
): DefaultValue | undefined {
  const { range, many } = property
  const literals = shape?.literals(`${SH}defaultValue`) ?? []
  if (literals.length === 0) return undefined
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return report.ignored('its default, since only a datatype with one text can have one')
  if (literals.length > 1 && !many)
    return report.problem('it has several defaults, but one value at most; keep one of them')
  return readDefaultOf(property, range.datatype, literals.map(jsonOf), (message) =>
    report.problem(`its default ${message.replace(/\.$/, '')}`),
  )
}

const NUMERIC = /#(?:integer|double|float|nonNegativeInteger|positiveInteger)$/

/** As JSON would have sent it; what has been RDF may have become text with a datatype. */
function jsonOf({ value, datatype = '' }: Literal): JsonValue {
  if (typeof value === 'number') return new Numeral(String(value))
  if (typeof value === 'boolean') return value
  if (datatype === `${XSD}boolean`) return value === 'true' || value === '1'
  return NUMERIC.test(datatype) && Number.isFinite(Number(value)) ? new Numeral(String(Number(value))) : value
}
