import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { databaseProblem, isUnavailable } from '../../../src/database/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { holding } from '../../support/holding.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor } from '../../support/stores.ts'

const BOOK: Kinds = { title: 'text' }
const REVIEW: Kinds = { book: 'text' }
const SHAPES = [shapeOf('Author'), shapeOf('Book', BOOK), shapeOf('Review', REVIEW)]
const UNIQUE_BOOK = shapeOf('Book', { title: 'unique' }, { fingerprint: 2 })

/** The outcome of a write, or 503; that is asked for again, since a busy machine may be the reason. */
async function outcomeOf(write: () => Promise<{ readonly outcome: string }>): Promise<string | number> {
  for (let left = 2; ; left -= 1) {
    try {
      return (await write()).outcome
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (left === 0) return 503
    }
  }
}

async function numberOf(url: string, className: string): Promise<unknown> {
  const [[id] = []] = await onPostgres(url, `SELECT id FROM classes WHERE name = '${className}'`)
  return id
}

/** Of each class, the number of members and that of its counters; and how many links lead nowhere. */
async function countsOf(url: string) {
  const classes = await onPostgres(url, 'SELECT name, id FROM classes ORDER BY name')
  const counts = await Promise.all(
    classes.map(async ([name, id]) => {
      const [[members, total] = []] = await onPostgres(
        url,
        `SELECT (SELECT count(*)::int FROM members_${id}),
          (SELECT coalesce(sum(total), 0)::int FROM totals WHERE class_id = ${id})`,
      )
      const dangling = await onPostgres(
        url,
        `SELECT to_id FROM links WHERE to_class = '${name}' AND to_id NOT IN (SELECT id FROM members_${id})`,
      )
      return { name, members, isCounted: members === total, dangling: [...dangling] }
    }),
  )
  return { members: counts.map(({ name, members }) => [name, members]), counts }
}

describe('while members are migrated to another API file', () => {
  test('others read on, and write to all classes but the migrated ones; a reader that takes long is waited for', {
    timeout: 60_000,
  }, async (t) => {
    const url = newPostgres(t)
    const { members, changes } = await openFor(t, url, SHAPES)
    await members.add('Book', memberOf(BOOK, 'one', { title: 'A' }))
    await members.add('Author', memberOf({}, 'ann'))
    const id = await numberOf(url, 'Book')
    const release = await holding(t, url, `SELECT count(*) FROM members_${id}`)

    const opening = openStore(url, [shapeOf('Author'), UNIQUE_BOOK, shapeOf('Review', REVIEW)])
    await lockedForWriting(url, `members_${id}`)
    assert.equal((await members.find('Book', 'one'))?.id, 'one')
    assert.equal((await members.list('Author', select())).total, 1)
    const outcomes: unknown[] = []
    for (let turn = 0; turn < WRITES; turn += 1) {
      outcomes.push(await outcomeOf(() => members.add('Author', memberOf({}, `a${turn}`))))
      const change = () => members.change('Author', 'ann', undefined, () => memberOf({}, '', { turn }))
      outcomes.push(await outcomeOf(change))
    }
    outcomes.push(await outcomeOf(() => members.remove('Author', 'ann', undefined)))
    const ofBooks = await Promise.all([
      outcomeOf(() => members.add('Book', memberOf(BOOK, 'two'))),
      outcomeOf(() => members.change('Book', 'one', undefined, () => memberOf(BOOK, ''))),
      outcomeOf(() => members.remove('Book', 'one', undefined)),
    ])
    await release()
    assert.deepEqual(outcomes, [
      ...Array.from({ length: WRITES }, () => ['added', 'changed']).flat(),
      'removed',
    ])
    assert.deepEqual(ofBooks, [503, 503, 503])
    const store = await opening
    t.after(() => store.close())
    const page = await store.members.list('Book', select())
    assert.deepEqual(
      page.members.map(({ id, body }) => [id, body]),
      [['one', ',"title":"A"']],
    )
    assert.equal((await members.add('Author', memberOf({}, 'bob'))).outcome, 'added')
    // It need not read the book, only that it is there.
    const review = memberOf(REVIEW, 'r', { book: 'Book/one' })
    assert.equal((await members.add('Review', review)).outcome, 'added')
    const { members: found, counts } = await countsOf(url)
    assert.deepEqual(found, [
      ['Author', WRITES + 1],
      ['Book', 1],
      ['Review', 1],
    ])
    for (const one of counts) assert.deepEqual([one.isCounted, one.dangling], [true, []], String(one.name))
    // Added, changed in each turn, removed; and the two that came before and the two after.
    assert.equal((await changes.after(0, 1_000)).changes.length, 2 * WRITES + 1 + 4)
  })

  test('the target of a link that the migration adds cannot be removed', { timeout: 60_000 }, async (t) => {
    const url = newPostgres(t)
    const { members } = await openFor(t, url, SHAPES)
    await members.add('Author', memberOf({}, 'ann'))
    await members.add('Book', memberOf(BOOK, 'one', { title: 'ann' }))
    const id = await numberOf(url, 'Book')
    const release = await holding(t, url, `SELECT count(*) FROM members_${id}`)
    const linking = shapeOf('Book', BOOK, {
      fingerprint: 2,
      types: { Book: { title: 'another type' } },
      convert: ({ body }) => ({
        ...memberOf(BOOK, '', { title: 'ann' }),
        body,
        links: [{ property: 'title', className: 'Author', id: 'ann' }],
      }),
    })
    const opening = openStore(url, [shapeOf('Author'), linking, shapeOf('Review', REVIEW)])
    // The members are converted when the new tables exist and their readers are waited for.
    await lockedForWriting(url, `members_${id}`)
    await waitsFor(url, `members_${id}`)
    const outcome = await outcomeOf(() => members.remove('Author', 'ann', undefined))
    await release()
    assert.equal(outcome, 503)
    await (await opening).close()
    assert.equal((await members.remove('Author', 'ann', undefined)).outcome, 'linked')
    const { counts } = await countsOf(url)
    for (const one of counts) assert.deepEqual([one.isCounted, one.dangling], [true, []], String(one.name))
  })

  test('what links to the migrated class is stored before it, or refused; no link leads nowhere', async (t) => {
    const url = newPostgres(t)
    const { members } = await openFor(t, url, SHAPES)
    const ids = Array.from({ length: inSoak(20_000, 200) }, (_, index) => `b${index}`)
    for (let first = 0; first < ids.length; first += 1_000) {
      const some = ids.slice(first, first + 1_000)
      await members.addAll(
        some.map((id) => ({ className: 'Book', member: memberOf(BOOK, id, { title: id }) })),
      )
    }
    let isOver = false
    const done = { Author: 0, Review: 0, Book: ids.length }
    /** Writes until the end, and counts. */
    const write = async (className: keyof typeof done, more: number, request: (turn: number) => unknown) => {
      for (let turn = 0; !isOver; turn += 1) {
        try {
          await request(turn)
          done[className] += more
        } catch (error) {
          assert.ok(isUnavailable(error), String(error))
          // It may be refused at once, and the migration needs a turn.
          await immediate()
        }
      }
    }
    const working = [
      write('Author', 1, (turn) => members.add('Author', memberOf({}, `a${turn}`))),
      write('Review', 1, (turn) =>
        members.add('Review', memberOf(REVIEW, `r${turn}`, { book: `Book/b${turn % 100}` })),
      ),
      write('Book', -1, async (turn) => {
        const { outcome } = await members.remove('Book', ids.at(-1 - turn) ?? '', undefined)
        if (outcome !== 'removed') throw databaseProblem('DatabaseBusy', { retryAfterSeconds: 1 })
      }),
    ]
    await (await openStore(url, [shapeOf('Author'), UNIQUE_BOOK, shapeOf('Review', REVIEW)])).close()
    isOver = true
    await Promise.all(working)
    const { members: found, counts } = await countsOf(url)
    assert.deepEqual(found, [
      ['Author', done.Author],
      ['Book', done.Book],
      ['Review', done.Review],
    ])
    for (const one of counts) assert.deepEqual([one.isCounted, one.dangling], [true, []], String(one.name))
  })
})

describe('requests that are under way while another process migrates the members', () => {
  test('are answered as before, or get 503', async (t) => {
    const url = newPostgres(t)
    const { members } = await openFor(t, url, SHAPES)
    const ids = Array.from({ length: 500 }, (_, index) => `b${index}`)
    await members.addAll(ids.map((id) => ({ className: 'Book', member: memberOf(BOOK, id, { title: id }) })))
    let isOver = false
    const kinds: readonly ((turn: number) => unknown)[] = [
      (turn) => members.find('Book', `b${turn % 500}`),
      () => members.list('Book', select({ order: [{ property: 'title', descending: true }], limit: 5 })),
      () => members.list('Book', select({ words: ['b7'] })),
      (turn) => members.add('Book', memberOf(BOOK, `new${turn}`, { title: 'new' })),
      (turn) => members.change('Book', `b${turn % 500}`, undefined, () => memberOf(BOOK, '', { title: 'B' })),
      (turn) => members.remove('Book', `b${turn % 500}`, undefined),
    ]
    const working = kinds.map(async (request) => {
      for (let turn = 0; !isOver; turn += 1) {
        try {
          await request(turn)
        } catch (error) {
          assert.ok(isUnavailable(error), String(error))
          // It is refused at once, and others need a turn.
          await immediate()
        }
      }
    })
    for (const fingerprint of [2, 3]) {
      const shape = shapeOf(
        'Book',
        { title: 'text', pages: 'number' },
        {
          fingerprint,
          types: { Book: { title: `type ${fingerprint}` } },
        },
      )
      await (await openStore(url, [shape])).close()
    }
    isOver = true
    await Promise.all(working)
    for (const request of kinds) await assert.rejects(async () => request(0), { code: 'MigratedElsewhere' })
  })
})

/** Writes during a migration that is held up. */
const WRITES = 5

/** Until the migration waits for the readers of the table. */
async function waitsFor(url: string, table: string): Promise<void> {
  for (;;) {
    const waiting = await onPostgres(
      url,
      `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
    )
    if (waiting.length > 0) return
  }
}

async function lockedForWriting(url: string, table: string): Promise<void> {
  for (;;) {
    const locked = await onPostgres(
      url,
      `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'ShareLock' AND granted`,
    )
    if (locked.length > 0) return
  }
}
