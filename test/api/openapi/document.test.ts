import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createOpenApi } from '../../../src/api/index.ts'
import { type Model, permittedModel } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import { NEWSROOM, serveNewsroom } from '../newsroom.ts'
import { richModel } from '../rich-api.ts'
import type { Json } from '../signed-in.ts'
import { serveWriter } from '../writing.ts'

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; tags: string[]; parameters?: readonly unknown[] }>
  >
  readonly tags: readonly { name: string; description: string }[]
  readonly components: Record<'schemas' | 'responses', Json> & { securitySchemes?: Json }
}

const BASE = 'https://host.example/api'
const SIZES = { standard: 20, maximum: 100 }

const documentOf = (model: Model, mode: 'token' | 'nonce' | 'open' = 'token'): OpenApi =>
  JSON.parse(JSON.stringify(createOpenApi(model, BASE, { mode, pageSizes: SIZES })))

// contract: OpenAPI 3.1 of the whole API from the same model
test('the document is valid OpenAPI 3.1, whatever the API file, the roles and the switches', async () => {
  const newsroom = modelOf(NEWSROOM)
  const models = [
    richModel(),
    permittedModel(richModel(), []),
    newsroom,
    ...[[], ['author'], ['editor']].map((held) => permittedModel(newsroom, held)),
  ]
  const validator = new Validator()
  for (const model of models) {
    for (const mode of ['token', 'nonce', 'open'] as const) {
      const { valid, errors } = await validator.validate({ ...documentOf(model, mode) })
      assert.ok(valid, `${mode} ${JSON.stringify(errors)?.slice(0, 1_000)}`)
    }
  }
})

const operationsIn = ({ paths }: OpenApi) =>
  Object.values(paths).flatMap((item) => Object.values(item).filter((one) => 'operationId' in one))

test('ids of operations are ASCII and unique, and tags are described', () => {
  const document = documentOf(richModel())
  const operations = operationsIn(document)
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual(
    ids.filter((id) => !/^[A-Za-z][A-Za-z0-9_-]*$/.test(id)),
    [],
  )
  assert.equal(new Set(ids).size, ids.length)
  const named = ['listThing', 'createThing', 'readGr-uf6--udf-e', 'list-u66f8-', 'weigh_Thing', 'signIn']
  assert.deepEqual(
    named.filter((id) => !ids.includes(id)),
    [],
  )
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
  assert.ok(operations.every((one) => one.tags.length === 1 && tags.get(one.tags[0] ?? '')))
  assert.equal(tags.get('Thing'), 'Has it all')
})

test('two names of classes never share a key, and an operation never takes the id of another', () => {
  // é is U+00E9 and ຜ is U+0E9C: a key has to say where the number of a character ends.
  const classes = ['Aéc', 'Aຜ', 'Changes'].map((name) => `${name}: { properties: { a: string } }`)
  const api = `classes: { ${classes.join(', ')} }`
  const { paths } = documentOf(modelOf(api, { Changes: { follow: { handle: () => {} } } }))
  const ids = operationsIn({ paths } as OpenApi).map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
})

test('every component is used, and the id of a member has an example', () => {
  for (const held of [[], ['editor']]) {
    const { components, ...rest } = documentOf(permittedModel(richModel(), held))
    const text = JSON.stringify({ ...rest, ...components })
    for (const kind of ['schemas', 'responses'] as const)
      for (const name of Object.keys(components[kind]))
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), name)
    for (const name of Object.keys(components.securitySchemes ?? {}))
      assert.match(text, new RegExp(`"${name}":\\[\\]`))
    const parameters = rest.paths['/things/{id}']?.parameters as unknown as {
      example: string
      schema: Json
    }[]
    for (const { example, schema } of parameters) assert.match(example, new RegExp(String(schema.pattern)))
  }
})

test('what has few values is an enum', () => {
  const { paths } = documentOf(richModel())
  const valuesOf = (path: string, method: string, name: string) => {
    const parameters = (paths[path]?.[method]?.parameters ?? []) as { name: string; schema: Json }[]
    const { schema = {} } = parameters.find((one) => one.name === name) ?? {}
    return (schema.items as Json | undefined)?.enum ?? schema.enum
  }
  const expected: readonly [path: string, method: string, name: string, values: readonly unknown[]][] = [
    ['/things', 'get', 'label.exists', [true, false]],
    ['/things', 'get', 'open', [true, false]],
    ['/things', 'get', 'order[label]', ['asc', 'desc']],
    ['/things', 'get', 'size', ['small', 'large']],
    ['/things', 'get', 'size.ne', ['small', 'large']],
    ['/other', 'get', 'include', ['書', '書.thing']],
    ['/things', 'get', 'Prefer', ['count=exact', 'spreadsheet', 'count=exact, spreadsheet']],
    ['/things', 'post', 'Prefer', ['return=minimal', 'return=representation']],
    ['/batch', 'post', 'Prefer', ['handling=lenient', 'handling=strict']],
    ['/events', 'get', 'collection', ['things', 'größen', '本', 'other', 'secrets']],
  ]
  for (const [path, method, name, values] of expected)
    assert.deepEqual(valuesOf(path, method, name), values, `${method} ${path} ${name}`)
})

// contract: Behind the token like everything; what the user may not do is not in it.
test('the document is behind the token, and shows each user what that user may do', async (t) => {
  const { as, client } = await serveNewsroom(t)
  assert.equal((await client.send('GET', '/openapi')).status, 401)
  const operationsOf = async (who: keyof typeof as) => {
    const { paths } = (await as[who].send('GET', '/openapi')).json() as unknown as OpenApi
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method} ${path}`),
    )
  }
  const [reader, editor] = [await operationsOf('reader'), await operationsOf('editor')]
  assert.deepEqual(
    editor.filter((one) => !reader.includes(one)),
    [
      ...[
        'post /articles',
        'put /articles/{id}',
        'delete /articles/{id}',
        'post /topics',
        'put /topics/{id}',
      ],
      ...['patch /topics/{id}', 'delete /topics/{id}', 'get /tips', 'get /tips/{id}'],
      ...[
        'patch /tips/{id}',
        'delete /tips/{id}',
        'get /summaries/tips',
        'put /Settings',
        'patch /Settings',
        'delete /Settings',
      ],
    ],
  )
  assert.ok(!editor.some((one) => one.includes('secrets')))
})

// contract: `application/openapi+json` by default, `application/json` where asked for
test('the document has a media type of its own, or is plain JSON', async (t) => {
  const { get, send, base } = await serveWriter(t)
  const types: readonly [accept: string | undefined, type: string | undefined][] = [
    [undefined, 'application/openapi+json'],
    ['*/*', 'application/openapi+json'],
    ['application/ld+json, */*;q=0.1', 'application/openapi+json'],
    ['application/json', 'application/json'],
    ['application/ld+json', undefined],
    ['text/turtle', undefined],
  ]
  const bodies = new Set<string>()
  for (const [accept, type] of types) {
    const response = await get('/openapi', accept === undefined ? {} : { Accept: accept })
    assert.equal(response.status, type === undefined ? 406 : 200, accept)
    if (type === undefined) continue
    assert.equal(response.headers['content-type'], type)
    bodies.add(response.body)
    const again = await get('/openapi', { Accept: type, 'If-None-Match': response.headers.etag ?? '' })
    assert.equal(again.status, 304)
  }
  assert.equal(bodies.size, 1)
  assert.equal((await send('HEAD', '/openapi')).status, 200)
  assert.equal((await get('/')).json().openapi, `${base}/openapi`)
})
