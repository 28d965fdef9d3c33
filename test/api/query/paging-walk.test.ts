import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { AS_PROBLEM, assertProblem, codesOf, pathOf, serveSignedIn } from '../signed-in.ts'
import { fill, numbered, THINGS } from '../things.ts'
import { idsOf, put, read, walk } from '../walks.ts'

// contract: **Paging**: `page` and `itemsPerPage`
// contract: Walking `next` by cursor visits every member
test('by page, the walk visits every member exactly once, and goes on by cursor where pages end', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const ids = numbered(10_150)
  await fill(service, ids, (index) => ({ rank: index % 7, name: `${index + 10_000}`.padEnd(150, 'x') }))
  const pages = await walk(service, '/things?page=1&itemsPerPage=100')
  assert.deepEqual(pages.flat(), ids)

  const deepest = await read(service, '/things?page=100&itemsPerPage=100')
  assert.match(String(deepest.view.next), /things\?itemsPerPage=100&after=[\w-]+$/)
  assert.match(String(deepest.view.last), /things\?itemsPerPage=100&before=[\w-]+$/)
  assert.deepEqual(idsOf(await read(service, pathOf(service.base, deepest.view.last))), ids.slice(-100))

  const refused = await service.get('/things?page=101&itemsPerPage=100', AS_PROBLEM)
  assert.equal(refused.status, 400)
  assertProblem(refused, ['page: PageTooFar', '10000'], 'page=101')
  assert.deepEqual((await walk(service, '/things?itemsPerPage=100&sort=-rank')).flat().length, ids.length)

  // The deepest page leads on by cursor, which takes more room than a page number.
  const deep = (length: number, page: number) =>
    service.get(`/things?name.ne=${'a'.repeat(length)}&sort=name&itemsPerPage=100&page=${page}`, AS_PROBLEM)
  const roomy = await deep(7_700, 100)
  const { next } = roomy.json().view as Record<string, string>
  assert.match(String(next), /&after=[\w-]+$/)
  assert.deepEqual(idsOf(await read(service, pathOf(service.base, next))), ids.slice(10_000, 10_100))
  assert.equal((await deep(8_000, 99)).status, 200)
  const crowded = await deep(8_000, 100)
  assert.equal(crowded.status, 414)
  assert.equal(codesOf(crowded), 'QueryTooLong')
})

// contract: Walking `next` by cursor visits every member
test('texts that share their first 200 characters are walked through one by one, in an order that stays', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const ids = numbered(9)
  const head = '\u{1f600}é'.repeat(100)
  await fill(service, ids, (index) => ({ name: head + index, tags: [head + index, 'a'] }))
  // By a digest of the whole text, which is the same on every store.
  const ranked = Array.from('850321764', (end) => `t0000${end}`)
  const walked = (await walk(service, '/things?sort=name&itemsPerPage=2')).flat()
  assert.deepEqual(walked, ranked)
  assert.deepEqual((await walk(service, '/things?sort=-name&itemsPerPage=2')).flat(), ranked.toReversed())
  assert.deepEqual((await walk(service, '/things?tags[gt]=b&itemsPerPage=2')).flat(), ranked)
  assert.deepEqual((await walk(service, '/things?sort=name,rank&itemsPerPage=4')).flat(), ranked)

  // Where the member that a link was made of is gone, the others are visited once.
  let visits = 0
  const gone: string[] = []
  const pages = await walk(service, '/things?sort=name&itemsPerPage=2', 'next', async ({ member }) => {
    visits += 1
    if (visits !== 2) return
    const path = pathOf(service.base, member.at(-1)?.['@id'])
    gone.push(path)
    await service.send('DELETE', path)
  })
  assert.deepEqual(pages.flat(), ranked)
  assert.equal(gone.length, 1)
})

// contract: Walking `next` by cursor visits every member
test('a query that leaves no room for a cursor in a link is walked through by page', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const ids = numbered(9)
  await fill(service, ids, (index) => ({ name: '\u{1f600}'.repeat(200) + (index % 3), rank: index }))
  // 6,600 characters in the links.
  const long = `name[ne]=${encodeURIComponent('\u{1f600}'.repeat(550))}&sort=name,rank&itemsPerPage=2`
  const first = await read(service, `/things?${long}`)
  assert.match(String(first.view.next), /&page=2$/)
  assert.match(String(first.view.last), /&page=5$/)
  const walked = await walk(service, `/things?${long}`, 'next', ({ view }) => {
    for (const name of ['first', 'previous', 'next', 'last'])
      assert.ok((view[name]?.length ?? 0) < 8 * 1024, name)
  })
  const plain = await walk(service, '/things?sort=name,rank&itemsPerPage=2')
  assert.deepEqual(walked, plain)
  const back = await walk(service, pathOf(service.base, first.view.last), 'previous')
  assert.deepEqual(back.toReversed(), walked)
})

// contract: Walking `next` by cursor visits every member
test('by cursor, the walk visits every member that stays exactly once while others come and go', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: THINGS })
  const stay = numbered(60)
  const valuesOf = (index: number) => ({
    ...(index % 5 !== 0 && { name: `n${(index * 7) % 10}`, tags: [`x${index % 3}`, `y${index % 4}`] }),
    ...(index % 4 !== 0 && { rank: (index * 3) % 11 }),
  })
  const queries = [
    'itemsPerPage=7',
    'sort=name&itemsPerPage=7',
    'sort=-name&itemsPerPage=7',
    'sort=-rank,name&itemsPerPage=7',
    'rank[gte]=2&itemsPerPage=5',
    'rank[ne]=5&sort=-name&itemsPerPage=5',
    'tags[gte]=x1&itemsPerPage=5',
    'exists[name]=false&itemsPerPage=2',
    'name[contains]=N&sort=rank&itemsPerPage=5',
  ]
  await fill(service, stay, valuesOf)
  let added = 0
  for (const query of queries) {
    const before = new Set((await walk(service, `/things?${query}`)).flat().filter((id) => stay.includes(id)))
    assert.ok(before.size > 0, query)

    const passing: string[] = []
    let walking = true
    const busy = (async () => {
      while (walking) {
        const id = `p${added++}`
        await put(service, `/things/${id}`, valuesOf(added * 13))
        passing.push(id)
        if (passing.length > 5) await service.send('DELETE', `/things/${passing.shift()}`)
      }
    })()
    // The member that a cursor was made of goes, too.
    const pages = await walk(service, `/things?${query}`, 'next', async ({ member }) => {
      const edge = member.at(-1)?.['@id'] ?? ''
      if (edge.includes('/things/p')) await service.send('DELETE', pathOf(service.base, edge))
    })
    walking = false
    await busy
    const seen = pages.flat()
    assert.equal(new Set(seen).size, seen.length, `${query}: nobody twice`)
    assert.deepEqual(new Set(seen.filter((id) => stay.includes(id))), before, `${query}: everybody`)
  }
})
