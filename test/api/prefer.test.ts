import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from './signed-in.ts'
import { serveWriter } from './writing.ts'

const MINIMAL = { Prefer: 'return=minimal' }

// contract: `Prefer: return=minimal` is honoured
test('return=minimal: a write is answered without the representation, with its ETag, and says so', async (t) => {
  const { post, put, patch, get, base } = await serveWriter(t)
  const created = await post('/authors', { name: 'Ann' }, MINIMAL)
  const { location, etag } = created.headers
  assert.equal(created.status, 201)
  assert.equal(created.body, '')
  assert.equal(created.headers['content-length'], '0')
  assert.equal(created.headers['content-type'], undefined)
  assert.equal(created.headers['preference-applied'], 'return=minimal')
  const path = pathOf(base, location)
  assert.equal((await get(path)).headers.etag, etag)

  for (const response of [
    await put(path, { name: 'Bob' }, MINIMAL),
    await patch(path, { name: 'Cyd' }, MINIMAL),
    await patch(path, { name: 'Dan' }, { Prefer: 'respond-async, return="minimal"' }),
  ]) {
    assert.equal(response.status, 204)
    assert.equal(response.body, '')
    assert.equal(response.headers['preference-applied'], 'return=minimal')
    assert.match(response.headers.etag ?? '', /^"\d+-/)
  }
  assert.equal((await get(path)).json().name, 'Dan')

  const placed = await put('/authors/eve', { name: 'Eve' }, { ...MINIMAL, 'If-None-Match': '*' })
  assert.deepEqual([placed.status, placed.body, placed.headers.location], [201, '', `${base}/authors/eve`])
  const inTurtle = await post('/authors', { name: 'Fay' }, { ...MINIMAL, Accept: 'text/turtle' })
  assert.deepEqual([inTurtle.status, inTurtle.headers['content-type']], [201, undefined])
})

// contract: `Prefer: return=minimal` is honoured
test('other preferences are not confirmed, and the representation is sent', async (t) => {
  const { post, put, base } = await serveWriter(t)
  for (const Prefer of [
    'return=representation',
    'return=representation, return=minimal',
    'minimal',
    'wait=10',
    '',
  ]) {
    const created = await post('/authors', { name: 'Ann' }, { Prefer })
    assert.equal(created.status, 201, Prefer)
    assert.equal(created.json().name, 'Ann', Prefer)
    assert.equal(created.headers['preference-applied'], undefined, Prefer)
    const replaced = await put(pathOf(base, created.headers.location), { name: 'Bob' }, { Prefer })
    assert.equal(replaced.json().name, 'Bob', Prefer)
  }
})

test('return=minimal changes nothing about what is refused', async (t) => {
  const { post, put } = await serveWriter(t)
  const refused = await post('/authors', { name: 5 }, MINIMAL)
  assert.equal(refused.status, 422)
  assert.notEqual(refused.body, '')
  assert.equal(refused.headers['preference-applied'], undefined)
  assert.equal((await put('/authors/none', { name: 'Ann' }, MINIMAL)).status, 404)
})
