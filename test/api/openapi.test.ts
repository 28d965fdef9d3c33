import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { build } from 'esbuild'
import { generate } from 'openapi-typescript-codegen'
import { createOpenApi } from '../../src/api/index.ts'
import { permittedModel } from '../../src/vocabulary/access.ts'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'
import { CREATE, NEWSROOM, serveNewsroom } from './newsroom.ts'
import { type Json, pathOf } from './signed-in.ts'
import { serveWriter } from './writing.ts'

interface OpenApi {
  readonly paths: Record<string, Record<string, { operationId: string }>>
  readonly components: {
    readonly schemas: Record<string, Json & { examples?: Json[] }>
    securitySchemes?: Json
  }
}

/** Every type, constraint and kind of class; and names that OpenAPI's own keys may not have. */
const EVERYTHING = `
title: Everything
classes:
  Thing:
    description: Has it all
    properties:
      label: { type: string, required: true, minLength: 2, maxLength: 9, unique: true }
      code: { type: string, pattern: "^[A-Z]+$" }
      size: { type: string, enum: [small, large], default: small }
      count: { type: integer, minimum: 3, maximum: 5 }
      natural: nonNegativeInteger
      positive: positiveInteger
      price: { type: decimal, minimum: 1 }
      weight: double
      ratio: float
      day: date
      at: dateTime
      clock: time
      long: duration
      page: anyURI
      name: langString
      open: boolean
      tags: { type: string, many: true }
      next: Thing
      all: { type: Thing, many: true }
      place: Place
      madeAt: { type: dateTime, writable: false, default: now }
      constructor: string
      größe: integer
  Place: { collection: false, properties: { street: { type: string, required: true }, of: Größe } }
  Größe: { collection: größen, operations: [list, read], properties: { a: string } }
  Settings:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { motto: string }
`
const BASE = 'https://host.example/api'
const SIZES = { standard: 20, maximum: 100 }

// contract: OpenAPI 3.1 of the whole API from the same model
test('the document is valid OpenAPI 3.1, whatever the API file, the roles and the switches', async () => {
  const newsroom = modelOf(NEWSROOM)
  const models = [
    modelOf(EVERYTHING),
    newsroom,
    ...[[], ['author'], ['editor']].map((held) => permittedModel(newsroom, held)),
  ]
  const validator = new Validator()
  for (const model of models) {
    for (const mode of ['token', 'nonce', 'open'] as const) {
      const document = JSON.parse(JSON.stringify(createOpenApi(model, BASE, { mode, pageSizes: SIZES })))
      const ids = Object.values((document as OpenApi).paths).flatMap((path) =>
        Object.values(path).flatMap(({ operationId }) => operationId ?? []),
      )
      assert.equal(new Set(ids).size, ids.length)
      const { valid, errors } = await validator.validate(document)
      assert.ok(valid, `${mode} ${JSON.stringify(errors)?.slice(0, 1_000)}`)
    }
  }
})

test('what is sent and served is what the schemas say, and every example is accepted', async (t) => {
  const writer = await serveWriter(t, { api: EVERYTHING })
  const document = (await writer.get('/openapi')).json() as unknown as OpenApi
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })
  ajv.addSchema({ $id: 'all', ...document })
  const conforms = (name: string, value: unknown) => {
    const validate = ajv.compile({ $ref: `all#/components/schemas/${name}` })
    assert.ok(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`)
  }
  const [example] = document.components.schemas.Thing_input?.examples ?? []
  assert.ok(example)
  conforms('Thing_input', example)
  const { next, all, place, ...rest } = example
  assert.ok(next && all && place)
  const sent = { ...rest, place: { street: 'Gay Street' }, price: 12.5 }
  conforms('Thing_input', sent)
  const path = pathOf(writer.base, (await writer.add('/things', sent))['@id'])
  const patch = { next: `${writer.base}${path}`, count: null, place: { street: 'Other' } }
  conforms('Thing_patch', patch)
  assert.equal((await writer.patch(path, patch)).status, 200)
  conforms('Thing', (await writer.get(path)).json())
  conforms('Thing_page', (await writer.get('/things')).json())
  conforms('session_token', (await writer.get('/session')).json())
  const batch = { operation: [{ method: 'DELETE', target: path.slice(1) }] }
  conforms('batch_request', batch)
  conforms('batch_result', (await writer.post('/batch', batch)).json())
  const problem = await writer.post('/things', {}, { Accept: 'application/problem+json' })
  conforms('problem_document', problem.json())
  conforms('error_sentence', (await writer.get('/things/none')).json())
  assert.ok('/contexts/{name}' in document.paths)
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
      ...['patch /topics/{id}', 'delete /topics/{id}', 'get /tips', 'get /tips/{id}', 'put /tips/{id}'],
      ...['patch /tips/{id}', 'delete /tips/{id}', 'put /Settings', 'patch /Settings', 'delete /Settings'],
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

const PROGRAM = `
import { ApiError, BookService, OpenAPI } from './client/index'

export async function main(base: string, token: string): Promise<unknown[]> {
  OpenAPI.BASE = base
  OpenAPI.HEADERS = { 'X-Authorization': token }
  const made = await BookService.createBook({ requestBody: { title: 'Made', pages: 700 } })
  const id = made['@id'].split('/').pop() ?? ''
  const page = await BookService.listBook({ pagesGte: 600, orderTitle: 'asc' })
  const changed = await BookService.updateBook({ id, requestBody: { pages: null, title: 'Changed' } })
  const conflict = await BookService.updateBook({ id, ifMatch: '"1-old"', requestBody: { title: 'Lost' } }).catch(
    (error: ApiError) => error.status,
  )
  await BookService.deleteBook({ id })
  const gone = await BookService.readBook({ id }).catch((error: ApiError) => error.status)
  return [made.title, page.member.map(({ title }) => title), changed.pages ?? null, changed.title, conflict, gone]
}
`

test('a client that a generator makes of the document compiles, and creates, lists, updates and deletes', async (t) => {
  const writer = await serveWriter(t)
  await writer.put('/books/short', { title: 'Short', pages: 3 }, CREATE)
  await writer.put('/books/long', { title: 'Long', pages: 800 }, CREATE)
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'client'))
  await generate({
    input: JSON.parse((await writer.get('/openapi')).body),
    output: join(folder, 'client'),
    httpClient: 'fetch',
    useOptions: true,
    useUnionTypes: true,
  })
  const program = join(folder, 'program.ts')
  writeFileSync(program, PROGRAM)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ]
  const tsc = await run(process.execPath, [
    join(ROOT, 'node_modules/.bin/tsc'),
    ...options,
    '--lib',
    'es2022,dom',
    program,
  ])
  assert.deepEqual([tsc.status, tsc.stdout], [0, ''])
  const outfile = join(folder, 'program.mjs')
  // It would load a package for forms, which no request of ours is; Node.js has the class itself.
  await build({
    entryPoints: [program],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  })
  const { main } = await import(pathToFileURL(outfile).href)
  const token = await writer.client.signIn()
  assert.deepEqual(await main(writer.base, token), ['Made', ['Long', 'Made'], null, 'Changed', 412, 404])
})
