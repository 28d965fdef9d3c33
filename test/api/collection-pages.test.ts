import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
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

const JSON_TYPE = { 'Content-Type': 'application/json' }

test('a page is never older than an acknowledged write, of this process or of another', async (t) => {
  const here = await serve(t, { db: newDatabase(t) })
  const there = await serve(t, { db: here.db })
  const token = await here.client.signIn()
  const headers = { 'X-Authorization': token, ...JSON_TYPE }
  const total = async ({ client }: typeof here, path = '/authors') =>
    (await client.send('GET', path, headers)).json().totalItems

  for (let round = 0; round < 30; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
    // Asked for twice it is kept, the third time it comes from memory: on both sides, before it changes.
    for (const _ of [1, 2, 3]) assert.deepEqual([await total(here), await total(there)], [round, round])
    const added = await writer.client.send('POST', '/authors', headers, '{"name":"Ann"}')
    assert.equal(added.status, 201)
    assert.deepEqual([await total(reader), await total(writer)], [round + 1, round + 1])
    assert.equal(await total(reader, '/authors?page=1'), round + 1)
  }
})

test('what is kept in memory is kept apart by query, media type and preference', async (t) => {
  const { client } = await serve(t)
  const token = { 'X-Authorization': await client.signIn() }
  for (const name of ['Ann', 'Bob']) {
    await client.send('POST', '/authors', { ...token, ...JSON_TYPE }, JSON.stringify({ name }))
  }
  const get = (query: string, headers: Record<string, string>) =>
    client.send('GET', `/authors${query}`, { ...token, ...headers })
  const queries = ['', '?name=Ann', '?name=Bob', '?sort=-name', '?name[gt]=B', '?q=ann', '?name[contains]=b']
  const accepts = ['application/ld+json', 'application/json', 'text/turtle', 'application/n-quads']
  const seen = new Map<string, string>()
  // Asked for twice a page is kept, the third time it comes from memory.
  for (const _ of [1, 2, 3]) {
    for (const query of queries) {
      for (const accept of accepts) {
        for (const prefer of ['', 'count=exact']) {
          const response = await get(query, { Accept: accept, ...(prefer !== '' && { Prefer: prefer }) })
          const told = [
            response.headers['content-type']?.split(';')[0],
            response.headers['preference-applied'] ?? '',
          ]
          assert.deepEqual([response.status, ...told], [200, accept, prefer], query)
          const key = `${query} ${accept}`
          // The total is known either way, so both show the same.
          assert.equal(response.headers.etag, seen.get(key) ?? response.headers.etag, key)
          seen.set(key, response.headers.etag ?? '')
        }
      }
      const { member } = (await get(query, {})).json() as { member: { name: string }[] }
      const names = member.map(({ name }) => name).join()
      assert.equal(
        names,
        { '': 'Ann,Bob', '?name=Ann': 'Ann', '?q=ann': 'Ann', '?sort=-name': 'Bob,Ann' }[query] ?? 'Bob',
      )
    }
  }
  assert.equal(new Set(seen.values()).size, queries.length * accepts.length)
})

test('a removal is seen on the next request for the page, and so is its ETag', async (t) => {
  const { client, base } = await serve(t)
  const headers = { 'X-Authorization': await client.signIn(), ...JSON_TYPE }
  const added = await client.send('POST', '/authors', headers, '{"name":"Ann"}')
  const before = await client.send('GET', '/authors', headers)
  for (const _ of [1, 2, 3]) {
    const again = await client.send('GET', '/authors', headers)
    assert.equal(again.body, before.body)
    assert.equal(again.headers.etag, before.headers.etag)
  }
  const path = (added.headers.location ?? '').slice(base.length)
  assert.equal((await client.send('DELETE', path, headers)).status, 204)
  const after = await client.send('GET', '/authors', {
    ...headers,
    'If-None-Match': before.headers.etag ?? '',
  })
  assert.equal(after.status, 200)
  assert.equal(after.json().totalItems, 0)
})

test('more pages than are kept in memory are all served right', async (t) => {
  const { client } = await serve(t, { flags: { maxPageSize: '100' } })
  const headers = { 'X-Authorization': await client.signIn(), ...JSON_TYPE }
  await client.send('POST', '/authors', headers, '{"name":"Ann"}')
  for (const _ of [1, 2, 3]) {
    for (let size = 1; size <= 100; size += 1) {
      const page = await client.send('GET', `/authors?itemsPerPage=${size}`, headers)
      assert.match(JSON.stringify(page.json().view), new RegExp(`itemsPerPage=${size}"`))
    }
  }
})
