import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createEventIds } from '../../src/api/index.ts'
import type { FollowerStore } from '../../src/members/index.ts'
import { openStore } from '../../src/store/open.ts'
import { execute } from '../support/databases.ts'
import { type Kinds, memberOf, shapeOf } from '../support/shapes.ts'
import { openFor } from '../support/stores.ts'
import { assertRefused, folderWithDatabase, hydrant } from './command.ts'

const KINDS: Kinds = { title: 'text' }
const LEASE_MS = 600_000
const MINE = { name: 'mail', holder: 'me', rewinds: 0 }

/** A folder whose database has four changes; the follower has come to the third, and of two it has failed to handle one. */
async function folderWithFollower(t: TestContext) {
  const folder = await folderWithDatabase(t)
  const store = await openFor(t, `sqlite:${join(folder, 'hydrant.db')}`, [shapeOf('Book', KINDS)])
  const { members, changes, followers, auth } = store
  await followers.register('mail')
  for (const id of ['a', 'b', 'c', 'd']) await members.add('Book', memberOf(KINDS, id))
  await followers.claim('mail', 'me', LEASE_MS)
  const error = { text: 'the mail server\nis down', at: Date.UTC(2026, 0, 31) }
  const waits = ['b', 'a'].map((id, index) => ({
    ...{ className: 'Book', id, position: 2 - index, attempts: 3, nextAt: 0, error: error.text },
  }))
  await followers.save(MINE, { position: 3, lost: 0, error, waits, settled: [] })
  const ids = createEventIds({ secret: await auth.nonceSecret(), base: '', changes }, await changes.epoch())
  const eventAt = async (position: number) => {
    const change = await changes.find(position)
    return change === undefined ? '' : ids.of(change)
  }
  return { folder, followers, eventAt, store }
}

const listed = async (folder: string) =>
  JSON.parse((await hydrant(['follower', 'list', '--json'], { cwd: folder })).stdout)

// contract: `hydrant follower list` / `skip <name>`
test('follower list shows how far each has come, what waits, and the last error', async (t) => {
  const { folder, eventAt, store } = await folderWithFollower(t)
  const [{ since, seenAt, delaySeconds, ...entry }] = await listed(folder)
  assert.deepEqual(entry, {
    ...{ name: 'mail', position: 3, event: await eventAt(3), waiting: 2, lost: 0 },
    ...{ state: 'retrying', paused: null, isHeld: true },
    lastError: { at: '2026-01-31T00:00:00.000Z', text: 'the mail server\nis down' },
  })
  assert.equal(new Date(since).toISOString(), since)
  assert.ok(Date.parse(seenAt) >= Date.parse(since) && delaySeconds >= 0)
  const text = await hydrant(['follower', 'list'], { cwd: folder })
  const [headings, row] = text.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  assert.deepEqual(headings, ['follower', 'position', 'delay', 'waiting', 'lost', 'state', 'last error'])
  assert.deepEqual(row?.toSpliced(2, 1), [
    ...['mail', '3', '2', '0', 'retrying', '2026-01-31T00:00:00.000Z the mail server is down'],
  ])
  await store.followers.save(MINE, { position: 3, lost: 7, paused: '410', waits: [], settled: [] })
  await store.followers.release('mail', 'me')
  const [after] = await listed(folder)
  assert.deepEqual([after.state, after.paused, after.lost, after.isHeld], ['paused: 410', '410', 7, false])
})

test('follower list names those that no program has any more, and those that too many members hold up', async (t) => {
  const folder = await folderWithDatabase(t)
  const empty = await hydrant(['follower', 'list'], { cwd: folder })
  assert.equal(empty.stdout, 'There are no followers.\n')
  const store = await openStore(`sqlite:${join(folder, 'hydrant.db')}`)
  t.after(store.close)
  await store.followers.register('mail')
  assert.equal((await listed(folder))[0].state, 'stopped')
  await store.followers.claim('mail', 'me', LEASE_MS)
  const waits = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ className: 'Book', id: `${index}`, position: 1, attempts: 1, nextAt: 0, error: 'no' },
  }))
  await store.followers.save(MINE, { position: 1, lost: 0, waits, settled: [] })
  assert.equal((await listed(folder))[0].state, 'held up, since so many members wait')
  await store.followers.release('mail', 'me')
  const text = 'UPDATE followers SET seen_at = 0'
  await execute(`sqlite:${join(folder, 'hydrant.db')}`, { sqlite: text, postgres: text })
  const [{ state }] = await listed(folder)
  assert.equal(state, 'held up, since so many members wait; in no program since 1970-01-01T00:00:00.000Z')
})

test('follower skip passes over the first change that fails, and says which', async (t) => {
  const { folder, followers, eventAt } = await folderWithFollower(t)
  const first = await hydrant(['follower', 'skip', 'mail', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(first.stdout), {
    ...{ follower: 'mail', member: 'Book/a', event: await eventAt(1), attempts: 3 },
    error: 'the mail server\nis down',
  })
  const second = await hydrant(['follower', 'skip', 'mail'], { cwd: folder })
  assert.equal(
    second.stdout,
    `mail passes over the change ${await eventAt(2)} of Book/b, which has failed: the mail server is down\n`,
  )
  assert.deepEqual((await followers.renew('mail', 'me', LEASE_MS))?.skipped.toSorted(), [1, 2])
  assertRefused(
    await hydrant(['follower', 'skip', 'mail'], { cwd: folder }),
    1,
    'mail has no change that fails',
  )
})

test('follower resume lets a paused one go on', async (t) => {
  const { folder, followers } = await folderWithFollower(t)
  assertRefused(await hydrant(['follower', 'resume', 'mail'], { cwd: folder }), 1, 'mail is not paused')
  await followers.save(MINE, { position: 3, lost: 0, paused: '410', waits: [], settled: [] })
  const resumed = await hydrant(['follower', 'resume', 'mail', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(resumed.stdout), { follower: 'mail', resumed: true })
  assert.equal((await followers.renew('mail', 'me', LEASE_MS))?.paused, undefined)
})

const positionOf = async (followers: FollowerStore) => (await followers.list())[0]?.position

test('follower rewind goes back to an event, by its id or its address', async (t) => {
  const { folder, followers, eventAt } = await folderWithFollower(t)
  const rewind = (event: string) => hydrant(['follower', 'rewind', 'mail', '--', event], { cwd: folder })
  const gone = await rewind(`http://localhost:8080/api/events#${await eventAt(3)}`)
  assert.match(
    gone.stdout,
    /^mail goes back to the change of Book\/c at 20.*: from there on it is called again\.\n$/,
  )
  assert.equal(await positionOf(followers), 2)
  assert.equal((await rewind(await eventAt(2))).status, 0)
  assert.equal(await positionOf(followers), 1)
  assertRefused(await rewind(await eventAt(4)), 1, 'mail has not reached the event')
  assertRefused(await rewind('x'), 2, '"x" is not the id of an event')
})

test('follower rewind refuses an event that the log no longer has', async (t) => {
  const { folder, followers, eventAt, store } = await folderWithFollower(t)
  const event = await eventAt(1)
  await store.changes.sweep(Date.now() + 60_000, { ageMs: 1, count: 1 }, 100)
  const refused = await hydrant(['follower', 'rewind', 'mail', '--', event], { cwd: folder })
  assertRefused(refused, 1, `The log no longer has the event ${event}`)
  assert.equal(await positionOf(followers), 3)
})

test('a follower that is not there is refused, with the nearest', async (t) => {
  const { folder } = await folderWithFollower(t)
  for (const args of [
    ['skip', 'mial'],
    ['resume', 'mial'],
    ['rewind', 'mial', 'x'],
  ])
    assertRefused(await hydrant(['follower', ...args], { cwd: folder }), 1, 'did you mean "mail"?')
})
