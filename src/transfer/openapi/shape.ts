// What a schema describes, without the many ways to say it.
import { isMap, type JsonSchema, mapIn, refName } from './document.ts'

export type SchemaShape =
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'object'; readonly schema: JsonSchema }
  | { readonly kind: 'list'; readonly items: JsonSchema }
  | { readonly kind: 'scalar'; readonly schema: JsonSchema; readonly type: string }
  /** A map, a choice between several things, or anything. */
  | { readonly kind: 'other' }

const OTHER: SchemaShape = { kind: 'other' }

/** How deep combinations of schemas are followed. */
const DEEPEST = 10

export function shapeOf(schema: JsonSchema, depth = 0): SchemaShape {
  const name = refName(schema)
  if (name !== undefined) return { kind: 'reference', name }
  if ('$ref' in schema || depth > DEEPEST) return OTHER
  const [only, ...others] = alternatives(schema)
  if (only !== undefined)
    return others.length === 0 ? shapeOf(only, depth + 1) : choiceOf([only, ...others], depth)
  const all = listOfMaps(schema.allOf)
  // A reference with a description beside it, as version 3.0 writes it; or with properties, which are those of a class.
  const reference = all.find((one) => refName(one) !== undefined)
  if (reference !== undefined) return shapeOf(reference, depth + 1)
  const [first] = all
  if (first !== undefined && all.length === 1 && !('properties' in schema)) return shapeOf(first, depth + 1)
  const type = typeOf(schema)
  if (type === 'array') return isMap(schema.items) ? { kind: 'list', items: schema.items } : OTHER
  if (all.length > 0 || isMap(schema.properties)) return { kind: 'object', schema }
  if (type === undefined || type === 'object') return OTHER
  return { kind: 'scalar', schema, type }
}

/** The shape of a schema with a name, which may combine others. */
export function namedShapeOf(schema: JsonSchema): SchemaShape {
  const all = listOfMaps(schema.allOf)
  const isCombined = all.length > 1 || (all.length === 1 && isMap(schema.properties))
  return isCombined ? { kind: 'object', schema } : shapeOf(schema)
}

const listOfMaps = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isMap) : [])

const isNull = (schema: JsonSchema): boolean => schema.type === 'null' || schema.const === null

const alternatives = ({ oneOf, anyOf }: JsonSchema): JsonSchema[] =>
  [...listOfMaps(oneOf), ...listOfMaps(anyOf)].filter((one) => !isNull(one))

/**
 * Constants and enumerations are one enumeration, and an address or the object at it is a reference to that; any other
 * choice cannot be described.
 */
function choiceOf(schemas: readonly JsonSchema[], depth: number): SchemaShape {
  const shapes = schemas.map((one) => shapeOf(one, depth + 1))
  const references = shapes.filter(({ kind }) => kind === 'reference')
  const isAddress = (shape: SchemaShape) => shape.kind === 'scalar' && shape.type === 'string'
  if (references.length === 1 && shapes.every((one) => one === references[0] || isAddress(one)))
    return references[0] as SchemaShape
  const choices = schemas.flatMap(choicesIn)
  const [first] = choices
  const isEnum = schemas.every((one) => choicesIn(one).length > 0)
  if (!isEnum || choices.some((one) => typeof one !== typeof first)) return OTHER
  const type = typeof first === 'number' ? 'number' : 'string'
  return { kind: 'scalar', schema: { type, enum: choices }, type }
}

/** The values that a schema lists, without null. */
export function choicesIn({ enum: choices, const: only }: JsonSchema): (string | number)[] {
  const all = Array.isArray(choices) ? choices : only === undefined ? [] : [only]
  return [...new Set(all)].filter((one) => typeof one === 'string' || Number.isFinite(one))
}

/** The one type besides null; by the values, if it is not said. */
function typeOf(schema: JsonSchema): string | undefined {
  const types = [schema.type].flat().filter((type) => type !== 'null' && type !== undefined)
  if (types.length > 1) return undefined
  const [type] = types
  if (typeof type === 'string') return type
  const [choice] = choicesIn(schema)
  if (choice !== undefined) return typeof choice
  return 'format' in schema || 'pattern' in schema ? 'string' : undefined
}

export function isNullable(schema: JsonSchema): boolean {
  const { nullable, type, oneOf, anyOf } = schema
  const choices = [oneOf, anyOf].flatMap((value) => (Array.isArray(value) ? value.filter(isMap) : []))
  return nullable === true || (Array.isArray(type) && type.includes('null')) || choices.some(isNull)
}

/** The properties of an object, with those of the schemas that it combines. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchema>
  readonly required: ReadonlySet<string>
}

export function objectOf(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): ObjectShape {
  const properties = new Map<string, JsonSchema>()
  const required = new Set<string>()
  const seen = new Set<JsonSchema>()
  add(schema)
  return { properties, required }

  /** Each part once: what is said last counts. */
  function add(part: JsonSchema): void {
    if (seen.has(part)) return
    seen.add(part)
    const target = schemas.get(refName(part) ?? '')
    if (target !== undefined) add(target)
    for (const inner of listOfMaps(part.allOf)) add(inner)
    for (const [key, value] of Object.entries(mapIn(part.properties))) properties.set(key, mapIn(value))
    for (const key of [part.required].flat()) if (typeof key === 'string') required.add(key)
  }
}
