import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HttpError } from '../../src/errors.ts'
import { openStore } from '../../src/store/open.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { holding } from './holding.ts'
import { type Kinds, memberOf, select, shapeOf } from './shapes.ts'
import { openFor } from './stores.ts'

const BOOK: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Author'), shapeOf('Book', BOOK)]

describe('while members are migrated to another API file', () => {
  test('others read on, nobody writes, and a reader that takes long is waited for', {
    timeout: 60_000,
  }, async (t) => {
    const url = newPostgres(t)
    const { members } = await openFor(t, url, SHAPES)
    await members.add('Book', memberOf(BOOK, 'one', { title: 'A' }))
    await members.add('Author', memberOf({}, 'ann'))
    const [[id] = []] = await onPostgres(url, "SELECT id FROM classes WHERE name = 'Book'")
    const release = await holding(t, url, `SELECT count(*) FROM members_${id}`)

    const opening = openStore(url, [shapeOf('Book', { title: 'unique' }, { fingerprint: 2 })])
    await lockedForWriting(url, `members_${id}`)
    assert.equal((await members.find('Book', 'one'))?.id, 'one')
    assert.equal((await members.list('Author', select())).total, 1)
    for (const add of [
      () => members.add('Book', memberOf(BOOK, 'two')),
      () => members.add('Author', memberOf({}, 'bob')),
    ]) {
      await assert.rejects(add, (error) => error instanceof HttpError && error.status === 503)
    }
    await release()
    const store = await opening
    t.after(() => store.close())
    const page = await store.members.list('Book', select())
    assert.deepEqual(
      page.members.map(({ id, body }) => [id, body]),
      [['one', ',"title":"A"']],
    )
    assert.equal((await members.add('Author', memberOf({}, 'bob'))).outcome, 'added')
  })
})

describe('requests that are under way while another process migrates the members', () => {
  test('are answered as before, or get 503', async (t) => {
    const url = newPostgres(t)
    const { members } = await openFor(t, url, SHAPES)
    const ids = Array.from({ length: 500 }, (_, index) => `b${index}`)
    await members.addAll(ids.map((id) => ({ className: 'Book', member: memberOf(BOOK, id, { title: id }) })))
    let isOver = false
    const isRefused = (error: unknown) => error instanceof HttpError && error.status === 503
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
          assert.ok(isRefused(error), String(error))
        }
      }
    })
    for (const fingerprint of [2, 3]) {
      const shape = shapeOf('Book', { title: 'text', pages: 'number' }, { fingerprint })
      await (await openStore(url, [shape])).close()
    }
    isOver = true
    await Promise.all(working)
    for (const request of kinds) await assert.rejects(async () => request(0), /another API file/)
  })
})

async function lockedForWriting(url: string, table: string): Promise<void> {
  for (;;) {
    const locked = await onPostgres(
      url,
      `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'ShareLock' AND granted`,
    )
    if (locked.length > 0) return
  }
}
