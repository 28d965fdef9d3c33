import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createHydrant, type FollowedChange } from '../../../src/library/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { newSqlite, SHARED_STORES } from '../../support/stores.ts'
import { SILENT } from './host.ts'

const ORDER = { properties: { note: 'string' } }

/** A host with these classes, all of which its follower has, that records what it handles. */
async function openHost(t: TestContext, db: string, classes: Readonly<Record<string, object>>) {
  const handled: string[] = []
  const handle = ({ event }: FollowedChange) => handled.push(String(event.object['@type']))
  const followers = { record: { classes: Object.keys(classes), handle } }
  const hydrant = await createHydrant({
    ...{ api: { title: 'Shop', classes }, db, auth: false, log: SILENT, followers },
  })
  t.after(hydrant.close)
  return { hydrant, handled }
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: a host that does not know the class of a change leaves the follower to one that does`, async (t) => {
    const db = newDatabase(t)
    const old = await openHost(t, db, { Order: ORDER })
    await old.hydrant.members('orders').add({ note: '1' })
    while (old.handled.length === 0) await wait(20)
    const next = await openHost(t, db, { Order: ORDER, Invoice: ORDER })
    await next.hydrant.members('invoices').add({ note: '2' })
    await next.hydrant.members('orders').add({ note: '3' })
    while (next.handled.length < 2) await wait(20)
    assert.deepEqual([old.handled, next.handled.toSorted()], [['Order'], ['Invoice', 'Order']])
  })

  test(`${name}: one of two hosts has a follower, also for changes of the other, which takes over at its end`, async (t) => {
    const db = newDatabase(t)
    const [first, second] = [await openHost(t, db, { Order: ORDER }), await openHost(t, db, { Order: ORDER })]
    for (const { hydrant } of [first, second]) await hydrant.members('orders').add({ note: 'x' })
    while (first.handled.length < 2) await wait(20)
    assert.deepEqual(second.handled, [])
    await first.hydrant.close()
    await second.hydrant.members('orders').add({ note: 'y' })
    while (second.handled.length < 1) await wait(20)
    const store = await openStore(db)
    t.after(store.close)
    while ((await store.followers.list())[0]?.nextAt !== undefined) await wait(50)
    assert.deepEqual([first.handled.length, second.handled.length], [2, 1])
  })

  test(`${name}: a call that runs while its host stops is not repeated by another host`, async (t) => {
    const db = newDatabase(t)
    const calls: string[] = []
    const longCall = Promise.withResolvers<void>()
    const openWith = (host: string) => {
      const handle = async () => {
        calls.push(host)
        await longCall.promise
      }
      const followers = { record: { classes: ['Order'], handle } }
      const api = { title: 'Shop', classes: { Order: ORDER } }
      return createHydrant({ api, db, auth: false, log: SILENT, followers })
    }
    const first = await openWith('first')
    const second = await openWith('second')
    t.after(second.close)
    await first.members('orders').add({ note: 'x' })
    while (calls.length === 0) await wait(20)
    const closed = first.close()
    // Longer than a lease lasts, and shorter than a call may take.
    await wait(8_000)
    longCall.resolve()
    await closed
    const store = await openStore(db)
    t.after(store.close)
    while ((await store.followers.list())[0]?.nextAt !== undefined) await wait(50)
    assert.deepEqual(calls, ['first'])
  })
}

test('a call that does not end holds up the end of its host for 10 s, however long it may take', async (t) => {
  const called = Promise.withResolvers<void>()
  const handle = () => {
    called.resolve()
    return new Promise<void>(() => {})
  }
  const hydrant = await createHydrant({
    ...{ api: { title: 'Shop', classes: { Order: ORDER } }, db: newSqlite(t), auth: false, log: SILENT },
    ...{ hookTime: '10m', followers: { record: { classes: ['Order'], handle } } },
  })
  await hydrant.members('orders').add({ note: 'x' })
  await called.promise
  await hydrant.close()
})
