import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { HydrantOptions } from '../../../src/library/index.ts'
import { openShop, until } from '../../library/shop.ts'
import { ownDatabase } from '../../support/databases.ts'
import { newPostgres } from '../../support/postgres.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any
type Members = Awaited<ReturnType<typeof openShop>>['members']

const API = {
  title: 'Stock',
  classes: {
    Shelf: { collection: 'shelves', properties: { name: 'string' } },
    Item: { properties: { name: 'string', shelf: { type: 'Shelf', onDelete: 'delete' } } },
    Box: {
      collection: 'boxes',
      properties: { label: { type: 'string', unique: true }, shelf: { type: 'Shelf', onDelete: 'unset' } },
    },
    Note: { properties: { text: 'string' } },
  },
}

const STORES = [
  { name: 'SQLite', databaseFor: (t: TestContext) => ownDatabase(t) },
  { name: 'PostgreSQL', databaseFor: (t: TestContext) => newPostgres(t) },
]

const textsOf = async (members: Members): Promise<string[]> =>
  (await members('notes').list()).members.map(({ text }: Any) => text)

for (const { name, databaseFor } of STORES)
  describe(name, () => {
    suite(async (t, options = {}) => openShop(t, { api: API, db: await databaseFor(t), ...options }))
  })

function suite(
  open: (t: TestContext, options?: Partial<HydrantOptions>) => ReturnType<typeof openShop>,
): void {
  test('cursors lead through members that the transaction has added', async (t) => {
    const { members } = await open(t)
    const names = ['a', 'b', 'c', 'd', 'e']
    let runs = 0
    const list = async (tx: Members, sort: string | undefined) => {
      const found: string[] = []
      for (let next: Any = { itemsPerPage: 2, sort }, pages = 0; next !== undefined && pages < 9; pages++) {
        const page = await tx('items').list(next)
        found.push(...page.members.map(({ name }: Any) => name))
        next = page.next
      }
      return found
    }
    await members.transaction(async (tx) => {
      runs += 1
      for (const name of names) await tx('items').add({ name })
      assert.deepEqual(await list(tx, undefined), names)
      assert.deepEqual(await list(tx, '-name'), names.toReversed())
    })
    assert.deepEqual([await list(members, undefined), runs], [names, 1])
  })

  test('a cursor holds at the commit: a member that comes before it runs the function again', async (t) => {
    const { members } = await open(t)
    let runs = 0
    await members.transaction(async (tx) => {
      runs += 1
      for (const name of ['own a', 'own b', 'own c']) await tx('items').add({ name })
      const own = { 'name.startsWith': 'own', itemsPerPage: 2 }
      const first = await tx('items').list(own)
      if (runs === 1) await members('items').add({ name: 'other' })
      const rest = await tx('items').list(first.next as Any)
      const names = [...first.members, ...rest.members].map(({ name }: Any) => name)
      await tx('notes').add({ text: names.join() })
    })
    assert.deepEqual(await textsOf(members), ['own a,own b,own c'])
  })

  test('a link that has come to a removed member is taken along by the next run', async (t) => {
    const { members } = await open(t)
    const shelf = await members('shelves').add({ name: 'A' })
    let runs = 0
    await members.transaction(async (tx) => {
      runs += 1
      await tx('shelves').remove(shelf['@id'])
      if (runs === 1) await members('items').add({ name: 'since', shelf: shelf['@id'] })
    })
    assert.deepEqual([runs, (await members('items').list()).total], [2, 0])
  })

  test('a member that a removal changes may be refused, as without a transaction', async (t) => {
    const { members } = await open(t, {
      hooks: {
        Box: { beforeWrite: ({ member, before }: Any) => ({ ...member, ...(before && { label: 'taken' }) }) },
      },
    })
    const shelf = await members('shelves').add({ name: 'A' })
    await members('boxes').add({ label: 'taken' })
    await members('boxes').add({ label: 'free', shelf: shelf['@id'] })
    const refused = { status: 422, code: 'ValidationFailed' }
    await assert.rejects(members('shelves').remove(shelf['@id']), refused)
    let runs = 0
    const removing = members.transaction(async (tx) => {
      runs += 1
      await tx('shelves').remove(shelf['@id'])
    })
    await assert.rejects(removing, refused)
    assert.equal(runs, 1)
  })

  test('a list that is not awaited lets the transaction fail, and harms nobody else, under locks neither', async (t) => {
    const { members } = await open(t)
    const names = Array.from({ length: 20 }, (_, number) => `${number}`)
    for (const isThrown of [false, true]) {
      let runs = 0
      const lists: Promise<unknown>[] = []
      const writing = members.transaction(async (tx) => {
        runs += 1
        const { total } = await tx('items').list()
        if (runs < 3) await members('notes').add({ text: 'other' })
        if (runs < 3) await members('items').add({ name: 'other' })
        for (const name of names) await tx('items').add({ name })
        for (const name of names)
          lists.push(
            tx('items')
              .list({ name })
              .catch(() => {}),
          )
        if (isThrown) throw new Error(`${total}`)
      })
      await assert.rejects(writing, isThrown ? /^Error: \d+$/ : { code: 'TransactionOver' })
      await Promise.all(lists)
      assert.equal(runs, 3)
      assert.equal((await members('items').list()).total, isThrown ? 4 : 2)
    }
  })

  test('a part that throws takes back its own writes, and not those beside it', async (t) => {
    const after: string[] = []
    const { members } = await open(t, {
      hooks: { Note: { afterWrite: ({ member }: Any) => void after.push(member.text) } },
    })
    let late: Promise<unknown> | undefined
    await members.transaction(async (tx) => {
      const isWritten = Promise.withResolvers<void>()
      const part = tx.transaction(async (inner) => {
        await inner('notes').add({ text: 'undone' })
        late = isWritten.promise.then(() => wait(1)).then(() => inner('notes').add({ text: 'late' }))
        await isWritten.promise
        throw new Error('No.')
      })
      const beside = tx('notes').add({ text: 'kept' })
      await beside.finally(isWritten.resolve)
      await assert.rejects(part, /No/)
      await assert.rejects(async () => late, { code: 'TransactionOver' })
      assert.deepEqual(await textsOf(tx), ['kept'])
    })
    assert.deepEqual(await textsOf(members), ['kept'])
    await until(() => after.length > 0)
    assert.deepEqual(after, ['kept'], 'nothing follows a write that was undone')
  })

  test('what a part has listed after its own writes must still be so, though they are undone', async (t) => {
    const { members } = await open(t)
    const shelf = await members('shelves').add({ name: 'A' })
    await members('items').add({ name: 'old', shelf: shelf['@id'] })
    let runs = 0
    await members.transaction(async (tx) => {
      runs += 1
      let seen: readonly unknown[] = []
      const part = tx.transaction(async (inner) => {
        await inner('items').add({ name: 'own' })
        await inner('shelves').remove(shelf['@id'])
        seen = [(await inner('items').list()).total, (await inner('shelves').list()).total]
        throw new Error('No.')
      })
      await assert.rejects(part, /No/)
      if (runs === 1) await members('items').add({ name: 'other' })
      await tx('notes').add({ text: seen.join() })
    })
    assert.deepEqual([await textsOf(members), runs], [['2,0'], 2])
    assert.deepEqual([(await members('items').list()).total, (await members('shelves').list()).total], [2, 1])
  })
}
