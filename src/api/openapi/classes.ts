import { count } from '../../text.ts'
import {
  type Class,
  hasCollection,
  hasOperationProperty,
  MAX_VALUES,
  type Model,
  memberType,
  OPERATION_IRI,
  type Property,
  pathOf,
  permittedOperations,
  type ReverseLink,
} from '../../vocabulary/index.ts'
import { historyKeys } from './history.ts'
import {
  ADDRESS,
  anyOf,
  COUNT,
  classRef,
  described,
  keyOf,
  listOf,
  objectOf,
  oneOf,
  REFERENCE,
  type Schema,
  type SchemaForm,
  schemaRef,
} from './schemas.ts'
import { exampleOf, sentValue, servedValue } from './values.ts'

/** All classes in every form. Schemas that nothing refers to are dropped later. */
export function classSchemas(model: Model, base: string): Record<string, Schema> {
  const schemas: Record<string, Schema> = {}
  for (const cls of model.classes) {
    const add = (form: SchemaForm, schema: Schema) => {
      schemas[keyOf(cls) + form] = { title: cls.title, ...labelOf(cls), ...schema }
    }
    const about = described(cls.description)
    const isStored = pathOf(cls) !== undefined
    add('', { ...about, ...servedSchema(cls, model, base, isStored) })
    if (isStored) add('_value', { ...about, ...servedSchema(cls, model, base, false) })
    if (hasCollection(cls)) {
      add('_page', pageSchema(cls))
      add('_included', includedSchema(cls))
    }
    add('_input', { ...about, ...wholeSchema(cls, '_input'), ...examplesOf(cls, base) })
    add('_item', { ...about, ...wholeSchema(cls, '_item') })
    add('_patch', patchSchema(cls))
  }
  return schemas
}

/** asking.md, Labels: an extension (OpenAPI 3.1 §4.9), as JSON Schema has no word for it. */
const labelOf = ({ label }: Class): Schema => (label.length === 0 ? {} : { 'x-label': label })

function servedSchema(cls: Class, model: Model, base: string, hasAddress: boolean): Schema {
  const properties = cls.properties.filter(({ isWriteOnly }) => isWriteOnly !== true)
  const operation = hasOperationProperty(cls) ? OPERATION_IRI : 'operation'
  return objectOf([...(hasAddress ? ['@id'] : []), '@type', ...requiredOf(properties)], {
    '@context': schemaRef('json_ld_context'),
    '@id': ADDRESS,
    '@type': oneOf([memberType(cls, base)]),
    ...byName(properties, (property) => propertySchema(property, servedValue(property, model))),
    ...(hasAddress &&
      Object.fromEntries(cls.reverseLinks.map((link) => [link.name, reverseSchema(link, model)]))),
    ...Object.fromEntries(
      permittedOperations(cls).map(({ name, title }) => [name, { ...ADDRESS, title, readOnly: true }]),
    ),
    ...(hasAddress && historyKeys(cls, base)),
    ...(cls.isOwned && {
      [operation]: {
        ...listOf(schemaRef('hydra_operation')),
        description: 'What you may do.',
        readOnly: true,
      },
    }),
  })
}

function reverseSchema({ className, property }: ReverseLink, { classes }: Model): Schema {
  const target = classes.find(({ name }) => name === className)
  const description = `The members of ${className} whose \`${property}\` is this member: the address of their collection; its first page where \`include\` names this link.`
  const one = target === undefined ? ADDRESS : anyOf(ADDRESS, classRef(target, '_included'))
  return { ...one, description, readOnly: true }
}

const writtenIn = ({ properties }: Class) => properties.filter(({ writable }) => writable)

function wholeSchema(cls: Class, form: '_input' | '_item'): Schema {
  const written = writtenIn(cls)
  return objectOf(
    requiredOf(written),
    byName(written, (property) => ({
      ...propertySchema(property, sentValue(property, form)),
      ...(form === '_input' && defaultOf(property)),
    })),
  )
}

function examplesOf(cls: Class, base: string): Schema {
  const example = exampleOf(cls, base)
  return example === undefined ? {} : { examples: [example] }
}

/**
 * RFC 7396: null removes a value, and a property that is not mentioned stays. The schema has no defaults, because clients
 * that fill them in would write them with every change.
 */
const patchSchema = (cls: Class): Schema =>
  objectOf(
    [],
    byName(writtenIn(cls), (property) =>
      anyOf(propertySchema(property, sentValue(property, '_patch')), { type: 'null' }),
    ),
  )

const pageSchema = (cls: Class): Schema =>
  collectionSchema(cls, {
    '@context': schemaRef('json_ld_context'),
    member: listOf(classRef(cls, '')),
    search: schemaRef('search_template'),
    summary: schemaRef('search_template'),
  })

/** The collection in place of a link from the other side: a member that the response has already is an address there. */
const includedSchema = (cls: Class): Schema =>
  collectionSchema(cls, { member: listOf(anyOf(classRef(cls, ''), REFERENCE)) })

const collectionSchema = (cls: Class, properties: Schema): Schema => ({
  title: `${cls.title} collection`,
  ...objectOf(['@id', '@type', 'memberAssertion', 'member', 'view'], {
    '@id': ADDRESS,
    '@type': schemaRef('type_names'),
    memberAssertion: assertionSchema(cls),
    totalItems: COUNT,
    view: schemaRef('page_view'),
    ...properties,
  }),
})

/** A page to which a link from the other side leads also says which member its members link to. */
const assertionSchema = ({ properties }: Class): Schema => {
  const one = schemaRef('member_assertion')
  return properties.some(({ reverse }) => reverse !== undefined) ? anyOf(one, listOf(one)) : one
}

const requiredOf = (properties: readonly Property[]): string[] =>
  properties
    // A property with a default need not be sent: new members get it anyway.
    .filter(({ required, default: given, always }) => required && given === undefined && always === undefined)
    .map(({ name }) => name)

const byName = (properties: readonly Property[], schemaOf: (property: Property) => Schema) =>
  Object.fromEntries(properties.map((property) => [property.name, schemaOf(property)]))

const defaultOf = ({ default: given }: Property): Schema =>
  given?.kind === 'value' ? { default: given.value } : {}

function propertySchema(property: Property, { description: ofValue, ...value }: Schema): Schema {
  const { title, description, many, writable, unique, name, unit, example, constraints } = property
  const schema = many ? { ...listOf(value), maxItems: MAX_VALUES } : value
  const about = [
    description,
    unit === undefined ? '' : `In ${unit}.`,
    constraints.scale === undefined ? '' : `At most ${count(constraints.scale, 'digit')} after the point.`,
    unique ? 'No two members have the same value.' : '',
    ofValue,
  ]
  return {
    ...schema,
    ...(title !== name && { title }),
    ...described(about.filter(Boolean).join(' ')),
    ...(!writable && { readOnly: true }),
    ...(example !== undefined && { examples: [many ? [example] : example] }),
  }
}
