import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestResponse } from '../../support/client.ts'
import {
  AS_PROBLEM,
  assertProblem,
  codesOf,
  type Json,
  pathOf,
  type Said,
  serveSignedIn,
} from '../signed-in.ts'
import { fill, numbered, THINGS } from '../things.ts'
import { idsOf, put, read, walk } from '../walks.ts'

// contract: **Collection**: `@type`
// contract: **Paging**: `page` and `itemsPerPage`
// contract: A bare GET links to cursors
// contract: `--page-size`, `--max-page-size` ¦
test('the view of a GET with a page leads to pages, in the size that was asked for', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '2', maxPageSize: '4' } })
  await fill(service, numbered(5), (index) => ({ name: `n${index}` }))
  const table: [query: string, links: Json][] = [
    ['page=1', { first: 'page=1', next: 'page=2', last: 'page=3' }],
    ['page=2', { first: 'page=1', previous: 'page=1', next: 'page=3', last: 'page=3' }],
    ['page=3', { first: 'page=1', previous: 'page=2', last: 'page=3' }],
    // A member may have been removed since the link to this page was made: that is no error.
    ['page=9', { first: 'page=1', previous: 'page=3', last: 'page=3' }],
    [
      'itemsPerPage=3&page=2',
      { first: 'itemsPerPage=3&page=1', previous: 'itemsPerPage=3&page=1', last: 'itemsPerPage=3&page=2' },
    ],
    ['p%61ge=%31&&', { first: 'page=1', next: 'page=2', last: 'page=3' }],
    [
      'name%5bgte%5D=n3&sort=-name&page=1',
      {
        first: 'name%5bgte%5D=n3&sort=-name&page=1',
        last: 'name%5bgte%5D=n3&sort=-name&page=1',
      },
    ],
    ['name=nobody&page=1', { first: 'name=nobody&page=1', last: 'name=nobody&page=1' }],
  ]
  for (const [query, links] of table) {
    const address = (part: unknown) => `${service.base}/things?${part}`
    const entries = Object.entries(links).map(([name, part]) => [name, address(part)])
    const expected = {
      '@id': address(query),
      '@type': 'PartialCollectionView',
      ...Object.fromEntries(entries),
    }
    assert.deepEqual((await read(service, `/things?${query}`)).view, expected, query)
  }
})

test('limit, offset and pageIndex are understood, as hydrus spells them, and the links are ours', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '2', maxPageSize: '4' } })
  await fill(service, numbered(5), (index) => ({ name: `n${index}` }))
  const ids = async (query: string) => idsOf(await read(service, `/things?${query}`))
  const rows: [query: string, same: string][] = [
    ['limit=3', 'itemsPerPage=3'],
    ['pageIndex=2', 'page=2'],
    ['limit=3&pageIndex=2', 'itemsPerPage=3&page=2'],
    ['offset=0', ''],
    ['offset=2&limit=2', 'page=2'],
    ['name=n1&offset=0', 'name=n1'],
  ]
  for (const [query, same] of rows) assert.deepEqual(await ids(query), await ids(same), query)
  assert.deepEqual(await ids('offset=1&limit=3'), ['t00001', 't00002', 't00003'])
  assert.deepEqual(await ids('offset=9'), [])

  const { view, totalItems, '@id': id } = await read(service, '/things?offset=1&limit=2')
  assert.deepEqual([totalItems, id], [5, `${service.base}/things`])
  assert.equal(view.first, `${service.base}/things?itemsPerPage=2`)
  for (const [link, found] of [
    [view.previous, ['t00000']],
    [view.next, ['t00003', 't00004']],
  ] as const) {
    assert.match(String(link), /\/things\?itemsPerPage=2&(?:after|before)=[\w-]+$/)
    assert.deepEqual(idsOf(await read(service, pathOf(service.base, link))), found)
  }
  assert.equal(
    (await read(service, '/things?limit=2&pageIndex=2')).view.next,
    `${service.base}/things?itemsPerPage=2&page=3`,
  )
  const beyond = (await read(service, '/things?offset=9')).view
  assert.deepEqual(
    [beyond.next, idsOf(await read(service, pathOf(service.base, beyond.previous)))],
    [undefined, ['t00003', 't00004']],
  )

  const refused: [query: string, ...said: Said][] = [
    ['limit=5', 'limit: InvalidCount', '1 to 4'],
    ['limit=0', 'limit: InvalidCount', '1 to 4'],
    ['offset=-1', 'offset: InvalidCount', '0 or greater'],
    ['offset=01', 'offset: InvalidCount'],
    ['offset=', 'offset: InvalidCount'],
    ['offset=10000', 'offset: OffsetTooFar'],
    ['pageIndex=0', 'pageIndex: InvalidCount', '1 or greater'],
    ['limit=2&itemsPerPage=2', 'itemsPerPage: DuplicateParameter'],
    ['page=1&pageIndex=1', 'pageIndex: DuplicateParameter'],
    ['page=1&offset=1', 'offset: ConflictingParameters'],
    ['offset=1&after=x', 'offset: ConflictingParameters'],
  ]
  for (const [query, ...said] of refused) {
    const response = await service.get(`/things?${query}`, AS_PROBLEM)
    assert.equal(response.status, 400, query)
    assertProblem(response, said, query)
  }
})

test('a property that is called like an alias is filtered by that name', async (t) => {
  const api = 'classes: { Leave: { collection: leaves, properties: { limit: integer, offset: integer } } }'
  const service = await serveSignedIn(t, { api })
  for (const limit of [1, 2]) await service.add('/leaves', { limit, offset: limit })
  const { totalItems, '@id': id } = await read(service, '/leaves?limit=2&offset=2')
  assert.deepEqual([totalItems, id], [1, `${service.base}/leaves?limit=2&offset=2`])
})

// contract: **Collection**: `@type`
// contract: A bare GET links to cursors
test('the view of any other GET leads to cursors, and keeps filters, order and size', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '2' } })
  await fill(service, numbered(5), (index) => ({ name: `n${index % 3}`, rank: index }))
  const table: [query: string, kept: string, pages: string[][]][] = [
    ['', '', [['t00000', 't00001'], ['t00002', 't00003'], ['t00004']]],
    [
      'itemsPerPage=3',
      'itemsPerPage=3&',
      [
        ['t00000', 't00001', 't00002'],
        ['t00003', 't00004'],
      ],
    ],
    ['sort=name&rank[gt]=1', 'rank%5Bgt%5D=1&sort=name&', [['t00003', 't00004'], ['t00002']]],
    ['order[name]=desc', 'order%5Bname%5D=desc&', [['t00002', 't00004'], ['t00001', 't00003'], ['t00000']]],
  ]
  for (const [query, kept, pages] of table) {
    const address = `${service.base}/things?`
    const leads = (link: string | undefined, name: 'after' | 'before') => {
      const cursor = String(link).slice(`${address}${kept}${name}=`.length)
      assert.equal(link, `${address}${kept}${name}=${cursor}`)
      assert.match(cursor, /^[\w-]+$/)
    }
    let at = 0
    const found = await walk(service, `/things?${query}`, 'next', ({ view, totalItems }) => {
      assert.equal(totalItems, pages.flat().length)
      assert.equal(view.first, address + (kept === '' ? 'itemsPerPage=2' : kept.slice(0, -1)))
      leads(view.last, 'before')
      if (at > 0) leads(view.previous, 'before')
      else assert.equal(view.previous, undefined)
      if (at < pages.length - 1) leads(view.next, 'after')
      at += 1
    })
    assert.deepEqual(found, pages, query)
  }
})

// contract: **Paging**: `page` and `itemsPerPage`
test('previous leads from any page back to the start, and last to the end', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '3' } })
  const ids = numbered(11)
  await fill(service, ids, (index) => (index % 4 === 0 ? {} : { name: `n${index % 5}`, rank: index % 2 }))
  for (const query of [
    '',
    'sort=name',
    'sort=-rank,name',
    'rank=1',
    'exists[name]=true',
    'rank[ne]=0',
    'page=1',
  ]) {
    const forth = (await walk(service, `/things?${query}`)).flat()
    const { view } = await read(service, `/things?${query}`)
    const end = pathOf(service.base, view.last)
    const back = (await walk(service, end, 'previous')).toReversed().flat()
    assert.deepEqual(back, forth, query)
    const last = await read(service, end)
    assert.equal(last.view.next, undefined, query)
    // From the page before the last one, next leads to the last one.
    const before = await read(service, pathOf(service.base, last.view.previous))
    assert.deepEqual(
      idsOf(await read(service, pathOf(service.base, before.view.next))).at(-1),
      forth.at(-1),
      query,
    )
  }
})

test('beyond either end is an empty page that leads back', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '2' } })
  await fill(service, numbered(4), () => ({}))
  const start = await read(service, '/things')
  const next = pathOf(service.base, start.view.next)
  const previous = pathOf(service.base, (await read(service, next)).view.previous)
  for (const id of ['t00002', 't00003']) await service.send('DELETE', `/things/${id}`)

  const beyond = await read(service, next)
  assert.deepEqual(idsOf(beyond), [])
  assert.equal(beyond.view.next, undefined)
  assert.deepEqual(idsOf(await read(service, pathOf(service.base, beyond.view.previous))), [
    't00000',
    't00001',
  ])

  for (const id of ['t00000', 't00001']) await service.send('DELETE', `/things/${id}`)
  await put(service, '/things/new', {})
  const ahead = await read(service, previous)
  assert.deepEqual(idsOf(ahead), [])
  assert.equal(ahead.view.previous, undefined)
  assert.deepEqual(idsOf(await read(service, pathOf(service.base, ahead.view.next))), ['new'])
})

test('the links of a page can be followed, however long its query is; a query that is too long for them is 414', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS, flags: { pageSize: '2' } })
  const blanks = ' '.repeat(4_800)
  await fill(service, numbered(5), (index) => ({ name: index < 4 ? blanks : 'x', rank: index }))
  const table: [query: string, status: number][] = [
    [`name=${'+'.repeat(4_800)}`, 200],
    [`name=${'+'.repeat(4_800)}&page=1`, 200],
    [`name.startsWith=${'+'.repeat(4_800)}&sort=name,rank`, 200],
    [`name.ne=${'a'.repeat(8_100)}`, 200],
    [`name.ne=${'='.repeat(8_100)}`, 200],
    [`name.ne=${'%20'.repeat(2_600)}`, 200],
    [`name.ne=${'a'.repeat(8_170)}`, 414],
    [`name.ne=${'"'.repeat(4_000)}`, 414],
    [`name.ne=${'<'.repeat(2_700)}&sort=name`, 200],
  ]
  for (const [query, status] of table) {
    const response = await service.get(`/things?${query}`, AS_PROBLEM)
    const about = `${query.slice(0, 20)} ${query.length}: ${response.body.slice(0, 200)}`
    assert.equal(response.status, status, about)
    if (status === 414) assert.equal(codesOf(response), 'QueryTooLong', about)
    else {
      const view = response.json().view as Record<string, string>
      assert.ok(view.next, about)
      for (const [name, link] of Object.entries(view)) {
        if (name === '@type') continue
        assert.equal((await service.get(link.slice(service.base.length))).status, 200, `${name} ${about}`)
      }
    }
  }
})

test('the links of a page of events can be followed up to the longest; a longer query is 414', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const eventsOf = (id: string) => service.get(`/events?resource=${service.base}/things/${id}`, AS_PROBLEM)
  const nextOf = (page: TestResponse) => pathOf(service.base, (page.json().view as Json).next)
  const room = 8 * 1024 - `${new URL(service.base).pathname}${nextOf(await eventsOf('a'))}`.length
  const longest = await eventsOf('a'.repeat(1 + room))
  const followed = await service.get(nextOf(longest))
  assert.deepEqual([longest.status, followed.status], [200, 200], followed.body)
  for (const id of ['a'.repeat(2 + room), '"'.repeat(4_000)]) {
    const refused = await eventsOf(id)
    assert.equal(refused.status, 414, refused.body)
    assert.equal(codesOf(refused), 'QueryTooLong')
  }
})
