import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG_NOTES, library } from '../apis.ts'

const AT_THE_END = /…\[cut, (\d+) more: read (\S+)\]$/

// contract: The answer of `tools/list` and the text of `entry` together
test('A long text is cut, in pages more than alone, and its end leads to the rest', async () => {
  const { call, other } = await library()
  const author = await other.collection('authors').create({ name: 'Long' })
  const genres = Array.from({ length: 150 }, (_, index) => `genre ${index}`)
  const book = { title: 'Very long', author: author.iri, notes: LONG_NOTES, genres }
  const { iri } = await other.collection('books').create(book)

  const read = await call('read', { address: iri })
  const found = await call('search', { collection: 'books', query: { title: 'Very long' } })
  assert.ok(found.members[0].notes.length < read.member.notes.length)
  assert.ok(read.member.notes.length < LONG_NOTES.length)
  for (const shown of [read.member, found.members[0]]) {
    const [mark, left, address] = AT_THE_END.exec(shown.notes) ?? []
    const begun = shown.notes.slice(0, -(mark?.length ?? 0))
    assert.equal(begun.length + Number(left), LONG_NOTES.length)
    const { rest, etag } = await call('read', { address })
    assert.equal(begun + rest, LONG_NOTES)
    assert.equal(etag, read.etag)

    const [, more, following] = AT_THE_END.exec(shown.genres.at(-1)) ?? []
    assert.equal(shown.genres.length - 1 + Number(more), genres.length)
    const others = await call('read', { address: following })
    assert.deepEqual([...shown.genres.slice(0, -1), ...others.rest], genres)
  }
})

test('What is read is plain JSON: members with their version and what may be done, pages with their next', async () => {
  const { base, call, refused, other } = await library()
  for (const name of ['Page 1', 'Page 2', 'Page 3']) await other.collection('authors').create({ name })
  const query = { 'name.startsWith': 'Page', sort: 'name', itemsPerPage: 2 }
  const first = await call('search', { collection: 'authors', query })
  assert.deepEqual(
    [first.total, first.members.map(({ name }: { name: string }) => name)],
    [3, ['Page 1', 'Page 2']],
  )
  const second = await call('read', { address: first.next })
  assert.deepEqual(second.members.length, 1)
  const member = await call('read', { address: second.members[0]['@id'] })
  assert.deepEqual(Object.keys(member), ['address', 'etag', 'member', 'may'])
  assert.deepEqual(member.may, ['read', 'update', 'replace', 'delete'])
  assert.equal((await call('read', { address: `${member.address}?fields=name` })).member.name, 'Page 3')
  for (const rest of ['#/name;from=6', '#/nonsense;from=0', '#/%E0%A4;from=0', '#/__proto__;from=0'])
    assert.equal((await refused('read', { address: member.address + rest })).details.code, 'no-rest')
  assert.equal((await refused('read', { address: `${base}/authors/nobody` })).details.status, 404)
  assert.equal((await call('read', { address: `${base}/session` })).member.user, 7)
})
