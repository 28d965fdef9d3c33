import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { createOpenApi } from '../../../src/api/index.ts'
import { openStream } from '../../support/streams.ts'
import { CREATE } from '../newsroom.ts'
import { PROGRAM, RICH, richModel } from '../rich-api.ts'
import { type Json, pathOf } from '../signed-in.ts'
import { serveUsers } from '../users.ts'
import { serveWriter } from '../writing.ts'

const BASE = 'https://host.example/api'
const document: {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json & { examples?: Json[] }> }
} = JSON.parse(
  JSON.stringify(
    createOpenApi(richModel(), BASE, { mode: 'token', pageSizes: { standard: 20, maximum: 100 } }),
  ),
)

/** As a client does that fills in defaults. */
function schemasOf(of: object, base = BASE) {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, useDefaults: true })
  formats.default(ajv)
  for (const name of ['decimal', 'int64']) ajv.addFormat(name, true)
  ajv.addSchema(of, 'all')
  const problemsOf = (name: string, value: unknown): string => {
    const validate = ajv.getSchema(`all#/components/schemas/${name}`)
    assert.ok(validate, name)
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
  const conforms = (name: string, value: unknown) =>
    assert.equal(problemsOf(name, value), '', `${name} ${base} ${JSON.stringify(value)}`)
  return {
    conforms,
    fails: (name: string, value: unknown) => assert.notEqual(problemsOf(name, value), '', name),
  }
}
const { conforms, fails } = schemasOf(document)

test('what is sent and served is what the schemas say, and every example is accepted', async (t) => {
  const writer = await serveWriter(t, { api: RICH, program: PROGRAM })
  const [example] = document.components.schemas.Thing_input?.examples ?? []
  assert.ok(example)
  conforms('Thing_input', structuredClone(example))
  const { next, all, hidden, place, lines, ...rest } = example
  assert.ok(next && all && hidden && place && lines)
  const sent = { ...rest, place: { street: 'Gay Street' }, lines: [{ product: 'p' }], price: 12.5 }
  conforms('Thing_input', structuredClone(sent))
  const path = pathOf(writer.base, (await writer.add('/things', sent))['@id'])
  const patch = { next: `${writer.base}${path}`, count: null, place: { street: 'Other' } }
  conforms('Thing_patch', patch)
  assert.equal((await writer.patch(path, patch)).status, 200)
  const batch = { operation: [{ method: 'DELETE', target: path.slice(1) }] }
  conforms('batch_request', batch)
  // Responses are checked with every request (test/support/documented.ts).
  for (const address of [
    path,
    '/things',
    '/',
    '/vocab',
    '/contexts/Thing',
    '/session',
    '/events',
    '/openapi',
  ])
    assert.equal((await writer.get(address)).status, 200, address)
  assert.equal(
    (await writer.post('/batch', { operation: [{ ...batch.operation[0], ifMatch: '"1-x"' }] })).status,
    412,
  )
})

test('a patch has no defaults, however deep: what is not mentioned stays', () => {
  const seen = new Set<string>()
  const defaultsIn = (value: unknown, at: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const { $ref, ...rest } = value as Json
    const name =
      String($ref ?? '')
        .split('/')
        .at(-1) ?? ''
    const isNew = name !== '' && !seen.has(name)
    seen.add(name)
    const within = Object.entries(rest).flatMap(([key, one]) => defaultsIn(one, `${at}/${key}`))
    const referred = isNew ? defaultsIn(document.components.schemas[name], name) : []
    return [...('default' in rest && !at.endsWith('properties') ? [at] : []), ...within, ...referred]
  }
  for (const name of ['Thing_patch', 'Settings_patch'])
    assert.deepEqual(defaultsIn(document.components.schemas[name], name), [])
  const patch = { label: 'new', place: { street: 'x' }, lines: [{ product: 'p' }] }
  const before = structuredClone(patch)
  conforms('Thing_patch', patch)
  assert.deepEqual(patch, before)
  const whole = { label: 'new', lines: [{ product: 'p' }] }
  conforms('Thing_input', whole)
  assert.deepEqual(whole, { label: 'new', lines: [{ product: 'p', count: 1 }], size: 'small', stock: 0 })
  const served = { '@id': `${BASE}/things/1`, '@type': 'Thing', label: 'x' }
  conforms('Thing', served)
  assert.deepEqual(Object.keys(served), ['@id', '@type', 'label'])
})

test('in a patch an embedded value is a patch, and the items of a list are whole', async (t) => {
  conforms('Thing_patch', { place: { floor: 3 } })
  conforms('Thing_patch', { lines: [{ product: 'p' }] })
  fails('Thing_patch', { lines: [{ count: 3 }] })
  fails('Thing_patch', { lines: [{ product: null }] })
  const { addAt, patch } = await serveWriter(t, { api: RICH, program: PROGRAM })
  const path = await addAt('/things', { label: 'new', place: { street: 'x' }, lines: [{ product: 'p' }] })
  assert.equal((await patch(path, { place: { floor: 3 } })).status, 200)
  assert.equal((await patch(path, { lines: [{ count: 3 }] })).status, 422)
})

test('a link is an address, or the included member where it may be one', async (t) => {
  const address = `${BASE}/things/1`
  const thing = { '@id': address, '@type': 'Thing', label: 'x' }
  for (const next of [address, thing]) conforms('Thing', { ...thing, next, all: [next] })
  for (const next of [{ ...thing, label: 3 }, { '@id': address }, 3]) fails('Thing', { ...thing, next })
  // What is served is checked with every request.
  const { addAt, get, base } = await serveWriter(t, { api: RICH, program: PROGRAM })
  const book = await addAt('/%E6%9C%AC', { thing: base + (await addAt('/things', { label: 'one' })) })
  const other = await addAt('/other', { 書: base + book })
  const include = encodeURIComponent('書.thing')
  for (const path of [other, '/other', `/contexts/${encodeURIComponent('本')}`])
    assert.equal((await get(`${path}?include=${include}`)).status, 200)
  const { 書: shown } = (await get(`${other}?include=${include}`)).json() as { 書: { thing: Json } }
  assert.equal(shown.thing.label, 'one')
})

test('an address that stays where its class has another term of that name is a node', async (t) => {
  const api = `
classes:
  Draft: { access: { all: owner, create: everyone }, properties: { title: string } }
  Note: { properties: { title: Draft } }`
  const { as, base } = await serveUsers(t, { owner: [11], other: [12] }, { api })
  await as.owner.send('PUT', '/drafts/d', { title: 'x' }, CREATE)
  await as.owner.send('PUT', '/notes/n', { title: `${base}/drafts/d` }, CREATE)
  const shown = (await as.other.send('GET', '/notes/n?include=title')).json()
  assert.deepEqual(shown.title, { '@id': `${base}/drafts/d` })
})

const thing = { label: 'new' }

test('each operation of a batch has the schema of its method and its target', () => {
  const valid: readonly Json[] = [
    { method: 'POST', target: 'things', id: '_:one', body: thing },
    { method: 'POST', target: `${BASE}/things`, body: { ...thing, next: '_:one' } },
    { method: 'POST', target: '本', body: { thing: '_:one' } },
    { method: 'POST', target: '%E6%9C%AC', body: { 題: 'x' } },
    { method: 'PUT', target: 'things/1', ifNoneMatch: '*', body: thing },
    { method: 'PUT', target: 'Settings', ifMatch: '"1-x"', body: { motto: 'x' } },
    { method: 'PATCH', target: `${BASE}/things/1`, ifMatch: '"1-x"', body: { stock: null } },
    { method: 'DELETE', target: 'things/1', ifMatch: '*' },
  ]
  const wrong: readonly Json[] = [
    { method: 'POST', target: 'things', body: {} },
    { method: 'POST', target: 'things' },
    { method: 'POST', target: 'things/1', body: thing },
    { method: 'POST', target: 'sessions', body: thing },
    { method: 'POST', target: 'gr%C3%B6%C3%9Fen', body: { a: 'x' } },
    { method: 'POST', target: 'things', id: 'one', body: thing },
    { method: 'PATCH', target: 'things', body: { stock: 1 } },
    { method: 'PATCH', target: 'things/1', body: { stock: 'many' } },
    { method: 'DELETE', target: 'thingsX1' },
    { method: 'DELETE', target: 'things/1', unless: '"1-x"' },
    { method: 'GET', target: 'things/1' },
  ]
  conforms('batch_request', { operation: valid })
  for (const one of valid) conforms('batch_request', { operation: [one] })
  for (const one of wrong) fails('batch_request', { operation: [one] })
})

test('a batch is answered strictly or leniently, and what is counted beside it is no error', async (t) => {
  const done = { status: 201, location: `${BASE}/things/1`, etag: '"1-x"' }
  const failed = {
    ...{ status: 422, type: `${BASE}/vocab#ValidationFailed`, detail: 'x', more: 7 },
    violations: [{ propertyPath: 'a', message: 'b', code: 'TooLong' }],
  }
  const of = (operation: readonly object[]) => ({ '@type': 'OperationBatch', operation, more: 7 })
  conforms('batch_result', of([done]))
  fails('batch_result', of([done, failed]))
  conforms('batch_lenient_result', of([done, failed, { status: 204 }]))
  fails('batch_lenient_result', of([{ status: 422 }]))
  const { post } = await serveWriter(t, { api: RICH, program: PROGRAM })
  const operation = [
    { method: 'POST', target: 'things', body: thing },
    { method: 'POST', target: 'things', body: {} },
  ]
  const lenient = await post('/batch', { operation }, { Prefer: 'handling=lenient' })
  assert.equal(lenient.headers['preference-applied'], 'handling=lenient')
})

test('the schemas say what there is: none is just an object', () => {
  const untyped = (value: unknown, at: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const { type, properties, additionalProperties, maxProperties } = value as Json
    const isBare = type === 'object' && !properties && !additionalProperties && maxProperties !== 0
    return [
      ...(isBare || Object.keys(value).length === 0 ? [at] : []),
      ...Object.entries(value).flatMap(([key, one]) =>
        key === 'examples' ? [] : untyped(one, `${at}/${key}`),
      ),
    ]
  }
  assert.deepEqual(untyped(document.components.schemas, ''), [])
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(item))
      assert.deepEqual(untyped(responses, `${method} ${path}`), [])
})

test('a value that an operation of a program returns needs no address', async (t) => {
  const { addAt, post, send } = await serveWriter(t, { api: RICH, program: PROGRAM })
  const path = await addAt('/things', thing)
  const weighed = await post(`${path}/weigh`, { product: 'p' })
  assert.deepEqual([weighed.status, weighed.json()['@id'], weighed.json().stock], [200, undefined, 3])
  assert.equal((await send('POST', `${path}/show`)).status, 200)
  assert.equal((await send('PUT', '/Settings', { 'Content-Type': 'application/json' }, '{}')).status, 201)
  assert.deepEqual((await send('POST', '/Settings/reset')).json().motto, 'again')
})

test('events of a stream have the schema of the stream, also with whole members', async (t) => {
  const writer = await serveWriter(t, { api: RICH, program: PROGRAM })
  const served = schemasOf((await writer.get('/openapi')).json())
  const headers = { 'X-Authorization': await writer.client.signIn() }
  for (const query of ['', '?include=object']) {
    const stream = openStream(writer, query, headers)
    t.after(stream.cut)
    await stream.until(1)
    const path = await writer.addAt('/things', { label: `of${query}`.slice(0, 9) })
    await writer.put('/Settings', { motto: query })
    await writer.remove(path)
    const events = await stream.until(4)
    for (const { type, id, data } of events) {
      served.conforms('stream_event', { event: type, id, data: JSON.stringify(data) })
      if (type !== 'start') served.conforms('change_event', data)
    }
    const { member } = (await writer.get(`/events${query}`)).json() as { member: Json[] }
    for (const one of member) served.conforms('change_event', one)
  }
  served.fails('change_event', { '@id': 'x', '@type': 'Create', object: { '@id': 'x' }, published: 'now' })
  assert.equal((await writer.put('/things/1', thing, CREATE)).status, 201)
})
