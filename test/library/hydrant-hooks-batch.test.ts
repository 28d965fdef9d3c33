import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hooks } from '../../src/library/index.ts'
import { idOf, openShop, until } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any
type OrderHooks = Hooks<Any, Any>

const sum = (amounts: readonly number[] = []): number => amounts.reduce((all, one) => all + one, 0)
const addUp: NonNullable<OrderHooks['beforeWrite']> = ({ member }) => ({
  ...member,
  total: sum(member.amounts),
})

// contract: In a batch all hooks run first
test('in a batch all hooks run first, in order, and afterWrite once all is there', async (t) => {
  const told: string[] = []
  let between: (() => Promise<unknown>) | undefined
  const hooks: OrderHooks = {
    async beforeWrite(write) {
      told.push(`before ${write.operation} ${write.member.customer}`)
      const act = between
      between = undefined
      await act?.()
      return addUp(write)
    },
    afterWrite: ({ operation, member }) => told.push(`after ${operation} ${member.customer}`),
    beforeDelete: ({ member }) => void told.push(`before delete ${member.customer}`),
  }
  const { ask, members } = await openShop(t, { hooks: { Order: hooks } })
  const orders = members('orders')
  const [ann, bob] = [await orders.add({ customer: 'Ann' }), await orders.add({ customer: 'Bob' })]
  told.length = 0
  const batch = (...operation: object[]) => ask('POST', 'batch', { operation })
  const [a, b] = [`orders/${idOf(ann as Any)}`, `orders/${idOf(bob as Any)}`]
  const [status, answer] = await batch(
    { method: 'POST', target: 'orders', body: { customer: 'Cid', amounts: [1, 1] } },
    { method: 'PATCH', target: a, body: { amounts: [3] } },
    { method: 'DELETE', target: b },
  )
  assert.deepEqual([status, answer.operation.map((one: Any) => one.status)], [200, [201, 200, 204]])
  const before = ['before create Cid', 'before update Ann', 'before delete Bob']
  assert.deepEqual(told.slice(0, 3), before)
  assert.deepEqual(told.slice(3).sort(), ['after create Cid', 'after delete Bob', 'after update Ann'])
  assert.deepEqual(
    (await orders.list({ 'order[customer]': 'asc' })).members.map(({ total }: Any) => total),
    [3, 2],
  )

  told.length = 0
  const [twice, answered] = await batch(
    { method: 'PATCH', target: a, body: { amounts: [4] } },
    { method: 'DELETE', target: `http://localhost:8080/api/${a}` },
  )
  assert.deepEqual([twice, answered.violations[0].propertyPath], [422, 'operation[1]/target'])
  const [note] = await Promise.all([members('notes').add({ text: 'x' })])
  const n = `notes/${idOf(note as Any)}`
  const patch = (text: string) => ({ method: 'PATCH', target: n, body: { text } })
  assert.equal((await batch(patch('y'), patch('z')))[0], 200, 'a class without hooks')
  assert.ok(!told.some((one) => one.startsWith('after')), 'nothing was written')

  told.length = 0
  between = () => orders.asProgram().change(a, { customer: 'Zoe' })
  assert.equal((await batch({ method: 'PATCH', target: a, body: { amounts: [5] } }))[0], 200)
  assert.deepEqual(told, [
    'before update Ann',
    'before update Zoe',
    'after update Zoe',
    'before update Zoe',
    'after update Zoe',
  ])
})

// contract: `Prefer: handling=lenient`: each on its own
test('in a lenient batch, a hook that fails is 500 for its operation alone', async (t) => {
  const beforeWrite: OrderHooks['beforeWrite'] = ({ member }) => {
    if (member.customer === 'Bad') throw new TypeError('secret')
  }
  const { ask, logged } = await openShop(t, { hooks: { Order: { beforeWrite } } })
  const post = (customer: string) => ({ method: 'POST', target: 'orders', body: { customer } })
  const sent = { operation: [post('Ann'), post('Bad'), post('Bob')] }
  const [status, answer] = await ask('POST', 'batch', sent, { prefer: 'handling=lenient' })
  assert.deepEqual([status, answer.operation.map((one: Any) => one.status)], [200, [201, 500, 201]])
  assert.match(
    answer.operation[1].detail,
    /^operation\[1\]: The server failed; its log has the reason under [0-9a-f-]{36}\.$/,
  )
  assert.equal(logged.filter((line) => line.startsWith('error a request failed TypeError: secret')).length, 1)
  assert.equal((await ask('GET', 'orders'))[1].totalItems, 2)
  const [whole, , headers] = await ask('POST', 'batch', sent)
  assert.deepEqual([whole, headers.get('x-request-id')?.length], [500, 36])
  assert.equal((await ask('GET', 'orders'))[1].totalItems, 2, 'all or nothing')
})

// contract: `hydrant.members('orders')`
test('hooks that write through members nest 8 deep, to the same member too', async (t) => {
  let deepest = 0
  let isEndless = true
  const { ask, members, logged } = await openShop(t, {
    hooks: {
      Order: {
        async beforeWrite({ member, members }) {
          deepest += 1
          if (isEndless) await members('orders').add({ customer: 'again' })
          else if (member.customer === 'outer' && deepest === 1)
            await members('orders').change(member['@id'], { customer: 'inner' })
        },
      },
      Note: {
        async afterWrite({ members }) {
          await members('notes').add({ text: 'one more' })
        },
      },
    },
  })
  const [status, body] = await ask('POST', 'orders', { customer: 'x' })
  assert.deepEqual([status, deepest], [500, 9], 'the request, and 8 within it')
  assert.match(JSON.stringify(body), /more than 8 deep/)
  assert.equal((await ask('GET', 'orders'))[1].totalItems, 0)
  isEndless = false
  const made = await members('orders').add({ customer: 'x' })
  deepest = 0
  const [changed, member] = await ask('PATCH', `orders/${idOf(made as Any)}`, { customer: 'outer' })
  assert.deepEqual([changed, member.customer, deepest], [200, 'outer', 3], 'outer, inner, and outer again')
  await ask('POST', 'notes', { text: 'first' })
  await until(() => logged.some((line) => line.includes('more than 8 deep')))
  assert.equal((await ask('GET', 'notes'))[1].totalItems, 9)
})
