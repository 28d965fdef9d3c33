import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ConflictError, createClient, type DeletedMember, type MemberEntry } from 'hydrant-client'
import { serveUsers } from '../api/users.ts'
import { PARAPHRASE } from '../support/client.ts'
import { recordClient } from './recording.ts'

const API = `
history: true
roles: [admin, staff]
accounts: { manage: admin, view: staff }
access: { all: everyone, history: staff }
classes:
  Book:
    properties: { title: { type: string, required: true }, isbn: { type: string, unique: true } }
  # The link to the history, and the deletion, have other keys here.
  Diary:
    collection: diaries
    properties: { history: string, deletion: string }
  Plain: { history: false, properties: { text: string } }
  Shop: { collection: false, operations: [read, create, replace, update, delete], properties: { name: string } }
`

/** The clients of two who may see histories, and of one who may not. */
async function open(t: TestContext) {
  const { base } = await serveUsers(t, { sue: [33, 'staff'], ann: [35, 'staff'], tom: [34] }, { api: API })
  const clientOf = (id: number) => createClient({ base, credentials: { id, paraphrase: PARAPHRASE } })
  return { base, sue: clientOf(33), ann: clientOf(35), tom: clientOf(34) }
}

const isCode = (code: string, status?: number) => (error: { code?: string; status?: number }) =>
  error.code === code && error.status === status

async function collect<T>(found: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = []
  for await (const one of found ?? []) all.push(one)
  return all
}

const first = async <T>(found: AsyncIterable<T>): Promise<T> => {
  for await (const one of found) return one
  throw new Error('Nothing was found.')
}

// contract: `member.history()`, `collection
test('A member has a history: who changed it, when, what, and what it was', async (t) => {
  const { base, sue, ann } = await open(t)
  const begun = Date.now()
  const made = await sue.collection('books').create({ title: 'One' })
  const changed = await (await ann.get(made.iri)).update({ title: 'Two', isbn: '2' })
  const entries = await collect(changed.history())
  assert.deepEqual(
    entries.map(({ type, actor, changed, mayRestore }) => [type, actor, changed, mayRestore]),
    [
      ['update', `${base}/accounts/35`, ['title', 'isbn'], true],
      ['create', `${base}/accounts/33`, undefined, true],
    ],
  )
  for (const { published, iri } of entries) {
    assert.ok(published.getTime() >= begun - 1_000 && published.getTime() <= Date.now() + 1_000)
    assert.match(iri, /\/history\/./)
  }
  const then = await entries[1]?.member()
  assert.deepEqual([then?.iri, then?.data.title], [made.iri, 'One'])
  assert.equal((await then?.reload())?.data.title, 'Two')
  // What it was is no version to write to.
  await assert.rejects(then?.update({ title: 'Three' }) ?? Promise.resolve(), { kind: 'conflict' })
  assert.deepEqual(
    (await collect(sue.history(made.iri))).map(({ iri }) => iri),
    entries.map(({ iri }) => iri),
  )
})

test('A history is read page by page, as far as it is needed', async (t) => {
  const { base } = await open(t)
  const { client, lines } = recordClient(base, { credentials: { id: 33, paraphrase: PARAPHRASE } })
  let book = await client.collection('books').create({ title: '0' })
  for (const title of ['1', '2', '3', '4']) book = await book.update({ title })
  const pages = () => lines().filter((line) => line.includes('/history?')).length
  const newest: MemberEntry = await first(book.history({ itemsPerPage: 2 }))
  assert.equal((await newest.member()).data.title, '4')
  assert.equal(pages(), 1)
  assert.equal((await collect(book.history({ itemsPerPage: 2 }))).length, 5)
  assert.equal(pages(), 4)
})

test('An entry is restored, unless the member has changed since it was read', async (t) => {
  const { sue, ann } = await open(t)
  const made = await sue.collection('books').create({ title: 'One' })
  const changed = await made.update({ title: 'Two' })
  const [, oldest] = await collect(changed.history())
  const restored = await oldest?.restore()
  assert.deepEqual([restored?.iri, restored?.data.title], [made.iri, 'One'])
  assert.equal((await restored?.update({ title: 'Three' }))?.data.title, 'Three')
  await assert.rejects(
    oldest?.restore() ?? Promise.resolve(),
    ({ kind, seen, current }: ConflictError<{ title: string }, { data: { title: string } }>) =>
      kind === 'conflict' && seen.title === 'Two' && current?.data.title === 'Three',
  )
  // A member of a page has no version: what its history was opened with counts.
  const { members } = await ann.collection('books').page()
  const [entry] = await collect(members[0]?.history())
  assert.equal((await entry?.restore())?.data.title, 'Three')
})

test('Deleted members are listed, and brought back', async (t) => {
  const { base, sue, tom } = await open(t)
  const books = sue.collection('books')
  const made = await books.create({ title: 'One', isbn: '1' })
  const other = await books.create({ title: 'Other' })
  await other.remove()
  await made.remove()
  const found: DeletedMember[] = await collect(books.deleted({ itemsPerPage: 1 }))
  assert.deepEqual(
    found.map(({ iri, data, deletion }) => [iri, data.title, deletion.type, deletion.actor]),
    [
      [made.iri, 'One', 'delete', `${base}/accounts/33`],
      [other.iri, 'Other', 'delete', `${base}/accounts/33`],
    ],
  )
  await assert.rejects(
    sue.get(made.iri),
    ({ code, status, history }) =>
      code === 'MemberGone' && status === 410 && history === `${made.iri}/history`,
  )
  await assert.rejects(made.update({ title: 'Two' }), { kind: 'conflict', current: undefined })
  await assert.rejects(tom.get(made.iri), isCode('MemberNotFound', 404))
  const again = await found[0]?.deletion.restore()
  assert.deepEqual([again?.iri, again?.data.isbn], [made.iri, '1'])
  await assert.rejects(found[0]?.deletion.restore() ?? Promise.resolve(), { kind: 'conflict' })
  // By its address, and from the list, the history of a deleted member can be read.
  for (const history of [sue.history(other.iri), found[1]?.history()])
    assert.deepEqual(
      (await collect<MemberEntry>(history)).map(({ type }) => type),
      ['delete', 'create'],
    )
  const [, oldest] = await collect(sue.history(other.iri))
  assert.equal((await oldest?.restore())?.data.title, 'Other')
  assert.deepEqual(await collect(books.deleted()), [])
})

test('What cannot be brought back is invalid', async (t) => {
  const { sue } = await open(t)
  const books = sue.collection('books')
  await (await books.create({ title: 'One', isbn: '1' })).remove()
  await books.create({ title: 'Two', isbn: '1' })
  const { deletion } = await first(books.deleted())
  await assert.rejects(deletion.restore(), ({ kind, violations }) => {
    assert.deepEqual([kind, violations[0].propertyPath, violations[0].code], ['invalid', 'isbn', 'NotUnique'])
    return true
  })
})

test('A class may have properties with the names of our terms', async (t) => {
  const { sue, tom } = await open(t)
  const diaries = sue.collection('diaries')
  const made = await diaries.create({ history: 'long', deletion: 'never' })
  assert.equal((await collect(made.history())).length, 1)
  await assert.rejects(collect((await tom.get(made.iri)).history()), isCode('no-address'))
  await made.remove()
  const { data, deletion } = await first(diaries.deleted())
  assert.deepEqual([data.history, data.deletion, deletion.type], ['long', 'never', 'delete'])
  assert.equal((await deletion.restore()).data.history, 'long')
})

test('A single resource has a history, too', async (t) => {
  const { sue } = await open(t)
  await sue.request('PUT', 'Shop', { body: { name: 'One' } })
  const shop = await sue.single('Shop')
  await (await shop.update({ name: 'Two' })).remove()
  const [gone] = await collect(shop.history())
  assert.equal(gone?.type, 'delete')
  assert.equal((await (await first(sue.history(shop.iri))).restore()).data.name, 'Two')
})

test('Who may not see histories, and classes without one, have none', async (t) => {
  const { sue, tom } = await open(t)
  const book = await sue.collection('books').create({ title: 'One' })
  const plain = await sue.collection('plains').create({ text: 'a' })
  await assert.rejects(collect((await tom.get(book.iri)).history()), isCode('no-address'))
  await assert.rejects(collect(plain.history()), isCode('no-address'))
  await assert.rejects(collect(tom.collection('books').deleted()), { status: 403 })
  const classes = async (client: typeof sue) =>
    Object.fromEntries((await client.documentation()).classes.map(({ title, history }) => [title, history]))
  const { Book, Plain, Diary } = await classes(sue)
  assert.deepEqual([Book, Plain], ['history', ''])
  assert.match(Diary ?? '', /\/vocab#history$/)
  assert.equal((await classes(tom)).Book, '')
})

test('The link to the history is no property that a replacement could overwrite', async (t) => {
  const { sue } = await open(t)
  await sue.collection('books').create({ title: 'One' })
  const [member] = (await sue.collection('books').page()).members
  assert.equal((await member?.replace({ title: 'Two' }))?.data.title, 'Two')
})
