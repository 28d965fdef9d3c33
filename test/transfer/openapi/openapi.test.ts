import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { createOpenApi } from '../../../src/api/index.ts'
import { proposeApiFile } from '../../../src/transfer/index.ts'
import { API, modelOf } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** The proposal for a document, which `check` accepts. */
async function propose(document: object, file = 'api.json'): Promise<string> {
  const data = file.endsWith('.json') ? JSON.stringify(document) : stringify(document)
  const { text } = await proposeApiFile(file, chunksOf(data))
  modelOf(text)
  return text
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const body = (schema: object) => ({ content: { 'application/json': { schema } } })

const SHOP = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1', description: 'Things to buy' },
  paths: {
    '/orders': {
      get: { responses: { 200: body(ref('OrderPage')), default: body(ref('Problem')) } },
      post: { requestBody: body(ref('OrderCreate')), responses: { 201: body(ref('Order')) } },
    },
    '/customers/{id}': { get: { responses: { 200: body(ref('Customer')) } } },
    '/login': { post: { requestBody: body(ref('Login')), responses: { 204: {} } } },
  },
  components: {
    schemas: {
      OrderPage: {
        type: 'object',
        properties: { items: { type: 'array', items: ref('Order') }, total: { type: 'integer' } },
      },
      Order: {
        type: 'object',
        description: 'What somebody has bought',
        required: ['id', 'number', 'lines', 'customer', 'note'],
        properties: {
          id: { type: 'integer', readOnly: true },
          number: { type: 'string', pattern: '^[0-9]+$', minLength: 1, maxLength: 9, example: '17' },
          status: ref('Status'),
          total: { type: 'number', minimum: 0, multipleOf: 0.01 },
          weight: { type: 'number', format: 'double', minimum: 0, exclusiveMinimum: true },
          count: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, default: 1 },
          placed: { type: 'string', format: 'date-time' },
          site: { type: 'string', format: 'uri' },
          note: { type: 'string', nullable: true },
          lines: { type: 'array', items: ref('Line') },
          customer: { allOf: [ref('Customer')], description: 'Who has bought it' },
          tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          address: { type: 'object', properties: { town: { type: 'string' } } },
          extra: { type: 'object', additionalProperties: { type: 'string' } },
          picture: { type: 'string', format: 'binary' },
          'order-by': { type: 'string' },
          '2nd': { type: 'string', pattern: '(?=x)' },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
          updated_at: { type: 'string', format: 'date-time', readOnly: true },
        },
      },
      OrderCreate: {
        type: 'object',
        properties: { number: { type: 'string' }, coupon: { type: 'string', writeOnly: true } },
      },
      Status: { type: 'string', enum: ['open', 'paid'] },
      Line: {
        type: 'object',
        required: ['sku'],
        properties: { sku: { type: 'string' }, parts: { type: 'array', items: ref('Part') } },
      },
      Part: {
        type: 'object',
        properties: { name: { type: 'string' }, parts: { type: 'array', items: ref('Part') } },
      },
      Customer: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
      Problem: { type: 'object', properties: { title: { type: 'string' } } },
      Login: { type: 'object', properties: { password: { type: 'string' } } },
    },
  },
}

test('resources become classes, references links or embedded values, and constraints stay', async () => {
  const expected = `title: "Shop"
description: "Things to buy"
classes:
  Order:
    description: "What somebody has bought"
    properties:
      number: { type: string, required: true, minLength: 1, maxLength: 9, pattern: "^[0-9]+$", example: "17" }
      coupon: string # only sent there, never returned
      status: { type: string, enum: [open, paid] }
      total: { type: decimal, minimum: 0, scale: 2 }
      weight: double # greater than 0 there
      count: { type: integer, minimum: 1, maximum: 9, default: 1 }
      placed: dateTime
      site: anyURI
      note: string
      lines: { type: Line, many: true }
      customer: { type: Customer, required: true, description: "Who has bought it" }
      tags: { type: string, many: true, enum: [a, b] }
      address: OrderAddress
      order-by: string
      nd: { type: string, title: "2nd" } # pattern there: (?=x)
      createdAt: { type: dateTime, default: now, writable: false }
      updated_at: { type: dateTime, always: now }
      # Other forms of it: OrderCreate.
      # Left out: extra, which no type of an API file can hold.
      # Left out: picture, which no type of an API file can hold.
  Customer:
    properties:
      name: string
  Part:
    properties:
      name: string
      parts: { type: Part, many: true }
  Line:
    collection: false
    properties:
      sku: { type: string, required: true }
      parts: { type: Part, many: true }
  OrderAddress:
    collection: false
    properties:
      town: string
`
  for (const file of ['api.json', 'api.yaml', 'api.yml']) {
    const api = await propose(SHOP, file)
    assert.equal(api.slice(api.indexOf('title:')), expected)
    assert.match(
      api,
      /^# Left out: OrderPage, since it is a page .*\n# Left out: Problem, since only errors.*\n# Left out: Login, since it is only sent/m,
    )
  }
})

test('OpenAPI 3.1 says null, constants and bounds in another way', async () => {
  const properties = {
    a: { type: ['string', 'null'], examples: ['x'] },
    b: { oneOf: [ref('Other'), { type: 'null' }] },
    c: { oneOf: [{ const: 'x' }, { const: 'z' }] },
    d: { type: 'integer', exclusiveMinimum: 0 },
    e: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    f: { const: 'only' },
  }
  const schemas = {
    Thing: { type: 'object', required: ['a', 'b', 'd'], properties },
    Other: { type: 'object', properties: { id: {}, x: { type: 'boolean' } } },
  }
  const api = await propose({ openapi: '3.1.0', info: { title: 'T' }, components: { schemas } })
  assert.equal(
    api.slice(api.indexOf('classes:')),
    `classes:
  Thing:
    properties:
      a: { type: string, example: x }
      b: Other
      c: { type: string, enum: [x, z] }
      d: { type: integer, required: true, minimum: 1 }
      f: { type: string, enum: [only] }
      # Left out: e, which no type of an API file can hold.
  Other:
    collection: false
    properties:
      x: boolean
      # Left out: id, which no type of an API file can hold.
`,
  )
})

test('a document of API Platform has its resources once, with links by the names of properties', async () => {
  const book = {
    type: 'object',
    required: ['title'],
    properties: {
      '@id': { type: 'string', readOnly: true },
      id: { type: 'integer' },
      title: { type: 'string' },
      author: { type: 'string', format: 'iri-reference' },
    },
  }
  const list = {
    type: 'object',
    properties: {
      'hydra:member': { type: 'array', items: ref('Book.jsonld-book.read') },
      'hydra:totalItems': { type: 'integer' },
    },
  }
  const api = await propose({
    openapi: '3.1.0',
    info: { title: 'Books' },
    paths: {
      '/books': { get: { responses: { 200: body(list) } } },
      '/authors/{id}': { get: { responses: { 200: body(ref('Author.jsonld')), 404: body(ref('Error')) } } },
    },
    components: {
      schemas: {
        'Book.jsonld-book.read': book,
        'Book-book.write': {
          type: 'object',
          properties: { title: { type: 'string' }, secret: { type: 'string' } },
        },
        'Author.jsonld': {
          type: 'object',
          properties: { books: { type: 'array', items: { type: 'string', format: 'iri-reference' } } },
        },
        Error: { type: 'object', properties: { detail: { type: 'string' } } },
      },
    },
  })
  assert.equal(
    api.slice(api.indexOf('classes:')),
    `classes:
  Book:
    properties:
      title: { type: string, required: true }
      secret: string
      author: Author
      # Other forms of it: Book-book.write.
  Author:
    properties:
      books: { type: Book, many: true }
`,
  )
})

test('the document that an API of ours serves becomes an API file with the same classes', async () => {
  const pageSizes = { standard: 20, maximum: 100 }
  const served = modelOf(API)
  const document = createOpenApi(served, 'http://localhost:8080/api', { mode: 'open', pageSizes })
  const { classes } = modelOf(await propose(document))
  for (const { name, properties } of served.classes) {
    const found = classes.find((cls) => cls.name === name)
    assert.deepEqual(
      properties.filter((one) => !found?.properties.some((other) => other.name === one.name)),
      [],
      name,
    )
  }
})

test('whatever the schemas are, the file that is proposed for them has no problem', async () => {
  const name = fc.constantFrom(
    'A',
    'B',
    'a b',
    'Account',
    'event',
    'A.jsonld',
    'ACreate',
    'CCollection',
    '2',
    'Größe',
    'hydra',
  )
  const key = fc.constantFrom(
    'id',
    'x',
    'x y',
    '@id',
    '__proto__',
    'hasOwnProperty',
    'null',
    'createdAt',
    '2',
    'hydra:x',
  )
  const value = fc.constantFrom<unknown>('', 'a', 'now', 0, 1.5, -1, true, null, [], '2024-02-29')
  const leaf = fc.oneof(
    name.map(ref),
    fc.record(
      {
        type: fc.constantFrom<unknown>(
          'string',
          'integer',
          'number',
          'boolean',
          'object',
          ['string', 'null'],
          'null',
        ),
        format: fc.constantFrom(
          'date',
          'date-time',
          'uri',
          'int64',
          'double',
          'decimal',
          'byte',
          'iri-reference',
        ),
        enum: fc.array(value, { maxLength: 3 }),
        default: value,
        example: value,
        pattern: fc.constantFrom('a', '(', '(?=a)', '^a$'),
        minimum: fc.constantFrom(0, 5, -1.5),
        maximum: fc.constantFrom(0, 5, -1.5),
        minLength: fc.nat(3),
        maxLength: fc.nat(3),
        exclusiveMinimum: fc.constantFrom<unknown>(true, 0),
        multipleOf: fc.constantFrom(0.01, 2),
        readOnly: fc.boolean(),
        description: fc.string(),
      },
      { requiredKeys: [] },
    ),
  )
  const { schema } = fc.letrec<{ schema: object; object: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('schema').map((items) => ({ type: 'array', items })),
      fc.array(tie('schema'), { maxLength: 2 }).map((allOf) => ({ allOf })),
      fc.array(tie('schema'), { maxLength: 2 }).map((oneOf) => ({ oneOf })),
      tie('object'),
    ),
    object: fc.record({
      type: fc.constant('object'),
      required: fc.array(key, { maxLength: 3 }),
      properties: fc.dictionary(key, tie('schema'), { maxKeys: 5 }),
    }),
  }))
  const document = fc.record({
    openapi: fc.constantFrom('3.0.0', '3.1.1'),
    info: fc.record({ title: fc.string() }),
    paths: fc.dictionary(
      fc.constantFrom('/a', '/b'),
      fc.record({ get: schema.map((one) => ({ responses: { 200: body(one) } })) }),
    ),
    components: fc.record({ schemas: fc.dictionary(name, schema, { maxKeys: 6 }) }),
  })
  await fc.assert(
    fc.asyncProperty(document, async (one) => {
      await propose(one).catch((error) => assert.equal(error.code, 'NoSchemasThere'))
    }),
    { numRuns: inSoak(5000, 200) },
  )
})

test('what is no such document is refused', async () => {
  const rows: readonly (readonly [file: string, text: string, code: string])[] = [
    ['api.yaml', 'a: b', 'NotOpenApi'],
    ['api.yaml', 'a: [', 'MalformedYaml'],
    ['api.json', '{"swagger": "2.0"}', 'NotOpenApi'],
    ['api.json', '{"openapi": "3.1.0"}', 'NoSchemasThere'],
  ]
  for (const [file, text, code] of rows) await assert.rejects(proposeApiFile(file, chunksOf(text)), { code })
})
