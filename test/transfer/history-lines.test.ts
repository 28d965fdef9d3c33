import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HistoryEntry, writeMember } from '../../src/members/index.ts'
import type { Class } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'
import { BASE, type Bulk, openBulk } from './transfer.ts'

const API = `
history: true
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      title: { type: string, required: true }
      price: decimal
      author: Author
`
const LAST = 1_000

const entriesOf = async ({ store }: Bulk, className: string, id: string) =>
  (await store.history.list({ className, id }, { limit: LAST }, Number.MAX_SAFE_INTEGER)).toReversed()

const shown = ({ kind, at, actor, body, baseUrlOffsets }: HistoryEntry) => ({
  kind,
  at,
  actor,
  body,
  baseUrlOffsets,
})

/** A book that was changed, and one that is gone. */
async function fill(bulk: Bulk): Promise<void> {
  await bulk.import([
    { '@id': '/authors/a', '@type': 'Author', name: 'Ann' },
    { '@id': '/books/1', '@type': 'Book', title: 'One', price: '1.10', author: '/authors/a' },
    { '@id': '/books/2', '@type': 'Book', title: 'Two' },
  ])
  const { members } = bulk.store
  const book = modelOf(API).classes.find(({ name }) => name === 'Book') as Class
  const other = { ...writeMember(book, { title: 'Other' }, ''), actor: 7 }
  await members.change('Book', '1', undefined, () => other)
  await members.remove('Book', '2', undefined, undefined, 7)
}

for (const format of ['ndjson', 'jsonld'] as const)
  test(`an export as ${format} carries what members were, and an import brings it back`, async (t) => {
    const from = await openBulk(t, API)
    await fill(from)
    const past = { history: from.store.history, accountOf: (user: number) => `http://x/accounts/${user}` }
    const data = await from.export(format, { past })
    const to = await openBulk(t, API)
    const tally = await to.import(data, { format, file: `data.${format}` })
    assert.deepEqual(tally.reported, [])
    assert.equal(tally.entries, 5)
    const [before, after] = [await entriesOf(from, 'Book', '1'), await entriesOf(to, 'Book', '1')]
    // The import itself is a change, too.
    assert.deepEqual(
      after.slice(0, -1).map(shown),
      before.map((one) => ({ ...shown(one), actor: undefined })),
    )
    assert.equal(after.at(-1)?.kind, 'create')
    const removed = await to.store.history.removed('Book', { limit: 10 }, Number.MAX_SAFE_INTEGER)
    assert.deepEqual(
      removed.map(({ id, kind }) => [id, kind]),
      [['2', 'delete']],
    )
    assert.deepEqual(await to.members(), await from.members())
    // A second time nothing is added.
    const again = await to.import(data, { format, file: `data.${format}` })
    assert.deepEqual([again.entries, again.added, again.refused], [undefined, 0, 0])
  })

test('the users of entries are those with the same id', async (t) => {
  const from = await openBulk(t, API)
  await fill(from)
  const past = { history: from.store.history, accountOf: (user: number) => `http://x/accounts/${user + 1}` }
  const data = await from.export('ndjson', { past })
  const to = await openBulk(t, API)
  await to.import(data, { userOf: (id) => id * 10 })
  assert.deepEqual(
    (await entriesOf(to, 'Book', '2')).map(({ actor }) => actor),
    [undefined, 80],
  )
})

test('the entries of members that are not added are not there either', async (t) => {
  const from = await openBulk(t, API)
  await fill(from)
  await from.import([
    { '@id': '/books/3', '@type': 'Book', title: 'Three', author: '/authors/a' },
    { '@id': '/books/4', '@type': 'Book', title: 'Four' },
    { '@id': '/books/5', '@type': 'Book', title: 'Five' },
  ])
  const past = { history: from.store.history, accountOf: () => undefined }
  const lines = (await from.export('ndjson', { past })).trimEnd().split('\n')
  const isMember = (line: string, path: string) => line.startsWith(`{"@id":"${BASE}${path}"`)
  const data = lines
    // The author and its entry, and the first book, whose entries stay; and the fourth cannot be read.
    .filter((line) => !line.includes(`"@id":"${BASE}/authors/a"`) && !isMember(line, '/books/1'))
    .map((line) => (isMember(line, '/books/4') ? line.replace('"Four"', '4') : line))
  const to = await openBulk(t, API)
  const { entries, added, refused, reported } = await to.import(`${data.join('\n')}\n`)
  assert.deepEqual([entries, added, refused], [3, 1, 3])
  assert.deepEqual(reported, [
    '6: title WrongDatatype(string, number)',
    '4: author DanglingLink(a)',
    '1: EntriesWithoutMember(Book, 1)',
  ])
  for (const [id, count] of Object.entries({ 1: 0, 2: 2, 3: 0, 4: 0, 5: 2 }))
    assert.equal((await entriesOf(to, 'Book', id)).length, count, id)
  // A member that is there keeps its own history, and what was refused may be imported later.
  const again = await to.import(`${lines.join('\n')}\n`)
  assert.deepEqual([again.entries, again.added, again.refused, again.alreadyThere], [5, 4, 0, 1])
  assert.deepEqual(again.reported, [])
})

test('entries that cannot be kept are refused, and not lost in silence', async (t) => {
  const from = await openBulk(t, API)
  await fill(from)
  const past = { history: from.store.history, accountOf: () => undefined }
  const data = await from.export('ndjson', { past })
  const to = await openBulk(t, API.replace('history: true', ''))
  const { added, reported } = await to.import(data)
  assert.equal(added, 2)
  assert.deepEqual(
    [...new Set(reported.map((line) => line.replace(/^\d+: /, '')))],
    ['NoHistoryKept(Author)', 'NoHistoryKept(Book)'],
  )
  const broken = data.split('\n')[0]?.replace('#Create', '#Jump') ?? ''
  assert.deepEqual((await to.import(`${broken}\n`)).reported, ['1: NotAnEntry'])
})
