import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { listenForEnds } from '../../src/store/postgres/token-cache.ts'
import { openFor } from '../store/stores.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { eventually } from './hosts.ts'

const NOW = Date.UTC(2030, 0, 1)

/** Somebody who listens on a new database, under a name of its own, and how often it was told something. */
async function start(t: TestContext) {
  const db = newPostgres(t)
  const { auth } = await openFor(t, db)
  await auth.addUser(7, 'hash', NOW)
  const name = `listener_${randomBytes(4).toString('hex')}`
  const told = { count: 0 }
  const listening = listenForEnds(`${db}&application_name=${name}`, () => {
    told.count += 1
  })
  t.after(() => listening.close())
  const heard = (count: number) => eventually(`${count} calls`, async () => told.count === count)
  await heard(1)
  const cut = () =>
    onPostgres(db, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      name,
    ])
  return { db, auth, told, heard, cut, listening }
}

test('whatever ends a token is heard on every host', async (t) => {
  const { auth, heard } = await start(t)
  await auth.revokeTokens('all', NOW)
  await heard(2)
  await auth.revokeTokens({ userId: 7 }, NOW)
  await heard(3)
  await auth.setParaphrase(7, 'new')
  await heard(4)
  await auth.removeUser(7)
  await heard(5)
})

test('what ends on another database of the same server is not heard', async (t) => {
  const { auth, told, heard } = await start(t)
  const other = await openFor(t, newPostgres(t))
  await other.auth.revokeTokens('all', NOW)
  await auth.revokeTokens('all', NOW)
  await heard(2)
  // PostgreSQL tells in the order of the commits: the other one would have come before.
  assert.equal(told.count, 2)
})

test('a listener whose connection is ended listens again, and takes it that it has missed something', async (t) => {
  const { auth, heard, cut } = await start(t)
  for (const before of [1, 3, 5]) {
    assert.equal((await cut()).length, 1)
    await heard(before + 1)
    await auth.revokeTokens('all', NOW)
    await heard(before + 2)
  }
})

test('a listener that is closed leaves no connection behind', async (t) => {
  const { cut, listening } = await start(t)
  await listening.close()
  await eventually('no connection is left', async () => (await cut()).length === 0)
})

test('a host that hears of an end refuses the token before what it remembers has run out', async (t) => {
  const { db, auth } = await start(t)
  const name = `host_${randomBytes(4).toString('hex')}`
  const other = await openFor(t, `${db}&application_name=${name}`)
  await auth.succeed(0, { id: 7, paraphraseHash: 'hash' }, { hash: 'a', issuedAt: NOW, expiresAt: NOW + 1 })
  // While the clocks stand still, nothing that is remembered runs out.
  for (const clock of [performance, Date]) {
    const stopped = clock.now()
    t.mock.method(clock, 'now', () => stopped)
  }
  assert.equal((await other.auth.findToken('a'))?.userId, 7)
  await eventually('it listens', async () => {
    const [row] = await onPostgres(
      db,
      "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%LISTEN%' AND state = 'idle'",
      [name],
    )
    return row !== undefined
  })
  await eventually('it remembers', async () => !(other.auth.findToken('a') instanceof Promise))
  await auth.revokeTokens('all', NOW)
  await eventually('it is refused', async () => (await other.auth.findToken('a')) === undefined)
})
