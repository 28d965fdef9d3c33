import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classSchemas } from '../../../../src/members/conversion/conversion.ts'
import { dryRun, openStore } from '../../../../src/store/open.ts'
import { serveSignedIn } from '../../../api/signed-in.ts'
import { addAt, listed } from '../../../hosts/changed.ts'
import { eventually } from '../../../hosts/hosts.ts'
import { modelOf } from '../../../support/service.ts'
import { SHARED_STORES } from '../../../support/stores.ts'

// Values that a file has hidden, and that a later one shows again: their types are remembered.

const file = (book: string, address = '') => `
classes:
  Address: { collection: false, properties: { city: string${address} } }
  Book: { properties: { title: string, address: Address${book} } }
`
const WHOLE = file(', rank: integer, pages: integer, notes: string', ', zip: string')
const WITHOUT = file(', rank: integer')
/** A change that migrates all members, after which they have the form of this file alone. */
const MIGRATED = file(', rank: decimal')
const AGAIN = file(', rank: decimal, pages: integer, notes: string', ', zip: string, street: string')

const shapesOf = (api: string) => classSchemas(modelOf(api))

for (const { name, newDatabase } of SHARED_STORES) {
  describe(`${name}: hidden values`, () => {
    // contract: **Compatible**: a new class
    test('of the same type as before are shown again by a compatible change, and found', async (t) => {
      const db = newDatabase(t)
      const first = await serveSignedIn(t, { db, api: WHOLE })
      const address = { city: 'Bath', zip: '4' }
      const path = await addAt(first, '/books', { title: 'Emma', rank: 1, pages: 5, notes: 'rare', address })
      await first.close()
      for (const api of [WITHOUT, MIGRATED]) await (await openStore(db, shapesOf(api))).close()

      const changes = async (api: string) =>
        (await dryRun(db, shapesOf(api))).kinds.filter(({ isCompatible }) => !isCompatible)
      assert.deepEqual(await changes(AGAIN), [])
      const otherwise = { className: 'Book', property: 'pages', kind: 'type', isCompatible: false }
      assert.deepEqual(await changes(AGAIN.replace('pages: integer', 'pages: string')), [
        { ...otherwise, from: 'integer', to: 'string' },
      ])
      await (await openStore(db, shapesOf(AGAIN), { isCompatibleOnly: true })).close()

      const shown = await serveSignedIn(t, { db, api: AGAIN, flags: { baseUrl: first.base } })
      const found = async (query: string) => {
        const { status } = await shown.get(`/books?${query}`)
        return status === 200 && (await listed(shown, `/books?${query}`)).includes(path)
      }
      for (const query of ['pages=5', 'address.zip=4', 'q=rare'])
        await eventually(`${query} finds it`, () => found(query))
      const { pages, notes, address: shownAddress } = (await shown.get(path)).json()
      assert.deepEqual({ pages, notes }, { pages: 5, notes: 'rare' })
      assert.equal((shownAddress as typeof address).zip, '4')
    })
  })
}
