import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import type { Param } from '../../../src/database/postgres/pool.ts'
import { WRITING } from '../../../src/database/postgres/pools.ts'
import { createClassStatements } from '../../../src/members/postgres/class-statements.ts'
import { REASONS } from '../../../src/members/postgres/reasons.ts'
import { tablesOf } from '../../../src/members/postgres/tables.ts'
import { ADD, CHANGE, removeText } from '../../../src/members/postgres/write-statements.ts'
import type { Store } from '../../../src/store/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, shapeOf, type Values } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts', next: 'text' }
const SHAPE = shapeOf('Book', KINDS, { history: { ageMs: undefined } })
const TARGETS = { find: () => ({ id: 1, members: 'members_1' }), isKnown: () => true }
const CLASS = createClassStatements('Book', tablesOf(1, SHAPE.keys, SHAPE), TARGETS)
/** Far more than fit into what a statement reads by its indexes. */
const MEMBERS = 10_000
/** Members are linked to up to this one; those behind can be removed. */
const MOST_LINKED = 400

const valuesAt = (n: number, words: string): Values => ({
  isbn: `isbn ${n}`,
  title: `the title ${n} ${words}`,
  tags: [`tag ${n % 50}`, words],
  next: `Book/b${(n % MOST_LINKED) + 1}`,
})

const bookAt = (n: number, words = 'first') => memberOf(KINDS, `b${n}`, valuesAt(n, words))

/** PostgreSQL takes no statistics by itself, which it does once a minute. */
async function openUnwatched(t: TestContext, url: string): Promise<Store> {
  const store = await openFor(t, url, [SHAPE])
  for (const table of ['members_1', 'values_1', 'words_1', 'history_1', 'links'])
    await onPostgres(url, `ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  return store
}

/** A connection on which statements are made as those of a store are. */
async function connect(t: TestContext, url: string) {
  const search_path = new URL(url).searchParams.get('search_path') ?? ''
  const connection = { ...WRITING, search_path }
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection })
  t.after(() => sql.end())
  const run = (text: string) => sql.unsafe(text).values() as unknown as Promise<unknown[][]>

  /** How much of the tables a statement reads that was prepared before. Nothing of it stays. */
  async function blocksOf(name: string, params: readonly Param[]): Promise<number> {
    const given = params.map((param) => `'${String(param).replaceAll("'", "''")}'`)
    await run('BEGIN')
    const [[explained] = []] = await run(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} (${given})`)
    await run('ROLLBACK')
    const [{ Plan: plan }] = explained as [{ readonly Plan: Readonly<Record<string, number>> }]
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan
    return hit + read
  }
  return { run, blocksOf }
}

const deadline = Date.now() + 3_600_000

/** Of a member that is there, and of one that is not. */
function statementsAt(n: number) {
  const added = CLASS.statement(ADD, [{ member: bookAt(MEMBERS + 1), sequence: MEMBERS + 1, version: null }])
  const changed = CLASS.statement(CHANGE, [{ member: bookAt(n, 'second'), sequence: n, version: n }])
  const reasons = CLASS.statement(REASONS, [{ member: bookAt(n), sequence: null, version: null }])
  return {
    add: [added.text, [...added.params, deadline]],
    change: [changed.text, [...changed.params, deadline]],
    remove: [removeText(CLASS), [n, `b${n}`, 1, '']],
    reasons: [reasons.text, reasons.params],
  } satisfies Readonly<Record<string, readonly [string, readonly Param[]]>>
}

/** Written past the store, since it is many. */
async function fill(url: string, from: number, to: number): Promise<void> {
  const numbers = `generate_series(${from}, ${to}) AS s (n)`
  const words = `ARRAY['sthe', 'stitle', 's' || n, 'sfirst', 'stag', 's' || n % 50, 'sbook', 'sb' || n % ${MOST_LINKED} + 1, 'sisbn']`
  for (const text of [
    `INSERT INTO members_1 (sequence, id, version, body, holes, hidden, words, k0, k1, k2, k3)
     SELECT n, 'b' || n, n, '', '', '', ${words}, 'sisbn ' || n, 'sthe title ' || n || ' first', 'sfirst', 'sBook/b' || n % ${MOST_LINKED} + 1
     FROM ${numbers}`,
    // Each has been removed and added again.
    `INSERT INTO history_1 SELECT 'b' || n, entry, entry % 3, 0, NULL, NULL, entry % 3 / 2, '', '', '', ''
     FROM ${numbers}, generate_series(n, n + 5) AS entry`,
    `INSERT INTO values_1 (property, key, sequence, element)
     SELECT 2, tag, n, 0 FROM ${numbers}, unnest(ARRAY['sfirst', 'stag ' || n % 50]) AS tag`,
    `INSERT INTO words_1 SELECT DISTINCT word, n FROM ${numbers}, unnest(${words}) AS word`,
    `INSERT INTO links SELECT 'Book', 'b' || n % ${MOST_LINKED} + 1, 'Book', 'next', 'b' || n FROM ${numbers}`,
    `INSERT INTO totals VALUES (1, 0, ${to}) ON CONFLICT (class_id, slot) DO UPDATE SET total = excluded.total`,
    `SELECT setval('order_1', ${to}), setval('versions_1', ${to})`,
  ])
    await onPostgres(url, text)
}

test('plans of writes that were made for an empty collection read no more of a large one', async (t) => {
  const url = newPostgres(t)
  await openUnwatched(t, url)
  const { run, blocksOf } = await connect(t, url)
  const statements = statementsAt(500)
  for (const [name, [text, params]] of Object.entries(statements)) {
    await run(`PREPARE ${name} AS ${text}`)
    await run(`EXPLAIN EXECUTE ${name} (${params.map(() => 'NULL')})`)
  }
  const blocks = async () => {
    const all: Record<string, number> = {}
    for (const [name, [, params]] of Object.entries(statements)) all[name] = await blocksOf(name, params)
    return all
  }
  await fill(url, 1, 1_000)
  const few = await blocks()
  await fill(url, 1_001, MEMBERS)
  const many = await blocks()
  for (const name of Object.keys(statements)) {
    assert.ok((many[name] as number) < 3 * (few[name] as number), JSON.stringify({ name, few, many }))
  }
})

const isKnown = async (url: string, least: number): Promise<boolean> => {
  const rows = await onPostgres(url, "SELECT reltuples FROM pg_class WHERE oid = 'members_1'::regclass")
  return Number(rows[0]?.[0]) >= least
}

test('statistics are taken as a collection grows, by one host at a time, and end the plans made before', async (t) => {
  const url = newPostgres(t)
  const { members } = await openUnwatched(t, url)
  const { run, blocksOf } = await connect(t, url)
  const [text, params] = statementsAt(500).reasons
  // The worst that can be known of it: that it is empty.
  await onPostgres(url, 'ANALYZE members_1')
  await run(`PREPARE reasons AS ${text}`)
  await blocksOf('reasons', params)
  await fill(url, 1, MEMBERS)
  // Another host is at it, and has the lock that ANALYZE takes.
  await run('BEGIN')
  await run('LOCK TABLE members_1 IN SHARE UPDATE EXCLUSIVE MODE')
  const addSome = async (from: number, count: number) => {
    const books = Array.from({ length: count }, (_, n) => ({ className: 'Book', member: bookAt(from + n) }))
    const added = await members.addAll(books)
    assert.ok(added.every(({ outcome }) => outcome === 'added'))
  }
  await addSome(MEMBERS + 1, 1)
  await wait(1_500)
  assert.ok(!(await isKnown(url, MEMBERS / 2)))
  await run('COMMIT')
  for (let round = 1; !(await isKnown(url, MEMBERS / 2)); round += 1) {
    assert.ok(round < 20, 'they were not taken')
    await addSome(MEMBERS + 500 * round, 500)
    await wait(500)
  }
  // A plan that was made for an empty table reads all of it.
  const blocks = await blocksOf('reasons', params)
  assert.ok(blocks < 100, String(blocks))
})
