import { type JsonValue, Numeral } from '../../json.ts'
import { fits, type Given, readConstraints, readDefault } from '../constraints.ts'
import type { Report } from '../findings.ts'
import type { Constraints, DefaultValue, Property, Range } from '../model.ts'
import { SH, XSD } from '../namespaces.ts'
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

/** What SHACL calls the constraints of the short form. */
const TERMS: Readonly<Record<keyof Constraints, string>> = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'pattern',
  minimum: 'minInclusive',
  maximum: 'maxInclusive',
  enum: 'in',
}

/** hypermedia.md, The API file: the same constraints as in the short form; what does not fit the type is left out. */
export function readShape(shape: Node | undefined, range: Range, report: Report): Constraints {
  if (shape === undefined || range.kind !== 'datatype') return {}
  for (const name of UNCHECKED.filter((one) => shape.values(SH + one).length > 0))
    report.ignored(`"sh:${name}", which is not checked here`)
  return readConstraints(range, (name) => {
    const literals = fits(name, range) ? shape.literals(SH + TERMS[name]) : []
    if (literals.length === 0) return undefined
    if (name === 'pattern' && shape.literals(`${SH}flags`).length > 0)
      return report.problem('a pattern with flags cannot be checked here; write it without "sh:flags"')
    const read = name === 'enum' ? jsonOf : name === 'pattern' ? textOf : numeralOf
    return { name: `"sh:${TERMS[name]}"`, values: literals.map(read), refuse: report.problem }
  })
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
  const given: Given = { name: 'its default', values: literals.map(jsonOf), refuse: report.problem }
  return readDefault(property, range.datatype, given)
}

const NUMERIC = /#(?:integer|double|float|nonNegativeInteger|positiveInteger)$/

/** As JSON would have sent it; what has been RDF may have become text with a datatype. */
function jsonOf(literal: Literal): JsonValue {
  const { value, datatype = '' } = literal
  if (typeof value === 'boolean') return value
  if (datatype === `${XSD}boolean`) return value === 'true' || value === '1'
  return typeof value === 'number' || NUMERIC.test(datatype) ? numeralOf(literal) : value
}

/** Numbers here need no more digits than a double has. */
const numeralOf = ({ value }: Literal): JsonValue =>
  Number.isFinite(Number(value)) ? new Numeral(String(Number(value))) : String(value)

/** SHACL has the patterns of SPARQL, which are nearly those of JavaScript. */
const textOf = ({ value }: Literal): JsonValue => String(value)
