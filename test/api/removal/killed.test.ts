import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { prepareDatabase, spawnServer } from '../../support/server-processes.ts'
import { listAll, modelOf } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { classOf } from '../queries.ts'
import { SHOP } from './shop.ts'

const SCHEMAS = classSchemas(modelOf(SHOP))
const ORDERS = 900
/** When the process is killed: after this share of the time that a removal takes. The first one is not disturbed. */
const SHARES = [undefined, ...inSoak([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1], [0.6])]

const base = 'http://a/api'
const inputs = {
  Customer: createInput(classOf(SHOP, 'Customer'), base),
  Order: createInput(classOf(SHOP, 'Order'), base),
}

const members = (className: keyof typeof inputs, count: number, start: string, values: object) =>
  Array.from({ length: count }, (_, index) => ({
    className,
    member: inputs[className].create(readJson(JSON.stringify(values)) as JsonObject, start + index, 0),
  }))

/** Adds a customer with many orders. */
async function addCustomer(store: Store, name: string): Promise<void> {
  await store.members.addAll(members('Customer', 1, name, {}))
  await store.members.addAll(members('Order', ORDERS, name, { customer: `${base}/customers/${name}0` }))
}

// contract: One transaction, hooks and events and history
test('a process that is killed in the middle of a removal leaves all of it, or nothing', async (t) => {
  const db = await prepareDatabase(t)
  const seen = new Set<string>()
  let orders = 0
  let whole = 0
  for (const [round, share] of SHARES.entries()) {
    const store = await openStore(db, SCHEMAS)
    const name = `c${round}-`
    await addCustomer(store, name)
    await store.close()
    const { client, kill } = await spawnServer(t, db, SHOP)
    const token = await client.signIn()
    const removing = client.send('DELETE', `/customers/${name}0`, { 'X-Authorization': token }).then(
      ({ status }) => status,
      () => undefined,
    )
    const start = performance.now()
    await (share === undefined ? removing : wait(share * whole))
    if (share === undefined) whole = performance.now() - start
    await kill()
    const status = await removing
    const after = await openStore(db, SCHEMAS)
    const isThere = (await after.members.find('Customer', `${name}0`)) !== undefined
    const { total = 0 } = await listAll(after, 'Order')
    await after.close()
    assert.equal(total - orders, isThere ? ORDERS : 0, `${share} of ${whole} ms`)
    orders = total
    if (status === 204) assert.equal(isThere, false)
    seen.add(`${isThere} ${status}`)
  }
  t.diagnostic([...seen].join(', '))
})
