import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FollowerProgress, FollowerWait } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { type Kinds, memberOf, shapeOf } from '../support/shapes.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../support/stores.ts'

const KINDS: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Book', KINDS)]
const DAY = 86_400_000
/** Longer than any test takes. */
const LONG = 600_000
const NOTHING: Omit<FollowerProgress, 'position'> = { lost: 0, waits: [], settled: [] }

const waitFor = (id: string, position: number, more: Partial<FollowerWait> = {}): FollowerWait => ({
  ...{ className: 'Book', id, position, attempts: 1, nextAt: 5, error: 'no' },
  ...more,
})

async function add({ members }: Store, ...ids: string[]): Promise<void> {
  for (const id of ids) await members.add('Book', memberOf(KINDS, id))
}

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('a follower begins at the end of the log, once', async (t) => {
    const store = await open(t, SHAPES)
    await add(store, 'a', 'b')
    await store.followers.register('mail')
    await add(store, 'c')
    await store.followers.register('mail')
    const claim = await store.followers.claim('mail', 'me', LONG)
    assert.deepEqual(
      { ...claim, now: 0 },
      { position: 2, rewinds: 0, lost: 0, paused: undefined, skipped: [], now: 0 },
    )
    assert.ok(Math.abs((claim?.now ?? 0) - Date.now()) < LONG)
  })

  test('one holder has a follower, until it releases it or its lease ends', async (t) => {
    const { followers } = await open(t, SHAPES)
    await followers.register('mail')
    assert.equal(await followers.claim('other', 'me', LONG), undefined)
    assert.ok(await followers.claim('mail', 'me', LONG))
    assert.equal(await followers.claim('mail', 'you', LONG), undefined)
    assert.ok(await followers.renew('mail', 'me', LONG))
    assert.equal(await followers.renew('mail', 'you', LONG), undefined)
    await followers.release('mail', 'you')
    assert.equal(await followers.claim('mail', 'you', LONG), undefined)
    await followers.release('mail', 'me')
    assert.equal(await followers.renew('mail', 'me', LONG), undefined)
    assert.ok(await followers.claim('mail', 'you', 1))
    const taken = async () => (await followers.claim('mail', 'me', LONG)) !== undefined
    while (!(await taken()));
    assert.equal(await followers.renew('mail', 'you', LONG), undefined)
  })

  test('a lease that ends later than one of now could has been given by another clock, and counts for nothing', async (t) => {
    const { followers } = await open(t, SHAPES)
    await followers.register('mail')
    assert.ok(await followers.claim('mail', 'me', 2 * LONG))
    assert.ok(await followers.claim('mail', 'you', LONG))
  })

  test('the holder alone saves, all at once', async (t) => {
    const { followers } = await open(t, SHAPES)
    await followers.register('mail')
    await followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    const error = { text: 'it’s down', at: 7 }
    const [one, two] = [waitFor('one', 1), waitFor('two', 2)]
    assert.equal(await followers.save(mine, { ...NOTHING, position: 3, error, waits: [one, two] }), true)
    assert.equal(await followers.save({ ...mine, holder: 'you' }, { ...NOTHING, position: 9 }), false)
    assert.equal(
      await followers.save({ ...mine, rewinds: 1 }, { ...NOTHING, position: 9, waits: [two] }),
      false,
    )
    const later = waitFor('one', 3, { attempts: 2, error: 'still' })
    const settled = [{ className: 'Book', id: 'two' }]
    assert.equal(
      await followers.save(mine, { ...NOTHING, position: 4, lost: 2, waits: [later], settled }),
      true,
    )
    assert.deepEqual(await followers.waits('mail'), [later])
    const [listed] = await followers.list()
    assert.deepEqual(
      [listed?.position, listed?.lost, listed?.waiting, listed?.error, listed?.isHeld, listed?.paused],
      [4, 2, 1, error, true, undefined],
    )
  })

  test('the first waiting change is passed over, and no other of its member', async (t) => {
    const { followers } = await open(t, SHAPES)
    await followers.register('mail')
    await followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    const [one, two] = [waitFor('one', 4), waitFor('two', 2)]
    await followers.save(mine, { ...NOTHING, position: 5, waits: [one, two] })
    assert.deepEqual(await followers.skip('mail'), two)
    assert.deepEqual(await followers.skip('mail'), one)
    assert.equal(await followers.skip('mail'), undefined)
    const skipped = async () => (await followers.renew('mail', 'me', LONG))?.skipped.toSorted()
    assert.deepEqual(await skipped(), [2, 4])
    // The first has failed once more meanwhile, and the second has gone on to a later change.
    await followers.save(mine, {
      ...NOTHING,
      position: 5,
      waits: [{ ...two, attempts: 2 }, waitFor('one', 5)],
    })
    assert.deepEqual(await skipped(), [2])
  })

  test('a follower is paused by its holder, and resumed by others', async (t) => {
    const { followers } = await open(t, SHAPES)
    await followers.register('mail')
    await followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    assert.equal(await followers.resume('mail'), false)
    await followers.save(mine, { ...NOTHING, position: 0, paused: '410' })
    await followers.save(mine, { ...NOTHING, position: 1 })
    assert.equal((await followers.renew('mail', 'me', LONG))?.paused, '410')
    assert.equal(await followers.resume('mail'), true)
    assert.equal((await followers.renew('mail', 'me', LONG))?.paused, undefined)
  })

  test('a follower goes back, and never forward', async (t) => {
    const store = await open(t, SHAPES)
    const { followers } = store
    await followers.register('mail')
    await add(store, 'a', 'b', 'c')
    await followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    await followers.save(mine, { ...NOTHING, position: 3, waits: [waitFor('a', 1), waitFor('b', 2)] })
    assert.equal(await followers.rewind('mail', 3), false)
    assert.equal(await followers.rewind('mail', 1), true)
    assert.equal(await followers.save(mine, { ...NOTHING, position: 3 }), false)
    assert.deepEqual(await followers.waits('mail'), [waitFor('a', 1)])
    const claim = await followers.renew('mail', 'me', LONG)
    assert.deepEqual([claim?.position, claim?.rewinds], [1, 1])
    const [listed] = await followers.list()
    const second = await store.changes.find(2)
    assert.ok(second !== undefined && listed?.nextAt === second.at)
  })

  // contract: The log keeps what a follower has not passed
  test('the log keeps what a follower needs beyond its limits, and no longer than is allowed', async (t) => {
    const store = await open(t, SHAPES)
    const { followers, changes } = store
    await followers.register('mail')
    await add(store, 'a', 'b', 'c', 'd', 'e')
    await followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    const now = Date.now()
    const first = async (limits: { ageMs: number; followedMs?: number }, at = now) => {
      await changes.sweep(at, { count: 1, ...limits }, 100)
      return followers.firstPosition()
    }
    const limits = { ageMs: DAY, followedMs: 30 * DAY }
    assert.equal(await first(limits), 1)
    await followers.save(mine, { ...NOTHING, position: 1 })
    assert.equal(await first(limits), 2)
    await followers.save(mine, { ...NOTHING, position: 4, waits: [waitFor('c', 3)] })
    assert.equal(await first(limits), 3)
    assert.equal(await first(limits, now + 29 * DAY), 3)
    const settled = [{ className: 'Book', id: 'c' }]
    await followers.save(mine, { ...NOTHING, position: 3, settled })
    assert.equal(await first(limits), 4)
    assert.equal(await first(limits, now + 31 * DAY), 5)
  })
}

for (const { name, newDatabase } of SHARED_STORES)
  test(`${name}: members that wait go by the new name of their class, and their holder is no longer one`, async (t) => {
    const url = newDatabase(t)
    const before = await openFor(t, url, SHAPES)
    await before.followers.register('mail')
    await before.followers.claim('mail', 'me', LONG)
    const mine = { name: 'mail', holder: 'me', rewinds: 0 }
    await before.followers.save(mine, { ...NOTHING, position: 1, waits: [waitFor('a', 1)] })
    const renamed = shapeOf('Volume', KINDS, { was: 'Book', fingerprint: 2 })
    const { followers } = await openFor(t, url, [renamed])
    assert.deepEqual(await followers.waits('mail'), [{ ...waitFor('a', 1), className: 'Volume' }])
    assert.equal(await before.followers.save(mine, { ...NOTHING, position: 2 }), false)
  })
