import {
  type Class,
  type DatatypeName,
  datatypeOf,
  embeddedNames,
  hasCollection,
  MAX_VALUES,
  type Model,
  memberType,
  namesSent,
  type Property,
  pathTo,
  permittedOperations,
  type Range,
  storedClasses,
} from '../../vocabulary/index.ts'

export type Schema = Readonly<Record<string, unknown>>

export const TEXT = { type: 'string' }
export const OBJECT = { type: 'object' }
export const ADDRESS = { type: 'string', format: 'uri' }
export const listOf = (items: Schema) => ({ type: 'array', items })
export function objectOf(required: readonly string[], properties: Schema): Schema {
  return { type: 'object', required, properties }
}

/**
 * What a schema is of: a member as it is served, as it is sent, as it is patched, or a page of members. The underscore
 * keeps them apart from classes, whose names have none.
 */
type Form = '' | '_input' | '_patch' | '_page'

/** The keys of components are ASCII, and the names of classes are of any script. */
const keyOf = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9]/gu, (letter) => `-${letter.codePointAt(0)?.toString(16)}`)

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const classRef = ({ name }: Class, form: Form): Schema => schemaRef(keyOf(name) + form)

/** Of all classes, in every form in which one is sent or served. */
export function classSchemas(model: Model, base: string): Record<string, Schema> {
  const stored = storedClasses(model)
  const nested = new Set([...embeddedNames(model.classes), ...namesSent(model.classes)])
  const schemas: Record<string, Schema> = {}
  const add = (cls: Class, form: Form, schema: Schema) => {
    schemas[keyOf(cls.name) + form] = schema
  }
  for (const cls of model.classes) {
    const isStored = stored.includes(cls)
    if (!isStored && !nested.has(cls.name)) continue
    add(cls, '', servedSchema(cls, base, isStored))
    add(cls, '_input', inputSchema(cls, base))
    add(cls, '_patch', patchSchema(cls))
    if (hasCollection(cls) && cls.operations.has('list')) add(cls, '_page', pageSchema(cls))
  }
  return schemas
}

function servedSchema(cls: Class, base: string, isStored: boolean): Schema {
  return {
    type: 'object',
    title: cls.title,
    ...described(cls.description),
    required: [...(isStored ? ['@id'] : []), '@type', ...requiredOf(cls.properties)],
    properties: {
      ...(isStored && {
        '@context': { description: 'what the terms mean; left out of application/json' },
        '@id': ADDRESS,
      }),
      '@type': { type: 'string', const: memberType(cls, base) },
      ...propertiesOf(cls.properties, (property) => propertySchema(property, '')),
      ...Object.fromEntries(
        permittedOperations(cls).map(({ name, title }) => [name, { ...ADDRESS, title, readOnly: true }]),
      ),
    },
  }
}

const writtenIn = ({ properties }: Class) => properties.filter(({ writable }) => writable)

function inputSchema(cls: Class, base: string): Schema {
  const written = writtenIn(cls)
  const required = requiredOf(written)
  const example = exampleOf(cls, base)
  return {
    type: 'object',
    title: cls.title,
    ...described(cls.description),
    ...(required.length > 0 && { required }),
    properties: propertiesOf(written, (property) => propertySchema(property, '_input')),
    ...(example !== undefined && { examples: [example] }),
  }
}

/** RFC 7396: null removes. */
const patchSchema = (cls: Class): Schema => ({
  type: 'object',
  title: cls.title,
  properties: propertiesOf(writtenIn(cls), (property) => ({
    anyOf: [propertySchema(property, '_patch'), { type: 'null' }],
  })),
})

const pageSchema = (cls: Class): Schema => ({
  title: `${cls.title} collection`,
  ...objectOf(['@id', 'member'], {
    '@id': ADDRESS,
    totalItems: { type: 'integer', minimum: 0 },
    member: listOf(classRef(cls, '')),
    view: schemaRef('page_view'),
  }),
})

const requiredOf = (properties: readonly Property[]): string[] =>
  properties
    // What has a default need not be sent, and is there when it was created since.
    .filter((property) => property.required && property.default === undefined)
    .map(({ name }) => name)

const propertiesOf = (properties: readonly Property[], schemaOf: (property: Property) => Schema) =>
  Object.fromEntries(properties.map((property) => [property.name, schemaOf(property)]))

const described = (description: string): Schema => (description === '' ? {} : { description })

function propertySchema(property: Property, form: Form): Schema {
  const { title, description, many, writable, unique, name } = property
  const value = valueSchema(property, form)
  const schema = many ? { ...listOf(value), maxItems: MAX_VALUES } : value
  const about = [description, unique ? 'No two members have the same value.' : ''].filter(Boolean).join(' ')
  return {
    ...schema,
    ...(title !== name && { title }),
    ...described(about),
    ...(!writable && { readOnly: true }),
    ...(property.default?.kind === 'value' && { default: property.default.value }),
  }
}

/** `form`: decimals are served as text, and may be sent as numbers. */
export function valueSchema(
  { range, constraints }: Pick<Property, 'range' | 'constraints'>,
  form: Form,
): Schema {
  if (range.kind === 'embedded') return classRef(range.cls, form)
  if (range.kind === 'link') return { type: 'string', format: form === '' ? 'uri' : 'uri-reference' }
  const { schema } = DATATYPE_SCHEMAS[range.datatype]
  if (range.datatype !== 'decimal') return { ...schema, ...constraints }
  const { minimum: _, maximum: __, ...ofText } = constraints
  return { ...schema, ...(form === '' ? ofText : { type: ['string', 'number'], ...constraints }) }
}

/** Something that could be sent, where that can be made up; undefined where a required value has a pattern. */
function exampleOf(cls: Class, base: string): Record<string, unknown> | undefined {
  const example: Record<string, unknown> = Object.create(null)
  for (const { name, many, writable, required, range, constraints } of cls.properties) {
    if (!writable) continue
    const value = exampleValue(range, constraints, base)
    if (value !== undefined) example[name] = many ? [value] : value
    else if (required) return undefined
  }
  return example
}

function exampleValue(range: Range, constraints: Property['constraints'], base: string): unknown {
  if (range.kind === 'embedded') return exampleOf(range.cls, base)
  if (range.kind === 'link') return `${base}${pathTo(range.collection)}/1`
  const { enum: values, minimum, maximum, minLength = 0, maxLength = 20, pattern } = constraints
  if (values !== undefined) return values[0]
  if (pattern !== undefined) return undefined
  const { example } = DATATYPE_SCHEMAS[range.datatype]
  if (datatypeOf(range.datatype).family === 'number') {
    const value = minimum ?? maximum ?? 1
    return range.datatype === 'decimal' ? String(value) : value
  }
  return range.datatype === 'string' ? 'text'.padEnd(minLength, '.').slice(0, maxLength) : example
}

type Described = Readonly<Record<DatatypeName, { readonly schema: Schema; readonly example?: unknown }>>

/** Examples of numbers and texts depend on their constraints. */
const DATATYPE_SCHEMAS: Described = {
  string: { schema: TEXT },
  boolean: { schema: { type: 'boolean' }, example: true },
  integer: { schema: { type: 'integer' } },
  nonNegativeInteger: { schema: { type: 'integer', minimum: 0 } },
  positiveInteger: { schema: { type: 'integer', minimum: 1 } },
  decimal: { schema: { ...TEXT, format: 'decimal' } },
  double: { schema: { type: 'number', format: 'double' } },
  float: { schema: { type: 'number', format: 'float' } },
  date: { schema: { ...TEXT, format: 'date' }, example: '2026-01-31' },
  dateTime: { schema: { ...TEXT, format: 'date-time' }, example: '2026-01-31T12:00:00Z' },
  time: { schema: { ...TEXT, format: 'time' }, example: '12:00:00' },
  duration: { schema: { ...TEXT, format: 'duration' }, example: 'PT1H' },
  anyURI: { schema: ADDRESS, example: 'https://example.org/' },
  langString: { schema: { ...OBJECT, additionalProperties: TEXT }, example: { en: 'text' } },
}
