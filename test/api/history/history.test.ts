import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptDatabase } from '../../support/databases.ts'
import { serveUsers } from '../users.ts'

const API = `
history: true
roles: [admin, staff]
accounts: { manage: admin, view: staff }
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Book:
    properties:
      title: { type: string, required: true }
      isbn: { type: string, unique: true }
      cost: { type: decimal, view: staff }
      author: { type: Author }
      number: { type: string, writable: false, default: one }
      changedAt: { type: dateTime, always: now }
  Plain: { history: false, properties: { text: string } }
`
const USERS = { boss: [31, 'admin', 'staff'], sue: [33, 'staff'], tom: [34] } as const

interface Entry {
  '@id': string
  '@type': string
  published: string
  actor?: string
  changed?: string[]
  restore?: string
}
interface HistoryPage {
  '@id': string
  member: Entry[]
  view: { next?: string; first: string }
}

type Sender = Awaited<ReturnType<typeof serveUsers>>['as'][string]

const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]+\/api/, '')
const pageOf = async (user: Sender, path: string) =>
  (await user.send('GET', path)).json() as unknown as HistoryPage
const serve = (t: Parameters<typeof serveUsers>[0]) => serveUsers(t, USERS, { api: API })

async function createBook(user: Sender, body: object): Promise<string> {
  const created = await user.send('POST', '/books', body)
  assert.equal(created.status, 201, created.body)
  return pathOf(String(created.headers.location))
}

// contract: `{member}/history`: a Hydra collection
// contract: Linked from the member (`history`, by its full IRI
// contract: An event of the feed has `actor` under the same condition.
test('the history of a member has its changes, newest first, with who, when and what', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50' })
  assert.equal((await as.tom.send('PATCH', book, { title: 'Two' })).status, 200)
  assert.equal((await as.sue.send('PATCH', book, { cost: '3.00' })).status, 200)
  const page = await pageOf(as.sue, `${book}/history`)
  assert.deepEqual(
    page.member.map((one) => [one['@type'], one.actor && pathOf(one.actor), one.changed]),
    [
      ['Update', '/accounts/33', ['cost', 'changedAt']],
      ['Update', '/accounts/34', ['title', 'changedAt']],
      ['Create', '/accounts/33', undefined],
    ],
  )
  // What a reader may not see is not among the names, and neither are the accounts of others.
  const seen = await pageOf(as.tom, `${book}/history`)
  assert.deepEqual(
    seen.member.map((one) => [one['@type'], one.actor && pathOf(one.actor), one.changed]),
    [
      ['Update', undefined, ['changedAt']],
      ['Update', '/accounts/34', ['title', 'changedAt']],
      ['Create', undefined, undefined],
    ],
  )
  const member = (await as.tom.send('GET', book)).json() as { history: string }
  assert.equal(pathOf(member.history), `${book}/history`)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal((await as.sue.send(method, `${book}/history`, {})).status, 405, method)
})

// contract: `fields=title,author.name` (repeatable): members have only these
test('a member as it was has only the fields that are asked for, and includes nothing', async (t) => {
  const { as, base } = await serve(t)
  const author = { '@id': `${base}/authors/jane`, '@type': 'Author', name: 'Jane' }
  assert.equal((await as.sue.send('PUT', '/authors/jane', author, { 'If-None-Match': '*' })).status, 201)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50', author: author['@id'] })
  const then = new Date().toUTCString()
  const [entry] = (await pageOf(as.sue, `${book}/history`)).member
  const asked = [
    [pathOf(String(entry?.['@id'])), {}],
    [book, { 'Accept-Datetime': then }],
  ] as const
  for (const [path, headers] of asked) {
    const get = (query: string, user = as.sue) => user.send('GET', path + query, undefined, headers)
    const whole = await get('')
    const some = await get('?fields=title,cost')
    assert.deepEqual(Object.keys(some.json()), ['@context', '@id', '@type', 'title', 'cost'])
    assert.notEqual(some.headers.etag, whole.headers.etag)
    const unchanged = { ...headers, 'If-None-Match': String(some.headers.etag) }
    assert.equal((await as.sue.send('GET', `${path}?fields=title,cost`, undefined, unchanged)).status, 304)
    const refusals = [
      [await get('?fields=titel'), /"titel".*"title"/],
      [await get('?fields=cost', as.tom), /cost/],
      [await get('?fields=author.name'), /author/],
      [await get('?include=author'), /include: linked members are included as they are today/],
    ] as const
    for (const [{ status, body }, sentence] of refusals) {
      assert.equal(status, 400, body)
      assert.match(body.replaceAll('\\"', '"'), sentence)
    }
  }
})

test('the pages of a history follow each other by cursor', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: '0' })
  for (const title of ['1', '2', '3', '4']) await as.sue.send('PATCH', book, { title })
  const seen: string[] = []
  let path: string | undefined = `${book}/history?itemsPerPage=2`
  while (path !== undefined) {
    const { member, view } = await pageOf(as.sue, path)
    for (const { '@id': id } of member)
      seen.push(((await as.sue.send('GET', pathOf(id))).json() as { title: string }).title)
    path = view.next && pathOf(view.next)
  }
  assert.deepEqual(seen, ['4', '3', '2', '1', '0'])
  const wrong = await as.sue.send('GET', `${book}/history?page=2`)
  assert.equal(wrong.status, 400)
})

// contract: `{member}/history/{version}`: the representation
// contract: Its ETag never changes
test('an entry is the member as it was, as a memento', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50' })
  await as.sue.send('PATCH', book, { title: 'Two', cost: '4.00' })
  await as.sue.send('PATCH', book, { title: 'Three' })
  const { member } = await pageOf(as.sue, `${book}/history`)
  const [, second] = member.map((one) => pathOf(one['@id']))
  const answer = await as.sue.send('GET', second ?? '')
  assert.equal(answer.status, 200)
  const shown = answer.json() as { '@id': string; title: string; cost: string }
  assert.equal(pathOf(shown['@id']), book)
  assert.deepEqual([shown.title, shown.cost], ['Two', '4.00'])
  const seconds = new Date(Math.floor(Date.parse(member[1]?.published ?? '') / 1_000) * 1_000)
  assert.equal(answer.headers['memento-datetime'], seconds.toUTCString())
  const links = String(answer.headers.link)
  for (const rel of ['original timegate', 'timemap version-history', 'prev memento', 'next memento'])
    assert.ok(links.includes(`rel="${rel}"`), `${rel} in ${links}`)
  const hidden = (await as.tom.send('GET', second ?? '')).json() as object
  assert.ok(!('cost' in hidden))
  const again = await as.sue.send('GET', second ?? '', undefined, {
    'If-None-Match': String(answer.headers.etag),
  })
  assert.equal(again.status, 304)
  assert.equal((await as.sue.send('GET', `${book}/history/999999`)).status, 404)
})

// contract: **Memento** (RFC 7089)
// contract: `Accept: application/link-format`
test('Accept-Datetime asks the member for what it was then', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One' })
  const now = new Date().toUTCString()
  const at = (time: string) => as.tom.send('GET', book, undefined, { 'Accept-Datetime': time })
  const answer = await at(now)
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers.vary), /Accept-Datetime/)
  // A cache must not take what is there now for what was then.
  assert.match(String((await as.tom.send('GET', book)).headers.vary), /Accept-Datetime/)
  assert.match(String(answer.headers['content-location']), /\/history\//)
  assert.ok(answer.headers['memento-datetime'])
  const early = await at('Tue, 20 Jun 2000 18:02:59 GMT')
  assert.equal(early.status, 404)
  assert.match(early.body, new RegExp(String(new Date().getUTCFullYear())))
  assert.equal((await at('yesterday')).status, 400)
  assert.equal((await at('Sun, 31 Feb 2026 00:00:00 GMT')).status, 400)
  const map = await as.tom.send('GET', `${book}/history`, undefined, { Accept: 'application/link-format' })
  assert.equal(map.headers['content-type'], 'application/link-format')
  assert.match(map.body, /rel="original timegate"/)
  assert.match(map.body, /rel="memento"; datetime="/)
})

test('a member that was deleted while the history was off was not there after its last entry', async (t) => {
  const db = keptDatabase(t)
  const open = (api: string) => serveUsers(t, USERS, { db, api })
  const first = await open(API)
  const book = await createBook(first.as.sue, { title: 'One' })
  assert.equal((await first.as.sue.send('PATCH', book, { title: 'Two' })).status, 200)
  const time = new Date(Date.now() + 1_000).toUTCString()
  await first.close()
  const off = await open(API.replace('history: true', 'history: false'))
  assert.equal((await off.as.sue.send('DELETE', book)).status, 204)
  await off.close()
  const { as } = await open(API)
  assert.equal((await as.sue.send('GET', book)).status, 410)
  const then = await as.sue.send('GET', book, undefined, { 'Accept-Datetime': time })
  assert.equal(then.status, 404, then.body)
  // It can be brought back, and is then answered for again.
  const { member } = (await as.sue.send('GET', `${book}/history`)).json() as unknown as HistoryPage
  const restore = pathOf(`${member[0]?.['@id']}/restore`)
  assert.equal((await as.sue.send('POST', restore)).status, 201)
  const again = await as.sue.send('GET', book, undefined, { 'Accept-Datetime': time })
  assert.equal(again.status, 200, again.body)
})

// contract: A member that was deleted is 410
// contract: `?deleted=true` on the collection
test('a deleted member is 410 for who may read its history, and can be brought back', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50', isbn: '1' })
  assert.equal((await as.tom.send('DELETE', book)).status, 204)
  const gone = await as.sue.send('GET', book)
  assert.equal(gone.status, 410)
  assert.match(String(gone.headers.link), /version-history/)
  const list = (await as.tom.send('GET', '/books?deleted=true')).json() as {
    member: { '@id': string; title: string; cost?: string; deletion: Entry }[]
  }
  assert.deepEqual(
    list.member.map((one) => [pathOf(one['@id']), one.title, one.cost]),
    [[book, 'One', undefined]],
  )
  const restored = await as.tom.send('POST', pathOf(list.member[0]?.deletion.restore ?? ''))
  assert.equal(restored.status, 201, restored.body)
  assert.equal(pathOf(String(restored.headers.location)), book)
  // What the user may not see has come back, too.
  assert.equal(((await as.sue.send('GET', book)).json() as { cost: string }).cost, '2.50')
  const { member } = await pageOf(as.sue, `${book}/history`)
  assert.deepEqual(
    member.map((one) => one['@type']),
    ['Create', 'Delete', 'Create'],
  )
  assert.deepEqual(((await as.tom.send('GET', '/books?deleted=true')).json() as { member: [] }).member, [])
})

// contract: Bringing back is a write like any other
test('PUT with the representation of an entry brings a member back, read-only values included', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50' })
  const shown = (await as.tom.send('GET', book)).json() as Record<string, unknown>
  assert.equal((await as.sue.send('DELETE', book)).status, 204)
  const { member } = await pageOf(as.tom, `${book}/history`)
  const entry = (await as.tom.send('GET', pathOf(member[0]?.['@id'] ?? ''))).json() as Record<string, unknown>
  assert.equal(entry.number, 'one')
  const put = await as.tom.send('PUT', book, entry, {
    'If-None-Match': '*',
    'Content-Type': 'application/ld+json',
  })
  assert.equal(put.status, 201, put.body)
  const back = (await as.sue.send('GET', book)).json() as Record<string, unknown>
  assert.deepEqual([back.title, back.cost, back.number], [shown.title, '2.50', 'one'])
})

test('restoring an entry of a member that is there replaces it, and honours If-Match and Accept', async (t) => {
  const { as } = await serve(t)
  const book = await createBook(as.sue, { title: 'One', cost: '2.50' })
  await as.sue.send('PATCH', book, { title: 'Two', cost: '9.00' })
  const { member } = await pageOf(as.tom, `${book}/history`)
  const first = member.at(-1)?.restore ?? ''
  assert.equal((await as.tom.send('POST', pathOf(first), undefined, { 'If-Match': '"0-x"' })).status, 412)
  const accepting = (Accept: string) => as.tom.send('POST', pathOf(first), undefined, { Accept })
  assert.equal((await accepting('image/png')).status, 406)
  const restored = await accepting('application/json')
  assert.deepEqual([restored.status, restored.headers['content-type']], [200, 'application/json'])
  assert.deepEqual([restored.json().title, restored.json()['@context']], ['One', undefined])
  const now = (await as.sue.send('GET', book)).json() as { title: string; cost: string }
  assert.deepEqual([now.title, now.cost], ['One', '9.00'])
})

// contract: Links that no longer lead anywhere
test('what cannot be brought back is a violation', async (t) => {
  const { as } = await serve(t)
  const author = pathOf(String((await as.sue.send('POST', '/authors', { name: 'A' })).headers.location))
  const book = await createBook(as.sue, { title: 'One', isbn: '1', author: `/api${author}` })
  await as.sue.send('DELETE', book)
  await as.sue.send('DELETE', author)
  await createBook(as.sue, { title: 'Other', isbn: '1' })
  const { member } = await pageOf(as.sue, `${book}/history`)
  const refused = await as.sue.send('POST', pathOf(member[0]?.restore ?? ''), undefined, {
    Accept: 'application/problem+json',
  })
  assert.equal(refused.status, 422)
  const { violations } = refused.json() as { violations: { propertyPath: string; code: string }[] }
  assert.deepEqual(violations.map(({ propertyPath, code }) => [propertyPath, code]).toSorted(), [
    ['author', 'DanglingLink'],
    ['isbn', 'NotUnique'],
  ])
})

// contract: Default: off; then nothing of this page costs anything.
test('a class without a history has nothing of it', async (t) => {
  const { as } = await serve(t)
  const created = await as.sue.send('POST', '/plains', { text: 'a' })
  const path = pathOf(String(created.headers.location))
  const never = await as.sue.send('GET', `${path}/history`)
  assert.equal(never.status, 404)
  assert.ok(!('history' in ((await as.sue.send('GET', path)).json() as object)))
  await as.sue.send('DELETE', path)
  assert.equal((await as.sue.send('GET', path)).status, 404)
  assert.equal((await as.sue.send('GET', '/plains?deleted=true')).status, 400)
})
