import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { TestResponse } from '../support/client.ts'
import { keptDatabase } from '../support/databases.ts'
import { serveWriter, valuesOf, type Writer } from './writing.ts'

const API = `
classes:
  Address: { collection: false, properties: { town: string, land: string } }
  Person: { properties: { name: string, note: string, home: Address, tags: { type: string, many: true } } }
`
const REQUIRED = API.replace('name: string', 'name: { type: string, required: true }')
  .replace('land: string', 'land: { type: string, required: true }')
  .replace('tags: { type: string,', 'tags: { type: string, required: true,')

const AS_PROBLEM = { Accept: 'application/problem+json' }

/** Paths of violations; empty where a write was accepted. */
function missingIn(response: TestResponse): string[] {
  if (response.status < 300) return []
  assert.equal(response.status, 422, response.body)
  const { violations } = response.json() as { violations: { propertyPath: string; code: string }[] }
  for (const { code } of violations) assert.ok(code === 'RequiredValue' || code === 'BlankText', code)
  return violations.map(({ propertyPath }) => propertyPath)
}

async function serveOlder(t: TestContext, person: object, more: object = {}) {
  const first = await serveWriter(t, { db: keptDatabase(t), api: API })
  const path = await first.addAt('/persons', person)
  await first.close()
  const options = { db: first.db, flags: { baseUrl: first.base }, hasOldMembers: true, ...more }
  const writer = await serveWriter(t, { api: REQUIRED, ...options })
  return { ...writer, path }
}

// contract: A new `required` without default applies
// contract: **`required`** for a text means
test('a new required applies to the properties that a PATCH names, and to every PUT', async (t) => {
  const { patch, put, values, path } = await serveOlder(t, { name: ' ', note: 'a', home: { town: 'A' } })
  const table: [what: string, write: () => Promise<TestResponse>, missing: string[]][] = [
    ['something else', () => patch(path, { note: 'b' }, AS_PROBLEM), []],
    ['nothing', () => patch(path, {}, AS_PROBLEM), []],
    ['another part of an embedded value', () => patch(path, { home: { town: 'B' } }, AS_PROBLEM), []],
    ['the property, blank as before', () => patch(path, { name: ' ' }, AS_PROBLEM), ['name']],
    ['the property without a value', () => patch(path, { name: null }, AS_PROBLEM), ['name']],
    ['one that lacks, without a value', () => patch(path, { tags: null }, AS_PROBLEM), ['tags']],
    ['a part without a value', () => patch(path, { home: { land: null } }, AS_PROBLEM), ['home/land']],
    ['a list', () => patch(path, { tags: ['x', ''] }, AS_PROBLEM), ['tags/1']],
    [
      'a replacement',
      () => put(path, { note: 'c', home: { town: 'C' } }, AS_PROBLEM),
      ['home/land', 'name', 'tags'],
    ],
    ['the property', () => patch(path, { name: 'Ann' }, AS_PROBLEM), []],
  ]
  for (const [what, write, missing] of table)
    assert.deepEqual(missingIn(await write()).sort(), missing.sort(), what)
  const home = { '@type': 'Address', town: 'B' }
  assert.deepEqual(await values(path), { name: 'Ann', note: 'b', home })
})

// contract: A new `required` without default applies
test('an embedded value that a PATCH adds is new, and needs what is required', async (t) => {
  const { patch, path } = await serveOlder(t, { name: 'Ann', tags: ['a'] })
  assert.deepEqual(missingIn(await patch(path, { home: { town: 'A' } }, AS_PROBLEM)), ['home/land'])
  assert.deepEqual(missingIn(await patch(path, { home: { town: 'A', land: 'L' } }, AS_PROBLEM)), [])
})

const batch = ({ post }: Pick<Writer, 'post'>, ...operation: object[]) =>
  post('/batch', { operation }, AS_PROBLEM)

// contract: A new `required` without default applies
test('so it is in a batch', async (t) => {
  const { path, values, ...writer } = await serveOlder(t, { note: 'a' })
  const target = path.slice(1)
  const update = (body: object) => ({ method: 'PATCH', target, body })
  assert.deepEqual(missingIn(await batch(writer, update({ note: 'b' }), update({ note: 'c' }))), [])
  const refused = await batch(writer, update({ note: 'd' }), update({ name: '' }))
  assert.deepEqual(missingIn(refused), ['operation[1]/name'])
  assert.deepEqual(await values(path), { note: 'c' })
})

// contract: A new `required` without default applies
test('a hook on a PATCH may return the member as it is, but cannot take out what is required', async (t) => {
  let name: string | undefined
  const hooks = { Person: { beforeWrite: ({ member }: { member: object }) => ({ ...member, name }) } }
  const { patch, path } = await serveOlder(t, { note: 'a' }, { program: { hooks } })
  const hooked = await patch(path, { note: 'b' }, AS_PROBLEM)
  assert.deepEqual(valuesOf(hooked), { note: 'b' })
  name = 'Ann'
  assert.deepEqual(valuesOf(await patch(path, { note: 'c' })), { name, note: 'c' })
  name = undefined
  assert.deepEqual(missingIn(await patch(path, { note: 'd' }, AS_PROBLEM)), ['name'])
})

// contract: So `required` with `default` never makes
test('a PUT without a required property gets its default, be it the time, and a PATCH cannot remove it', async (t) => {
  const api = `
classes:
  Task: { properties: { title: string, state: { type: string, required: true, default: open }, at: { type: dateTime, required: true, default: now } } }
`
  const time = { now: Date.UTC(2030, 0, 1) }
  const { addAt, put, patch } = await serveWriter(t, { api, time })
  const path = await addAt('/tasks', { title: 'A', state: 'done', at: '2020-01-01T00:00:00Z' })
  time.now += 60_000
  const at = new Date(time.now).toISOString()
  assert.deepEqual(valuesOf(await put(path, { title: 'B' })), { title: 'B', state: 'open', at })
  assert.deepEqual(missingIn(await patch(path, { state: null }, AS_PROBLEM)), ['state'])
  assert.deepEqual(valuesOf(await patch(path, { title: 'C' })), { title: 'C', state: 'open', at })
})

test('the values of a list that a PATCH sends get their defaults, as those of a PUT do', async (t) => {
  const api = `
classes:
  Order: { properties: { title: string, lines: { type: Line, many: true }, first: Line } }
  Line: { collection: false, properties: { text: string, state: { type: string, required: true, default: open }, unit: { type: string, default: kg }, box: Box } }
  Box: { collection: false, properties: { text: string, size: { type: string, default: m } } }
`
  const { addAt, patch, put } = await serveWriter(t, { api })
  const path = await addAt('/orders', { lines: [{ text: 'a', box: { size: 's' } }, { text: 'b' }] })
  const line = (text: string, more = {}) => ({ '@type': 'Line', text, state: 'open', unit: 'kg', ...more })
  const sent = [{ text: 'c', box: { text: 'd' } }, { text: 'e' }, { text: 'f' }]
  const box = { '@type': 'Box', text: 'd', size: 'm' }
  const lines = [line('c', { box }), line('e'), line('f')]
  assert.deepEqual(valuesOf(await patch(path, { lines: sent })), { lines })
  assert.deepEqual(valuesOf(await put(path, { lines: sent })), { lines })
  // A single value is merged, so that what a PATCH does not mention stays: here, nothing.
  const first = { '@type': 'Line', text: 'g', state: 'open' }
  await patch(path, { first: { text: 'g' } })
  await patch(path, { first: { unit: null } })
  assert.deepEqual(valuesOf(await patch(path, { title: 'h', first: { text: 'g' } })), {
    title: 'h',
    lines,
    first,
  })
})
