import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { execute, newDatabase } from '../support/databases.ts'
import { inSoak } from '../support/soak.ts'
import { AS_PROBLEM, codesOf, pathOf, type SignedIn, serveSignedIn } from './signed-in.ts'
import { fill, numbered, THINGS } from './things.ts'
import { type Collection, idsOf, read, walk } from './walks.ts'

// docs/contract/hypermedia.md, Cost and totalItems: on a served API, what the store promises on its own.

const MEMBERS = inSoak(300_000, 60_000)

/** So many members that no search through all of them is quick; one of them can be read. */
async function serveMany(t: TestContext): Promise<SignedIn> {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: THINGS, flags: { scanTime: '1s' } })
  await fill(service, ['one'], () => ({ name: 'one' }))
  await execute(service.db, {
    sqlite: `
      BEGIN;
      WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MEMBERS})
      INSERT INTO members_1 (id, version, body, holes) SELECT 'm' || n, n, '', '' FROM numbers;
      INSERT INTO keys_1 (sequence, k0, k1) SELECT sequence, 'name ' || id, sequence FROM members_1 WHERE sequence > 1;
      UPDATE classes SET total = ${MEMBERS}, version = ${MEMBERS} WHERE name = 'Thing';
      COMMIT;`,
    postgres: `
      WITH added AS (
        INSERT INTO members_1 (id, version, body, holes, hidden, k0, k1)
        SELECT 'm' || n, n, '', '', '', 'sname m' || n, 'nc' || lpad(n::text, 15, '0')
        FROM generate_series(2, ${MEMBERS}) n)
      UPDATE totals SET total = ${MEMBERS}`,
  })
  return service
}

// contract: What may still scan
test('what may scan holds up nobody: others are served meanwhile, and what takes too long is 503 that says why', async (t) => {
  const service = await serveMany(t)
  const ended: string[] = []
  const told = <T>(name: string, response: Promise<T>): Promise<T> =>
    response.finally(() => {
      ended.push(name)
    })
  // Two scan at once: more of them than can wait, each through all members.
  const scans = Array.from({ length: 90 }, (_, index) =>
    told('scan', service.get(`/things?name[contains]=nowhere${index}`, AS_PROBLEM)),
  )
  const indexed = ['/things/one', '/things?name=one', '/things?itemsPerPage=1&rank[lt]=0', '/', '/session']
  const others = indexed.map((path) => told('other', service.get(path)))
  for (const response of await Promise.all(others)) assert.equal(response.status, 200, response.body)
  assert.ok(ended.filter((name) => name === 'scan').length < scans.length, 'others came before the last scan')

  const responses = await Promise.all(scans)
  const refused = responses.filter(({ status }) => status !== 200)
  assert.ok(refused.length > 0)
  for (const response of refused) {
    assert.equal(response.status, 503)
    assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.match(codesOf(response), /^(SearchTooLong|TooManySearches)$/)
  }
})

// contract: **totalItems** is exact without counting rows
test('the total of a collection without a filter is kept, and no row is counted for it', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: THINGS })
  await fill(service, numbered(3), (index) => ({ rank: index }))
  assert.equal((await read(service, '/things')).totalItems, 3)
  // A number that no count would give: whoever sees it has read it.
  await execute(service.db, {
    sqlite: "UPDATE classes SET total = 1234567 WHERE name = 'Thing'",
    postgres: 'UPDATE totals SET total = 1234567',
  })
  for (const query of ['', '?page=1', '?sort=-rank', '?itemsPerPage=1']) {
    assert.equal((await read(service, `/things${query}`)).totalItems, 1_234_567, query)
  }
  assert.equal((await read(service, '/things?rank[gte]=0')).totalItems, 3)
})

// contract: What may still scan
test('the time that a scan may take is 2 s unless the setting says otherwise', () => {
  assert.equal(readConfig({}, {}).scanMs, 2_000)
  assert.equal(readConfig({ scanTime: '5s' }, {}).scanMs, 5_000)
})

const EXACT = { Prefer: 'count=exact' }

// contract: **totalItems** is exact without counting rows
test('the total is exact without a filter, and with one up to 1,000; beyond that it is left out, as is last', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  // 1,000 of rank 1, then 1,001 of rank 2.
  await fill(service, numbered(2_001), (index) => ({ name: `n${index % 2}`, rank: index < 1_000 ? 1 : 2 }))
  const table: [query: string, total: number | undefined, exact?: number][] = [
    ['', 2_001],
    ['sort=-rank', 2_001],
    ['page=3', 2_001],
    ['rank=1', 1_000],
    ['rank=1&sort=-name', 1_000],
    ['rank[lt]=2&page=2', 1_000],
    ['name[contains]=N1', 1_000],
    ['rank[ne]=2&q=n1', 500],
    ['rank=3', 0],
    ['rank=2', undefined, 1_001],
    ['rank=2&page=2', undefined, 1_001],
    ['rank[gt]=0&sort=name', undefined, 2_001],
    ['exists[name]=true', undefined, 2_001],
    ['rank=1&rank=2', undefined, 2_001],
    ['name[contains]=N', undefined, 2_001],
    ['q=n0', undefined, 1_001],
  ]
  for (const [query, total, exact = total] of table) {
    const page = await read(service, `/things?${query}`)
    assert.equal(page.totalItems, total, query)
    assert.equal('totalItems' in page, total !== undefined, query)
    assert.equal('last' in page.view, total !== undefined, query)
    assert.ok('first' in page.view, query)

    const counted = await service.get(`/things?${query}`, EXACT)
    assert.equal(counted.headers['preference-applied'], 'count=exact', query)
    const { totalItems, view } = counted.json() as Collection
    assert.equal(totalItems, exact, query)
    assert.ok('last' in view, query)
  }
})

test('without a total, pages and cursors still lead to every member', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const ids = numbered(1_050)
  await fill(service, ids, () => ({ rank: 1 }))
  for (const query of ['rank=1&itemsPerPage=100', 'rank=1&itemsPerPage=100&page=1']) {
    const pages = await walk(service, `/things?${query}`)
    assert.deepEqual(pages.flat(), ids, query)
  }
  const beyond = await read(service, '/things?rank=1&itemsPerPage=100&page=50')
  assert.deepEqual(idsOf(beyond), [])
  assert.match(String(beyond.view.previous), /page=49$/)
  assert.equal(beyond.view.next, undefined)

  const { view } = (await service.get('/things?rank=1', EXACT)).json() as Collection
  assert.deepEqual(idsOf(await read(service, pathOf(service.base, view.last))), ids.slice(-20))
})

// contract: **totalItems** is exact without counting rows
test('what is preferred is asked for anew each time, and confirmed only when it was asked for', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  await fill(service, numbered(1_001), () => ({ rank: 1 }))
  const table: [prefer: string | undefined, exact: boolean][] = [
    [undefined, false],
    ['count=exact', true],
    ['Count="exact"', true],
    ['respond-async, count = exact; x=y', true],
    ['count=exact, count=none', true],
    ['count=none, count=exact', false],
    ['count', false],
    ['counter=exact', false],
    ['x="a, count=exact"', false],
    ['x; count=exact', false],
    ['return=minimal', false],
  ]
  const etags = new Set<string>()
  // Twice: the page without the preference may be in memory the second time.
  for (const [prefer, exact] of [...table, ...table]) {
    const headers = prefer === undefined ? undefined : { Prefer: prefer }
    const response = await service.get('/things?rank=1', headers)
    assert.equal(response.json().totalItems, exact ? 1_001 : undefined, prefer)
    assert.equal(response.headers['preference-applied'], exact ? 'count=exact' : undefined, prefer)
    etags.add(`${exact} ${response.headers.etag}`)

    const conditional = { ...headers, 'If-None-Match': response.headers.etag ?? '' }
    assert.equal((await service.get('/things?rank=1', conditional)).status, 304, prefer)
  }
  assert.equal(etags.size, 2)
})
