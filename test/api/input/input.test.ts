import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from '../../../src/api/input/input.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { AS_PROBLEM, assertProblem, codesOf, pathOf, type Said, serveSignedIn } from '../signed-in.ts'
import { faultsIn, serveWriter, valuesOf, type Writer } from '../writing.ts'

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
    POST: (body: string) => post('/shops', body, AS_PROBLEM),
    'PUT that creates': (body: string) => put('/shops/new', body, { ...AS_PROBLEM, 'If-None-Match': '*' }),
    PUT: (body: string) => put(path, body, AS_PROBLEM),
    PATCH: (body: string) => patch(path, body, AS_PROBLEM),
  }
}

/** Each body is refused by each write with this status, and nothing has changed. */
async function refuses(
  writer: Writer,
  status: number,
  table: readonly (readonly [body: string, codes: string])[],
): Promise<void> {
  const path = await writer.addAt('/shops', { name: 'A' })
  const before = await writer.get('/shops')
  for (const [method, write] of Object.entries(writesOf(writer, path))) {
    for (const [body, codes] of table) {
      const response = await write(body)
      const what = `${method} ${body.slice(0, 200)}`
      assert.equal(response.status, status, `${what} ${response.body.slice(0, 300)}`)
      assert.equal(codesOf(response), codes, what)
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
  const rows: [body: string, codes: string][] = [
    ...lost.map((digits): [string, string] => [`{"rank": ${digits}}`, 'rank: LosesDigits']),
    ...[...lost, ...fractions].flatMap((digits): [string, string][] => [
      [`{"size": ${digits}}`, 'size: LosesDigits'],
      [`{"sizes": [1, ${digits}]}`, 'sizes/1: LosesDigits'],
    ]),
    ['{"address": {"floor": 9007199254740993}}', 'address/floor: LosesDigits'],
    ['{"branches": [{"floor": 1}, {"floor": 9007199254740993}]}', 'branches/1/floor: LosesDigits'],
  ]
  await refuses(await serveWriter(t, { api: API }), 422, rows)
})

// contract: U+0000 and lone surrogates in a string: 422.
test('U+0000 and lone surrogates are 422 in every write, wherever a string stands', async (t) => {
  const [nul, surrogate] = ['NulCharacter', 'LoneSurrogate']
  const texts = {
    '\\u0000': nul,
    'a\\u0000b': nul,
    '\\ud800': surrogate,
    '\\udc00': surrogate,
    'a\\udc00\\ud800': surrogate,
  }
  const rows = Object.entries(texts).flatMap(([text, code]): [string, string][] => [
    [`{"name": "${text}"}`, `name: ${code}`],
    [`{"tags": ["a", "${text}"]}`, `tags/1: ${code}`],
    [`{"motto": {"en": "${text}"}}`, 'motto: InvalidText'],
    [`{"page": "http://x.example/${text}"}`, 'page: WrongDatatype'],
    [`{"address": {"street": "${text}"}}`, `address/street: ${code}`],
    [`{"branches": [{"street": "${text}"}]}`, `branches/0/street: ${code}`],
  ])
  await refuses(await serveWriter(t, { api: API }), 422, rows)
})

// contract: U+0000 and lone surrogates in a string: 422.
test('U+0000 and lone surrogates are 422 in JSON-LD of another shape as well', async (t) => {
  const writer = await serveWriter(t, { api: API })
  const path = await writer.addAt('/shops', { name: 'A' })
  const before = await writer.get('/shops')
  const vocab = `${writer.base}/vocab#Shop/`
  for (const [text, code] of [
    ['\\u0000', 'NulCharacter'],
    ['\\ud800', 'LoneSurrogate'],
  ] as const) {
    for (const [body, place] of [
      [`{"@context": {"n": "${vocab}name"}, "n": "${text}"}`, 'name'],
      [`[{"${vocab}name": [{"@value": "a${text}"}]}]`, 'name'],
      [`[{"${vocab}tags": [{"@value": "a"}, {"@value": "${text}"}]}]`, 'tags/1'],
    ] as const) {
      for (const response of [
        await writer.post('/shops', body, AS_PROBLEM),
        await writer.put(path, body, AS_PROBLEM),
      ]) {
        assert.equal(response.status, 422, `${body} ${response.body.slice(0, 300)}`)
        assert.equal(codesOf(response), `${place}: ${code}`, body)
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
    ['{"name": "A", "name": "A"}', 'DuplicateKey'],
    ['{"name": "A", "n\\u0061me": "B"}', 'DuplicateKey'],
    ['{"address": {"street": "a", "street": "b"}}', 'DuplicateKey'],
    ['{"motto": {"en": "a", "en": "b"}}', 'DuplicateKey'],
    ['{"nothing": 1, "nothing": 2}', 'DuplicateKey'],
    [nested(33), 'JsonTooDeep'],
  ])
})

// contract: Limits: body 1 MiB
// contract: `__proto__` and friends are ordinary unknown properties.
test('more than 1,000 values of a property, and names of every object, are 422 in every write', async (t) => {
  const many = (value: string) => Array(1_001).fill(value).join()
  await refuses(await serveWriter(t, { api: API }), 422, [
    [`{"tags": [${many('"a"')}]}`, 'tags: TooManyValues'],
    [`{"branches": [${many('{}')}]}`, 'branches: TooManyValues'],
    ['{"__proto__": {"name": "A"}}', '__proto__: UnknownProperty'],
    ['{"constructor": 1}', 'constructor: UnknownProperty'],
    ['{"hasOwnProperty": 1}', 'hasOwnProperty: UnknownProperty'],
    ['{"address": {"__proto__": 1}}', 'address/__proto__: UnknownProperty'],
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
      .map((price) => [`{"price": ${price}}`, 'price: TooManyDigits']),
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
  const said: Said = ['id: IdIsNoProperty', `${writer.base}/shops/{id}`, 'If-None-Match: *']
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
        assertProblem(response, said, `${method} ${body}`)
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

// contract: Limits: body 1 MiB
// contract: Duplicate keys: 400
test('what is no JSON document of bounded depth with one value for each key is 400', async (t) => {
  const { post, send, get } = await serveSignedIn(t)
  const nested = (levels: number) => `{"name": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const table: [name: string, body: string, code: string][] = [
    ['nothing', '', 'MalformedJson'],
    ['white space', ' \n', 'MalformedJson'],
    ['half an object', '{"name": "Ann"', 'MalformedJson'],
    ['two documents', '{} {}', 'MalformedJson'],
    ['single quotes', "{'name': 1}", 'MalformedJson'],
    ['a trailing comma', '{"name": "Ann",}', 'MalformedJson'],
    ['a comment', '{} // no', 'MalformedJson'],
    ['NaN', '{"name": NaN}', 'MalformedJson'],
    ['a leading zero', '{"name": 01}', 'MalformedJson'],
    ['a duplicate key', '{"name": "Ann", "name": "Bob"}', 'DuplicateKey'],
    ['a duplicate key in another spelling', '{"name": "Ann", "n\\u0061me": "Bob"}', 'DuplicateKey'],
    ['a duplicate __proto__', '{"__proto__": 1, "__proto__": 2}', 'DuplicateKey'],
    ['33 levels', nested(33), 'JsonTooDeep'],
    ['100,000 levels', nested(100_000), 'JsonTooDeep'],
    ['1 MiB of [', '['.repeat(1024 * 1024), 'JsonTooDeep'],
    ['1 MiB of {"a":', '{"a":'.repeat(200_000), 'JsonTooDeep'],
  ]
  for (const [name, body, code] of table) {
    const response = await post('/authors', body, AS_PROBLEM)
    assert.equal(response.status, 400, name)
    assert.equal(codesOf(response), code, name)
    assert.ok(String(response.json().detail).length < 400, name)
  }
  // 32 levels are well-formed: what is wrong is the value.
  assert.equal((await post('/authors', nested(32))).status, 422)
  const headers = { 'Content-Type': 'application/json' }
  assert.equal((await send('POST', '/authors', headers)).status, 400, 'no body at all')
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('a body that is not UTF-8 is 400', async (t) => {
  const { port, base, client, get } = await serveSignedIn(t)
  const token = await client.signIn()
  const mount = new URL(base).pathname
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"name": "'), Buffer.from(bytes), Buffer.from('"}')])
    const response = await fetch(`http://127.0.0.1:${port}${mount}/authors`, {
      method: 'POST',
      headers: { ...AS_PROBLEM, 'Content-Type': 'application/json', 'X-Authorization': token },
      body,
    })
    assert.equal(response.status, 400)
    assert.match(((await response.json()) as { type: string }).type, /#BodyNotUtf8$/)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

// contract: Bodies: `application/ld+json`, `application/json`
test('JSON that is no object is 422', async (t) => {
  const { post } = await serveSignedIn(t)
  for (const body of [
    '[]',
    '[{"name": "Ann"}, {"name": "Bob"}]',
    '[[{"name": "Ann"}]]',
    '1',
    '"Ann"',
    'true',
    'null',
  ]) {
    const response = await post('/authors', body, AS_PROBLEM)
    assert.equal(response.status, 422, body)
    assert.equal(codesOf(response), 'BodyNotAnObject', body)
  }
})

/** RFC 7396, appendix A, as far as both are objects; null stands for what is not there. */
const MERGED: [target: string, patch: string, merged: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{"a":null}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"a":null,"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d","c":null}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{"ccc":null}}}'],
  ['{"a":{"b":{"c":1,"d":2}}}', '{"a":{"b":{"c":3}}}', '{"a":{"b":{"c":3,"d":2}}}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
]

// contract: PATCH: `application/merge-patch+json`
test('a patch is merged as RFC 7396 has it, and neither side is changed', () => {
  const read = (text: string) => readJson(text) as JsonObject
  for (const [target, patch, merged] of MERGED) {
    const [before, change] = [read(target), read(patch)]
    assert.deepEqual(mergePatch(before, change), read(merged), `${target} ${patch}`)
    assert.deepEqual([before, change], [read(target), read(patch)])
  }
  assert.equal(({} as Record<string, unknown>).b, undefined)
})
