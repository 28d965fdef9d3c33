import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { memberOf, shapeOf } from '../../support/shapes.ts'
import { newSqlite } from '../../support/stores.ts'

const KINDS = { title: 'text' } as const
const SHAPES = [shapeOf('Author'), shapeOf('Book', KINDS)]
/** A default is filled in, so that members have to be converted. */
const CHANGED = [
  shapeOf('Author'),
  shapeOf('Book', { ...KINDS, pages: 'number' }, { fingerprint: 2, defaults: new Map([['pages', 'pages']]) }),
]
/** More than are converted before the store opens. */
const MANY = 10_010

// contract: `/readyz` does not wait for it
test('SQLite: a dry run tells how far a server has converted the members', async (t) => {
  const url = newSqlite(t)
  const first = await openStore(url, SHAPES, { bulk: true })
  const books = Array.from({ length: MANY }, (_, index) => ({
    className: 'Book',
    member: memberOf(KINDS, `b${index}`, { title: 'T' }),
  }))
  await first.members.addAll(books)
  await first.close()
  const percent = async () => (await dryRun(url, CHANGED)).converting
  assert.deepEqual((await dryRun(url, SHAPES)).converting, [])
  const store = await openStore(url, CHANGED)
  assert.deepEqual(await percent(), [{ className: 'Book', percent: 0 }])
  let [converted] = await percent()
  while (converted?.percent === 0) {
    await store.catchUp.turn()
    ;[converted] = await percent()
  }
  assert.ok(converted === undefined || (converted.percent > 0 && converted.percent < 100))
  await store.close()
})
