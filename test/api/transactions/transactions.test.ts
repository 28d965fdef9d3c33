import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { HttpError, type HydrantOptions } from '../../../src/library/index.ts'
import { idOf, openShop } from '../../library/shop.ts'
import { ownDatabase } from '../../support/databases.ts'
import { newPostgres } from '../../support/postgres.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

const API = {
  title: 'Stock',
  classes: {
    Shelf: { collection: 'shelves', properties: { name: { type: 'string', unique: true } } },
    Item: {
      properties: {
        name: 'string',
        stock: { type: 'integer', minimum: 0 },
        shelf: { type: 'Shelf', onDelete: 'delete' },
      },
    },
    Sale: { properties: { item: 'Item', count: 'integer' } },
    Note: { properties: { text: 'string' } },
    Settings: { collection: false, operations: ['read', 'replace'], properties: { open: 'boolean' } },
  },
}

const STORES = [
  { name: 'SQLite', databaseFor: (t: TestContext) => ownDatabase(t) },
  { name: 'PostgreSQL', databaseFor: (t: TestContext) => newPostgres(t) },
]

const statusIs = (status: number) => (error: unknown) => error instanceof HttpError && error.status === status

for (const { name, databaseFor } of STORES)
  describe(name, () => {
    const open = async (t: TestContext, options: Partial<HydrantOptions> = {}) =>
      openShop(t, { api: API, db: await databaseFor(t), ...options })
    suite(open)
  })

function suite(
  open: (t: TestContext, options?: Partial<HydrantOptions>) => ReturnType<typeof openShop>,
): void {
  // contract: `members.transaction(async (tx) => { … })`, of `hydrant`
  test('reads see the writes of the transaction, and nobody else does before the commit', async (t) => {
    const { members } = await open(t)
    const shelf = await members('shelves').add({ name: 'A' })
    const made = await members.transaction(async (tx) => {
      const ink = await tx('items').add({ name: 'ink', stock: 3, shelf: shelf['@id'] })
      const pen = await tx('items').add({ name: 'pen', stock: 5, shelf: shelf['@id'] })
      assert.deepEqual(await tx('items').find(ink['@id']), ink)
      await tx('items').change(ink['@id'], { stock: 2 })
      await tx('items').remove(pen['@id'])
      const { members: listed, total } = await tx('items').list({ 'stock.lt': 3 })
      assert.deepEqual([listed.map(({ name }: Any) => name), total], [['ink'], 1])
      assert.equal((await tx('items').list({ 'shelf.name': 'A' })).total, 1)
      assert.equal((await tx('items').list()).total, 1)
      assert.equal((await members('items').list()).total, 0, 'nothing is written yet')
      await assert.rejects(tx('items').change(pen['@id'], { stock: 1 }), statusIs(404))
      return ink
    })
    const stored = await members('items').find(made['@id'])
    assert.deepEqual([stored?.stock, (await members('items').list()).total], [2, 1])
  })

  // contract: Nothing is locked while it runs.
  test('while the function runs, others write the same members', async (t) => {
    const { members } = await open(t)
    const ink = await members('items').add({ name: 'ink', stock: 3 })
    let runs = 0
    await members.transaction(async (tx) => {
      runs += 1
      await tx('items').change(ink['@id'], { stock: 7 })
      await tx('items').list()
      if (runs > 1) return
      await members('items').add({ name: 'pen' })
      await members('items').change(ink['@id'], { name: 'black ink' })
    })
    const { name, stock } = (await members('items').find(ink['@id'])) as Any
    assert.deepEqual([name, stock, runs], ['black ink', 7, 2])
  })

  test('a hook and an operation have transactions of their own', async (t) => {
    const { members, ask } = await open(t, {
      hooks: {
        Sale: {
          async beforeWrite({ members: own }) {
            await own.transaction(async (tx) => {
              await tx('notes').add({ text: `${(await tx('notes').list()).total}` })
            })
          },
        },
      },
      operations: {
        Item: {
          note: {
            async handle({ members: own }) {
              await own.transaction((tx) => tx('notes').add({ text: 'noted' }))
            },
          },
        },
      },
    })
    const ink = await members('items').add({ name: 'ink' })
    await members('sales').add({ item: ink['@id'] })
    assert.equal((await ask('POST', `items/${idOf(ink)}/note`))[0], 204)
    const { members: notes } = await members('notes').list()
    assert.deepEqual(
      notes.map(({ text }: Any) => text),
      ['0', 'noted'],
    )
  })

  test('where the function throws, nothing is written', async (t) => {
    const { members } = await open(t)
    const failing = members.transaction(async (tx) => {
      await tx('items').add({ name: 'ink', stock: 3 })
      throw new HttpError(409, 'Not today.')
    })
    await assert.rejects(failing, statusIs(409))
    assert.equal((await members('items').list()).total, 0)
  })

  test('what was read must still be so: the function is run again with what is there now', async (t) => {
    const { members } = await open(t)
    const ink = await members('items').add({ name: 'ink', stock: 3 })
    const seen: unknown[] = []
    await members.transaction(async (tx) => {
      const { stock } = (await tx('items').find(ink['@id'])) as Any
      seen.push(stock)
      if (seen.length === 1) await members('items').change(ink['@id'], { stock: 10 })
      await tx('sales').add({ item: ink['@id'], count: stock })
    })
    assert.deepEqual(seen, [3, 10])
    assert.deepEqual(
      (await members('sales').list()).members.map(({ count }: Any) => count),
      [10],
    )
  })

  test('two that each read what the other writes: one of them is run again', async (t) => {
    const { members } = await open(t)
    const pair = [await members('items').add({ stock: 1 }), await members('items').add({ stock: 1 })] as Any[]
    let runs = 0
    const bothHaveRead = Promise.withResolvers<void>()
    const empty = (own: number) =>
      members.transaction(async (tx) => {
        const both = [await tx('items').find(pair[0]['@id']), await tx('items').find(pair[1]['@id'])] as Any[]
        runs += 1
        if (runs === 2) bothHaveRead.resolve()
        await bothHaveRead.promise
        if (both.every(({ stock }) => stock > 0)) await tx('items').change(pair[own]['@id'], { stock: 0 })
      })
    await Promise.all([empty(0), empty(1)])
    const { members: left } = await members('items').list({ stock: 1 })
    assert.deepEqual([runs, left.length], [3, 1])
  })

  test('a list that has come to select something else runs the function again, another one does not', async (t) => {
    const { members } = await open(t)
    await members('items').add({ name: 'ink', stock: 3 })
    for (const [added, runs] of [
      ['pen', 2],
      ['paper', 1],
    ] as const) {
      let run = 0
      await members.transaction(async (tx) => {
        run += 1
        await tx('notes').add({ text: 'before the list' })
        const { total } = await tx('items').list({ name: ['ink', 'pen'] })
        if (run === 1) await members('items').add({ name: added })
        await tx('notes').add({ text: `${total}` })
      })
      assert.equal(run, runs, added)
    }
  })

  test('a member that was not there and has come runs the function again', async (t) => {
    const { members } = await open(t)
    let run = 0
    await members.transaction(async (tx) => {
      run += 1
      const there = await tx('Settings').find('Settings')
      if (run === 1) await members('Settings').add({ open: true })
      await tx('notes').add({ text: String(there?.open) })
    })
    assert.deepEqual(
      (await members('notes').list()).members.map(({ text }: Any) => text),
      ['true'],
    )
  })

  test('other writers that are always faster: 503 after at most four runs', async (t) => {
    const { members } = await open(t)
    const ink = await members('items').add({ name: 'ink', stock: 0 })
    let runs = 0
    const losing = members.transaction(async (tx) => {
      await tx('items').find(ink['@id'])
      runs += 1
      await members('items').change(ink['@id'], { stock: runs })
      await tx('notes').add({ text: 'x' })
    })
    await assert.rejects(losing, statusIs(503))
    assert.ok(runs >= 3 && runs <= 4, `${runs}`)
    assert.equal((await members('notes').list()).total, 0)
    await members('items').change(ink['@id'], { stock: 9 })
  })

  test('an error because of what is not so any more is not thrown: the function is run again', async (t) => {
    const { members } = await open(t)
    const [one, two] = [await members('items').add({ stock: 5 }), await members('items').add({ stock: 5 })]
    let runs = 0
    await members.transaction(async (tx) => {
      runs += 1
      const left = (await tx('items').find(one['@id'])) as Any
      if (runs === 1)
        await members.transaction(async (other) => {
          await other('items').change(one['@id'], { stock: 4 })
          await other('items').change(two['@id'], { stock: 6 })
        })
      const right = (await tx('items').find(two['@id'])) as Any
      if (left.stock + right.stock !== 10) throw new Error('The sum must hold.')
    })
    assert.equal(runs, 2)
  })

  test('what the store refuses at the commit is thrown as by a single write', async (t) => {
    const { members } = await open(t)
    const shelf = await members('shelves').add({ name: 'A' })
    await members('sales').add({ item: (await members('items').add({ name: 'sold' }))['@id'] })
    const [sold] = (await members('items').list()).members as [Any]
    const refused: readonly [work: (tx: typeof members) => Promise<unknown>, status: number, code: string][] =
      [
        [(tx) => tx('shelves').add({ name: 'A' }), 422, 'ValidationFailed'],
        [(tx) => tx('items').add({ shelf: `${shelf['@id']}0` }), 422, 'ValidationFailed'],
        [(tx) => tx('items').remove(sold['@id']), 409, 'StillLinked'],
        [(tx) => tx('items').add({ stock: -1 }), 422, 'ValidationFailed'],
      ]
    for (const [work, status, code] of refused) {
      const failing = members.transaction(async (tx) => {
        await tx('notes').add({ text: 'gone with it' })
        await work(tx)
      })
      await assert.rejects(failing, (error: Any) => error.status === status && error.code === code, code)
      // Seen at once by what lists the members.
      const listing = members.transaction(async (tx) => {
        await work(tx)
        await tx('shelves').list()
        await tx('items').list()
      })
      await assert.rejects(listing, (error: Any) => error.status === status && error.code === code, code)
    }
    assert.equal((await members('notes').list()).total, 0)
  })

  test('a removal takes others along within the transaction, and its writes can be undone together', async (t) => {
    const { members } = await open(t)
    const shelf = await members('shelves').add({ name: 'A' })
    for (const name of ['ink', 'pen']) await members('items').add({ name, shelf: shelf['@id'] })
    await members.transaction(async (tx) => {
      await tx('items').add({ name: 'new', shelf: shelf['@id'] })
      const undone = tx.transaction(async (inner) => {
        await inner('shelves').remove(shelf['@id'])
        assert.equal((await inner('items').list()).total, 0)
        throw new Error('Not now.')
      })
      await assert.rejects(undone, /Not now/)
      assert.equal((await tx('items').list()).total, 3)
      await tx('shelves').remove(shelf['@id'])
    })
    assert.deepEqual([(await members('items').list()).total, (await members('shelves').list()).total], [0, 0])
  })

  // contract: Hooks of the members that it writes run inside it.
  test('hooks run inside the transaction, and those after a write after its commit', async (t) => {
    const after: string[] = []
    const { members } = await open(t, {
      hooks: {
        Item: {
          async beforeWrite({ member, members }) {
            await members('notes').add({ text: `writes ${member.name}` })
            return { ...member, name: `${member.name}!` }
          },
          async afterWrite({ member, members }) {
            after.push(`${member.name} ${(await members('items').list()).total}`)
          },
        },
      },
    })
    await assert.rejects(
      members.transaction(async (tx) => {
        await tx('items').add({ name: 'lost' })
        throw new Error('No.')
      }),
    )
    assert.equal((await members('notes').list()).total, 0, 'what a hook writes belongs to the transaction')
    await members.transaction(async (tx) => {
      const ink = await tx('items').add({ name: 'ink' })
      assert.equal((await tx('notes').list()).total, 1)
      await tx('items').change(ink['@id'], { stock: 1 })
      assert.deepEqual(after, [])
    })
    const { members: notes } = await members('notes').list()
    assert.deepEqual(
      notes.map(({ text }: Any) => text),
      ['writes ink', 'writes ink!'],
    )
    while (after.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(after.sort(), ['ink! 1', 'ink!! 1'])
  })

  test('a request that is sent from within a transaction does not belong to it', async (t) => {
    const { members, ask } = await open(t, {
      hooks: {
        Sale: {
          async beforeWrite({ members: own }) {
            await own('notes').add({ text: 'sold' })
          },
        },
      },
      operations: {
        Item: {
          sell: {
            transaction: true,
            async handle() {
              assert.equal((await ask('POST', 'sales', { count: 1 }))[0], 201)
              throw new HttpError(409, 'Not today.')
            },
          },
        },
      },
    })
    const ink = await members('items').add({ name: 'ink' })
    assert.equal((await ask('POST', `items/${idOf(ink)}/sell`))[0], 409)
    const totals = [(await members('sales').list()).total, (await members('notes').list()).total]
    assert.deepEqual(totals, [1, 1], 'a sale, and what its hook has written')
  })

  test('a function that writes a lot leaves turns to other requests', async (t) => {
    const { members } = await open(t)
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    await members.transaction(async (tx) => {
      await tx('notes').add({ text: '0' })
      setImmediate(count)
      for (let note = 1; note < 600; note++) await tx('notes').add({ text: `${note}` })
      isOver = true
    })
    assert.ok(turns > 2, `${turns}`)
  })

  test('a transaction cannot be used after its end', async (t) => {
    const { members } = await open(t)
    let kept: typeof members | undefined
    await members.transaction(async (tx) => {
      kept = tx
    })
    await assert.rejects(async () => kept?.('items').add({ name: 'late' }), { code: 'TransactionOver' })
    assert.equal((await members('items').list()).total, 0)
  })

  test('a function that ends before its calls do fails, and nothing is written', async (t) => {
    const { members, ask } = await open(t, {
      operations: {
        Item: {
          forget: {
            transaction: true,
            handle({ members: tx }) {
              tx('notes').add({ text: 'not awaited' })
            },
          },
        },
      },
    })
    const forgetful = members.transaction(async (tx) => {
      await tx('notes').add({ text: 'awaited' })
      tx('items').add({ stock: -1 })
    })
    await assert.rejects(forgetful, { code: 'TransactionOver' })
    const ink = await members('items').add({ name: 'ink' })
    assert.equal((await ask('POST', `items/${idOf(ink)}/forget`))[0], 500)
    assert.equal((await members('notes').list()).total, 0)
  })

  // contract: An operation with `transaction: true`
  test('an operation is a transaction: its member is read in it, and its writes are one commit', async (t) => {
    let runs = 0
    const { members, ask } = await open(t, {
      operations: {
        Item: {
          sell: {
            expects: 'Sale',
            returns: 'Item',
            transaction: true,
            async handle({ member, body, members: tx }) {
              runs += 1
              const { '@id': id, stock } = member as Any
              if (runs === 1) await members('items').change(id, { stock: 8 })
              await tx('sales').add({ item: id, count: body.count })
              return tx('items').change(id, { stock: stock - body.count })
            },
          },
        },
      },
    })
    const ink = await members('items').add({ name: 'ink', stock: 3 })
    const [status, sold] = await ask('POST', `items/${idOf(ink)}/sell`, { count: 2 })
    assert.deepEqual([status, sold.stock, runs], [200, 6, 2])
    assert.equal((await ask('POST', `items/${idOf(ink)}/sell`, { count: 7 }))[0], 422)
    assert.equal((await members('sales').list()).total, 1)
    const [, , headers] = await ask('GET', `items/${idOf(ink)}`)
    const stale = { 'if-match': headers.get('etag') ?? '' }
    await members('items').change(ink['@id'], { stock: 5 })
    assert.equal((await ask('POST', `items/${idOf(ink)}/sell`, { count: 1 }, stale))[0], 412)
  })
}
