import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readValues } from '../../../src/api/summaries/values.ts'
import { newDatabase } from '../../support/databases.ts'
import { AS_PROBLEM, assertProblem, type Json, pathOf, serveSignedIn } from '../signed-in.ts'
import { put, read } from '../walks.ts'

const API = `
classes:
  Author: { properties: { name: string, site: anyURI } }
  Line: { collection: false, properties: { note: string } }
  Book:
    properties:
      author: Author
      tags: { type: string, many: true }
      at: dateTime
      lines: { type: Line, many: true }
`

const LONG = 'Ä long text. '.repeat(30)

test('texts are served whole, however long they are', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: API })
  const at = `2024-02-29T12:00:00.${'1'.repeat(300)}Z`
  const site = `https://a.example/${'x'.repeat(300)}`
  await put(service, '/authors/a', { name: LONG, site })
  await put(service, '/books/b1', {
    author: `${service.base}/authors/a`,
    tags: ['short', LONG, `${LONG}!`],
    at,
    lines: [{ note: 'x' }, { note: LONG }],
  })
  await put(service, '/books/b2', { tags: [LONG] })
  const table: [query: string, groups: (string | null)[]][] = [
    ['author.name', [LONG, null]],
    ['author.site', [site, null]],
    // Texts that share 200 folded characters stand together.
    ['tags', [LONG, `${LONG}!`, 'short']],
    ['at', [at, null]],
    ['lines.note', [LONG, 'x', null]],
  ]
  for (const [path, groups] of table) {
    const { member } = await read(service, `/summaries/books?group=${path}`)
    const found = member.map(({ group }) => (group as Json)[path])
    assert.deepEqual(new Set(found), new Set(groups), path)
    for (const { members, count } of member) {
      const { totalItems } = await read(service, pathOf(service.base, members))
      assert.equal(totalItems, count, String(members))
    }
  }
  const [whole] = (await read(service, '/summaries/books?min=author.name&max=tags')).member
  assert.deepEqual([whole?.min, whole?.max], [{ 'author.name': LONG }, { tags: 'short' }])
})

test('a page of long texts is refused where it would be too large; one summary never is', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: API })
  const tags = Array.from({ length: 8 }, (_, index) => `${index}${'x'.repeat(100_000)}`)
  await put(service, '/books/b', { tags })
  const path = '/summaries/books?group=tags'
  assertProblem(await service.get(path, AS_PROBLEM), ['itemsPerPage: SummaryTooLarge'], path)
  const { member, totalItems } = await read(service, `${path}&itemsPerPage=1&page=3`)
  assert.equal(totalItems, 8)
  assert.deepEqual(member[0]?.group, { tags: tags[2] })
  // No address is so long.
  assert.equal(member[0]?.members, undefined)
  assert.equal((await read(service, `${path}&itemsPerPage=4`)).member.length, 4)
})

test('a text that is gone before it is read makes the summary anew', async () => {
  const property = { name: 'tags', range: { kind: 'datatype', datatype: 'string' } } as never
  const path = { property, steps: [], key: 'tags', to: undefined, rank: [0] }
  const store = { list: () => ({ members: [], total: 0, more: false, edges: undefined }) }
  const served = await readValues(
    [{ path, key: `${'x'.repeat(200)}\u0002digest` }],
    { store, base: '', className: 'Book', scopeAt: () => ({ kind: 'all' }) },
    undefined,
  )
  assert.equal(served, undefined)
})
