import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'

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
