import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, assertProblem, codesOf, pathOf, type Said, sentenceOf } from './signed-in.ts'
import { serveWriter, valuesOf } from './writing.ts'

const API = `
classes:
  Country: { properties: { name: string } }
  Geo:
    collection: false
    properties: { lat: { type: decimal, minimum: -90, maximum: 90 }, lon: double }
  Address:
    collection: false
    properties:
      street: { type: string, required: true, maxLength: 10 }
      country: Country
      geo: Geo
      lines: { type: string, many: true }
      greeting: langString
      checked: { type: date, writable: false, default: "2020-02-02" }
      kind: { type: string, default: home, enum: [home, work] }
  Person:
    collection: people
    properties:
      name: string
      address: { type: Address, required: true }
      others: { type: Address, many: true }
`

const stored = { '@type': 'Address', street: 'A', checked: '2020-02-02', kind: 'home' }

// contract: A class without a collection is an embedded value
test('embedded values, single and many, are stored and served as nested objects', async (t) => {
  const { add, get, base } = await serveWriter(t, { api: API })
  const country = (await add('/countries', { name: 'CH' }))['@id']
  const geo = { lat: '46.9500', lon: 7.45 }
  const sent = {
    name: 'Ann',
    address: {
      street: 'A',
      country,
      geo,
      lines: ['a', '"b"'],
      greeting: { en: 'Hi', de: 'Ho' },
      kind: 'work',
    },
    others: [
      { street: 'B', geo: { lat: 1 } },
      { '@type': 'Address', street: 'C', country: { '@id': country } },
    ],
  }
  const person = await add('/people', sent)
  const expected = {
    name: 'Ann',
    address: {
      ...{ '@type': 'Address', street: 'A', country, geo: { '@type': 'Geo', ...geo }, lines: ['a', '"b"'] },
      ...{ greeting: { en: 'Hi', de: 'Ho' }, checked: '2020-02-02', kind: 'work' },
    },
    others: [
      { ...stored, street: 'B', geo: { '@type': 'Geo', lat: '1' } },
      { ...stored, street: 'C', country },
    ],
  }
  const read = await get(pathOf(base, person['@id']))
  assert.deepEqual(valuesOf(read), expected)
  const { member } = (await get('/people')).json() as { member: Record<string, unknown>[] }
  assert.deepEqual(member, [{ '@id': person['@id'], '@type': 'Person', ...expected }])
})

/** What is sent as `address`, and what is wrong with it. */
const VIOLATIONS: [sent: string, ...said: Said][] = [
  ['null', 'address: RequiredValue'],
  ['"A"', 'address: NotEmbedded'],
  ['5', 'address: NotEmbedded'],
  ['[[]]', 'address: NotEmbedded'],
  ['{}', 'address/street: RequiredValue'],
  ['[{"street": "A"}, {"street": "B"}]', 'address: OneValueOnly'],
  ['{"street": 5}', 'address/street: WrongDatatype'],
  ['{"street": "12345678901"}', 'address/street: TooLong'],
  ['{"stret": "A"}', 'address/stret: UnknownProperty, address/street: RequiredValue', '"street"'],
  ['{"street": "A", "@id": 1}', 'address/@id: EmbeddedId'],
  ['{"street": "A", "kind": "x"}', 'address/kind: NotInEnum'],
  ['{"street": "A", "checked": "2020-02-02"}', 'address/checked: ReadOnly'],
  ['{"street": "A", "country": "{base}/countries/none"}', 'address/country: DanglingLink'],
  ['{"street": "A", "country": "{base}/people/1"}', 'address/country: InvalidLink'],
  ['{"street": "A", "geo": {"lat": 91}}', 'address/geo/lat: AboveMaximum'],
  ['{"street": "A", "geo": {"lon": "x"}}', 'address/geo/lon: WrongDatatype'],
  ['{"street": "A", "geo": {"__proto__": 1}}', 'address/geo/__proto__: UnknownProperty'],
  ['{"street": "A", "lines": ["a", 1]}', 'address/lines/1: WrongDatatype'],
  ['{"street": "A", "greeting": "Hi"}', 'address/greeting: WrongDatatype'],
  ['{"street": "A", "@type": "Geo"}', 'address/@type: WrongType'],
  ['{"street": "A", "@id": "{base}/people/1"}', 'address/@id: EmbeddedId'],
  ['{"street": "A", "@graph": []}', 'address/@graph: UnknownKeyword'],
]

test('what does not fit an embedded value is 422 that names its path, and creates nothing', async (t) => {
  const { post, get, base } = await serveWriter(t, { api: API })
  for (const [sent, ...said] of VIOLATIONS) {
    const response = await post('/people', `{"address": ${sent.replaceAll('{base}', base)}}`, AS_PROBLEM)
    assert.equal(response.status, 422, sent)
    assertProblem(response, said, sent)
  }
  const others = (values: readonly object[]) =>
    post('/people', { address: { street: 'A' }, others: values }, AS_PROBLEM)
  const many = await others([{ street: 'B' }, { street: 7 }, {}])
  assert.equal(codesOf(many), 'others/1/street: WrongDatatype, others/2/street: RequiredValue')
  assert.equal(codesOf(await others(Array(1001).fill({ street: 'B' }))), 'others: TooManyValues')
  assert.equal((await get('/people')).json().totalItems, 0)
})

// contract: Validation: 422; in the default form
test('links within embedded values keep their targets', async (t) => {
  const { add, addAt, put, remove, base } = await serveWriter(t, { api: API })
  const [ch, fr] = [await addAt('/countries', { name: 'CH' }), await addAt('/countries', { name: 'FR' })]
  const person = pathOf(
    base,
    (
      await add('/people', {
        address: { street: 'A', country: `${base}${ch}` },
        others: [{ street: 'B', country: `${base}${fr}` }],
      })
    )['@id'],
  )
  for (const country of [ch, fr]) {
    const refused = await remove(country)
    assert.equal(refused.status, 409)
    assert.ok(sentenceOf(refused).includes(`${base}${person}`))
  }
  assert.equal((await put(person, { address: { street: 'A', country: `${base}${ch}` } })).status, 200)
  assert.equal((await remove(ch)).status, 409)
  assert.equal((await remove(fr)).status, 204)
  assert.equal((await remove(person)).status, 204)
  assert.equal((await remove(ch)).status, 204)
})

// contract: PUT keeps stored read-only values.
test('PUT replaces an embedded value as a whole, but for what is read-only in it', async (t) => {
  const { addAt, put } = await serveWriter(t, { api: API })
  const path = await addAt('/people', { address: { street: 'A', kind: 'work', lines: ['a'] } })
  const replaced = await put(path, { address: { street: 'B', checked: '2020-02-02' } })
  assert.deepEqual(valuesOf(replaced), { address: { ...stored, street: 'B' } })
  assert.equal((await put(path, { address: { street: 'B', checked: '2020-02-03' } })).status, 422)
  assert.equal((await put(path, { address: { street: 'B', checked: null } })).status, 422)
})

test('of many embedded values each keeps what is read-only in it, wherever it stands', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1, 23, 59, 30) }
  const api = API.replace('default: "2020-02-02"', 'default: now')
  const { addAt, put, values } = await serveWriter(t, { api, time })
  const path = await addAt('/people', {
    address: { street: 'A' },
    others: [{ street: 'B' }, { street: 'C' }],
  })
  const before = (await values(path)) as { address: object; others: object[] }
  time.now += 60_000
  const others = [{ street: 'new' }, before.others[1], before.others[0]]
  const replaced = valuesOf(await put(path, { ...before, others }))
  assert.deepEqual(replaced.others, [
    { ...stored, street: 'new', checked: '2030-01-02' },
    ...[
      { ...stored, street: 'C', checked: '2030-01-01' },
      { ...stored, street: 'B', checked: '2030-01-01' },
    ],
  ])
})

test('a changed one of many embedded values is known again by what is read-only in it, where others are removed or added', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) }
  const api = API.replace(
    'date, writable: false, default: "2020-02-02"',
    'dateTime, writable: false, default: now',
  )
  const { addAt, patch, values } = await serveWriter(t, { api, time })
  const path = await addAt('/people', { address: { street: 'A' } })
  for (const street of ['B', 'C', 'D']) {
    const { others = [] } = (await values(path)) as { others?: object[] }
    assert.equal((await patch(path, { others: [...others, { street }] })).status, 200)
    time.now += 1_000
  }
  const [b, c, d] = ((await values(path)) as { others: object[] }).others
  const sent = [{ street: 'new' }, { ...d, street: 'E' }, c, { ...b, street: 'F' }]
  const { others } = valuesOf(await patch(path, { others: sent }))
  assert.deepEqual(others, [
    { ...stored, street: 'new', checked: '2030-01-01T00:00:03.000Z' },
    { ...d, street: 'E' },
    c,
    { ...b, street: 'F' },
  ])
  const other = await patch(path, { others: [{ ...c, checked: '2031-01-01T00:00:00.000Z' }] }, AS_PROBLEM)
  assert.equal(codesOf(other), 'others/0/checked: ReadOnly')
})

test('what GET answers with embedded values can be sent back word for word', async (t) => {
  const { addAt, get, put } = await serveWriter(t, { api: API })
  const others = [{ street: 'B', geo: { lon: 1e-7 } }, { street: 'B' }, { street: 'B' }]
  const path = await addAt('/people', { address: { street: 'A', greeting: { 'en-gb': 'x' } }, others })
  const read = await get(path)
  const written = await put(path, read.body)
  assert.equal(written.status, 200, written.body)
  assert.equal(written.body, read.body)
})

test('a class whose name is also the name of a property says its IRI', async (t) => {
  const api = `
classes:
  Part: { collection: false, properties: { Part: string, Sub: { type: Sub } } }
  Sub: { collection: false, iri: "http://example.org/Sub", properties: { Sub: string } }
  Thing: { properties: { part: Part } }
`
  const { addAt, get, put, base, values } = await serveWriter(t, { api })
  const path = await addAt('/things', { part: { Part: 'a', Sub: { Sub: 'b' } } })
  const expected = {
    part: { '@type': `${base}/vocab#Part`, Part: 'a', Sub: { '@type': 'http://example.org/Sub', Sub: 'b' } },
  }
  assert.deepEqual(await values(path), expected)
  assert.equal((await put(path, (await get(path)).body)).status, 200)
  assert.deepEqual(await values(path), expected)
})
