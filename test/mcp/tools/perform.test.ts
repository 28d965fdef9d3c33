import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationCall, Program } from '../../../src/api/index.ts'
import { serve } from '../../support/service.ts'
import { business, library } from '../apis.ts'
import { connectBridge } from '../bridge.ts'

// contract: `perform` of update, replace and delete needs the `ifMatch`
test('update, replace and delete need the version that was read, and never overwrite another', async () => {
  const { call, refused, other } = await library()
  const made = await call('perform', { address: 'authors', operation: 'create', body: { name: 'Ann' } })
  const { address, etag } = made
  for (const operation of ['update', 'replace', 'delete']) {
    const body = operation === 'delete' ? {} : { body: { name: 'Mine' } }
    const unseen = await refused('perform', { address, operation, ...body })
    assert.equal(unseen.details.code, 'version-missing')

    await (await other.get(address)).update({ name: `Before ${operation}` })
    const late = await refused('perform', { address, operation, ...body, ifMatch: etag })
    assert.equal(late.details.code, 'changed')
    assert.equal(late.details.current.name, `Before ${operation}`)
    assert.equal((await other.get(address)).data.name, `Before ${operation}`)
  }
  const { details } = await refused('perform', { address, operation: 'delete', ifMatch: etag })
  const changed = await call('perform', {
    address,
    operation: 'update',
    body: { born: '1966-03-02' },
    ifMatch: details.etag,
  })
  assert.deepEqual([changed.member.name, changed.member.born], ['Before delete', '1966-03-02'])
  const replaced = await call('perform', {
    address,
    operation: 'replace',
    body: { name: 'Anna' },
    ifMatch: changed.etag,
  })
  assert.deepEqual([replaced.member.name, replaced.member.born], ['Anna', undefined])
  assert.deepEqual(await call('perform', { address, operation: 'delete', ifMatch: replaced.etag }), {
    address,
  })
  const gone = await refused('perform', { address, operation: 'update', body: {}, ifMatch: replaced.etag })
  assert.equal(gone.details.status, 404)
})

// contract: Arguments and results have schemas; errors are the API's own sentences
test("Values that are not valid are refused with the API's own sentences and all violations", async () => {
  const { refused, other } = await business()
  const body = { name: '', rate: '1.555', status: 'begun', nonsense: 1 }
  const { sentence, details } = await refused('perform', { address: 'projects', operation: 'create', body })
  await assert.rejects(
    other.collection('projects').create(body),
    (error: { message: string; violations: object[] }) => {
      assert.equal(sentence, error.message)
      assert.deepEqual(details.violations, error.violations)
      return true
    },
  )
  assert.equal(details.status, 422)
  assert.ok(details.violations.length >= 4)
})

test('A body that is missing, or that contains what was cut, is refused before anything is sent', async () => {
  const { call, refused } = await library()
  const rows = [
    [{ operation: 'create' }, 'body-missing'],
    [{ operation: 'update', ifMatch: '"1"' }, 'body-missing'],
    [
      { operation: 'create', body: { name: 'A …[cut, 5 more: read http://x/1#/name;from=2000]' } },
      'text-cut',
    ],
    [
      { operation: 'create', body: { names: ['A', '…[cut, 5 more: read http://x/1#/names;from=100]'] } },
      'text-cut',
    ],
    [{ address: 'authors/1?fields=name', operation: 'replace', body: {}, ifMatch: '"1"' }, 'read-in-part'],
  ] as const
  for (const [asked, code] of rows) {
    const { details } = await refused('perform', { address: 'authors', ...asked })
    assert.equal(details.code, code)
  }
  const quoted = { name: 'Says …[cut, 5 more: read http://x/1;from=2] and goes on' }
  assert.equal(
    (await call('perform', { address: 'authors', operation: 'create', body: quoted })).member.name,
    quoted.name,
  )
})

const SHOP = `
roles: [clerk]
accounts: { manage: clerk }
classes:
  Order:
    properties:
      note: string
      status: { type: string, default: open }
  Shipment:
    collection: false
    properties: { carrier: { type: string, required: true, minLength: 2 } }
  Settings:
    collection: false
    operations: [create, read, update, replace]
    properties: { theme: string }
`

const PROGRAM: Program = {
  operations: {
    Order: {
      ship: {
        expects: 'Shipment',
        returns: 'Order',
        handle: ({ member, members }: OperationCall) =>
          (members as (name: string) => { change(id: string, values: object): Promise<object> })(
            'orders',
          ).change((member as { '@id': string })['@id'], { status: 'shipped' }),
      },
    },
  },
}

test("Single resources, operations of one's own, and accounts", async (t) => {
  const { base, store } = await serve(t, { api: SHOP, program: PROGRAM })
  await store.auth.setRoles(7, ['clerk'])
  const { call, refused } = await connectBridge(t, { base })
  assert.deepEqual((await call('entry')).singles, { Settings: `${base}/Settings` })
  const first = { address: 'Settings', operation: 'create', body: { theme: 'dark' } }
  assert.equal((await call('perform', first)).member.theme, 'dark')
  assert.equal((await refused('perform', first)).details.status, 412)

  const order = await call('perform', { address: 'orders', operation: 'create', body: { note: 'Soon' } })
  assert.deepEqual((await call('describe', { class: 'Order' })).operations.ship.body, 'Shipment')
  const { etag, may } = await call('read', { address: order.address })
  assert.ok(may.includes('ship'))
  const ship = { address: order.address, operation: 'ship', body: { carrier: 'DHL' } }
  const wrong = await refused('perform', { ...ship, body: {} })
  assert.equal(wrong.details.violations[0].propertyPath, 'carrier')
  assert.equal((await call('perform', { ...ship, ifMatch: etag })).result.status, 'shipped')
  const late = await refused('perform', { ...ship, ifMatch: etag })
  assert.deepEqual([late.details.code, late.details.current.status], ['changed', 'shipped'])
  const unknown = await refused('perform', { ...ship, operation: 'shi' })
  assert.equal(unknown.details.code, 'unknown-operation')
  const ofCollection = await refused('perform', { address: 'orders', operation: 'add', body: {} })
  assert.match(ofCollection.sentence, /it offers read, create\.$/)

  // A paraphrase in a conversation would be no secret.
  for (const asked of [
    { address: 'accounts', operation: 'create', body: { name: 'bob' } },
    { address: `${base}/accounts/7/paraphrase`, operation: 'create', body: { current: 'a', new: 'b' } },
    { address: 'accounts/7', operation: 'update', body: { paraphrase: 'another one' }, ifMatch: '"1"' },
  ])
    assert.equal((await refused('perform', asked)).details.code, 'paraphrase-in-body')
  const { collections } = await call('entry')
  const accounts = collections.find((group: { names: object }) => 'accounts' in group.names)
  assert.ok(!accounts.may.includes('create'))
  assert.ok(!('paraphrase' in (await call('describe', { class: 'Account' })).properties))
})
