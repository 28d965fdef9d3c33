import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptDatabase } from '../support/databases.ts'
import { AS_PROBLEM, assertProblem, codesOf, serveSignedIn } from './signed-in.ts'
import { serveWriter, valuesOf } from './writing.ts'

const api = (operations: string, more = '') => `
classes:
  Author: { properties: { name: string } }
  Settings:
    collection: false
    operations: [${operations}]
    properties:
      theme: { type: string, required: true }
      size: { type: integer, default: 10 }
      owner: Author
      madeAt: { type: dateTime, writable: false, default: now }
${more}`

const ALL = api('create, read, update, replace, delete')

// contract: A class without a collection is an embedded value
test('a single resource is created, read, changed and removed at the name of its class', async (t) => {
  const { get, put, patch, remove, send, base } = await serveWriter(t, { api: ALL })
  const address = `${base}/Settings`
  const none = await get('/Settings', AS_PROBLEM)
  assert.deepEqual([none.status, codesOf(none)], [404, 'ResourceNotFound'])

  const created = await put('/Settings', { theme: 'dark', '@id': address, '@type': 'Settings' })
  assert.equal(created.status, 201, created.body)
  assert.equal(created.headers.location, address)
  assert.equal(created.json()['@id'], address)
  assert.equal(created.json()['@type'], 'Settings')
  const read = await get('/Settings')
  assert.equal(read.body, created.body)
  assert.equal(read.headers.etag, created.headers.etag)
  assert.equal((await send('HEAD', '/Settings')).headers.etag, read.headers.etag)

  const replaced = await put('/Settings', { theme: 'light' })
  assert.equal(replaced.status, 200)
  const { madeAt } = created.json()
  assert.deepEqual(valuesOf(replaced), { theme: 'light', size: 10, madeAt })
  const patched = await patch('/Settings', { size: 12 }, { 'If-Match': replaced.headers.etag ?? '' })
  assert.deepEqual(valuesOf(patched), { theme: 'light', size: 12, madeAt })
  assert.equal((await remove('/Settings', { 'If-Match': replaced.headers.etag ?? '' })).status, 412)
  assert.equal((await remove('/Settings')).status, 204)
  assert.equal((await get('/Settings')).status, 404)
  assert.equal((await remove('/Settings')).status, 404)
  assert.equal((await patch('/Settings', { size: 1 })).status, 404)
})

test('conditions on a single resource: If-None-Match: * only creates, If-Match only changes', async (t) => {
  const { put, patch, etag } = await serveWriter(t, { api: ALL, flags: { requireIfMatch: true } })
  const body = { theme: 'dark' }
  assert.equal((await put('/Settings', body, { 'If-Match': '*' })).status, 412)
  assert.equal((await put('/Settings', body, { 'If-None-Match': '*' })).status, 201)
  assert.equal((await put('/Settings', body, { 'If-None-Match': '*' })).status, 412)
  assert.equal((await put('/Settings', body)).status, 428)
  assert.equal((await patch('/Settings', body)).status, 428)
  assert.equal((await put('/Settings', body, { 'If-Match': await etag('/Settings') })).status, 200)
})

test('a body that does not fit a single resource is 422, before and after its creation', async (t) => {
  const { get, put, base } = await serveWriter(t, { api: ALL })
  const bodies = [
    ...[{}, { theme: 5 }, { theme: 'a', madeAt: 'x' }, { theme: 'a', '@id': `${base}/Other` }],
    { theme: 'a', owner: `${base}/authors/none` },
  ]
  for (const body of bodies) assert.equal((await put('/Settings', body)).status, 422, JSON.stringify(body))
  assert.equal((await get('/Settings')).status, 404)
  await put('/Settings', { theme: 'a' })
  for (const body of bodies) assert.equal((await put('/Settings', body)).status, 422, JSON.stringify(body))
  assert.deepEqual((await get('/Settings')).json().theme, 'a')
})

// contract: `{base}/{collection}` ¦
// contract: `{base}/{collection}/{id}` ¦
// contract: Only the operations that the API file declares exist
test('only the operations that the API file declares exist', async (t) => {
  const table: [operations: string, allow: string, put: number, putAgain: number][] = [
    ['read', 'GET, HEAD', 405, 405],
    ['read, create', 'GET, HEAD, PUT', 201, 403],
    ['read, replace', 'GET, HEAD, PUT', 404, 404],
    ['create, replace', 'PUT', 201, 200],
    ['read, create, update', 'GET, HEAD, PUT, PATCH', 201, 403],
    ['read, create, replace, delete', 'GET, HEAD, PUT, DELETE', 201, 200],
  ]
  const classes = table.map(
    ([operations], row) =>
      `Settings${row}: { collection: false, operations: [${operations}], properties: { theme: string } }`,
  )
  const { put, send } = await serveWriter(t, { api: `classes: { ${classes.join(', ')} }` })
  for (const [row, [operations, allow, first, second]] of table.entries()) {
    const path = `/Settings${row}`
    assert.equal((await send('OPTIONS', path)).headers.allow, allow, operations)
    assert.equal((await put(path, { theme: 'a' })).status, first, operations)
    assert.equal((await put(path, { theme: 'b' })).status, second, operations)
    const posted = await send('POST', path, { 'Content-Type': 'application/json' }, '{}')
    assert.equal(posted.status, 405, operations)
    assert.equal(posted.headers.allow, allow)
  }
})

test('the links of a single resource keep their targets, and 409 names its address', async (t) => {
  const { add, addAt, put, remove, base } = await serveWriter(t, { api: ALL })
  const ann = await addAt('/authors', { name: 'Ann' })
  await add('/authors', { name: 'Bob' })
  await put('/Settings', { theme: 'a', owner: `${base}${ann}` })
  const refused = await remove(ann, AS_PROBLEM)
  assert.equal(refused.status, 409)
  assertProblem(refused, ['StillLinked', `(${base}/Settings).`], ann)
  await put('/Settings', { theme: 'a' })
  assert.equal((await remove(ann)).status, 204)
})

// contract: **Changing the API file** over data that exists
test('a single resource is still there after its class was renamed', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: ALL })
  await first.put('/Settings', { theme: 'dark' })
  await first.close()
  const renamed = ALL.replace('  Settings:\n', '  Preferences:\n    was: Settings\n')
  const options = { db: first.db, flags: { baseUrl: first.base } }
  const second = await serveWriter(t, { api: renamed, ...options })
  const read = await second.get('/Preferences')
  assert.equal(read.json()['@id'], `${second.base}/Preferences`)
  assert.equal(read.json().theme, 'dark')
  assert.equal((await second.put('/Preferences', { theme: 'light' })).status, 200)
  assert.equal((await second.patch('/Preferences', { size: 3 })).status, 200)
  await second.close()
  const third = await serveWriter(t, { api: renamed.replace('    was: Settings\n', ''), ...options })
  assert.deepEqual((await third.values('/Preferences')).size, 3)
  assert.equal((await third.remove('/Preferences')).status, 204)
  assert.equal((await third.put('/Preferences', { theme: 'new' })).status, 201)
})

test('of many first PUTs at the same time one creates and the others replace', async (t) => {
  const { put } = await serveWriter(t, { api: ALL })
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, size) => put('/Settings', { theme: 'a', size })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
})

test('a single resource is found from the entry point', async (t) => {
  const { get } = await serveSignedIn(t, { api: ALL })
  const entryPoint = JSON.stringify((await get('/')).json())
  assert.ok(entryPoint.includes('/Settings"'), entryPoint)
})
