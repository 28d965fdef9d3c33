import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MAX_COUNTED, type Order, type Selection } from '../../../src/members/index.ts'
import { batchText } from '../../../src/members/postgres/page-batch.ts'
import { readPage, rowOf, unfilteredPage } from '../../../src/members/postgres/page-statement.ts'
import { numbered } from '../../../src/members/postgres/pages.ts'
import { statementFor } from '../../../src/members/postgres/read.ts'
import { dialectOf, tablesOf } from '../../../src/members/postgres/tables.ts'
import { toQuery } from '../../../src/members/query/filters.ts'
import type { Key } from '../../../src/vocabulary/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor } from '../../support/stores.ts'
import { combinedSelections } from '../combined-selections.ts'
import { keepsCreation, singleFilters, startsOf } from '../single-selections.ts'
import { connectAs, ELSEWHERE, explain, type RunSql, readIn } from './explained.ts'

const KINDS: Kinds = { title: 'text', size: 'number', tags: 'texts' }
const KEYS = { title: ['title 000500', 'title 015000'], size: [2, 4], tags: ['tag 3', 'tag 40'] }
type Name = keyof typeof KEYS

const MEMBERS = inSoak(50_000, 20_000)
const LIMIT = 20

/**
 * Every selection of one filter, or of one order and at most a filter on the same property; but for the order of many
 * values, which is no order of an index alone.
 */
function* singleSelections(): Generator<Selection> {
  for (const property of Object.keys(KEYS) as Name[]) {
    const [key] = KEYS[property] as [Key]
    const isMany = KINDS[property] === 'texts'
    const ways = [false, true].map((descending): Order[] => [{ property, descending }])
    for (const filter of singleFilters(property, KEYS[property] as [Key, Key])) {
      const isPlaced = isMany && ['in', 'range', 'spans'].includes(filter.test)
      for (const order of [...(keepsCreation(filter) ? [[]] : []), ...(isPlaced ? [] : ways)])
        for (const start of startsOf(order, key, 50, MEMBERS / 2))
          yield select({ filters: [filter], order, start })
    }
    if (!isMany)
      for (const order of ways)
        for (const start of startsOf(order, key, 50, MEMBERS / 2)) yield select({ order, start })
  }
  for (const start of startsOf([], '', 50, MEMBERS / 2)) yield select({ words: ['even'], start })
}

/** Written past the store, since it is many; `isAnalyzed`: whether PostgreSQL has looked at what they are like. */
async function openLarge(t: TestContext, isAnalyzed: boolean, members = MEMBERS, tags = 1) {
  const url = newPostgres(t)
  const shape = shapeOf('Thing', KINDS)
  await openFor(t, url, [shape])
  const numbers = `generate_series(1, ${members}) AS s (n)`
  const size = (n: string) =>
    `'n' || (ARRAY['bff0000000000000', 'c000000000000000', 'c008000000000000', 'c010000000000000'])[1 + ${n} % 4]`
  await onPostgres(
    url,
    `INSERT INTO members_1 (sequence, id, version, owner, body, holes, hidden, k0, k1, k2)
     SELECT n, 'm' || n, n, 1, repeat('x', 100), '', '', 'stitle ' || lpad((n * 7919 % ${members})::text, 6, '0'),
       CASE WHEN n % 10 > 0 THEN ${size('n')} END, CASE WHEN n % 10 > 0 THEN 'stag ' || n % 50 END FROM ${numbers}`,
  )
  await onPostgres(
    url,
    `INSERT INTO values_1 SELECT 2, 'stag ' || (n + more) % 50, n, 0
     FROM ${numbers}, generate_series(0, ${tags - 1}) AS t (more) WHERE n % 10 > 0`,
  )
  await onPostgres(
    url,
    `INSERT INTO words_1 SELECT CASE WHEN n % 2 = 0 THEN 'seven' ELSE 'sodd' END, n FROM ${numbers}`,
  )
  await onPostgres(url, `INSERT INTO totals VALUES (1, 0, ${members})`)
  if (isAnalyzed) await onPostgres(url, 'ANALYZE members_1, values_1, words_1, totals')
  const connect = (session: Parameters<typeof connectAs>[2]): RunSql => connectAs(t, url, session)
  const dialect = dialectOf(tablesOf(1, shape.keys), () => undefined)
  const statementOf = (selection: Selection) => statementFor(dialect, toQuery(dialect, selection))
  return { url, connect, dialect, statementOf }
}

type Large = Awaited<ReturnType<typeof openLarge>>

async function checkPlans({ connect, statementOf }: Large): Promise<void> {
  const run = connect('READING')
  let checked = 0
  for (const chosen of singleSelections()) {
    const selection = { ...chosen, limit: LIMIT }
    const { statement, isQuick } = statementOf(selection)
    const made = statement('share')
    const said = JSON.stringify(selection)
    assert.ok(isQuick, said)
    const nodes = await explain(run, numbered(made), made.params)
    for (const node of nodes) assert.doesNotMatch(node['Node Type'], ELSEWHERE, said)
    const [filter] = selection.filters
    const keys = filter?.test === 'in' ? filter.keys.length : 1
    const isCounted = selection.filters.length + selection.words.length > 0
    // A page from each part, or as many as are counted, and never what lies before a cursor.
    const skipped = selection.start.at === 'offset' ? selection.start.offset : 0
    const most = Math.max(3 * keys * (skipped + LIMIT + 1), isCounted ? keys * (MAX_COUNTED + 1) : 0)
    for (const node of nodes) assert.ok(readIn(node) <= most, `${readIn(node)} ${node['Node Type']} ${said}`)
    checked += 1
  }
  assert.ok(checked > 100, String(checked))
}

/** How many members each has, by number: one nearly all, others few or none. */
const OWNERS = { 1: MEMBERS - MEMBERS / 100 - MEMBERS / 10_000, 7: MEMBERS / 100, 8: MEMBERS / 10_000, 9: 0 }

async function checkOwned({ url, connect, dialect }: Large): Promise<void> {
  // Behind the statistics, which know of one owner alone.
  await onPostgres(url, 'UPDATE members_1 SET owner = 7 WHERE sequence % 100 = 0')
  await onPostgres(url, 'UPDATE members_1 SET owner = 8 WHERE sequence % 10000 = 9999')
  await onPostgres(url, 'INSERT INTO owner_totals SELECT 1, owner, 0, count(*) FROM members_1 GROUP BY owner')
  const run = connect('READING')
  for (const [owner, total] of Object.entries(OWNERS)) {
    for (const start of startsOf([], '', Math.min(50, total), MEMBERS / 2)) {
      const selection = select({ owner: Number(owner), start, limit: LIMIT })
      const said = JSON.stringify(selection)
      const { text, params } = unfilteredPage(dialect.tables, selection, 'share')
      const nodes = await explain(run, numbered({ text, params }), params)
      for (const node of nodes) assert.doesNotMatch(node['Node Type'], ELSEWHERE, said)
      const skipped = start.at === 'offset' ? start.offset : 0
      for (const node of nodes)
        assert.ok(readIn(node) <= skipped + LIMIT + 1, `${readIn(node)} ${node['Node Type']} ${said}`)
      const query = toQuery(dialect, selection)
      const page = await readPage(
        rowOf(run, () => ({ text, params })),
        query,
        dialect.read,
      )
      assert.equal(page.total, total, said)
      assert.ok(page.members.every((member) => member.owner === Number(owner)))
    }
  }
}

/** Pages that are read by one statement, each with another beginning. */
async function checkTogether({ connect, dialect }: Large): Promise<void> {
  const run = connect('READING')
  for (const at of ['offset', 'after', 'before'] as const) {
    const beginnings = at === 'offset' ? '{0,40,100}' : `{50,${MEMBERS / 2},${MEMBERS - 50}}`
    const params = ['{20,20,20}', beginnings, '{1000,1000,1000}', '{1000,1000,1000}']
    const nodes = await explain(run, batchText(dialect.tables, at), params)
    for (const node of nodes) {
      assert.doesNotMatch(node['Node Type'], ELSEWHERE, at)
      assert.ok(readIn(node) <= 3 * 20 + 141, `${readIn(node)} ${node['Node Type']} ${at}`)
    }
  }
}

async function checkBeginning({ connect, statementOf }: Large): Promise<void> {
  const run = connect('SCANNING')
  for (const descending of [false, true]) {
    const selection = select({
      filters: [
        { property: 'title', test: 'range', to: { key: 'title 000100', inclusive: false } },
        { property: 'size', test: 'in', keys: [2, 3] },
        { property: 'tags', test: 'range', from: { key: 'tag 1', inclusive: true } },
      ],
      order: [{ property: 'size', descending }],
      limit: LIMIT,
    })
    const { statement, isQuick } = statementOf(selection)
    assert.equal(isQuick, false)
    const made = statement('sum')
    const nodes = await explain(run, numbered(made), made.params)
    for (const node of nodes) assert.ok(readIn(node) <= 1_100, `${readIn(node)} ${node['Node Type']}`)
  }
}

/** One after the other on the same members, of which the last changes some. */
async function checkLarge(t: TestContext, isAnalyzed: boolean): Promise<void> {
  const large = await openLarge(t, isAnalyzed)
  await t.test(
    'each single filter, q and each single order is a range of an index, and no more of it is read',
    () => checkPlans(large),
  )
  if (isAnalyzed)
    await t.test('a filter that few match is where a combination begins, whatever its order', () =>
      checkBeginning(large),
    )
  await t.test('pages of a turn of the event loop are ranges of an index, each by itself', () =>
    checkTogether(large),
  )
  await t.test(
    'of the members of one owner, a page is a range of an index and the total a counter, whoever has the others',
    () => checkOwned(large),
  )
}

// contract: The unfiltered list in its default order
test('of a large collection no more is read than a page needs', (t) => checkLarge(t, true))

test('so it is where PostgreSQL knows nothing of the members yet', (t) => checkLarge(t, false))

const SCANNED = 2_000
const TAGS = 3
/** All of them would take half a minute. Neither number divides one of the loops that they come from. */
const STRIDE = inSoak(7, 13)

/** Each step of a page may look at all members and all their values, and not at all of one for each of the other. */
async function checkScans(t: TestContext, isAnalyzed: boolean): Promise<void> {
  const { connect, statementOf } = await openLarge(t, isAnalyzed, SCANNED, TAGS)
  const run = connect('SCANNING')
  const keys = {
    title: ['title 000500', 'title 001700'],
    size: [2, 4],
    tags: ['tag 3', 'tag 40'],
  } as const
  const most = 4 * (SCANNED + SCANNED * TAGS)
  let checked = 0
  const all = [...combinedSelections({ kinds: KINDS, keys, words: ['even'], sequence: SCANNED / 2 })]
  for (const chosen of all.filter((_, index) => index % STRIDE === 0)) {
    const selection = { ...chosen, limit: LIMIT }
    const { statement } = statementOf(selection)
    const made = statement('share')
    const nodes = await explain(run, numbered(made), made.params)
    for (const node of nodes)
      assert.ok(readIn(node) <= most, `${readIn(node)} ${node['Node Type']} ${JSON.stringify(selection)}`)
    checked += 1
  }
  assert.ok(checked > inSoak(150, 80), String(checked))
}

// contract: **Cost**: each single filter
test('whatever a scan asks of each member, rows are read in proportion to the members and their values', (t) =>
  checkScans(t, true))

test('so they are where PostgreSQL knows nothing of the members yet', (t) => checkScans(t, false))
