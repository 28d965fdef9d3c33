import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { isUnavailable } from '../../../src/database/index.ts'
import type { Filter, Selection } from '../../../src/members/index.ts'
import { createScanner } from '../../../src/members/sqlite/scan.ts'
import { tablesOf } from '../../../src/members/sqlite/tables.ts'
import type { StoreOptions } from '../../../src/store/index.ts'
import { run } from '../../support/processes.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { connect, newSqlite, openFor, pathOf } from '../../support/stores.ts'

const KINDS: Kinds = { title: 'text', pages: 'number' }
const SHAPES = [shapeOf('Book', KINDS), shapeOf('Note', KINDS)]

const contains = (text: string): Filter => ({ property: 'title', test: 'contains', text })
const nowhere = select({ filters: [contains('nowhere')] })

/** The file of each database that was filled, by the number of its members: filling one takes longer than most scans. */
const filled = new Map<number, Buffer>()

/** So many that looking at each takes a while. */
const MEMBERS = inSoak(400_000, 200_000)

/** `Note` has one member. */
async function openLarge(t: TestContext, options: StoreOptions = {}, members = MEMBERS) {
  const url = newSqlite(t)
  const file = filled.get(members) ?? (await fillDatabase(t, members))
  filled.set(members, file)
  writeFileSync(pathOf(url), file)
  const store = await openFor(t, url, SHAPES, options)
  return { url, store: store.members, close: store.close }
}

async function fillDatabase(t: TestContext, members: number): Promise<Buffer> {
  const url = newSqlite(t)
  const store = await openFor(t, url, SHAPES)
  await store.members.add('Note', memberOf(KINDS, 'note', { title: 'here' }))
  await store.close()
  const db = connect(t, url)
  db.exec(`
    BEGIN;
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${members})
    INSERT INTO members_1 (id, version, body, holes) SELECT 'b' || n, n, '', '' FROM numbers;
    INSERT INTO keys_1 (sequence, k0, k1) SELECT sequence, 'title ' || id, sequence FROM members_1;
    UPDATE classes SET total = ${members}, version = ${members} WHERE name = 'Book';
    COMMIT;
  `)
  db.close()
  return readFileSync(pathOf(url))
}

function assertUnavailable(error: unknown): true {
  assert.ok(isUnavailable(error), String(error))
  assert.ok('retryAfterSeconds' in error.values, error.code)
  return true
}

const SCANS: Readonly<Record<string, Partial<Selection>>> = {
  contains: { filters: [contains(`b${MEMBERS}`)] },
  'ne of a value that all but one have': {
    filters: [
      { property: 'pages', test: 'not', key: 1 },
      { property: 'pages', test: 'range', to: { key: MEMBERS - 50_000, inclusive: true } },
      contains(`b${MEMBERS - 50_000}`),
    ],
  },
  'an exact count': {
    filters: [{ property: 'pages', test: 'range', from: { key: 2, inclusive: true } }],
    order: [{ property: 'pages', descending: false }],
    count: 'exact',
  },
  'several orders': {
    order: [
      { property: 'title', descending: true },
      { property: 'pages', descending: false },
    ],
  },
  'a combination of unselective filters that nobody matches': {
    filters: [
      { property: 'pages', test: 'range', from: { key: 110_000, inclusive: false } },
      { property: 'title', test: 'range', to: { key: 'title b11', inclusive: false } },
    ],
    order: [{ property: 'title', descending: false }],
  },
}

// contract: What may still scan
test('what no index answers is found all the same, and other work goes on meanwhile', async (t) => {
  const { store } = await openLarge(t, { scanMs: 60_000 })
  for (const [name, selection] of Object.entries(SCANS)) {
    await t.test(name, async () => {
      let ended = false
      const page = Promise.resolve(store.list('Book', select({ limit: 1, ...selection }))).finally(() => {
        ended = true
      })
      let turns = 0
      for (; !ended; turns += 1) await turn()
      // One turn is what a scan on this thread would leave; how many more depends on how busy the machine is.
      assert.ok(turns > 1, `${turns} turns`)
      assert.ok((await page).members.length <= 1)
    })
  }
})

// contract: What may still scan
test('a scan that is not done in time gets 503, which says why and what would help', async (t) => {
  const { store } = await openLarge(t, { scanMs: 1 }, 1_000)
  const values = { maxMs: 1, retryAfterSeconds: 5 }
  await assert.rejects(Promise.resolve(store.list('Book', nowhere)), { code: 'SearchTooLong', values })
  // What has an index is not concerned.
  assert.equal((await store.list('Book', select({ limit: 1 }))).total, 1_000)
})

// contract: What may still scan
test('two scans run at once and a third waits, however short it is', async (t) => {
  const { store } = await openLarge(t, { scanMs: 60_000 })
  const ended: string[] = []
  const scan = async (className: string) => {
    await store.list(className, nowhere)
    ended.push(className)
  }
  // The threads are started: it is not their start that makes the third wait.
  await Promise.all([scan('Note'), scan('Note')])
  ended.length = 0
  await Promise.all([scan('Book'), scan('Book'), scan('Note')])
  assert.equal(ended.length, 3)
  assert.notEqual(ended[0], 'Note')
})

test('the time of a scan that waits runs; what is too much to wait gets 503 at once', async (t) => {
  const { store } = await openLarge(t, { scanMs: 150 })
  const results = await Promise.allSettled(
    Array.from({ length: 80 }, async () => store.list('Book', nowhere)),
  )
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.ok(refused.length > 0)
  const codes = refused.map((result) => {
    assert.ok(result.status === 'rejected' && assertUnavailable(result.reason))
    return result.reason.code
  })
  assert.equal(codes.filter((code) => code === 'TooManySearches').length, 14)
  assert.ok(codes.includes('SearchTooLong'))
  // And afterwards all is well, once the threads have noticed: how soon depends on who else is using the machine.
  const here = select({ filters: [contains('here')] })
  for (let tries = 1; ; tries += 1) {
    const page = await Promise.resolve(store.list('Note', here)).catch((error) => {
      assert.ok(assertUnavailable(error) && tries < 100, String(error))
      return undefined
    })
    if (page === undefined) continue
    assert.equal(page.members.length, 1)
    break
  }
})

test('a scan sees every write that was acknowledged before it began', async (t) => {
  const { store } = await openLarge(t, {}, 10)
  for (let round = 0; round < 20; round += 1) {
    await store.add('Note', memberOf(KINDS, `n${round}`, { title: `round ${round} here` }))
    const page = await store.list('Note', select({ filters: [contains(`round ${round} h`)] }))
    assert.deepEqual(
      page.members.map(({ id }) => id),
      [`n${round}`],
    )
  }
})

test('the store closes while a scan runs and another waits, which get 503', async (t) => {
  const { store, close } = await openLarge(t, { scanMs: 60_000 })
  const scans = Array.from({ length: 3 }, () =>
    assert.rejects(async () => store.list('Book', nowhere), assertUnavailable),
  )
  await turn()
  await close()
  await Promise.all(scans)
})

test('a scan whose thread fails gets 503, and the next one a new thread', async (t) => {
  const url = newSqlite(t)
  const scanner = createScanner({ path: pathOf(url), scanMs: 60_000, classes: new Map() }, (error) => error)
  t.after(() => scanner.close())
  const tables = tablesOf(1, SHAPES[0])
  // There is no database yet.
  await assert.rejects(scanner.scan(tables, nowhere), assertUnavailable)
  const store = await openFor(t, url, SHAPES)
  await store.members.add('Book', memberOf(KINDS, 'one', { title: 'a' }))
  const page = await scanner.scan(tables, select({ filters: [contains('a')] }))
  assert.deepEqual(
    page.members.map(({ id }) => id),
    ['one'],
  )
})

test('a process whose scans are done is not kept alive by the threads', async (t) => {
  const url = newSqlite(t)
  const store = await openFor(t, url, SHAPES)
  await store.close()
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `const { openStore } = await import(${module('../../../src/store/open.ts')})
    const { select, shapeOf } = await import(${module('../../support/shapes.ts')})
    const shapes = [shapeOf('Book', ${JSON.stringify(KINDS)})]
    const { members } = await openStore(${JSON.stringify(url)}, shapes, { scanMs: 20_000 })
    const filters = [{ property: 'title', test: 'contains', text: 'x' }]
    process.stdout.write(String((await members.list('Book', select({ filters }))).total))`
  const { stdout, stderr, status } = await run(process.execPath, ['--input-type=module', '-e', script])
  assert.deepEqual([stdout, stderr, status], ['0', '', 0])
})
