import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createExpandBody } from '../../../src/api/input/expansion.ts'
import { Problem } from '../../../src/problem.ts'
import { startBystander } from '../../support/bystander.ts'
import { inSoak } from '../../support/soak.ts'
import { compareTimes } from '../../support/timing.ts'
import { AS_PROBLEM, codesOf, serveSignedIn } from '../signed-in.ts'
import { faultsIn, serveWriter } from '../writing.ts'

const task = (document: object) => ({
  ...{ document, base: 'http://x.example/', context: undefined, contexts: [], knowsBundled: true },
})
const HARMLESS = task({ 'http://x.example/a': 'x' })
const contextsOf = (count: number, at = 0) =>
  Array.from({ length: count }, (_, index) => ({ [`t${at + index}`]: 'http://x.example/' }))
/** Minutes of work. */
const ENDLESS = task({ '@context': contextsOf(20_000), t0: 'x' })

const outcomeOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    () => 'done',
    (error) => (error instanceof Problem ? error.code : assert.fail(error)),
  )

test('an expansion that takes too long is 422, and the next one has another thread', async () => {
  const expandBody = createExpandBody(300)
  assert.equal(await outcomeOf(expandBody(ENDLESS, 'a')), 'TooMuchJsonLd')
  const { nodes } = await expandBody(HARMLESS, 'a')
  assert.deepEqual(nodes, [{ 'http://x.example/a': [{ '@value': 'x' }] }])
  assert.equal(await outcomeOf(expandBody(ENDLESS, 'a')), 'TooMuchJsonLd')
  assert.equal(await outcomeOf(expandBody(HARMLESS, 'a')), 'done')
})

test('expansions are one at a time, users take turns, and those beyond the queue are 503', async () => {
  const expandBody = createExpandBody()
  const ended: string[] = []
  const many = Array.from({ length: 80 }, () =>
    outcomeOf(expandBody(HARMLESS, 'many')).then((outcome) => {
      if (outcome === 'done') ended.push('many')
      return outcome
    }),
  )
  const few = [1, 2].map(() => outcomeOf(expandBody(HARMLESS, 'few')).then(() => ended.push('few')))
  await Promise.all(few)
  // The second of the few is behind three of the others at most: the one that ran, and one for each turn.
  assert.ok(ended.length <= 6, ended.join())
  const outcomes = await Promise.all(many)
  assert.equal(outcomes.filter((outcome) => outcome === 'JsonLdProcessorBusy').length, 80 - 1 - 62)
})

test('what the processor says of a document arrives from the thread', async () => {
  const expandBody = createExpandBody()
  await assert.rejects(expandBody(task({ '@context': 'http://y.example/c' }), ''), {
    code: 'ForeignContext',
    values: { address: 'http://y.example/c' },
  })
  await assert.rejects(expandBody(task({ '@id': 5 }), ''), { code: 'InvalidJsonLd' })
  const { dropped } = await expandBody(task({ unknown: 1, 'http://x.example/a': 1 }), '')
  assert.deepEqual(dropped, [{ code: 'invalid property', what: 'unknown' }])
})

/** So many times the wait beside a body in our own terms; on the main thread it was a hundred and more. */
const MOST = 40

test('a body with many contexts holds nobody else up', async (t) => {
  const service = await serveSignedIn(t)
  const token = await service.client.signIn()
  const mount = new URL(service.base).pathname
  const head = `X-Authorization: ${token}\r\nHost: test\r\n`
  const bystander = startBystander(service.port, `HEAD ${mount}/ HTTP/1.1\r\n${head}\r\n`)
  t.after(bystander.close)
  const post = (body: object) => {
    const text = JSON.stringify(body)
    const more = `Content-Type: application/ld+json\r\nConnection: close\r\nContent-Length: ${text.length}\r\n`
    return Buffer.from(`POST ${mount}/authors HTTP/1.1\r\n${head}${more}\r\n${text}`)
  }
  const name = 'x'.repeat(13_000)
  const [plain, foreign] = [
    post({ name }),
    post({ '@context': contextsOf(500), [`${service.base}/vocab#Author/name`]: 'x' }),
  ]
  await bystander.waitBeside(foreign)
  let [alone, beside] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  await compareTimes(async () => {
    alone = Math.min(alone, await bystander.waitBeside(plain))
    beside = Math.min(beside, await bystander.waitBeside(foreign))
    assert.ok(beside <= MOST * alone, `${beside} ms beside many contexts, ${alone} ms beside our own terms`)
  })
})

/** A server that answers nobody and counts who comes. */
async function listen(t: TestContext): Promise<{ address: string; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  return { address: `http://127.0.0.1:${port}`, connections: () => connections }
}

// contract: No context is ever fetched from the network
test('a context of another server is refused wherever it is named, and never fetched', async (t) => {
  const { address, connections } = await listen(t)
  const writer = await serveWriter(t)
  const { post, put, addAt, get, base } = writer
  const path = await addAt('/authors', { name: 'Ann' })
  const contexts: unknown[] = [
    `${address}/`,
    address,
    `${address}/context.jsonld`,
    address.replace('http:', ''),
    [`${address}/a`],
    [`${base}/contexts/Author`, `${address}/a`],
    [null, `${address}/a`],
    { '@import': `${address}/a` },
    { '@version': 1.1, '@import': `${address}/a`, name: 'http://contexts.example/name' },
    { name: { '@id': `${base}/vocab#Author/name`, '@context': `${address}/a` } },
    { name: { '@id': `${base}/vocab#Author/name`, '@context': [{ '@import': `${address}/a` }] } },
    { Author: { '@id': `${base}/vocab#Author`, '@context': `${address}/a` } },
    { '@base': `${address}/`, name: { '@id': `${base}/vocab#Author/name`, '@context': 'a' } },
    'http://contexts.example/',
    'https://www.w3.org/ns/activitystreams',
    'contexts/Nothing',
    `${base}/contexts/Book`,
    `${base}/contexts/Author?x`,
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:1',
  ]
  for (const context of contexts) {
    const body = { '@context': context, '@type': 'Author', name: { '@value': 'Bob' } }
    for (const response of [await post('/authors', body), await put(path, body)]) {
      assert.ok(
        [400, 422].includes(response.status),
        `${JSON.stringify(context)} ${response.status} ${response.body}`,
      )
    }
    const nested = await post('/authors', { name: { '@context': context, '@value': 'Bob' } })
    assert.ok([400, 422].includes(nested.status), `nested ${JSON.stringify(context)} ${nested.status}`)
  }
  const foreign = await post('/authors', { '@context': `${address}/a`, name: 'Bob' }, AS_PROBLEM)
  assert.equal(codesOf(foreign), 'ForeignContext')
  assert.equal(connections(), 0)
  assert.equal((await get('/authors')).json().totalItems, 1)
  assert.equal((await get(path)).json().name, 'Ann')
  assert.deepEqual(faultsIn(writer), [])
})

// contract: No context is ever fetched from the network
test('a well-known context is there without being fetched', async (t) => {
  const { post, base } = await serveWriter(t)
  const sent = {
    '@context': ['http://www.w3.org/ns/hydra/context.jsonld', { name: `${base}/vocab#Author/name` }],
    name: 'Bob',
  }
  const response = await post('/authors', sent)
  assert.equal(response.status, 201, response.body)
  assert.equal(response.json().name, 'Bob')
})

const terms = (count: number, name = 't') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${name}${index}`, `http://x.example/${index}`]),
  )

const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })

/** Each would keep the processor busy for seconds or minutes. */
const HOSTILE: [name: string, body: () => object][] = [
  [
    'thousands of contexts',
    () => ({ '@context': Array.from({ length: 5000 }, (_, i) => ({ [`t${i}`]: 'http://x.example/' })) }),
  ],
  [
    'our context ten thousand times',
    () => ({ '@context': Array(10_000).fill('contexts/Author'), name: 'A' }),
  ],
  ['ten thousand terms', () => ({ '@context': terms(10_000), t0: 1 })],
  ['a hundred thousand nothings', () => ({ '@context': Array(100_000).fill(null) })],
  [
    'a large scoped context, used often',
    () => ({
      '@context': { a: { '@id': 'http://x.example/a', '@context': terms(1000) } },
      a: Array(5000).fill({ t1: 'x' }),
    }),
  ],
  [
    'a large scoped context, deep within itself',
    () => ({ '@context': { a: { '@id': 'http://x.example/a', '@context': terms(5000) } }, a: nested(25) }),
  ],
  [
    'contexts scoped to many types',
    () => ({
      '@context': {
        ...terms(1),
        ...Object.fromEntries(
          Array.from({ length: 500 }, (_, i) => [
            `T${i}`,
            { '@id': `http://x.example/T${i}`, '@context': terms(10, `s${i}`) },
          ]),
        ),
      },
      '@type': Array.from({ length: 500 }, (_, i) => `T${i}`),
    }),
  ],
  [
    'a context in each of twenty thousand values',
    () => ({
      'http://x.example/a': Array.from({ length: 20_000 }, (_, i) => ({
        '@context': { [`b${i}`]: 'http://x.example/' },
      })),
    }),
  ],
  ['two hundred thousand values', () => ({ 'http://x.example/a': Array(200_000).fill('x') })],
  ['twenty-five thousand keys', () => ({ '@context': { '@vocab': 'http://x.example/' }, ...terms(25_000) })],
  [
    'a link of steps upwards',
    () => ({ '@context': { a: { '@id': 'http://x.example/a', '@type': '@id' } }, a: '../'.repeat(300_000) }),
  ],
  ['a link of slashes', () => ({ '@id': '/'.repeat(1_000_000), '@nest': {} })],
  [
    'a base of steps',
    () => ({ '@context': { '@base': `http://x.example/${'a/'.repeat(200_000)}` }, '@id': '../b' }),
  ],
  [
    'a vocabulary that grows with each context',
    () => ({
      '@context': [{ '@vocab': 'http://x.example/' }, ...Array(100).fill({ '@vocab': 'a'.repeat(490) })],
      ...terms(2000),
    }),
  ],
  [
    'a base that grows with each context',
    () => ({
      '@context': [{ '@base': 'http://x.example/' }, ...Array(300).fill({ '@base': 'a/'.repeat(240) })],
    }),
  ],
  [
    'links behind a long base',
    () => ({
      '@context': {
        '@base': `http://x.example/${'a/'.repeat(240)}`,
        a: { '@id': 'http://x.example/a', '@type': '@id' },
      },
      a: Array(50_000).fill('../b'),
    }),
  ],
  ['a long key', () => ({ [`a:${'/'.repeat(1_000_000)}`]: 1 })],
  ['a long language', () => ({ '@context': { '@language': `${'a-'.repeat(400_000)}!` }, a: 1 })],
  [
    'a chain of prefixes',
    () => ({
      '@context': Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [
          `t${i}`,
          { '@id': i === 0 ? 'http://x.example/' : `t${i - 1}:abc`, '@prefix': true },
        ]),
      ),
      t999: 1,
    }),
  ],
]

test('JSON-LD that would keep the processor busy is 422, and adds nothing', async (t) => {
  const writer = await serveWriter(t)
  const { post, get } = writer
  // Each may take as long as an expansion may take.
  for (const [name, make] of inSoak(
    HOSTILE,
    HOSTILE.filter((_, index) => index % 4 === 0),
  )) {
    const body = JSON.stringify(make())
    assert.ok(body.length < 1024 * 1024, name)
    const response = await post('/authors', body)
    assert.equal(response.status, 422, `${name} ${response.body.slice(0, 300)}`)
    // As in our own terms, a thousand violations are named at most.
    assert.ok(response.body.length < 200_000, name)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
  assert.deepEqual(faultsIn(writer), [])
})

// contract: Limits: body 1 MiB
test('a thousand values in expanded form are not too many', async (t) => {
  const api = `
classes:
  Line: { collection: false, properties: { a: string, b: integer, c: date, d: anyURI, e: boolean } }
  Poem: { properties: { words: { type: string, many: true }, lines: { type: Line, many: true } } }
`
  const { add, post, get, base } = await serveWriter(t, { api })
  const vocab = `${base}/vocab#`
  const words = Array.from({ length: 1000 }, (_, index) => ({ '@value': `w${index}` }))
  const line = { [`${vocab}Line/a`]: [{ '@value': 'x' }], [`${vocab}Line/b`]: [{ '@value': 1 }] }
  const expanded = { [`${vocab}Poem/words`]: words, [`${vocab}Poem/lines`]: Array(1000).fill(line) }
  assert.equal((await post('/poems', [expanded])).status, 201)
  await add('/poems', {
    '@nest': {},
    words: words.map((word) => word['@value']),
    lines: Array(1000).fill({ a: 'x', b: 1 }),
  })
  const { member } = (await get('/poems')).json() as { member: Record<string, unknown>[] }
  assert.deepEqual(member[0]?.lines, member[1]?.lines)
  assert.deepEqual(member[0]?.words, member[1]?.words)
})
