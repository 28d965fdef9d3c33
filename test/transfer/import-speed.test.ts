import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { soakTest } from '../support/soak.ts'
import { compareTimes } from '../support/timing.ts'
import { type Bulk, openBulk } from './transfer.ts'

const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true }
  Book:
    properties:
      title: { type: string, required: true }
      isbn: { type: string, unique: true }
      author: { type: Author, required: true }
      sequel: Book
`
const BOOKS = 1_000
const AUTHORS = 100

const authors = () =>
  Array.from({ length: AUTHORS }, (_, n) => ({
    '@id': `/authors/${n}`,
    '@type': 'Author',
    name: `Author ${n}`,
  }))

/** The first half links to the second, and is set aside until that is there. */
const books = (from: number) =>
  Array.from({ length: BOOKS }, (_, n) => ({
    '@id': `/books/${from + n}`,
    '@type': 'Book',
    title: `The book with number ${from + n}`,
    isbn: `isbn ${from + n}`,
    author: `/authors/${n % AUTHORS}`,
    ...(n < BOOKS / 2 ? { sequel: `/books/${from + n + BOOKS / 2}` } : {}),
  }))

async function timeOf(bulk: Bulk, part: number): Promise<number> {
  const started = performance.now()
  const { added, reported } = await bulk.import(books(part * BOOKS))
  assert.deepEqual([added, reported], [BOOKS, []])
  // Again, as after an interruption: each is looked for by all that it must have for itself.
  assert.equal((await bulk.import(books(part * BOOKS))).alreadyThere, BOOKS)
  return performance.now() - started
}

async function open(t: TestContext, db?: string): Promise<Bulk> {
  const bulk = await openBulk(t, API, db)
  assert.equal((await bulk.import(authors())).added, AUTHORS)
  return bulk
}

/** PostgreSQL takes statistics by itself once a minute, which is not to be waited for. */
const isLeftAlone = (table: string): string => `ALTER TABLE ${table} SET (autovacuum_enabled = false)`

// The plans that these times come from: members/postgres/plans and tables-growth.
soakTest('an import of linked members goes on about as fast as into SQLite', (t) =>
  compareTimes(async () => {
    const url = newPostgres(t)
    const [postgres, sqlite] = [await open(t, url), await open(t)]
    for (const table of ['members_2', 'values_2', 'words_2', 'links'])
      await onPostgres(url, isLeftAlone(table))
    // In turn, so that a busy moment of the machine harms both.
    for (let part = 0; part < 3; part += 1) {
      const [sqliteMs, postgresMs] = [await timeOf(sqlite, part), await timeOf(postgres, part)]
      // It takes about twice as long; with a plan that was made for an empty collection, a part takes ten times as long.
      assert.ok(postgresMs < 6 * sqliteMs, `part ${part}: ${postgresMs} ms, into SQLite ${sqliteMs} ms`)
    }
  }),
)

/** Each links to the one before it, or all to the first. */
const series = (kind: 'chain' | 'star') =>
  Array.from({ length: BOOKS }, (_, n) => ({
    '@id': `/books/${kind}-${n}`,
    '@type': 'Book',
    title: 'A book',
    author: '/authors/0',
    ...(n > 0 && { sequel: `/books/${kind}-${kind === 'chain' ? n - 1 : 0}` }),
  }))

soakTest(
  'a chain of members that each link to the one before is imported about as fast as other links',
  (t) =>
    compareTimes(async () => {
      const bulk = await open(t, newPostgres(t))
      const times = { star: 0, chain: 0 }
      for (const kind of ['star', 'chain'] as const) {
        const started = performance.now()
        assert.equal((await bulk.import(series(kind))).added, BOOKS)
        times[kind] = performance.now() - started
      }
      // With a statement for each member of the chain it takes seven times as long.
      assert.ok(times.chain < 3 * times.star, `${times.chain} ms, and ${times.star} ms`)
    }),
)
