import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Program } from '../../../src/api/index.ts'
import { serveShop } from '../included.ts'
import { CREATE } from '../newsroom.ts'
import { quadsOf } from '../rdf.ts'
import { assertSame, quadsOfText } from '../rdf-text.ts'
import { serveUsers } from '../users.ts'

// contract: The ETag covers it.
test('an ETag belongs to the fields, and changes with what is shown', async (t) => {
  const shop = await serveShop(t)
  const etag = async (path: string) => String((await shop.get(path)).headers.etag)
  const queries = [
    '',
    '?fields=title',
    '?fields=title,gift',
    '?include=gift',
    '?include=gift&fields=gift',
    '?include=gift&fields=gift.title',
  ]
  for (const path of ['/orders/a', '/orders']) {
    const etags = await Promise.all(queries.map((query) => etag(path + query)))
    assert.equal(new Set(etags).size, queries.length, path)
    for (const [index, query] of queries.entries()) {
      const known = { 'If-None-Match': String(etags[index]) }
      assert.equal((await shop.get(path + query, known)).status, 304, path + query)
    }
  }
  // The order in which they are named makes no difference to a member.
  assert.equal(await etag('/orders/a?fields=title,gift'), await etag('/orders/a?fields=gift&fields=title'))
})

// contract: `If-Match` with such an ETag works
test('If-Match takes the ETag of a member with fields, and a partial body is an ordinary body', async (t) => {
  const shop = await serveShop(t)
  const read = () => shop.get('/orders/a?fields=title', { Accept: 'application/json' })
  const first = await read()
  const send = (method: string, body: object, etag: string | undefined) => {
    const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json'
    const headers = { 'Content-Type': type, 'If-Match': etag ?? '' }
    return shop.send(method, '/orders/a', headers, JSON.stringify(body))
  }
  assert.equal((await send('PATCH', { title: 'x' }, first.headers.etag)).status, 200)
  assert.equal((await send('PATCH', { title: 'y' }, first.headers.etag)).status, 412)
  const second = await read()
  const replaced = await send('PUT', second.json(), second.headers.etag)
  assert.equal(replaced.status, 200, replaced.body)
  // What a PUT does not send is gone, as ever.
  assert.deepEqual(Object.keys((await shop.get('/orders/a')).json()), ['@context', '@id', '@type', 'title'])
})

test('Turtle and N-Quads say what JSON-LD says, with fields too', async (t) => {
  const shop = await serveShop(t)
  for (const path of [
    '/orders/a?fields=title,lines.count',
    '/orders?include=gift&fields=gift.title,next',
    '/orders/b?fields=@id',
  ]) {
    const expected = await quadsOf((await shop.get(path)).json())
    for (const type of ['text/turtle', 'application/n-quads']) {
      const { body, status } = await shop.get(path, { Accept: type })
      assert.equal(status, 200)
      assertSame(await quadsOfText(body, type), expected, `${path} ${type}`)
    }
  }
})

test('controls and the links of custom operations are shown where fields names them', async (t) => {
  const api =
    'access: { write: owner, create: everyone }\nclasses: { Thing: { properties: { name: string, note: string } } }'
  const operations = { Thing: { publish: { access: ['owner'], handle: () => undefined } } }
  const program = { operations } as unknown as Program
  const { as, base } = await serveUsers(t, { ann: [21], bob: [22] }, { api, program })
  await as.ann.send('PUT', '/things/1', { name: 'x', note: 'y' }, CREATE)
  const keys = async (who: 'ann' | 'bob', path: string) => {
    const response = await as[who].send('GET', path, undefined, { Accept: 'application/json' })
    assert.equal(response.status, 200, response.body)
    return Object.keys(response.json()).slice(2).join(' ')
  }
  assert.equal(await keys('ann', '/things/1'), 'name note operation publish')
  assert.equal(await keys('ann', '/things/1?fields=name'), 'name')
  assert.equal(await keys('ann', '/things/1?fields=operation,name'), 'name operation')
  assert.equal(await keys('ann', '/things/1?fields=publish'), 'publish')
  assert.equal(await keys('bob', '/things/1?fields=operation,publish'), 'operation', `not for bob at ${base}`)
  const list = await as.ann.send('GET', '/things?fields=publish,name')
  assert.deepEqual((list.json().member as object[]).map(Object.keys), [['@id', '@type', 'name']])
})

test('a target that the user may not read stays an address, whatever its fields', async (t) => {
  const api = `
roles: [editor]
classes:
  Secret: { access: { all: editor }, properties: { word: string } }
  Draft: { access: { all: owner, create: everyone }, properties: { text: string } }
  Note: { properties: { draft: Draft, secret: Secret } }`
  const { as, base } = await serveUsers(t, { ann: [11], ed: [13, 'editor'] }, { api })
  await as.ed.send('PUT', '/secrets/s', { word: 'x' }, CREATE)
  await as.ed.send('PUT', '/drafts/e', { text: 'e' }, CREATE)
  const links = { draft: `${base}/drafts/e`, secret: `${base}/secrets/s` }
  assert.equal((await as.ed.send('PUT', '/notes/n', links, CREATE)).status, 201)
  const read = async (who: 'ann' | 'ed', query: string) =>
    (await as[who].send('GET', `/notes/n?${query}`, undefined, { Accept: 'application/json' })).json()
  const draft = await read('ann', 'include=draft&fields=draft.text')
  assert.equal(draft.draft, links.draft)
  assert.deepEqual((await read('ed', 'include=draft&fields=draft.text')).draft, {
    '@id': links.draft,
    '@type': 'Draft',
    text: 'e',
  })
})
