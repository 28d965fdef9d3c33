import {
  classIri,
  isNative,
  linkedCollection,
  propertyIri,
  rangeClassIri,
  vocabIri,
} from '../contexts/contexts.ts'
import { datatypeOf } from '../datatypes.ts'
import { writtenOut } from '../lexical-forms.ts'
import type { Class, Model, Property, Range } from '../model.ts'
import { XSD } from '../names.ts'

/** The constraints of every class, as SHACL (hypermedia.md, Vocabulary: "constraints as SHACL shapes alongside"). */
export const createShapes = (model: Model, base: string): ClassShape[] =>
  model.classes.map((cls) => ({
    '@id': shapeIri(cls, base),
    '@type': 'sh:NodeShape',
    targetClass: classIri(cls, base),
    property: cls.properties.map((property) => propertyShape(cls, property, model, base)),
  }))

export interface ClassShape {
  readonly targetClass: string
  readonly property: readonly object[]
}

/** No class begins with a lower-case letter, so no class and no property has this IRI. */
const shapeIri = ({ name }: Class, base: string) => vocabIri(base, `shape/${name}`)

function propertyShape(cls: Class, property: Property, model: Model, base: string): object {
  const { range, many, required, unique, multiline } = property
  const { minimum, maximum, enum: values, ...rest } = property.constraints
  const texts = range.kind === 'datatype' && range.datatype === 'langString'
  return {
    path: propertyIri(cls, property, base),
    ...(required && { minCount: 1 }),
    ...(texts ? { uniqueLang: true } : many ? {} : { maxCount: 1 }),
    ...(unique && { uniqueValueForClass: classIri(cls, base) }),
    ...valueShape(range, model, base),
    // Lengths, patterns, and the scale, for which SHACL has no term.
    ...rest,
    ...(multiline && { singleLine: false }),
    ...(minimum !== undefined && { minInclusive: bound(minimum, range) }),
    ...(maximum !== undefined && { maxInclusive: bound(maximum, range) }),
    ...defaultShape(property),
    ...(values !== undefined && { in: values.map((value) => literal(value, range)) }),
  }
}

/** SHACL §3.1: at most one value, and no way to express `now` or `user`. */
function defaultShape({ default: given, many, range }: Property): object {
  if (given?.kind !== 'value' || many || typeof given.value === 'object') return {}
  return { defaultValue: literal(given.value as Scalar, range) }
}

type Scalar = string | number | boolean

function valueShape(range: Range, model: Model, base: string): object {
  if (range.kind === 'datatype') return { datatype: datatypeOf(range.datatype).iri }
  const cls = rangeClassIri(range, model, base)
  if (range.kind === 'link')
    return { nodeKind: 'sh:IRI', class: cls, ...linkedCollection(range, model, base) }
  return { nodeKind: 'sh:BlankNode', class: cls, node: shapeIri(range.cls, base) }
}

/** The literal as members have it: SHACL §4.8.3 compares terms, so the lexical form matters. */
function literal(value: Scalar, range: Range): unknown {
  if (range.kind !== 'datatype' || isNative(range)) return value
  return { '@value': value, '@type': datatypeOf(range.datatype).iri }
}

/** Bounds are compared by value (SHACL §4.3), so decimals are written exactly, unlike a JSON number with a fraction. */
function bound(value: number, range: Range): unknown {
  if (Number.isSafeInteger(value)) return value
  if (range.kind === 'datatype' && (range.datatype === 'double' || range.datatype === 'float')) return value
  return { '@value': writtenOut(String(value)), '@type': `${XSD}decimal` }
}
