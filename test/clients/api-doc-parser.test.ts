import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, type Field, parseHydraDocumentation, type Resource } from '@api-platform/api-doc-parser'
import {
  type Class,
  classIri,
  filteredWithin,
  HYDRA,
  hasCollection,
  hasFilters,
  type Model,
  OWL,
  type Property,
  plural,
  propertyIri,
  RDF,
  type ReverseLink,
  reverseLinkIri,
  SCHEMA,
  vocabIri,
  XSD,
} from '../../src/vocabulary/index.ts'
import type { Json } from '../api/signed-in.ts'
import { modelOf, share } from '../support/service.ts'
import { EVERYTHING, serveEverything } from './everything.ts'

const model = modelOf(EVERYTHING)
const shared = share(serveEverything)

async function parse(base: string, token: string): Promise<Api> {
  const { api, status } = await parseHydraDocumentation(base, { headers: { 'X-Authorization': token } })
  assert.equal(status, 200)
  return api
}

const resourcesOf = ({ resources }: Api): Resource[] => resources ?? []

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('api-doc-parser finds the resources, fields and relations of the API file', async () => {
  const { base, client } = await shared()
  const api = await parse(base, await client.signIn())
  assert.equal(api.entrypoint, base)
  assert.equal(api.title, model.title)
  const found = resourcesOf(api).map((resource) => ({
    name: resource.name,
    url: resource.url,
    id: resource.id,
    title: resource.title,
    deprecated: resource.deprecated,
    fields: resource.fields?.map(readField),
    readable: namesOf(resource.readableFields),
    writable: namesOf(resource.writableFields),
  }))
  assert.deepEqual(
    Object.fromEntries(found.map((resource) => [resource.name, resource])),
    expectedResources(base),
  )
})

const namesOf = (fields: readonly Field[] | null | undefined) => fields?.map(({ name }) => name)

/** A field without what it refers to, whose own fields may lead back to it. */
function readField({ reference, embedded, ...field }: Field): Json {
  const nameOf = (resource: typeof reference) =>
    resource !== null && typeof resource === 'object' ? resource.name : resource
  return { ...field, reference: nameOf(reference), embedded: nameOf(embedded) }
}

function expectedResources(base: string): Json {
  return Object.fromEntries(
    // What is no collection is none of its resources: it would list it.
    model.classes.filter(hasCollection).map((cls) => {
      const name = cls.collection
      const resource = {
        name,
        url: `${base}/${name}`,
        id: classIri(cls, base),
        title: cls.title,
        deprecated: false,
        fields: [
          ...cls.properties.map((property) => expectedField(cls, property, base)),
          ...cls.reverseLinks.map((link) => expectedReverse(cls, link, base)),
        ],
        readable: [...cls.properties, ...cls.reverseLinks].map((property) => property.name),
        writable: cls.properties.filter(({ writable }) => writable).map((property) => property.name),
      }
      return [name, resource]
    }),
  )
}

function expectedField(cls: Class, property: Property, base: string): Json {
  const { range, many, required, description, name } = property
  const single = range.kind !== 'datatype' && !many
  return {
    name,
    id: propertyIri(cls, property, base),
    range: rangeIri(property, base),
    type: range.kind === 'datatype' ? typeOf(range.datatype) : 'string',
    arrayType: undefined,
    enum: undefined,
    nullable: undefined,
    required,
    description,
    maxCardinality: single ? 1 : null,
    deprecated: false,
    reference: range.kind === 'link' ? range.collection : null,
    // The class of an embedded value is no resource of its own.
    embedded: null,
  }
}

/** A link from the other side is a text to the client: the address of a page. */
const expectedReverse = (cls: Class, link: ReverseLink, base: string): Json => ({
  name: link.name,
  id: reverseLinkIri(cls, link, base),
  range: vocabIri(base, `${link.className}Collection`),
  type: 'string',
  arrayType: undefined,
  enum: undefined,
  nullable: undefined,
  required: false,
  description: '',
  maxCardinality: 1,
  deprecated: false,
  reference: null,
  embedded: null,
})

/** The client has no types of its own for these. */
const typeOf = (datatype: string): string =>
  datatype === 'anyURI' || datatype === 'langString' ? 'string' : datatype

function rangeIri({ range }: Property, base: string): string {
  if (range.kind === 'datatype') return (range.datatype === 'langString' ? RDF : XSD) + range.datatype
  return classIri(range.kind === 'embedded' ? range.cls : classNamed(range.className, model), base)
}

function classNamed(name: string, { classes }: Model): Class {
  const found = classes.find((cls) => cls.name === name)
  assert.ok(found, name)
  return found
}

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('api-doc-parser finds the operations of the API file, each with what it takes and returns', async () => {
  const { base, client } = await shared()
  const api = await parse(base, await client.signIn())
  for (const cls of model.classes.filter(hasCollection)) {
    const resource = resourcesOf(api).find(({ name }) => name === cls.collection)
    const found = resource?.operations?.map((operation) => ({ ...operation }))
    assert.deepEqual(found, expectedOperations(cls, base), cls.name)
  }
})

function expectedOperations(cls: Class, base: string): Json[] {
  const member = classIri(cls, base)
  const nothing = undefined
  const all = {
    list: [
      'list',
      'GET',
      `List ${plural(cls.title)}`,
      nothing,
      vocabIri(base, `${cls.name}Collection`),
      'Find',
    ],
    create: ['create', 'POST', `Create ${cls.title}`, member, member, 'Create'],
    read: ['show', 'GET', `Get ${cls.title}`, nothing, member, 'Find'],
    update: ['edit', 'PATCH', `Update ${cls.title}`, member, member, 'Update'],
    replace: ['edit', 'PUT', `Replace ${cls.title}`, member, member, 'Replace'],
    delete: ['delete', 'DELETE', `Delete ${cls.title}`, nothing, `${OWL}Nothing`, 'Delete'],
  } as const
  return Object.entries(all)
    .filter(([name]) => cls.operations.has(name as keyof typeof all))
    .map(([, [type, method, name, expects, returns, action]]) => ({
      name,
      type,
      method,
      expects,
      returns,
      types: [`${HYDRA}Operation`, `${SCHEMA}${action}Action`],
      deprecated: false,
    }))
}

// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('api-doc-parser finds the filters and orders of the API file, and the range of each filter', async () => {
  const { base, client } = await shared()
  const api = await parse(base, await client.signIn())
  for (const cls of model.classes.filter(hasCollection)) {
    const resource = resourcesOf(api).find(({ name }) => name === cls.collection)
    const found = (await resource?.getParameters?.()) ?? []
    assert.deepEqual(
      found.map(({ variable, range, required }) => [variable, range, required]),
      expectedParameters(cls, base).map(([variable, range]) => [variable, range, false]),
      cls.name,
    )
  }
})

const COMPARED = ['ne', 'gt', 'gte', 'lt', 'lte']

function expectedParameters(cls: Class, base: string): [variable: string, range: string | null][] {
  const properties = cls.properties.filter(hasFilters)
  const reverse = cls.reverseLinks.map(({ name }) => `${name}.exists`)
  const links = properties.filter(({ range }) => range.kind === 'link')
  const included = links.length + reverse.length > 0 ? ['include'] : []
  const further = [
    ...reverse,
    ...filteredWithin(cls).flatMap((property) => [property.name, ...operated(property)]),
    ...links.flatMap(beyond),
    ...['q', ...included, 'fields', 'sort', 'page', 'itemsPerPage', 'after', 'before'],
  ]
  return [
    ...properties.flatMap((property): [string, string | null][] => [
      [property.name, rangeIri(property, base)],
      ...operated(property).map((variable): [string, null] => [variable, null]),
    ]),
    ...further.map((variable): [string, null] => [variable, null]),
  ]
}

/** All parameters of a property but the one that has its name alone. */
function operated(property: Property): string[] {
  const { name, many } = property
  const operators = operatorsFor(property).map((operator) => `${name}.${operator}`)
  return [...operators, `${name}.exists`, ...(many ? [] : [`order[${name}]`])]
}

/** The parameters one step beyond a link. */
function beyond({ name: link, range, many }: Property): string[] {
  assert.ok(range.kind === 'link')
  return classNamed(range.className, model)
    .properties.filter(hasFilters)
    .flatMap((property) => {
      const path = `${link}.${property.name}`
      const isSorted = property.range.kind === 'datatype' && !property.many && !many
      return isSorted ? [path, `order[${path}]`] : [path]
    })
}

function operatorsFor({ range }: Property): string[] {
  if (range.kind !== 'datatype' || range.datatype === 'boolean') return ['ne']
  const text = range.datatype === 'string' || range.datatype === 'anyURI'
  return text ? [...COMPARED, 'startsWith', 'contains'] : COMPARED
}
