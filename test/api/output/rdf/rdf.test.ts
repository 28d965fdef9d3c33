import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexed } from '../../../../src/vocabulary/index.ts'
import { serveEverything } from '../../../clients/everything.ts'
import { literal, quad, quadsOf, rdf } from '../../rdf.ts'
import { assertSame, quadsOfText } from '../../rdf-text.ts'
import { assertProblem, serveSignedIn } from '../../signed-in.ts'

const TURTLE = 'text/turtle'
const QUADS = 'application/n-quads'
const LD = { 'Content-Type': 'application/ld+json' }

// contract: `Accept`: `application/ld+json`
test('Turtle and N-Quads are the same graph as the JSON-LD, for everything that can be read', async (t) => {
  const { get, send, country, ann, ben } = await serveEverything(t)
  const paths = ['', '/', '/vocab', '/people', '/notes', '/people?title=Ben', '/people?itemsPerPage=1']
  for (const path of [...paths, '/people?page=1', country, ann, ben, '/Motto', '/session']) {
    const expected = await quadsOf((await get(path)).json())
    for (const mediaType of [TURTLE, QUADS]) {
      const response = await get(path, { Accept: mediaType })
      assert.equal(response.status, 200, `${path}: ${response.body}`)
      assert.equal(
        response.headers['content-type'],
        mediaType + (mediaType === TURTLE ? '; charset=utf-8' : ''),
      )
      assert.equal(response.headers.vary, 'X-Authorization, Authorization, Accept')
      const { body } = response
      assertSame(await quadsOfText(body, mediaType), expected, `${mediaType} ${path}`)
      const head = await send('HEAD', path, { Accept: mediaType })
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(body)), `${mediaType} ${path}`)
      assert.equal(head.headers.etag, response.headers.etag, path)
    }
  }
})

test('a write is answered in the form that was asked for', async (t) => {
  const { send, get, ben, country, base } = await serveEverything(t)
  const person = JSON.stringify({ title: 'Eve', country: base + country, price: '1.10' })
  for (const mediaType of [TURTLE, QUADS]) {
    const path = `/people/${mediaType.replaceAll(/\W/g, '-')}`
    const writes: [status: number, method: string, path: string, headers: object, body: string][] = [
      [201, 'POST', '/people', LD, person],
      [201, 'PUT', path, { ...LD, 'If-None-Match': '*' }, person],
      [200, 'PUT', ben, LD, person],
      [200, 'PATCH', ben, { 'Content-Type': 'application/merge-patch+json' }, '{"children": 1}'],
      [200, 'PUT', '/Motto', LD, '{"text": "Another"}'],
    ]
    for (const [status, method, target, headers, body] of writes) {
      const response = await send(method, target, { ...headers, Accept: mediaType }, body)
      assert.equal(response.status, status, `${method} ${target}: ${response.body}`)
      const address = response.headers.location?.slice(base.length) ?? target
      const read = await get(address, { Accept: mediaType })
      assert.equal(response.body, read.body, `${method} ${target}`)
      assert.equal(response.headers['content-type'], read.headers['content-type'])
      assert.equal(response.headers.etag, read.headers.etag)
      assert.deepEqual(
        await quadsOfText(response.body, mediaType),
        await quadsOf((await get(address)).json()),
      )
    }
  }
})

test('each value has its datatype, in Turtle and in N-Quads', async (t) => {
  const { get, ann, ben, country, base } = await serveEverything(t)
  const own = (name: string) => `${base}/vocab#Person/${name}`
  const said: [property: string, object: string][] = [
    ['description', '"First"@en'],
    ['description', '"Erste"@de'],
    ['code', '"red"'],
    ['active', literal('true', 'boolean')],
    ['children', literal('2', 'integer')],
    ['rank', literal('0', 'nonNegativeInteger')],
    ['level', literal('3', 'positiveInteger')],
    ['price', literal('12.50', 'decimal')],
    ['height', literal('1.5E0', 'double')],
    ['weight', literal('2', 'float')],
    ['born', literal('1970-01-02', 'date')],
    ['seen', literal('2024-02-29T12:00:00+02:00', 'dateTime')],
    ['wakes', literal('06:30:00', 'time')],
    ['patience', literal('P1DT2H', 'duration')],
    ['homepage', literal('http://example.org/ann', 'anyURI')],
    ['nicknames', '"A"'],
    ['nicknames', '"B"'],
    ['scores', literal('1.0', 'decimal')],
    ['scores', literal('2', 'decimal')],
    ['country', `<${base}${country}>`],
    ['friends', `<${base}${ben}>`],
    ['notes', '"none"'],
  ]
  const subject = base + ann
  const expected = [
    quad(subject, rdf('type'), '<http://schema.org/Person>'),
    quad(subject, 'http://schema.org/name', String.raw`"Ann \"the first\" \\ ü\n${'\u{1f4da}'}"`),
    ...said.map(([name, object]) => quad(subject, own(name), object)),
    quad(subject, own('address'), '_:c14n0'),
    `_:c14n0 <${rdf('type')}> <${base}/vocab#Address> .`,
    `_:c14n0 <${base}/vocab#Address/street> "Long Road 1" .`,
    `_:c14n0 <${base}/vocab#Address/since> ${literal('2001-02-03', 'date')} .`,
    `_:c14n0 <${base}/vocab#Address/country> <${base}${country}> .`,
  ]
  for (const mediaType of [TURTLE, QUADS]) {
    const { body } = await get(ann, { Accept: mediaType })
    const lines = await quadsOfText(body, mediaType)
    const [createdAt, ...rest] = lines.sort(
      (a, b) => Number(b.includes('createdAt')) - Number(a.includes('createdAt')),
    )
    assert.match(createdAt ?? '', /Person\/createdAt> "\d{4}-[^"]+"\^\^<[^>]+#dateTime> \.$/)
    assert.deepEqual(rest.sort(), expected.sort(), mediaType)
  }
})

// contract: ETags are strong
test('each form has an ETag of its own, and is not sent to who has it', async (t) => {
  const { get, ann } = await serveEverything(t)
  for (const path of ['/', '/vocab', '/people', ann, '/session']) {
    const etags: string[] = []
    for (const Accept of ['application/ld+json', 'application/json', TURTLE, QUADS]) {
      const etag = (await get(path, { Accept })).headers.etag ?? ''
      const again = await get(path, { Accept, 'If-None-Match': etag })
      assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', etag], `${Accept} ${path}`)
      etags.push(etag)
    }
    assert.equal(new Set(etags).size, 4, path)
    const other = await get(path, { Accept: TURTLE, 'If-None-Match': `${etags[0]}, ${etags[3]}` })
    assert.equal(other.status, 200, path)
  }
})

test('an ETag that was read with Turtle is good for a write', async (t) => {
  const { get, send, ben } = await serveEverything(t)
  const headers = { 'Content-Type': 'application/merge-patch+json', Accept: QUADS }
  const etag = (await get(ben, { Accept: TURTLE })).headers.etag ?? ''
  const [first, second] = [1, 2].map((children) => JSON.stringify({ children }))
  assert.equal((await send('PATCH', ben, { ...headers, 'If-Match': etag }, first)).status, 200)
  assert.equal((await send('PATCH', ben, { ...headers, 'If-Match': etag }, second)).status, 412)
})

test('a page that is converted on another thread is the same graph too, several at a time', async (t) => {
  const { add, get } = await serveSignedIn(t)
  const text = '"long" \u{1f4da}'.repeat(20)
  for (let index = 0; index < 100; index++) await add('/authors', { name: `${index} ${text}` })
  const page = await get('/authors?itemsPerPage=100')
  assert.ok(page.body.length > 32 * 1024)
  const [expected, ...got] = await Promise.all([
    quadsOf(page.json()),
    ...[TURTLE, QUADS, TURTLE].map(async (mediaType) =>
      quadsOfText((await get('/authors?itemsPerPage=100', { Accept: mediaType })).body, mediaType),
    ),
  ])
  for (const quads of got) assertSame(quads, expected, 'the page')
})

test('a page of large members ends where Turtle would take too long, whatever the setting', async (t) => {
  const { add, get } = await serveSignedIn(t, { flags: { maxPageBytes: '8MiB' } })
  for (let index = 0; index < 5; index++) await add('/authors', { name: String(index).repeat(1_000_000) })
  const page = await get('/authors', { Accept: TURTLE })
  assert.equal(page.status, 200, page.body.slice(0, 200))
  assert.equal(page.body.match(/"\d{1000000}"/g)?.length, 4)
  assert.match(page.body, /hydra:next /)
  const whole = await get('/authors')
  assert.equal((whole.json() as { member: unknown[] }).member.length, 5)
})

test('a member that is longer than any page is 406 as Turtle, and says what can be asked for instead', async (t) => {
  const { get, store } = await serveSignedIn(t)
  const body = `,"name":"${'x'.repeat(9 * 1024 * 1024)}"`
  const keys = { values: [indexed('x', 'text'), null], words: [] }
  await store.members.add('Author', { id: 'long', body, baseUrlOffsets: '', hidden: '', links: [], keys })
  for (const path of ['/authors', '/authors/long']) {
    const refused = await get(path, { Accept: `${TURTLE}, application/problem+json` })
    assert.equal(refused.status, 406, path)
    assertProblem(refused, ['TooLongForMediaType', TURTLE, 'application/ld+json'], path)
    assert.equal((await get(path)).status, 200, path)
  }
})

test('Turtle is written with prefixes for the API and for the vocabularies that it uses', async (t) => {
  const { get, ben, base } = await serveEverything(t)
  const { body } = await get(ben, { Accept: TURTLE })
  const lines = body.split('\n')
  const prefixes = lines.filter((line) => line.startsWith('@prefix')).sort()
  assert.deepEqual(prefixes, [
    `@prefix Person: <${base}/vocab#Person/>.`,
    '@prefix schema: <http://schema.org/>.',
    '@prefix xsd: <http://www.w3.org/2001/XMLSchema#>.',
  ])
  assert.ok(lines.includes(`<${base}${ben}> a schema:Person;`), body)
  assert.match(body, /\n {4}schema:name "Ben"[;.]/)
  assert.match(body, /\n {4}Person:createdAt "[^"]+"\^\^xsd:dateTime[;.]/)
})
