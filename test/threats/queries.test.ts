import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { KINDS } from '../api/queries.ts'
import { pathOf, type SignedIn, sentenceOf, serveSignedIn } from '../api/signed-in.ts'
import { idsOf, put, read, walk } from '../api/walks.ts'
import { inSoak } from '../support/soak.ts'

const RUNS = { numRuns: inSoak(200, 50) }

async function serveKinds(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { api: KINDS, flags: { pageSize: '1' } })
  for (const [index, text] of ['apple', "'", '%', '_'].entries()) {
    await put(service, `/kinds/k${index}`, { text, whole: index, tags: [text] })
  }
  return service
}

function faultsOf({ logged }: SignedIn): string[] {
  return logged.filter((line) => line.includes('"level":"error"'))
}

// contract: `__proto__` and friends are ordinary unknown properties.
test('names of every object are no parameters, and nothing is polluted', async (t) => {
  const service = await serveKinds(t)
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const queries = [
      `${name}=1`,
      `${name}[gt]=1`,
      `text[${name}]=1`,
      `order[${name}]=asc`,
      `exists[${name}]=true`,
      `sort=${name}`,
      `order[text]=${name}`,
      `after=${name}`,
      `__proto__[${name}]=1`,
    ]
    for (const query of queries) {
      const response = await service.get(`/kinds?${query}`)
      assert.equal(response.status, 400, query)
      assert.ok(sentenceOf(response).length < 600, query)
    }
  }
  assert.equal(({} as Record<string, unknown>)['1'], undefined)
  assert.deepEqual(faultsOf(service), [])
})

test('SQL is text where text is expected, and 400 elsewhere', async (t) => {
  const service = await serveKinds(t)
  const attacks = [
    "' OR 1=1 --",
    '"; DROP TABLE classes; --',
    '1) OR (1=1',
    "x' UNION SELECT * FROM users --",
    '?1',
    ':a',
  ]
  const asText = [
    'text',
    'text[startsWith]',
    'text[contains]',
    'tags',
    'tags[contains]',
    'iri[contains]',
    'q',
  ]
  const elsewhere = [
    'whole',
    'price',
    'day',
    'instant',
    'flag',
    'author',
    'sort',
    'order[text]',
    'after',
    'page',
    'exists[text]',
  ]
  for (const attack of attacks) {
    const sent = encodeURIComponent(attack)
    for (const name of asText.filter((one) => one !== 'q' || /\w/.test(attack))) {
      const page = await read(service, `/kinds?${name}=${sent}&itemsPerPage=50`)
      assert.deepEqual(page.member, [], `${name}=${attack}`)
    }
    for (const name of [...elsewhere, `order[${sent}]`, sent]) {
      const response = await service.get(`/kinds?${name}=${sent}`)
      assert.equal(response.status, 400, `${name}=${attack}`)
      assert.doesNotMatch(response.body, /SQL|syntax|members_|classes;.*table/i)
    }
  }
  assert.deepEqual(idsOf(await read(service, "/kinds?text='")), ['k1'])
  assert.deepEqual(idsOf(await read(service, '/kinds?text[startsWith]=%25')), ['k2'])
  assert.deepEqual(idsOf(await read(service, '/kinds?tags[contains]=_')), ['k3'])
  assert.deepEqual(faultsOf(service), [])
})

test('a cursor with any of its characters changed is answered, and leaks nothing', async (t) => {
  const service = await serveKinds(t)
  const { view } = await read(service, '/kinds?sort=text,-whole')
  const next = pathOf(service.base, view.next)
  const at = next.indexOf('after=') + 'after='.length
  for (let index = at; index < next.length; index += 1) {
    for (const character of ['A', '_', '%00', '.']) {
      const path = next.slice(0, index) + character + next.slice(index + 1)
      const response = await service.get(path, { Accept: 'application/json, application/problem+json' })
      assert.ok([200, 400].includes(response.status), `${response.status}`)
      if (response.status === 200) continue
      const { type, parameter } = response.json()
      assert.match(String(type), /#(?:InvalidCursor|CursorOfOtherQuery)$/)
      assert.equal(parameter, 'after')
    }
    assert.equal((await service.get(next.slice(0, index))).status, 400)
  }
  assert.deepEqual(faultsOf(service), [])
})

test('as much as a target can hold is answered without a fault', async (t) => {
  const service = await serveKinds(t)
  const upTo = (part: string, length = 8_000) => part.repeat(Math.floor(length / part.length))
  const table: [query: string, status: number][] = [
    [upTo('&'), 200],
    [upTo('=&'), 400],
    [upTo('['), 400],
    [upTo('text&'), 400],
    [upTo('text=a&', 700), 200],
    [upTo('text=a&'), 400],
    [`text=${upTo('a')}`, 200],
    [`text=${upTo('%F0%9F%98%80')}`, 200],
    [`text[contains]=${upTo('%C3%9F')}`, 200],
    [`text[startsWith]=${upTo('%F4%8F%BF%BF')}`, 200],
    [`tags=${upTo('a')}&sort=text`, 200],
    [`q=${upTo('a')}`, 200],
    [`q=${upTo('a+')}`, 200],
    [`q=${Array.from({ length: 1_500 }, (_, index) => index).join('+')}`, 400],
    [`price=${upTo('9', 100)}`, 200],
    [`price=${upTo('9')}`, 400],
    [`price[gt]=0.${upTo('0', 7_900)}1`, 400],
    [`price=1e${upTo('9')}`, 400],
    [`size=${upTo('9')}`, 400],
    [`whole=${upTo('1')}`, 400],
    [`whole=-${upTo('0')}`, 400],
    [`instant=2024-01-01T00:00:00.${upTo('1', 7_900)}Z`, 200],
    [`iri=a:${upTo('b')}`, 200],
    [`author=authors/${upTo('b')}`, 400],
    [`sort=${upTo('text,')}`, 400],
    [`sort=${upTo('-')}`, 400],
    [`after=${upTo('W1tb')}`, 400],
    [`after=${Buffer.from('['.repeat(3_000) + ']'.repeat(3_000)).toString('base64url')}`, 400],
    [`page=${upTo('9')}`, 400],
    [upTo('a', 8_300), 414],
  ]
  for (const [query, status] of table) {
    const response = await service.get(`/kinds?${query}`)
    assert.equal(response.status, status, `${query.slice(0, 60)}: ${response.body.slice(0, 200)}`)
    if (status !== 200) assert.ok(response.body.length < 800, query.slice(0, 60))
  }
  assert.deepEqual(faultsOf(service), [])
})

test('as many conditions and orders as are allowed, all at once, are answered', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `p${index}`)
  const properties = names.map((name, index) => `${name}: { type: string, many: ${index % 2 === 0} }`)
  const api = `classes: { Wide: { properties: { ${properties.join(', ')} } } }`
  const service = await serveSignedIn(t, { api, flags: { pageSize: '1', scanTime: '60s' } })
  const values = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? ['b', 'c'] : 'b']))
  for (const id of ['w1', 'w2']) await put(service, `/wides/${id}`, values)

  const operators = ['', '[ne]', '[gt]', '[lte]', '[startsWith]', '[contains]']
  const given = ['b', 'x', 'a', 'd', 'b', 'B']
  const conditions = names
    .slice(0, 50)
    .map((name, index) => `${name}${operators[index % 6]}=${given[index % 6]}`)
  const words = `q=${'b+c+'.repeat(16)}`
  const sort = `sort=${names.filter((_, index) => index % 2 === 1).slice(0, 4)}`
  for (const query of [conditions, [...conditions, words, sort]])
    assert.deepEqual(await walk(service, `/wides?${query.join('&')}`), [['w1'], ['w2']])
  assert.deepEqual(faultsOf(service), [])
})

test('any text at all as a query is answered, and never with a fault of the server', async (t) => {
  const service = await serveKinds(t)
  const bytes = fc
    .uint8Array({ maxLength: 20 })
    .map((all) => [...all].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  })
  const names = (await read(service, '/kinds')).search as { mapping: { variable: string }[] }
  const likely = fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1.5',
      '1e3',
      'true',
      'false',
      'asc',
      'desc',
      'a',
      '-text',
      'text,whole',
      '2024-02-29',
    ],
    ...['2024-02-29T00:00:00Z', 'https://example.org/', 'authors/1', 'W10', '%F0%9F%98%80', '%00'],
  )
  const named = fc
    .tuple(
      fc.constantFrom(...names.mapping.map(({ variable }) => variable)),
      fc.oneof(likely, visible, bytes, fc.string({ unit: 'grapheme' }).map(encodeURIComponent)),
    )
    .map((pair) => pair.join('='))
  const anyQuery = fc.oneof(
    bytes,
    visible,
    named,
    fc
      .array(fc.oneof({ weight: 8, arbitrary: named }, { weight: 1, arbitrary: visible }), { maxLength: 6 })
      .map((all) => all.join('&')),
  )
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const response = await service.get(`/kinds?${query}`)
      assert.ok([200, 400].includes(response.status), `${response.status}`)
      if (response.status === 200) assert.ok(Array.isArray(response.json().member))
    }),
    RUNS,
  )
  assert.deepEqual(faultsOf(service), [])
})
