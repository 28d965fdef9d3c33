import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, sentenceOf } from './signed-in.ts'
import { faultsIn, serveWriter, valuesOf, type Writer } from './writing.ts'

// docs/contract/hypermedia.md, Writing: what holds for every write, by POST, PUT and PATCH, in every shape.

const API = `
classes:
  Address: { collection: false, properties: { street: string, floor: integer, at: anyURI } }
  Shop:
    properties:
      name: string
      rank: integer
      size: double
      price: decimal
      page: anyURI
      motto: langString
      tags: { type: string, many: true }
      sizes: { type: double, many: true }
      address: Address
      branches: { type: Address, many: true }
`

/** Each write of a body: a creation by POST, one by PUT, a replacement, a patch. */
function writesOf(writer: Writer, path: string) {
  const { post, put, patch } = writer
  return {
    POST: (body: string) => post('/shops', body),
    'PUT that creates': (body: string) => put('/shops/new', body, { 'If-None-Match': '*' }),
    PUT: (body: string) => put(path, body),
    PATCH: (body: string) => patch(path, body),
  }
}

/** Each body is refused by each write with this status, and nothing has changed. */
async function refuses(
  writer: Writer,
  status: number,
  table: readonly (readonly [body: string, said: RegExp])[],
): Promise<void> {
  const path = await writer.addAt('/shops', { name: 'A' })
  const before = await writer.get('/shops')
  for (const [method, write] of Object.entries(writesOf(writer, path))) {
    for (const [body, said] of table) {
      const response = await write(body)
      const what = `${method} ${body.slice(0, 200)}`
      assert.equal(response.status, status, `${what} ${response.body.slice(0, 300)}`)
      assert.match(sentenceOf(response), said, what)
    }
  }
  assert.equal((await writer.get('/shops')).body, before.body)
  assert.deepEqual(faultsIn(writer), [])
}

// contract: A JSON number that would lose digits
// contract: Duplicate keys: 400
test('a number that would lose digits is 422 in every write, wherever it stands', async (t) => {
  const lost = ['9007199254740993', '1e400', '-9007199254740993', '123456789012345678901234567890']
  const fractions = ['0.1000000000000000000001', '1e-400']
  const rows: [body: string, said: RegExp][] = [
    ...lost.map((digits): [string, RegExp] => [`{"rank": ${digits}}`, /^rank: would lose digits/]),
    ...[...lost, ...fractions].flatMap((digits): [string, RegExp][] => [
      [`{"size": ${digits}}`, /^size: would lose digits/],
      [`{"sizes": [1, ${digits}]}`, /^sizes\/1: would lose digits/],
    ]),
    ['{"address": {"floor": 9007199254740993}}', /^address\/floor: would lose digits/],
    ['{"branches": [{"floor": 1}, {"floor": 9007199254740993}]}', /^branches\/1\/floor: would lose digits/],
  ]
  await refuses(await serveWriter(t, { api: API }), 422, rows)
})

// contract: U+0000 and lone surrogates in a string: 422.
test('U+0000 and lone surrogates are 422 in every write, wherever a string stands', async (t) => {
  const rows = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00', 'a\\udc00\\ud800'].flatMap(
    (text): [string, RegExp][] => [
      [`{"name": "${text}"}`, /^name: .*(U\+0000|surrogate)/],
      [`{"tags": ["a", "${text}"]}`, /^tags\/1: .*(U\+0000|surrogate)/],
      [`{"motto": {"en": "${text}"}}`, /^motto.*(U\+0000|surrogate)/],
      [`{"page": "http://x.example/${text}"}`, /^page: /],
      [`{"address": {"street": "${text}"}}`, /^address\/street: .*(U\+0000|surrogate)/],
      [`{"branches": [{"street": "${text}"}]}`, /^branches\/0\/street: .*(U\+0000|surrogate)/],
    ],
  )
  await refuses(await serveWriter(t, { api: API }), 422, rows)
})

// contract: U+0000 and lone surrogates in a string: 422.
test('U+0000 and lone surrogates are 422 in JSON-LD of another shape as well', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const path = await writer.addAt('/shops', { name: 'A' })
  const before = await writer.get('/shops')
  const vocab = `${writer.base}/vocab#Shop/`
  for (const text of ['\\u0000', '\\ud800']) {
    for (const body of [
      `{"@context": {"n": "${vocab}name"}, "n": "${text}"}`,
      `[{"${vocab}name": [{"@value": "a${text}"}]}]`,
      `[{"${vocab}tags": [{"@value": "a"}, {"@value": "${text}"}]}]`,
    ]) {
      for (const response of [await writer.post('/shops', body), await writer.put(path, body)]) {
        assert.equal(response.status, 422, `${body} ${response.body.slice(0, 300)}`)
        assert.match(sentenceOf(response), /^(name|tags)/)
      }
    }
  }
  assert.equal((await writer.get('/shops')).body, before.body)
})

// contract: Limits: body 1 MiB
// contract: Duplicate keys: 400
test('duplicate keys and more than 32 levels are 400 in every write', async (t) => {
  const nested = (levels: number) => `{"name": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  await refuses(await serveWriter(t, { api: API }), 400, [
    ['{"name": "A", "name": "A"}', /"name" .*twice/],
    ['{"name": "A", "n\\u0061me": "B"}', /"name" .*twice/],
    ['{"address": {"street": "a", "street": "b"}}', /"street" .*twice/],
    ['{"motto": {"en": "a", "en": "b"}}', /"en" .*twice/],
    ['{"nothing": 1, "nothing": 2}', /"nothing" .*twice/],
    [nested(33), /more than 32 levels/],
  ])
})

// contract: Limits: body 1 MiB
// contract: `__proto__` and friends are ordinary unknown properties.
test('more than 1,000 values of a property, and names of every object, are 422 in every write', async (t) => {
  const many = (value: string) => Array(1_001).fill(value).join()
  await refuses(await serveWriter(t, { api: API }), 422, [
    [`{"tags": [${many('"a"')}]}`, /^tags: must have at most 1000 values, not 1001\.$/],
    [`{"branches": [${many('{}')}]}`, /^branches: must have at most 1000 values, not 1001\.$/],
    ['{"__proto__": {"name": "A"}}', /^__proto__: is not a property of Shop/],
    ['{"constructor": 1}', /^constructor: is not a property of Shop/],
    ['{"hasOwnProperty": 1}', /^hasOwnProperty: is not a property of Shop/],
    ['{"address": {"__proto__": 1}}', /^address\/__proto__: is not a property of Address/],
  ])
})

// contract: Limits: body 1 MiB
test('more than 100 digits of a decimal are 422 in every write, and 100 compare by value', async (t) => {
  const writer = await serveWriter(t, { api: API })
  await refuses(
    writer,
    422,
    [
      `"${'7'.repeat(101)}"`,
      '7'.repeat(101),
      `"0.${'0'.repeat(100)}"`,
      `"-${'0'.repeat(100)}7"`,
      '1e100',
      '7e-100',
    ]
      // An exponent counts as the digits that it stands for, and zeros count as they stand there.
      .map((price) => [`{"price": ${price}}`, /^price: must have at most 100 digits\.$/]),
  )
  const digits = '7'.repeat(99)
  const prices = [`${digits}8`, -1e99, `-${digits}7`, `0.${digits}`, `${digits}7`, 1e99, `-${digits}8`]
  for (const price of prices) await writer.add('/shops', { price })
  const inOrder = (await writer.get('/shops?order%5Bprice%5D=asc')).json().member as {
    readonly price: string
  }[]
  assert.deepEqual(
    inOrder.map(({ price }) => price),
    [
      `-${digits}8`,
      `-${digits}7`,
      `-1${'0'.repeat(99)}`,
      `0.${digits}`,
      `1${'0'.repeat(99)}`,
      `${digits}7`,
      `${digits}8`,
      // The one that was there before has none.
      undefined,
    ],
  )
  const { member } = (await writer.get(`/shops?price=${digits}7&price=0${digits.slice(1)}`)).json()
  assert.equal((member as object[]).length, 1)
})

// contract: `@context`, `@id` and `@type` that agree
// contract: Where the class declares no such property
test('what agrees with the target is ignored in every write, and so are its id and any originId', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const path = await writer.addAt('/shops', { name: 'A' })
  const context = (await writer.get('/contexts/Shop')).json()['@context']
  const address = (method: string) =>
    method === 'POST' ? {} : { '@id': `${writer.base}${method === 'PUT that creates' ? '/shops/new' : path}` }
  for (const [method, write] of Object.entries(writesOf(writer, path))) {
    const sent = {
      ...{ '@context': context, '@type': 'Shop', ...address(method), name: 'B' },
      ...(method === 'POST' ? {} : { id: address(method)['@id'] }),
      originId: { any: 'thing' },
    }
    const response = await write(JSON.stringify(sent))
    assert.ok(response.status < 300, `${method} ${response.body}`)
    const { '@id': _, ...values } = response.json()
    assert.deepEqual(values, { '@context': context, '@type': 'Shop', name: 'B' }, method)
  }
})

// contract: Where the class declares no such property
test('an id is ignored in PUT and PATCH where it is that of the member, and 422 anywhere else', async (t) => {
  const writer = await serveWriter(t, { api: API })
  await writer.put('/shops/7', { name: 'A' }, { 'If-None-Match': '*' })
  const context = '"@context": {"n": "{base}/vocab#Shop/name"}, "n": "A"'.replace('{base}', writer.base)
  const said = `id: is not a property of Shop; to choose an id, PUT to ${writer.base}/shops/{id} with If-None-Match: *.`
  const right = ['7', '"7"', '"/api/shops/7"', `"${writer.base}/shops/7"`, 'null']
  const wrong = ['8', '"x"', '""', '"/api/shops/8"', '{}', '["7"]', 'true', '"shops/7"']
  for (const [method, write] of Object.entries({ ...writesOf(writer, '/shops/7') })) {
    if (method === 'PUT that creates') continue
    const isPost = method === 'POST'
    for (const id of isPost ? [...right.slice(0, -1), ...wrong] : wrong)
      for (const body of [
        `{"name": "A", "id": ${id}}`,
        ...(method === 'PATCH' ? [] : [`{${context}, "id": ${id}}`]),
      ]) {
        const response = await write(body)
        assert.equal(response.status, 422, `${method} ${body} ${response.body}`)
        assert.equal(sentenceOf(response), said, `${method} ${body}`)
      }
    for (const id of isPost ? ['null'] : right)
      for (const body of [
        `{"name": "A", "id": ${id}}`,
        ...(method === 'PUT' ? [`{${context}, "id": ${id}}`] : []),
      ]) {
        const response = await write(body)
        assert.ok(response.status < 300, `${method} ${body} ${response.body}`)
        assert.deepEqual(valuesOf(response), { name: 'A' }, `${method} ${body}`)
      }
  }
})

// contract: Ids are UUIDv7, or what a PUT
test('the id that the server gives is a UUID of version 7, and later ones are greater', async (t) => {
  const { add, base } = await serveWriter(t, { api: API })
  const ids: string[] = []
  for (let index = 0; index < 5; index++) {
    const id = pathOf(base, (await add('/shops', {}))['@id']).slice('/shops/'.length)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    ids.push(id)
  }
  // RFC 9562 §5.7: the first 48 bits are the time in milliseconds.
  const times = ids.map((id) => id.slice(0, 13))
  assert.deepEqual(times, times.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})
