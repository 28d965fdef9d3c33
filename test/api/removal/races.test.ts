import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { faultsIn } from '../writing.ts'
import { serveShop } from './shop.ts'

const ROUNDS = inSoak(30, 4)
const RACERS = 100

type Shop = Awaited<ReturnType<typeof serveShop>>

/** Every link of every note leads to a member. */
async function assertWhole({ get, isThere }: Shop): Promise<void> {
  const known = new Map<string, boolean>()
  for (let path: string | undefined = '/notes?itemsPerPage=100'; path !== undefined; ) {
    const { member, view } = (await get(path)).json() as {
      member: Record<string, unknown>[]
      view?: { next?: string }
    }
    for (const { '@id': id, about, by, others, kept } of member)
      for (const address of [about, by, others, kept].flat()) {
        if (typeof address !== 'string') continue
        if (!known.has(address)) known.set(address, await isThere(address))
        assert.ok(known.get(address), `${id} links to ${address}, which is gone`)
      }
    path = view?.next?.slice(view.next.indexOf('/notes'))
  }
}

// contract: One transaction, hooks and events and history
test('links that are added while their target is removed go with it, are taken out, or are refused', async (t) => {
  const shop = await serveShop(t, { db: newDatabase(t) })
  const { make, post, patch, below, removeAt, isThere } = shop
  for (let round = 0; round < ROUNDS; round++) {
    const order = await make('/orders', {})
    const notes = await Promise.all(Array.from({ length: 10 }, () => make('/notes', { text: 'old' })))
    const race = (index: number) => {
      if (index % 3 === 0) return post('/notes', { about: order, text: 'new' })
      if (index % 3 === 1) return post('/notes', { others: [order], text: 'new' })
      return patch(below(notes[index % 10] as string), { others: [order] })
    }
    const removing = Promise.withResolvers<Awaited<ReturnType<typeof removeAt>>>()
    const racing = Array.from({ length: RACERS }, async (_, index) => {
      if (index === (round * 37) % RACERS) removing.resolve(removeAt(order))
      return (await race(index)).status
    })
    const statuses = new Set(await Promise.all(racing))
    for (const status of statuses) assert.ok([200, 201, 422, 404, 503].includes(status), String(status))
    const removed = await removing.promise
    assert.equal(removed.status, 204, removed.body)
    assert.equal(await isThere(order), false)
  }
  await assertWhole(shop)
  assert.deepEqual(faultsIn(shop), [])
})

test('members that link to each other are removed at once by several, and none is left with a link to nothing', async (t) => {
  const shop = await serveShop(t, { db: newDatabase(t) })
  const { make, removeAt, post, isThere } = shop
  for (let round = 0; round < ROUNDS; round++) {
    const customer = await make('/customers', {})
    const orders = await Promise.all(Array.from({ length: 5 }, () => make('/orders', { customer })))
    const notes = await Promise.all(
      orders.map((about) => make('/notes', { about, by: customer, others: orders, text: 'a' })),
    )
    const removals = [customer, ...orders, ...notes].map(async (address) => (await removeAt(address)).status)
    const batch = await post('/batch', {
      operation: [
        { method: 'DELETE', target: customer },
        { method: 'POST', target: 'notes', body: { text: 'b' } },
      ],
    })
    const statuses = await Promise.all(removals)
    for (const status of [...statuses, batch.status])
      assert.ok([200, 204, 404, 503].includes(status), String(status))
    // Where neither got its turn in time, both may be sent again.
    const isGone = statuses[0] === 204 || batch.status === 200
    if (!isGone) assert.equal((await removeAt(customer)).status, 204, `${statuses} ${batch.status}`)
    for (const address of [customer, ...orders]) assert.equal(await isThere(address), false, address)
  }
  await assertWhole(shop)
  assert.deepEqual(faultsIn(shop), [])
})

test('batches and single writes of members that a removal changes are not lost', async (t) => {
  const shop = await serveShop(t, { db: newDatabase(t) })
  const { make, removeAt, patch, post, below, valuesAt } = shop
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other] = [await make('/orders', {}), await make('/orders', {})]
    const note = await make('/notes', { others: [one, other], text: 'a' })
    const [removed, patched, batched] = await Promise.all([
      removeAt(one),
      patch(below(note), { text: `b${round}` }),
      post('/batch', { operation: [{ method: 'PATCH', target: note, body: { kept: other } }] }),
    ])
    assert.deepEqual([removed.status, patched.status, batched.status], [204, 200, 200])
    assert.deepEqual(await valuesAt(note), { others: [other], kept: other, text: `b${round}` })
  }
  assert.deepEqual(faultsIn(shop), [])
})
