import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { classSchemas } from '../../../../src/members/conversion/conversion.ts'
import { IncompatibleMembersError } from '../../../../src/members/index.ts'
import { dryRun } from '../../../../src/store/open.ts'
import { withAccounts } from '../../../../src/vocabulary/index.ts'
import { serveWriter, type Writer } from '../../../api/writing.ts'
import { keptDatabase } from '../../../support/databases.ts'
import { modelOf } from '../../../vocabulary/api-files.ts'

const API = `
classes:
  Customer: {}
  Invoice: { properties: { customer: Customer, number: { type: decimal, filterable: false }, note: string } }
`
const UNIQUE = API.replace('Invoice: {', 'Invoice: { unique: [[customer, number]],')
const RENAMED = UNIQUE.replace('[customer, number]', '[payer, number]').replace(
  'customer: Customer',
  'payer: { type: Customer, was: customer }',
)

async function startOver(t: TestContext, { base, db }: Writer, api: string): Promise<Writer> {
  return serveWriter(t, { api, db, flags: { baseUrl: base } })
}

// contract: Under races, in batches, on both stores
// contract: **Changing the API file** over data that exists
test('properties that members do not have together alone stop the start, which names ten members and changes nothing', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: API })
  const customer = (await first.add('/customers', {}))['@id']
  const kept = await first.addAt('/invoices', { customer, number: '1' })
  for (let index = 0; index < 12; index++) await first.addAt('/invoices', { customer, number: '1.0' })
  for (let index = 0; index < 3; index++) await first.addAt('/invoices', { customer, note: 'x' })
  const before = (await first.get('/invoices')).body
  await first.close()

  for (const [api, at] of [
    [UNIQUE, { property: 'customer' }],
    [RENAMED, { property: 'customer' }],
  ] as const) {
    const { incompatible } = await dryRun(first.db, classSchemas(modelOf(api)))
    await assert.rejects(startOver(t, first, api), (error) => {
      assert.ok(error instanceof IncompatibleMembersError, String(error))
      assert.deepEqual(
        error.incompatible.map(({ id }) => id),
        incompatible.map(({ id }) => id),
      )
      return true
    })
    assert.equal(incompatible.length, 10)
    for (const { violations } of incompatible) {
      assert.equal(violations.length, 1)
      const [{ code, at: place, values } = { code: '', at: {}, values: {} }] = violations
      assert.deepEqual([code, place], ['DuplicateValues', at])
      assert.equal((values as { address: string }).address, kept)
    }
  }
  const [one] = (await dryRun(first.db, classSchemas(modelOf(UNIQUE)))).incompatible
  const path = customer.slice(first.base.length)
  assert.deepEqual(one?.violations[0]?.values, {
    address: kept,
    properties: ['customer', 'number'],
    values: [JSON.stringify(path), '"1.0"'],
  })
  const again = await startOver(t, first, API)
  assert.equal((await again.get('/invoices')).body, before)
})

// contract: Under races, in batches, on both stores
test('members that do not collide get their keys at the start, and keep their texts and versions', async (t) => {
  const first = await serveWriter(t, { db: keptDatabase(t), api: API })
  const customer = (await first.add('/customers', {}))['@id']
  const path = await first.addAt('/invoices', { customer, number: '1' })
  await first.addAt('/invoices', { customer, number: '2' })
  const before = await first.get(path)
  await first.close()
  const schemas = classSchemas(withAccounts(modelOf(UNIQUE)))
  const { incompatible, changes, migrated } = await dryRun(first.db, schemas)
  assert.deepEqual([incompatible, changes, migrated], [[], [], [{ className: 'Invoice', members: 2 }]])

  const second = await startOver(t, first, UNIQUE)
  const after = await second.get(path)
  const version = (response: typeof after) => Number.parseInt(String(response.headers.etag).slice(1), 10)
  assert.deepEqual([after.body, version(after)], [before.body, version(before)])
  const taken = await second.post('/invoices', { customer, number: '2.0' })
  assert.equal(taken.status, 422)
  await second.close()

  const third = await startOver(t, first, API)
  await third.addAt('/invoices', { customer, number: '2' })
})
