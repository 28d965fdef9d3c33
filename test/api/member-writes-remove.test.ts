import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../src/api/index.ts'
import { type JsonObject, readJson } from '../../src/json.ts'
import { classOf } from './queries.ts'
import { AS_PROBLEM, assertProblem, codesOf, pathOf, serveSignedIn } from './signed-in.ts'

// contract: DELETE: 204.
test('DELETE is answered with 204 and no body, and then the member is gone', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const bob = await add('/authors', { name: 'Bob' })
  const removed = await send('DELETE', path)
  assert.equal(removed.status, 204)
  assert.equal(removed.body, '')
  assert.equal(removed.headers['content-type'], undefined)
  assert.equal(removed.headers['content-length'], undefined)
  assert.equal((await get(path)).status, 404)
  assert.equal((await send('DELETE', path)).status, 404)
  const { totalItems, member } = (await get('/authors')).json()
  assert.equal(totalItems, 1)
  assert.deepEqual(
    (member as { '@id': string }[]).map((one) => one['@id']),
    [bob['@id']],
  )
})

// contract: Validation: 422; in the default form
test('a member that others link to is not removed: 409 names ten of them at most, and says how many more there are', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const path = pathOf(base, author['@id'])
  const books: string[] = []
  for (let index = 0; index < 12; index++) {
    books.push((await add('/books', { title: `${index}`, author: author['@id'] }))['@id'])
    const response = await send('DELETE', path, AS_PROBLEM)
    assert.equal(response.status, 409)
    assert.equal(codesOf(response), 'StillLinked')
    const detail = String(response.json().detail)
    const named = books.filter((book) => detail.includes(book))
    assert.equal(named.length, Math.min(10, index + 1))
    assert.equal(/ (\d+) \w+\.$/.exec(detail)?.[1], index < 10 ? undefined : `${index - 9}`)
  }
  assert.equal((await get(path)).status, 200)

  for (const book of books) assert.equal((await send('DELETE', pathOf(base, book))).status, 204)
  assert.equal((await send('DELETE', path)).status, 204)
})

test('of more than a thousand that link to it, 409 says that they are more', async (t) => {
  const api = 'classes: { Page: { properties: { next: Page, also: Page } } }'
  const { add, send, store, base } = await serveSignedIn(t, { api })
  const next = (await add('/pages', {}))['@id']
  const input = createInput(classOf(api, 'Page'), base)
  const link = (count: number, start: string, values: object) =>
    store.members.addAll(
      Array.from({ length: count }, (_, index) => ({
        className: 'Page',
        member: input.create(readJson(JSON.stringify(values)) as JsonObject, `${start}${index}`, 0),
      })),
    )
  await link(1_010, 'a', { next })
  const isRefused = async (address: string, further: RegExp) => {
    const response = await send('DELETE', pathOf(base, address), AS_PROBLEM)
    assert.equal(codesOf(response), 'StillLinked')
    const detail = String(response.json().detail)
    assert.equal(detail.split(`${base}/pages/`).length - 1, 10)
    assert.match(detail, further)
  }
  await isRefused(next, / and 1000 \w+\.$/)
  await link(1, 'b', { next })
  await isRefused(next, / than 1,000 \w+\.$/)
  const twice = (await add('/pages', {}))['@id']
  await link(600, 'c', { next: twice, also: twice })
  await isRefused(twice, / least \d+ \w+\.$/)
})

// contract: Validation: 422; in the default form
test('a link from inside an embedded value keeps its target, and is found by its path', async (t) => {
  const api = `
classes:
  Product: { properties: { name: string } }
  Part: { collection: false, properties: { product: Product } }
  Line: { collection: false, properties: { product: Product, part: Part, pieces: integer } }
  Order: { properties: { lines: { type: Line, many: true }, first: Line } }
`
  const { add, get, post, send, base } = await serveSignedIn(t, { api })
  const [one, two] = [await add('/products', {}), await add('/products', {})].map((added) => added['@id'])
  const path = pathOf(base, one)
  const order = await add('/orders', {
    lines: [{ product: two }, { product: one, part: { product: two } }, { product: one }],
  })
  const other = await add('/orders', { first: { product: two, part: { product: one } } })
  const refused = await send('DELETE', path, AS_PROBLEM)
  assert.equal(refused.status, 409)
  assertProblem(refused, ['StillLinked', order['@id'], other['@id']], path)
  const table: [query: string, found: object[]][] = [
    [`lines.product=${one}`, [order]],
    [`lines.product=${one}&lines.product=${two}`, [order]],
    [`lines.product=/api${path}&itemsPerPage=1`, [order]],
    [`lines.part.product=${two}`, [order]],
    [`lines.part.product=${one}`, []],
    [`first.product=${one}`, []],
    [`first.part.product=${one}`, [other]],
  ]
  for (const [query, found] of table) {
    const { member, totalItems } = (await get(`/orders?${query}`)).json()
    const addresses = (all: unknown) => (all as { '@id': string }[]).map((member) => member['@id'])
    assert.deepEqual([addresses(member), totalItems], [addresses(found), found.length], query)
  }
  const links = { product: `${base}/products/none`, part: { product: `${base}/products/no` } }
  const bad = await post('/orders', { lines: [{ product: one }, links] }, AS_PROBLEM)
  assert.equal(codesOf(bad), 'lines/1/product: DanglingLink, lines/1/part/product: DanglingLink')
  for (const linker of [order, other]) await send('DELETE', pathOf(base, linker['@id']))
  assert.equal((await send('DELETE', path)).status, 204)
})

test('links within a class keep their target like any other, and once only', async (t) => {
  const api = 'classes: { Page: { properties: { next: Page, seen: { type: Page, many: true } } } }'
  const { add, send, base } = await serveSignedIn(t, { api })
  const first = await add('/pages', {})
  const second = await add('/pages', { next: first['@id'], seen: [first['@id'], first['@id']] })
  assert.equal((await send('DELETE', pathOf(base, first['@id']))).status, 409)
  assert.equal((await send('DELETE', pathOf(base, second['@id']))).status, 204)
  assert.equal((await send('DELETE', pathOf(base, first['@id']))).status, 204)
})

// contract: `If-Match` compares the version alone
test('If-Match lets a removal through for the version that was read, and for no other', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const table: [
    name: string,
    condition: (etag: string, json: string, other: string) => string,
    status: number,
  ][] = [
    ['the ETag', (etag) => etag, 204],
    ['the ETag of the other media type', (_, json) => json, 204],
    ['the ETag as a compressing proxy weakens it', (etag) => `W/${etag}`, 204],
    ['any', () => '*', 204],
    ['any, with spaces', () => ' * ', 204],
    ['a list that has it', (etag, _, other) => `${other}, ${etag}`, 204],
    ['a list that has it weakened', (etag, _, other) => `${other},W/${etag}`, 204],
    ['the ETag of another member', (_, __, other) => other, 412],
    ['a list without it', (_, __, other) => `${other}, "x"`, 412],
    ['the ETag without its quotes', (etag) => etag.slice(1, -1), 400],
    ['a version that begins alike', (etag) => etag.replace('-', '0-'), 412],
    ['the version alone', (etag) => `"${Number.parseInt(etag.slice(1), 10)}"`, 412],
    ['a name', () => '"x"', 412],
    ['nothing', () => '', 412],
  ]
  const other =
    (await get(pathOf(base, (await add('/authors', { name: 'Other' }))['@id']))).headers.etag ?? ''
  for (const [name, condition, status] of table) {
    const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
    const etag = (await get(path)).headers.etag ?? ''
    const json = (await get(path, { Accept: 'application/json' })).headers.etag ?? ''
    const response = await send('DELETE', path, { 'If-Match': condition(etag, json, other) })
    assert.equal(response.status, status, name)
    assert.equal((await get(path)).status, status === 204 ? 404 : 200, name)
  }
})

test('the ETag of a removed member is of no use for another one', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const ann = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const etag = (await get(ann)).headers.etag ?? ''
  await send('DELETE', ann)
  const bob = pathOf(base, (await add('/authors', { name: 'Bob' }))['@id'])
  assert.equal((await send('DELETE', bob, { 'If-Match': etag })).status, 412)
  assert.equal((await get(bob, { 'If-None-Match': etag })).status, 200)
})

// contract: `--require-if-match` ¦
test('where If-Match is required, a removal without it is 428 and with it goes through', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t, { flags: { requireIfMatch: true } })
  const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const refused = await send('DELETE', path, AS_PROBLEM)
  assert.equal(refused.status, 428)
  assert.equal(codesOf(refused), 'PreconditionRequired')
  const { headers } = await get(path)
  assert.equal((await send('DELETE', path, { 'If-Match': headers.etag ?? '' })).status, 204)
})
