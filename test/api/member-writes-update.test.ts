import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, assertProblem, pathOf, type Said } from './signed-in.ts'
import { MERGE_PATCH, serveWriter, valuesOf } from './writing.ts'

const API = `
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Address:
    collection: false
    properties:
      street: string
      town: { type: string, required: true }
      since: { type: date, writable: false, default: "2020-01-01" }
  Shop:
    properties:
      name: { type: string, required: true }
      motto: langString
      rating: double
      stock: integer
      price: decimal
      open: boolean
      tags: { type: string, many: true }
      owner: Author
      address: Address
      language: { type: string, default: en }
      createdAt: { type: dateTime, writable: false, default: now }
`

/** A patch as JSON text, and what of the member it changes; undefined for what is gone. */
const PATCHES: [patch: string, changes: Record<string, unknown>][] = [
  ['{}', {}],
  ['{"name": "B"}', { name: 'B' }],
  ['{"name": {"@value": "B"}}', { name: 'B' }],
  ['{"rating": 0.5, "stock": 12, "price": 12.50}', { rating: 0.5, stock: 12, price: '12.50' }],
  ['{"tags": ["c"]}', { tags: ['c'] }],
  ['{"tags": null}', { tags: undefined }],
  ['{"tags": []}', { tags: undefined }],
  ['{"open": null, "stock": null}', { open: undefined, stock: undefined }],
  ['{"motto": {"de": "Hallo"}}', { motto: { en: 'Hello', de: 'Hallo' } }],
  ['{"motto": {"en": null, "de": "Hallo"}}', { motto: { de: 'Hallo' } }],
  ['{"motto": null}', { motto: undefined }],
  ['{"motto": {"en": null}}', { motto: undefined }],
  [
    '{"address": {"street": "Here 2"}}',
    { address: { '@type': 'Address', street: 'Here 2', town: 'Bern', since: '2020-01-01' } },
  ],
  // Tags are equal regardless of case, and JSON-LD processors change it.
  ['{"motto": {"EN": "Hi"}}', { motto: { en: 'Hi' } }],
  ['{"motto": {"EN": null, "de-ch": "Hoi"}}', { motto: { 'de-CH': 'Hoi' } }],
  ['{"motto": {"EN": null}}', { motto: undefined }],
  ['{"address": {"street": null}}', { address: { '@type': 'Address', town: 'Bern', since: '2020-01-01' } }],
  ['{"address": null}', { address: undefined }],
  // RFC 7396: null removes; a default is for what is new.
  ['{"language": null}', { language: undefined }],
  ['{"@type": "Shop", "id": null, "originId": "x"}', {}],
]

// contract: PATCH: `application/merge-patch+json`
test('PATCH changes what the merge patch names, and leaves the rest as it was', async (t) => {
  const { add, addAt, patch, get, values, base } = await serveWriter(t, { api: API })
  const owner = (await add('/authors', { name: 'Ann' }))['@id']
  const shop = {
    ...{
      name: 'A',
      motto: { en: 'Hello' },
      rating: 1.5,
      stock: 3,
      price: '0.10',
      open: true,
      tags: ['a', 'b'],
      owner,
    },
    ...{ address: { street: 'Here 1', town: 'Bern' }, language: 'de' },
  }
  // The one and the other in turn: they are read alike.
  const types = [MERGE_PATCH, 'application/json'].map((type) => ({ 'Content-Type': type }))
  for (const [body, changes] of PATCHES) {
    const path = await addAt('/shops', shop)
    const before = await values(path)
    const patched = await patch(path, body, types[0])
    types.reverse()
    assert.equal(patched.status, 200, `${body} ${patched.body}`)
    const expected = Object.fromEntries(
      Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined),
    )
    assert.deepEqual(valuesOf(patched), expected, body)
    const read = await get(path)
    assert.equal(read.body, patched.body)
    assert.equal(read.headers.etag, patched.headers.etag)
    assert.equal(patched.json()['@id'], `${base}${path}`)
  }
})

// contract: A read-only property in PUT or PATCH is accepted
// contract: A failed one has changed nothing.
test('what does not fit after the patch is 422, and changes nothing', async (t) => {
  const { add, addAt, patch, get, base } = await serveWriter(t, { api: API })
  const owner = (await add('/authors', { name: 'Ann' }))['@id']
  const path = await addAt('/shops', { name: 'A', owner, address: { town: 'Bern' } })
  const before = await get(path)
  const table: [patch: string, ...said: Said][] = [
    ['{"name": null}', 'name: RequiredValue'],
    ['{"name": 5}', 'name: WrongDatatype'],
    ['{"motto": {"EN_gb": "a"}}', 'motto: InvalidLanguageTag'],
    ['{"motto": {"EN": "a", "en": "b"}}', 'motto: DuplicateLanguage'],
    ['{"nam": "B"}', 'nam: UnknownProperty', '"name"'],
    ['{"nam": null}', 'nam: UnknownProperty'],
    ['{"address": {"town": null}}', 'address/town: RequiredValue'],
    ['{"address": {"twn": "x"}}', 'address/twn: UnknownProperty', '"town"'],
    ['{"address": {"since": "2021-01-01"}}', 'address/since: ReadOnly'],
    ['{"address": {"since": null}}', 'address/since: ReadOnly'],
    ['{"createdAt": null}', 'createdAt: ReadOnly'],
    ['{"createdAt": "2000-01-01T00:00:00Z"}', 'createdAt: ReadOnly'],
    ['{"owner": "none"}', 'owner: InvalidLink'],
    ['{"owner": "http://elsewhere/authors/ann"}', 'owner: InvalidLink'],
    ['{"address": {"id": "x"}}', 'address/id: IdIsNoProperty'],
    [`{"owner": "${base}/authors/none"}`, 'owner: DanglingLink'],
    ['{"@id": "/api/shops/other"}', '@id: WrongId'],
    ['{"@type": "Author"}', '@type: WrongType'],
    ['{"@context": {"n": "http://example.org/"}}', '@context: WrongContext'],
    ['{"@graph": []}', '@graph: UnknownKeyword'],
    ['{"__proto__": {"name": "B"}}', '__proto__: UnknownProperty'],
    ['[]', 'BodyNotAnObject'],
    ['"name"', 'BodyNotAnObject'],
    ['null', 'BodyNotAnObject'],
  ]
  for (const [body, ...said] of table) {
    const response = await patch(path, body, AS_PROBLEM)
    assert.equal(response.status, 422, body)
    assertProblem(response, said, body)
    assert.equal((await get(path)).body, before.body, body)
  }
})

// contract: PATCH: `application/merge-patch+json`
test('PATCH of another type is 415 with Accept-Patch', async (t) => {
  const { addAt, send, get } = await serveWriter(t)
  const path = await addAt('/authors', { name: 'Ann' })
  const before = await get(path)
  for (const type of ['application/ld+json', 'application/json-patch+json', 'text/plain', '']) {
    const response = await send('PATCH', path, { 'Content-Type': type }, '{"name": "Bob"}')
    assert.equal(response.status, 415, type)
    assert.equal(response.headers['accept-patch'], `${MERGE_PATCH}, application/json`, type)
  }
  const none = await send('PATCH', path, {}, '{"name": "Bob"}')
  assert.equal(none.status, 415)
  assert.equal(none.headers['accept-patch'], `${MERGE_PATCH}, application/json`)
  assert.equal((await get(path)).body, before.body)
  const charset = await send(
    'PATCH',
    path,
    { 'Content-Type': `${MERGE_PATCH}; charset=utf-8` },
    '{"name": "Bob"}',
  )
  assert.equal(charset.status, 200)
})

test('PATCH of a member that does not exist is 404', async (t) => {
  const { patch } = await serveWriter(t)
  assert.equal((await patch('/authors/none', { name: 'Ann' })).status, 404)
})

// contract: A read-only property in PUT or PATCH is accepted
test('a read-only property that equals the stored value may be in a patch', async (t) => {
  const { add, patch, base } = await serveWriter(t, { api: API })
  const shop = await add('/shops', { name: 'A', address: { town: 'Bern' } })
  const path = pathOf(base, shop['@id'])
  const response = await patch(path, {
    name: 'B',
    createdAt: shop.createdAt,
    address: { since: '2020-01-01' },
  })
  assert.equal(response.status, 200, response.body)
})

test('patches of different properties at the same time are all kept', async (t) => {
  const { addAt, patch, values } = await serveWriter(t, { api: API })
  const path = await addAt('/shops', { name: 'A' })
  const patches = [
    { rating: 1 },
    { stock: 2 },
    { price: '3' },
    { open: true },
    { tags: ['t'] },
    { language: 'fr' },
  ]
  for (const response of await Promise.all(patches.map((body) => patch(path, body)))) {
    assert.equal(response.status, 200)
  }
  const { createdAt, ...rest } = await values(path)
  assert.equal(typeof createdAt, 'string')
  assert.deepEqual(rest, Object.assign({ name: 'A' }, ...patches))
})
