import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../../src/api/input/input.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { newDatabase } from '../../support/databases.ts'
import { compareTimes } from '../../support/timing.ts'
import { classOf } from '../queries.ts'
import { SHOP, serveShop } from './shop.ts'

const COUNT = 1_000

type Shop = Awaited<ReturnType<typeof serveShop>>

/** Adds a thousand notes, past the wire, and returns their ids. */
async function addNotes({ store, base }: Shop, start: string, values: object): Promise<string[]> {
  const input = createInput(classOf(SHOP, 'Note'), base)
  const sent = JSON.stringify({ text: 'a', ...values })
  const ids = Array.from({ length: COUNT }, (_, index) => `${start}-${index}`)
  await store.members.addAll(
    ids.map((id) => ({ className: 'Note', member: input.create(readJson(sent) as JsonObject, id, 0) })),
  )
  return ids
}

async function timeOf(
  work: () => Promise<{ status: number; body: string }>,
  status: number,
): Promise<number> {
  const start = performance.now()
  const response = await work()
  const ms = performance.now() - start
  assert.equal(response.status, status, response.body)
  return ms
}

test('a removal that takes a thousand members along takes no longer than a batch that deletes them', async (t) => {
  const shop = await serveShop(t, { db: newDatabase(t) })
  const { make, post, removeAt } = shop
  const least = { removal: Number.POSITIVE_INFINITY, batch: Number.POSITIVE_INFINITY }
  let round = 0
  await compareTimes(async () => {
    round += 1
    const order = await make('/orders', {})
    const other = await make('/orders', {})
    await addNotes(shop, `a${round}`, { about: order })
    const ids = await addNotes(shop, `b${round}`, { about: other })
    const operation = ids.map((id) => ({ method: 'DELETE', target: `notes/${id}` }))
    const removal = await timeOf(() => removeAt(order), 204)
    const batch = await timeOf(() => post('/batch', { operation }), 200)
    least.removal = Math.min(least.removal, removal)
    least.batch = Math.min(least.batch, batch)
    t.diagnostic(`${removal.toFixed()} ms, and ${batch.toFixed()} ms as a batch`)
    assert.ok(least.removal <= least.batch, `${least.removal} and ${least.batch} ms`)
  })
})

test('other requests are answered while a removal takes a thousand members along', async (t) => {
  const shop = await serveShop(t, { db: newDatabase(t) })
  const { make, get, removeAt, below } = shop
  const product = await make('/products', {})
  let round = 0
  await compareTimes(async () => {
    round += 1
    const order = await make('/orders', {})
    await addNotes(shop, `a${round}`, round % 2 === 0 ? { about: order } : { others: [order] })
    let longest = 0
    let isOver = false
    const start = performance.now()
    const removing = removeAt(order).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const since = performance.now()
      assert.equal((await get(below(product))).status, 200)
      longest = Math.max(longest, performance.now() - since)
    }
    assert.equal((await removing).status, 204)
    const whole = performance.now() - start
    t.diagnostic(`${longest.toFixed()} of ${whole.toFixed()} ms`)
    assert.ok(longest < whole / 2, `${longest} of ${whole} ms`)
  })
})
