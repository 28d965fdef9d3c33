import { type Class, hasCollection, type Model, type WriteMethod } from '../../vocabulary/index.ts'

/** JSON Schema 2020-12, and the other objects of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

export const TEXT = { type: 'string' }
/** Percent-encoded, as HTTP has them. */
export const ADDRESS = { type: 'string', format: 'uri' }
export const TIME = { type: 'string', format: 'date-time' }
export const COUNT = { type: 'integer', minimum: 0 }

/** `enum` even for a single value, because client generators take `const` for any text. */
export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: [...new Set(values)] })
export const listOf = (items: Schema) => ({ type: 'array', items })
export function objectOf(required: readonly string[], properties: Schema) {
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}
/** A member of which only the address is shown. */
export const REFERENCE = { ...objectOf(['@id'], { '@id': ADDRESS }), additionalProperties: false }
/** A single schema stays as it is, which client generators prefer. */
export const anyOf = (...schemas: readonly [Schema, ...Schema[]]): Schema =>
  schemas.length === 1 ? schemas[0] : { anyOf: schemas }

export const described = (description: string): Schema => (description === '' ? {} : { description })

/**
 * The form of a class that a schema describes: a member as it is served; a value without an address; a page of members;
 * a page in place of a link from the other side; the body for a whole member; a merge patch; an item of a list in a
 * patch, which is whole and gets no defaults. The underscore distinguishes them from classes, whose names have none.
 */
export type SchemaForm = '' | '_value' | '_page' | '_included' | '_input' | '_patch' | '_item'

/** Keys of components and operation ids are ASCII, and names of classes are of any script. Two names never share a key. */
export const keyOf = ({ name }: Pick<Class, 'name'>): string =>
  name.replaceAll(/[^A-Za-z0-9]/gu, (letter) => `-u${letter.codePointAt(0)?.toString(16)}-`)

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const classRef = (cls: Class, form: SchemaForm): Schema => schemaRef(keyOf(cls) + form)

export interface Sizes {
  readonly standard: number
  readonly maximum: number
}

/** The input for a document. */
export interface Shown {
  readonly model: Model
  /** The part that filters may ask for. */
  readonly queried: Model
  readonly base: string
  readonly sizes: Sizes
  /** The names of classes whose members can be replaced, whether or not these users may do it. */
  readonly replaceable: ReadonlySet<string>
  /** The names of classes whose members take others along when they are removed. */
  readonly removalTargets: ReadonlySet<string>
}

/** The methods that create a member at an address of the client's choice, for users who may create and not replace. */
export const creatingAt = (cls: Class, { replaceable }: Shown): readonly WriteMethod[] => {
  const { operations, methods, name } = cls
  const isWanted = hasCollection(cls) && operations.has('create') && !operations.has('replace')
  return isWanted && replaceable.has(name) ? methods.replace : []
}
