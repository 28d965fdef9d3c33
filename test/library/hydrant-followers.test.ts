import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { FollowerPaused } from '../../src/api/index.ts'
import type { FollowedChange, HydrantOptions } from '../../src/library/index.ts'
import { openStore } from '../../src/store/open.ts'
import { newDatabase } from '../support/databases.ts'
import { handleOf, openShop, SHOP, signIn, until, withUsers } from './shop.ts'

/** Orders have a history, so that followers see what they were. */
const API = { ...SHOP, classes: { ...SHOP.classes, Order: { ...SHOP.classes.Order, history: true } } }

type Handle = (change: FollowedChange) => unknown

const following = (handle: Handle, classes = ['Order']): Partial<HydrantOptions> => ({
  api: API,
  followers: { mail: { classes, handle } },
})

/** Waits until the store says so. */
async function untilStored(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20)
}

const customerOf = ({ member, before }: FollowedChange): string =>
  `${before?.customer ?? '-'} → ${member?.customer ?? '-'}`

/** A shop whose follower records what it is called for. `fails`: whether a call throws. */
async function openRecording(
  t: TestContext,
  fails: (change: FollowedChange) => boolean = () => false,
  options: Partial<HydrantOptions> = {},
) {
  const calls: FollowedChange[] = []
  const shop = await openShop(t, {
    ...following((change) => {
      calls.push(change)
      if (fails(change)) throw new Error(`no mail for ${change.member?.customer}`)
    }),
    ...options,
  })
  return { shop, calls, orders: shop.members('orders') }
}

// contract: **Followers**: `followers
// contract: `before` is there where the class has history.
test('a follower is called for every change of its classes, with what the member was', async (t) => {
  const { shop, calls, orders } = await openRecording(t)
  const order = await orders.add({ customer: 'Ann' })
  await shop.members('notes').add({ text: 'not an order' })
  await until(() => calls.length === 1)
  await orders.change(order['@id'], { customer: 'Ben' })
  await until(() => calls.length === 2)
  await orders.remove(order['@id'])
  await until(() => calls.length === 3)
  assert.deepEqual(calls.map(customerOf), ['- → Ann', 'Ann → Ben', 'Ben → -'])
  const events = (await shop.ask('GET', 'events?collection=orders'))[1].member
  assert.deepEqual(
    calls.map(({ event: { id, ...event } }) => ({ ...event, '@id': `${shop.base}/events#${id}` })),
    events,
  )
  assert.deepEqual([calls[0]?.member?.['@id'], calls[0]?.member?.placedAt], [order['@id'], order.placedAt])
})

test('an event names the account of the user who made the change, whatever others may see', async (t) => {
  const events: FollowedChange['event'][] = []
  const shop = await openShop(t, {
    ...following(({ event }) => events.push(event)),
    ...{
      db: await withUsers(t),
      auth: true,
      api: { ...API, roles: ['clerk'], access: { all: 'clerk' } },
    },
  })
  const handle = handleOf(shop, '192.0.2.7')
  const headers = { 'x-authorization': await signIn(handle, 1), 'content-type': 'application/json' }
  const added = await handle('/orders', { method: 'POST', headers, body: '{"customer":"Ann"}' })
  assert.equal(added.status, 201)
  await shop.members('orders').add({ customer: 'Ben' })
  await until(() => events.length === 2)
  assert.deepEqual(
    events.map(({ actor }) => actor),
    [`${shop.base}/accounts/1`, undefined],
  )
  assert.equal(events[0]?.object['@id'], added.headers.get('location'))
})

test('a follower acts as the program, and is called for its own writes', async (t) => {
  const seen: string[] = []
  const shop = await openShop(t, {
    ...following(async ({ event, member, members }) => {
      seen.push(event['@type'])
      if (member?.customer === 'Ann') await members('orders').change(member['@id'], { customer: 'Anna' })
    }),
  })
  await shop.members('orders').add({ customer: 'Ann' })
  await until(() => seen.length === 2)
  assert.deepEqual(seen, ['Create', 'Update'])
})

test('of a class without history a follower sees what there is now, and every call gets copies', async (t) => {
  const seen: unknown[] = []
  const handle: Handle = ({ member, before }) => {
    seen.push(member?.text, before)
    if (member !== undefined) (member as Record<string, unknown>).text = 'changed'
  }
  const shop = await openShop(t, {
    followers: { a: { classes: ['Note'], handle }, b: { classes: ['Note'], handle } },
  })
  await shop.members('notes').add({ text: 'one' })
  await until(() => seen.length === 4)
  assert.deepEqual(seen, ['one', undefined, 'one', undefined])
})

// contract: A `handle` that throws is called again
test('after an error a change is handled again, and only the changes of its member wait for it', async (t) => {
  let isDown = true
  const done: string[] = []
  const { shop, calls, orders } = await openRecording(t, ({ event, member }) => {
    if (isDown && event.object['@id'] === bad) return true
    done.push(`${member?.customer}`)
    return false
  })
  let bad = ''
  const [first, other] = [await orders.add({ customer: 'ok' }), await orders.add({ customer: 'other' })]
  await until(() => done.length === 2)
  bad = first['@id'] as string
  for (const customer of ['bad 1', 'bad 2', 'bad 3']) await orders.change(bad, { customer })
  await orders.change(other['@id'], { customer: 'later' })
  await until(() => done.length === 3)
  assert.deepEqual(done, ['ok', 'other', 'later'])
  await until(() => shop.logged.length === 2)
  assert.match(shop.logged[0] ?? '', /^error a follower has failed .*no mail for bad/)
  isDown = false
  await until(() => done.length === 6)
  const ofBad = calls.filter(({ event }) => event.object['@id'] === bad && event['@type'] === 'Update')
  const ids = ofBad.map(({ event }) => event.id)
  assert.deepEqual([new Set(ids).size, ids.at(-3)], [3, ids[0]])
  assert.deepEqual(
    ofBad.slice(-3).map(({ before }) => before?.customer),
    ['ok', 'bad 1', 'bad 2'],
  )
})

test('a call that does not end in time has failed, and its late result counts for nothing', async (t) => {
  const calls: string[] = []
  const shop = await openShop(t, {
    ...following(({ event }) => {
      calls.push(event.id)
      return calls.length === 1 ? new Promise(() => {}) : undefined
    }),
    hookTime: '1s',
  })
  await shop.members('orders').add({ customer: 'Ann' })
  await until(() => calls.length === 2)
  assert.equal(calls[0], calls[1])
  assert.match(shop.logged.join('\n'), /It has not ended within 1 s/)
})

// contract: **Followers**: `followers
test('a follower begins with its first start, and goes on where it has stopped: each change once', async (t) => {
  const db = newDatabase(t)
  const before = await openShop(t, { api: API, db })
  await before.members('orders').add({ customer: 'before' })
  const seen: string[] = []
  const options = { db, ...following(({ member }) => seen.push(String(member?.customer))) }
  const first = await openShop(t, options)
  for (const customer of ['1', '2', '3']) await first.members('orders').add({ customer })
  await first.close()
  await before.members('orders').add({ customer: '4' })
  const second = await openShop(t, options)
  await second.members('orders').add({ customer: '5' })
  await before.members('orders').add({ customer: '6' })
  await until(() => seen.length === 6)
  await second.close()
  const third = await openShop(t, options)
  await third.members('orders').add({ customer: '7' })
  await until(() => seen.length >= 7)
  assert.deepEqual(seen.toSorted(), ['1', '2', '3', '4', '5', '6', '7'])
})

test('a follower that pauses itself is not called until it is resumed, and then with the same change', async (t) => {
  const db = newDatabase(t)
  const seen: string[] = []
  let isGone = true
  const shop = await openShop(t, {
    db,
    ...following(({ member }) => {
      seen.push(String(member?.customer))
      if (isGone) throw new FollowerPaused('410')
    }),
  })
  const store = await openStore(db)
  t.after(store.close)
  const isPaused = async () => (await store.followers.list())[0]?.paused === '410'
  await shop.members('orders').add({ customer: 'Ann' })
  await untilStored(isPaused)
  await shop.members('orders').add({ customer: 'Ben' })
  isGone = false
  await untilStored(async () => (await shop.ask('GET', 'events'))[1].member.length === 2)
  assert.deepEqual(seen, ['Ann'])
  assert.equal(await store.followers.resume('mail'), true)
  await until(() => seen.length === 3)
  assert.deepEqual(seen.toSorted(), ['Ann', 'Ann', 'Ben'])
})

// contract: A `handle` that throws is called again
test('a change that is skipped is not handled again, and the later ones of its member are', async (t) => {
  const db = newDatabase(t)
  const { calls, orders } = await openRecording(t, ({ event }) => event['@type'] === 'Create', { db })
  const store = await openStore(db)
  t.after(store.close)
  const order = await orders.add({ customer: 'Ann' })
  await orders.change(order['@id'], { customer: 'Ben' })
  await untilStored(async () => (await store.followers.skip('mail')) !== undefined)
  await until(() => calls.some(({ event }) => event['@type'] === 'Update'))
  await untilStored(async () => (await store.followers.list())[0]?.waiting === 0)
  assert.equal(calls.filter(({ event }) => event['@type'] === 'Update').length, 1)
})

test('a follower that is sent back handles again what came after', async (t) => {
  const db = newDatabase(t)
  const { calls, orders } = await openRecording(t, undefined, { db })
  const store = await openStore(db)
  t.after(store.close)
  for (const customer of ['1', '2', '3']) await orders.add({ customer })
  const position = async () => (await store.followers.list())[0]?.position
  await untilStored(async () => (await position()) === 3)
  assert.equal(await store.followers.rewind('mail', 1), true)
  await untilStored(async () => calls.length === 5 && (await position()) === 3)
  assert.deepEqual(calls.map(({ member }) => member?.customer).toSorted(), ['1', '2', '2', '3', '3'])
})

// contract: The log keeps what a follower has not passed
test('changes that the log has lost are an error, and the follower goes on behind them', async (t) => {
  const db = newDatabase(t)
  await (await openRecording(t, undefined, { db })).shop.close()
  const writer = await openShop(t, { api: API, db })
  for (const customer of ['1', '2', '3', '4']) await writer.members('orders').add({ customer })
  const store = await openStore(db)
  t.after(store.close)
  await store.changes.sweep(Date.now() + 60_000, { ageMs: 1, count: 1, followedMs: 1 }, 100)
  const { shop, calls } = await openRecording(t, undefined, { db })
  await until(() => calls.length === 1)
  assert.equal(calls[0]?.member?.customer, '4')
  assert.match(shop.logged.join('\n'), /error a follower has lost changes.*"changes":3/)
  await untilStored(async () => (await store.followers.list())[0]?.lost === 3)
})

const NOT_FOLLOWERS: readonly (readonly [followers: object, sentence: RegExp])[] = [
  [{ Mail: {} }, /^followers\.Mail: the name of a follower has letters/],
  [{ mail: null }, /^followers\.mail: this must be an object/],
  [{ mail: { classes: ['Ordre'], handle() {} } }, /^followers\.mail\.classes: "Ordre".*did you mean "Order"/],
  [{ mail: { classes: [], handle() {} } }, /^followers\.mail\.classes: this must be a list/],
  [{ mail: { classes: ['Order'] } }, /^followers\.mail\.handle: this must be a function/],
  [{ mail: { classes: ['Order'], handel() {}, handle() {} } }, /^followers\.mail: "handel".*"handle"/],
]

test('a follower that cannot be one is a problem at start', async (t) => {
  for (const [followers, sentence] of NOT_FOLLOWERS)
    await assert.rejects(openShop(t, { followers } as HydrantOptions), {
      code: 'InvalidFollowers',
      message: sentence,
    })
})
