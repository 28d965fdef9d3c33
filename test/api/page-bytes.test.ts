import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, pathOf, type SignedIn, serveSignedIn } from './signed-in.ts'
import { fill, numbered, THINGS } from './things.ts'
import { idsOf, read, walk } from './walks.ts'

/** Two of the first ones fit a page of 1,000 bytes, the fourth is too large for any, and all others fit together. */
const SIZES = [400, 400, 400, 3_000, 10, 10, 10]

async function serveSizes(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '5', maxPageBytes: '1000' } })
  await fill(service, numbered(SIZES.length), (index) => ({
    name: String(index).repeat(SIZES[index] ?? 0),
    rank: index % 2,
    tags: index % 3 === 0 ? ['a', 'b'] : ['b'],
  }))
  return service
}

const ids = (...indexes: number[]): string[] => indexes.map((index) => `t0000${index}`)

// contract: A page ends after its members or 4 MiB
// contract: A bare GET links to cursors
test('a page ends before the member with which it would have too many bytes, but has one', async (t) => {
  const service = await serveSizes(t)
  const last = await read(service, '/things')
  const end = new URL(last.view.last ?? '').searchParams.get('before')
  type Links = Readonly<Record<'previous' | 'next' | 'last', string | undefined>>
  const none = { previous: undefined, next: undefined, last: 'before' }
  const table: [query: string, shown: string[], links: Partial<Links>][] = [
    ['', ids(0, 1), { next: 'after' }],
    ['itemsPerPage=1', ids(0), { next: 'after' }],
    ['order[rank]=desc', ids(5), { next: 'after' }],
    ['order[rank]=asc', ids(0, 2, 4, 6), { next: 'after' }],
    [`before=${end}`, ids(4, 5, 6), { previous: 'before' }],
    [`before=${end}&itemsPerPage=2`, ids(5, 6), { previous: 'before' }],
    // Pages are where they would be if none were cut; what a cut one leaves out is behind its cursors.
    ['page=1', ids(0, 1), { next: 'after', last: 'page=2' }],
    ['page=2', ids(5, 6), { previous: 'page=1', last: 'page=2' }],
    ['page=1&itemsPerPage=2', ids(0, 1), { next: 'page=2', last: 'page=4' }],
    ['page=2&itemsPerPage=2', ids(2), { previous: 'before', next: 'after', last: 'page=4' }],
    ['page=2&itemsPerPage=3', ids(3), { previous: 'before', next: 'after', last: 'page=3' }],
    ['page=1&tags=a', ids(0), { next: 'after', last: 'page=1' }],
  ]
  for (const [query, shown, links] of table) {
    const page = await read(service, `/things?${query}`)
    assert.deepEqual(idsOf(page), shown, query)
    assert.equal(page.totalItems, query.includes('tags') ? 3 : 7, query)
    for (const [name, expected] of Object.entries({ ...none, ...links })) {
      const link = page.view[name]
      const place = link && /[?&]((?:page=\d+|after|before)).*$/.exec(link)?.[1]
      assert.equal(place, expected, `${query} ${name} ${link}`)
    }
  }
})

// contract: Walking `next` by cursor visits every member
test('across pages that are cut, next and previous visit every member exactly once', async (t) => {
  const service = await serveSizes(t)
  for (const query of [
    '',
    'page=1',
    'page=1&itemsPerPage=2',
    'itemsPerPage=3&order[rank]=asc',
    'page=1&itemsPerPage=3&sort=-rank,name',
    'sort=-name',
    'tags=b',
    'tags[gte]=a',
    'rank[ne]=7&page=1',
    'q=b',
  ]) {
    const forth = (await walk(service, `/things?${query}`)).flat()
    assert.deepEqual(forth.toSorted(), numbered(SIZES.length), query)
    if (query.includes('page=1')) continue
    const { view } = await read(service, `/things?${query}`)
    const back = await walk(service, pathOf(service.base, view.last), 'previous')
    assert.deepEqual(back.toReversed().flat(), forth, query)
  }
})

// contract: A page ends after its members or 4 MiB
test('links count with the base URL that they are served with', async (t) => {
  const api =
    'classes: { Thing: { properties: { name: string } }, Rack: { properties: { holds: { type: Thing, many: true } } } }'
  const service = await serveSignedIn(t, { api, flags: { maxPageBytes: '4000' } })
  const { '@id': thing } = await service.add('/things', { name: 'one' })
  const others = await Promise.all(Array.from({ length: 9 }, () => service.add('/things', {})))
  const holds = [thing, ...others.map((other) => other['@id'])]
  for (let rack = 0; rack < 20; rack += 1) await service.add('/racks', { holds })
  const { member } = (await service.get('/racks')).json() as { member: Json[] }
  const bytes = (count: number) =>
    member.slice(0, count).reduce((sum, { holds }) => sum + JSON.stringify({ holds }).length - 1, 0)
  assert.ok(bytes(member.length) <= 4_000 && member.length > 1, String(member.length))
  assert.ok(bytes(member.length) + bytes(1) > 4_000, String(member.length))
})

// contract: A page ends after its members or 4 MiB
test('HEAD and GET of a page that is cut tell the same', async (t) => {
  const service = await serveSizes(t)
  for (const query of ['', 'page=2&itemsPerPage=3', 'order[rank]=desc']) {
    const get = await service.get(`/things?${query}`)
    const head = await service.send('HEAD', `/things?${query}`)
    assert.equal(head.status, 200)
    for (const name of ['etag', 'content-length']) assert.equal(head.headers[name], get.headers[name], query)
    assert.equal(
      (await service.get(`/things?${query}`, { 'If-None-Match': get.headers.etag ?? '' })).status,
      304,
    )
  }
})
