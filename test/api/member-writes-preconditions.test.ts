import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, codesOf } from './signed-in.ts'
import { serveWriter } from './writing.ts'

// contract: `If-Match` compares the version alone
test('If-Match lets PUT and PATCH through for the version that was read, and for no other', async (t) => {
  const { addAt, get, put, patch, etag, values } = await serveWriter(t)
  const other = await etag(await addAt('/authors', { name: 'Other' }))
  const table: [name: string, condition: (etag: string, json: string) => string, status: number][] = [
    ['the ETag', (own) => own, 200],
    ['the ETag of the other media type', (_, json) => json, 200],
    ['the ETag as a compressing proxy weakens it', (own) => `W/${own}`, 200],
    ['any', () => '*', 200],
    ['a list that has it', (own) => `${other}, ${own}`, 200],
    ['the ETag of another member', () => other, 412],
    ['a name', () => '"x"', 412],
    ['nothing', () => '', 412],
  ]
  for (const [name, condition, status] of table) {
    for (const write of [put, patch]) {
      const path = await addAt('/authors', { name: 'Ann' })
      const json = (await get(path, { Accept: 'application/json' })).headers.etag ?? ''
      const response = await write(path, { name: 'Bob' }, { 'If-Match': condition(await etag(path), json) })
      assert.equal(response.status, status, name)
      assert.equal((await values(path)).name, status === 200 ? 'Bob' : 'Ann', name)
    }
  }
})

test('a condition that is no ETag is 400 that says so, and nothing is changed', async (t) => {
  const { addAt, put, patch, remove, etag, values } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const bare = (await etag(path)).replaceAll('"', '')
  for (const condition of ['abc', bare, `"1-x", ${bare}`, 'W/abc']) {
    const headers = { ...AS_PROBLEM, 'If-Match': condition }
    const responses = [
      await put(path, { name: 'Bob' }, headers),
      await patch(path, { name: 'Bob' }, headers),
      await remove(path, headers),
    ]
    for (const response of responses) {
      assert.equal(response.status, 400, condition)
      assert.equal(codesOf(response), 'InvalidEtag')
    }
  }
  assert.equal((await values(path)).name, 'Ann')
})

// contract: `If-Match` compares the version alone
test('an ETag is of no use once the member has changed', async (t) => {
  const { addAt, put, patch, remove, etag } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const first = { 'If-Match': await etag(path) }
  const second = { 'If-Match': (await put(path, { name: 'Bob' }, first)).headers.etag ?? '' }
  assert.equal((await put(path, { name: 'Cyd' }, first)).status, 412)
  assert.equal((await patch(path, { name: 'Cyd' }, first)).status, 412)
  assert.equal((await remove(path, first)).status, 412)
  assert.equal((await patch(path, { name: 'Cyd' }, second)).status, 200)
  assert.equal((await remove(path, second)).status, 412)
})

test('a condition that does not hold comes before what is wrong with the body', async (t) => {
  const { addAt, put, patch } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const stale = { 'If-Match': '"999-x"' }
  assert.equal((await put(path, { name: 5 }, stale)).status, 412)
  assert.equal((await put(path, '{', stale)).status, 412)
  assert.equal((await put(path, { '@context': 'http://x.example/', name: 'Ann' }, stale)).status, 412)
  assert.equal((await patch(path, { name: null }, stale)).status, 412)
  // RFC 9110 §13.2.1: but not before what would be wrong without it.
  assert.equal((await put(path, { name: 'A' }, { ...stale, 'Content-Type': 'text/plain' })).status, 415)
  assert.equal((await put(path, { name: 'A' }, { ...stale, Accept: 'image/png' })).status, 406)
})

test('where nothing is, a change is 404, whatever If-Match names', async (t) => {
  const { put, patch, remove } = await serveWriter(t)
  for (const condition of ['*', '"1-x"']) {
    const headers = { ...AS_PROBLEM, 'If-Match': condition }
    const responses = [
      await put('/authors/none', { name: 'Ann' }, headers),
      await patch('/authors/none', { name: 'Ann' }, headers),
      await remove('/authors/none', headers),
    ]
    for (const response of responses) {
      assert.equal(response.status, 404)
      assert.equal(codesOf(response), 'MemberNotFound')
    }
  }
})

test('If-None-Match with an ETag refuses to change that very version', async (t) => {
  const { addAt, put, patch, etag } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const own = { 'If-None-Match': await etag(path) }
  assert.equal((await put(path, { name: 'Bob' }, own)).status, 412)
  assert.equal((await patch(path, { name: 'Bob' }, own)).status, 412)
  assert.equal((await put(path, { name: 'Bob' }, { 'If-None-Match': '"999-x"' })).status, 200)
  assert.equal((await put('/authors/none', { name: 'Bob' }, { 'If-None-Match': '"999-x"' })).status, 404)
})

// contract: `If-Match` on a POST to a collection
test('where a member is added, If-Match is 412 before the body is read, and nothing is added', async (t) => {
  const { post, put, get, addAt, etag } = await serveWriter(t)
  const own = await etag(await addAt('/authors', { name: 'Ann' }))
  for (const condition of ['*', own, '"1-x"', 'W/"x"', '']) {
    for (const body of [{ name: 'Bob' }, '{']) {
      const response = await post('/authors', body, { ...AS_PROBLEM, 'If-Match': condition })
      assert.equal(response.status, 412, condition)
      assert.equal(codesOf(response), 'PreconditionFailed')
    }
    const placed = await put('/authors/new', { name: 'Bob' }, { 'If-None-Match': '*', 'If-Match': condition })
    assert.ok([404, 412].includes(placed.status), `${condition} ${placed.status}`)
  }
  assert.equal((await post('/authors', { name: 'Bob' }, { 'If-Match': 'abc' })).status, 400)
  assert.equal(
    (await post('/authors', { name: 'B' }, { 'If-Match': '*', 'Content-Type': 'a/b' })).status,
    415,
  )
  assert.equal((await get('/authors')).json().totalItems, 1)
})

// contract: `--require-if-match` ¦
test('where If-Match is required, a change without it is 428, and a creation needs none', async (t) => {
  const { addAt, put, patch, remove, etag } = await serveWriter(t, { flags: { requireIfMatch: true } })
  const path = await addAt('/authors', { name: 'Ann' })
  for (const response of [
    await put(path, { name: 'B' }, AS_PROBLEM),
    await patch(path, { name: 'B' }, AS_PROBLEM),
    await remove(path, AS_PROBLEM),
  ]) {
    assert.equal(response.status, 428)
    assert.equal(codesOf(response), 'PreconditionRequired')
  }
  assert.equal((await put('/authors/new', { name: 'New' }, { 'If-None-Match': '*' })).status, 201)
  assert.equal((await put('/authors/none', { name: 'New' })).status, 404)
  const changed = await put(path, { name: 'B' }, { 'If-Match': await etag(path) })
  assert.equal(changed.status, 200)
  assert.equal((await patch(path, { name: 'C' }, { 'If-Match': changed.headers.etag ?? '' })).status, 200)
  assert.equal((await remove(path, { 'If-Match': '*' })).status, 204)
})
