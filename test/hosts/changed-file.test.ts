import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AS_PROBLEM, codesOf, type Json, pathOf, type SignedIn, serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'
import { eventually } from './hosts.ts'

const FORMER = `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      title: string
      pages: integer
      notes: { type: string, filterable: false }
      author: Author
`
/** `language` and `publisher` are new, and `pages` is gone; `notes` can be asked for. */
const NEW = `
classes:
  Author: { properties: { name: string } }
  Publisher: { properties: { name: string } }
  Book:
    properties:
      language: { type: string, default: en }
      title: string
      notes: string
      author: Author
      publisher: Publisher
`

interface BothHosts {
  readonly former: SignedIn
  readonly changed: SignedIn
  /** The path of a book from before the change. */
  readonly old: string
}

async function serveBoth(t: TestContext): Promise<BothHosts> {
  const db = newPostgres(t)
  const former = await serveSignedIn(t, { db, api: FORMER })
  const author = await former.add('/authors', { name: 'Ann' })
  const book = { title: 'Old', pages: 1, notes: 'rare words', author: author['@id'] }
  const old = pathOf(former.base, (await former.add('/books', book))['@id'])
  const changed = await serveSignedIn(t, { db, api: NEW, flags: { baseUrl: former.base } })
  return { former, changed, old }
}

/** The properties of a member that are named. */
async function read(host: SignedIn, path: string, ...names: string[]): Promise<Json> {
  const response = await host.get(path)
  assert.equal(response.status, 200, response.body)
  const member = response.json() as Json
  return Object.fromEntries(names.filter((name) => name in member).map((name) => [name, member[name]]))
}

async function titlesIn(host: SignedIn, query: string): Promise<readonly unknown[]> {
  const response = await host.get(`/books?${query}`)
  assert.equal(response.status, 200, response.body)
  return (response.json().member as Json[]).map(({ title }) => title)
}

/** Until members that were stored before can be found by what is new. */
const isReady = (host: SignedIn, query: string): Promise<void> =>
  eventually(`${query} can be asked for`, async () => (await host.get(`/books?${query}`)).status === 200)

const PROPERTIES = ['title', 'language', 'pages', 'notes'] as const

// contract: Hosts with the former and with the new file serve side by side
test('each host shows members by its own file, whichever has written them', async (t) => {
  const { former, changed, old } = await serveBoth(t)
  const newer = await changed.add('/books', { title: 'Newer', language: 'de', notes: 'n' })
  const later = await former.add('/books', { title: 'Later', pages: 3 })
  const table: [path: string, byFormer: Json, byChanged: Json][] = [
    [
      old,
      { title: 'Old', pages: 1, notes: 'rare words' },
      { title: 'Old', language: 'en', notes: 'rare words' },
    ],
    [
      pathOf(former.base, newer['@id']),
      { title: 'Newer', notes: 'n' },
      { title: 'Newer', language: 'de', notes: 'n' },
    ],
    [pathOf(former.base, later['@id']), { title: 'Later', pages: 3 }, { title: 'Later', language: 'en' }],
  ]
  for (const [path, byFormer, byChanged] of table) {
    assert.deepEqual(await read(former, path, ...PROPERTIES), byFormer)
    assert.deepEqual(await read(changed, path, ...PROPERTIES), byChanged)
  }
  assert.deepEqual(await titlesIn(former, 'pages=3'), ['Later'])
})

// contract: A host with the former file does not know the new property
test('a write keeps what only the other file knows, a replacement too', async (t) => {
  const { former, changed, old } = await serveBoth(t)
  const publisher = (await changed.add('/publishers', { name: 'P' }))['@id']
  const asPatch = { 'Content-Type': 'application/merge-patch+json' }
  const asJson = { 'Content-Type': 'application/ld+json' }
  const patched = await changed.send('PATCH', old, asPatch, JSON.stringify({ language: 'fr', publisher }))
  assert.equal(patched.status, 200, patched.body)
  const replaced = await former.send('PUT', old, asJson, JSON.stringify({ title: 'Other', pages: 2 }))
  assert.equal(replaced.status, 200, replaced.body)
  assert.deepEqual(await read(changed, old, 'title', 'language', 'publisher'), {
    ...{ title: 'Other', language: 'fr', publisher },
  })
  assert.equal((await changed.send('PUT', old, asJson, JSON.stringify({ title: 'Third' }))).status, 200)
  assert.deepEqual(await read(former, old, 'title', 'pages'), { title: 'Third', pages: 2 })
  // A default that was taken away stays away, also after a write by a host that knows nothing of it.
  assert.equal((await changed.send('PATCH', old, asPatch, '{"language":null}')).status, 200)
  assert.equal((await former.send('PATCH', old, asPatch, '{"pages":9}')).status, 200)
  assert.deepEqual(await read(changed, old, 'title', 'language'), { title: 'Third' })
})

test('filters that are new are 503 until stored members have their keys, and exact afterwards', async (t) => {
  const { former, changed } = await serveBoth(t)
  const early = await changed.get('/books?language=en', AS_PROBLEM)
  if (early.status !== 200) {
    assert.equal(codesOf(early), 'KeysPending')
    assert.ok(early.headers['retry-after'] !== undefined)
  }
  await isReady(changed, 'language=en')
  assert.deepEqual(await titlesIn(changed, 'language=en'), ['Old'])
  await isReady(changed, 'q=rare')
  assert.deepEqual(await titlesIn(changed, 'q=rare'), ['Old'])
  assert.deepEqual(await titlesIn(changed, 'notes=rare%20words'), ['Old'])
  assert.equal((await former.get('/books?language=en')).status, 400)
  // A host with the former file writes on: the new one finds that, too.
  await former.add('/books', { title: 'Later' })
  await eventually(
    'the later book is found by its default',
    async () => (await titlesIn(changed, 'language=en')).length === 2,
  )
})
