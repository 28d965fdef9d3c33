import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Store } from '../../../src/store/index.ts'
import { type Kinds, memberOf, select, shapeOf, valuesOf, writtenOf } from '../../support/shapes.ts'
import { connect, newSqlite, openFor } from '../../support/stores.ts'
import { compareTimes } from '../../support/timing.ts'

const KINDS: Kinds = { title: 'text', pages: 'number' }
const SHAPES = [shapeOf('Book', KINDS), shapeOf('Note', KINDS)]
const HOUR_MS = 3_600_000
const LIMIT = { failures: 1_000, windowMs: HOUR_MS }
const LIMITS = { user: LIMIT, address: LIMIT }

const book = (id: string, title = 'a') => memberOf(KINDS, id, { title })

const KILL_AT = join(import.meta.dirname, '../../cli/kill-at.ts')

async function open(t: TestContext, url = newSqlite(t)) {
  const store = await openFor(t, url, SHAPES)
  return { url, store, members: store.members }
}

/** Signs user 1 in. */
async function issueToken({ auth }: Store, hash: string): Promise<void> {
  const attempt = {
    address: 'here',
    claimed: 1,
    nonce: hash,
    nonceExpiresAt: HOUR_MS,
    series: 0,
    now: 1,
    limits: LIMITS,
  }
  const begun = await auth.begin(attempt)
  assert.ok(begun.outcome === 'begun')
  const token = { hash, issuedAt: 1, expiresAt: HOUR_MS }
  assert.equal(
    await auth.succeed(begun.attemptId, { id: 1, paraphraseHash: 'x' }, token.issuedAt, token),
    true,
  )
}

/** One client: whatever it is told to have been done, it sees. `other` has the same database. */
async function useAll(store: Store, other: Store, name: string, rounds: number): Promise<void> {
  const { auth, members } = store
  for (let round = 0; round < rounds; round += 1) {
    const id = `${name}-${round}`
    const titled = select({ filters: [{ property: 'title', test: 'in', keys: [id] }] })
    const seen = async (version: number | undefined, title: string | undefined) => {
      for (const one of [members, other.members]) {
        const found = await one.find('Book', id)
        assert.deepEqual([found?.version, found && valuesOf(found.body).title], [version, title])
        const page = await one.list('Book', titled)
        assert.deepEqual([page.total, page.members.length], title === id ? [1, 1] : [0, 0])
        // What the other one has looked at in the turn in which this was acknowledged is older than that.
        await turn()
      }
    }
    const states = [members.state('Book'), other.members.state('Book')]
    const added = await members.add('Book', book(id, id))
    assert.ok(added.outcome === 'added')
    assert.notEqual(members.state('Book'), states[0])
    await turn()
    assert.notEqual(other.members.state('Book'), states[1])
    await seen(added.version, id)
    const changed = await members.change('Book', id, undefined, () => writtenOf(KINDS, { title: 'changed' }))
    assert.ok(changed.outcome === 'changed')
    await seen(changed.member.version, 'changed')
    assert.deepEqual(await members.remove('Book', id, undefined), { outcome: 'removed' })
    await seen(undefined, undefined)
    await issueToken(store, id)
    const token = await other.auth.findToken(id, 0)
    assert.ok(token !== undefined)
    assert.deepEqual(await auth.findToken(id, 0), token)
    await auth.revokeTokens({ tokenId: token.id }, 1)
    assert.equal(await auth.findToken(id, 0), undefined)
    await turn()
    assert.equal(await other.auth.findToken(id, 0), undefined)
  }
}

// contract: An acknowledged write is on disk.
test('what was acknowledged is seen by the next read, whatever else is written at the same time', async (t) => {
  const { url, store } = await open(t)
  const { store: other } = await open(t, url)
  await store.auth.addUser({ id: 1, paraphraseHash: 'x' }, 0)
  const clients = Array.from({ length: 6 }, (_, index) =>
    useAll(index % 2 === 0 ? store : other, index % 2 === 0 ? other : store, `c${index}`, 10),
  )
  await Promise.all(clients)
  assert.equal((await store.members.list('Book', select({ limit: 1 }))).total, 0)
})

test('whatever a store writes passes through its thread, and so does what is refused', async (t) => {
  const { store } = await open(t)
  const { auth, changes, members } = store
  assert.deepEqual(
    [
      await auth.addUser({ id: 1, paraphraseHash: 'x', roles: ['a'] }, 0),
      await auth.addUser({ id: 1, paraphraseHash: 'y' }, 0),
    ],
    [1, 'id taken'],
  )
  assert.equal(await auth.setRoles(1, ['b', 'c']), true)
  await auth.upgradeParaphrase(1, 'x', 'z')
  const { roles, paraphraseHash, revision } = (await auth.findUser(1)) ?? {}
  assert.deepEqual(
    { roles, paraphraseHash, revision },
    { roles: ['b', 'c'], paraphraseHash: 'z', revision: 2 },
  )
  assert.equal(await auth.setParaphrase(1, 'x'), true)
  await issueToken(store, 'token')
  const secret = await auth.nonceSecret()
  assert.ok(secret.length > 0 && secret.equals(await auth.nonceSecret()))
  const attempt = { address: 'here', claimed: 1, nonceExpiresAt: 2, series: 0, now: 1 }
  const limits = { ...LIMITS, user: { ...LIMIT, failures: 1 } }
  const begin = (nonce: string) => auth.begin({ ...attempt, nonce, limits })
  const cancelled = await begin('first')
  assert.ok(cancelled.outcome === 'begun')
  await auth.cancel(cancelled.attemptId)
  assert.deepEqual(await begin('first'), { outcome: 'spent' })
  const failed = await begin('second')
  assert.ok(failed.outcome === 'begun')
  await auth.fail(failed.attemptId)
  assert.deepEqual(await begin('third'), { outcome: 'throttled', retryAt: 1 + HOUR_MS })
  assert.equal(await auth.sweep(3 * HOUR_MS, limits, 10), false)
  assert.deepEqual([auth.isSpent('first'), auth.throttledUntil(attempt, limits, 2)], [false, undefined])
  assert.deepEqual([await auth.removeUser(1), auth.findToken('token', 0)], [true, undefined])

  const added = ['one', 'two', 'one'].map((id) => ({ className: 'Book', member: book(id) }))
  assert.deepEqual(
    (await members.addAll(added)).map(({ outcome }) => outcome),
    ['added', 'added', 'exists'],
  )
  const remove = {
    kind: 'remove',
    className: 'Book',
    expected: undefined,
    owner: undefined,
    actor: undefined,
  } as const
  const written = writtenOf(KINDS, { title: 'b' })
  await members.writeAll([
    { kind: 'add', className: 'Note', member: book('three') },
    { kind: 'change', className: 'Book', id: 'one', expected: 1, written },
    { ...remove, id: 'two' },
  ])
  assert.equal((await members.find('Book', 'one'))?.body, written.body)
  assert.equal(await members.find('Book', 'two'), undefined)
  assert.equal((await members.find('Note', 'three'))?.id, 'three')
  assert.equal(await changes.sweep(0, { ageMs: HOUR_MS, count: 1 }, 100), false)
  assert.equal((await changes.after(0, 10)).changes.length, 1)
})

test('a page and its total belong together while others write', async (t) => {
  const { members } = await open(t)
  let isDone = false
  const writing = (async () => {
    for (let index = 0; index < 60; index += 1) {
      await members.add('Book', book(`b${index}`))
      if (index % 3 === 2) await members.remove('Book', `b${index - 1}`, undefined)
    }
    isDone = true
  })()
  while (!isDone) {
    const page = await members.list('Book', select({ limit: 100 }))
    assert.equal(page.members.length, page.total)
    await turn()
  }
  await writing
})

// contract: Waiting for a database lock never holds up
test('reads take no longer while another process holds the lock and writes wait for it', async (t) => {
  const { url, members } = await open(t)
  await members.add('Book', book('one'))
  const others = connect(t, url)
  const read = async () => {
    const started = performance.now()
    for (let round = 0; round < 200; round += 1) {
      await turn()
      assert.ok(await members.find('Book', 'one'))
      assert.equal((await members.list('Book', select())).total, 1)
    }
    return performance.now() - started
  }
  const least = { alone: Number.POSITIVE_INFINITY, beside: Number.POSITIVE_INFINITY }
  await compareTimes(async () => {
    least.alone = Math.min(least.alone, await read())
    others.exec('BEGIN IMMEDIATE')
    const waiting = Array.from({ length: 16 }, () => members.add('Book', book('one')))
    least.beside = Math.min(least.beside, await read())
    others.exec('COMMIT')
    for (const added of await Promise.all(waiting)) assert.equal(added.outcome, 'exists')
    assert.ok(least.beside < 4 * least.alone, `${least.alone} ms, then ${least.beside} ms`)
  })
})

test('other work goes on while much is written', async (t) => {
  const { members } = await open(t)
  await members.add('Book', book('one'))
  let written = 0
  await compareTimes(async () => {
    written += 1
    const many = Array.from({ length: 4_000 }, (_, index) => ({
      className: 'Book',
      member: book(`${written}-${index}`),
    }))
    let isDone = false
    const adding = members.addAll(many).finally(() => {
      isDone = true
    })
    const began = performance.now()
    let longest = 0
    for (let last = began; !isDone; last = performance.now()) {
      assert.ok(await members.find('Book', 'one'))
      await turn()
      longest = Math.max(longest, performance.now() - last)
    }
    await adding
    const all = performance.now() - began
    assert.ok(longest < all / 2, `${longest} ms of ${all} ms`)
  })
})

test('changes of one member at once are made one after the other, each computed once', async (t) => {
  const { members } = await open(t)
  await members.add('Book', memberOf(KINDS, 'one', { pages: 0 }))
  let computed = 0
  await Promise.all(
    Array.from({ length: 50 }, () =>
      members.change('Book', 'one', undefined, ({ body }) => {
        computed += 1
        return writtenOf(KINDS, { pages: Number(valuesOf(body).pages) + 1 })
      }),
    ),
  )
  const found = await members.find('Book', 'one')
  assert.deepEqual([valuesOf(found?.body ?? '').pages, computed], [50, 50])
})

test('a change is computed anew where another process was faster', async (t) => {
  const { url, members } = await open(t)
  const { members: others } = await open(t, url)
  await members.add('Book', memberOf(KINDS, 'one', { pages: 0 }))
  const count = (store: typeof members) =>
    store.change('Book', 'one', undefined, ({ body }) =>
      writtenOf(KINDS, { pages: Number(valuesOf(body).pages) + 1 }),
    )
  await Promise.all(Array.from({ length: 40 }, (_, index) => count(index % 2 === 0 ? members : others)))
  assert.equal(valuesOf((await members.find('Book', 'one'))?.body ?? '').pages, 40)
})

test('where the thread that writes ends, a write gets 503 that says what it may have done; the next is made', async (t) => {
  const { members } = await open(t)
  Object.assign(process.env, { NODE_OPTIONS: `--import=${KILL_AT}`, KILL_AT: '2 ^COMMIT', KILL_WITH: 'exit' })
  t.after(() => {
    for (const name of ['NODE_OPTIONS', 'KILL_AT', 'KILL_WITH']) delete process.env[name]
  })
  assert.equal((await members.add('Book', book('one'))).outcome, 'added')
  await assert.rejects(members.add('Book', book('two')), { code: 'OutcomeUnknown' })
  assert.ok(await members.find('Book', 'two'))
  assert.equal((await members.add('Book', book('three'))).outcome, 'added')
  assert.equal((await members.list('Book', select())).total, 3)
})

test('close writes what is waiting, and what comes later gets 503', async (t) => {
  const { url, store, members } = await open(t)
  const waiting = members.add('Book', book('one'))
  const closed = store.close()
  await assert.rejects(members.add('Book', book('late')), { code: 'DatabaseClosing' })
  assert.equal((await waiting).outcome, 'added')
  await closed
  const { members: again } = await open(t, url)
  assert.equal((await again.list('Book', select())).total, 1)
})

test('bulk data is written in the order in which it was sent, however long another process has the lock', async (t) => {
  const { url, members } = await open(t)
  const other = connect(t, url)
  other.exec('BEGIN IMMEDIATE')
  // Longer than a request would wait.
  setTimeout(() => other.exec('COMMIT'), 2_200)
  const batch = (...ids: string[]) =>
    members.addAll(ids.map((id) => ({ className: 'Book', member: book(id) })))
  const outcomes = await Promise.all([batch('a', 'b'), batch('b', 'c')])
  assert.deepEqual(outcomes, [
    [
      { outcome: 'added', version: 1 },
      { outcome: 'added', version: 2 },
    ],
    [{ outcome: 'exists' }, { outcome: 'added', version: 3 }],
  ])
  const { total } = await members.list('Book', select({}))
  assert.equal(total, 3)
})
