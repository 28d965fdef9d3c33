import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hooks, HttpError, violation } from '../../src/library/index.ts'
import { idOf, openShop, until } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any
type OrderHooks = Hooks<Any, Any>

const sum = (amounts: readonly number[] = []): number => amounts.reduce((all, one) => all + one, 0)
// contract: `beforeWrite` sees and returns plain values
// contract: Hooks are synchronous or not
test('beforeWrite sees what is written and what was there, and returns what is written instead', async (t) => {
  const told: Any[] = []
  const beforeWrite: OrderHooks['beforeWrite'] = async ({ operation, member, before, principal }) => {
    told.push({ operation, member, before, principal })
    return { ...member, total: sum(member.amounts) }
  }
  const { ask } = await openShop(t, { hooks: { Order: { beforeWrite } } })
  const [status, made] = await ask('POST', 'orders', { customer: 'Ann', amounts: [1, 2] })
  assert.deepEqual([status, made.total], [201, 3])
  assert.equal(typeof made.placedAt, 'string')
  const [, patched] = await ask('PATCH', `orders/${idOf(made)}`, { amounts: [4] })
  const [, put] = await ask('PUT', `orders/${idOf(made)}`, { customer: 'Bob', amounts: [5] })
  assert.deepEqual([patched.total, put.total, put.placedAt], [4, 5, made.placedAt])
  assert.deepEqual(
    told.map(({ operation }) => operation),
    ['create', 'update', 'replace'],
  )
  assert.deepEqual(told[0], {
    operation: 'create',
    member: {
      '@id': made['@id'],
      '@type': 'Order',
      customer: 'Ann',
      amounts: [1, 2],
      placedAt: made.placedAt,
    },
    before: undefined,
    principal: undefined,
  })
  assert.deepEqual([told[1].before, told[1].member], [made, { ...made, amounts: [4] }])
  assert.deepEqual([told[2].before, told[2].member.total], [patched, 4], 'what only the server writes stays')
  const [, stored] = await ask('GET', `orders/${idOf(made)}`)
  assert.deepEqual(stored, put)
  assert.equal((await ask('POST', 'notes', { text: 'x' }))[0], 201, 'a class without hooks')
})

// contract: `beforeWrite` sees and returns plain values
test('what beforeWrite returns is validated as if it had been sent, but may set what is read-only', async (t) => {
  let returned: Any
  const { ask, logged } = await openShop(t, { hooks: { Order: { beforeWrite: () => returned } } })
  const cases: readonly [Any, number, string?][] = [
    [undefined, 201],
    [{ customer: 'x' }, 201],
    [{ customer: 'x', total: 7, placedAt: '2020-01-01T00:00:00Z' }, 201],
    [{ customer: 'much longer than the twenty characters' }, 422, 'customer'],
    [{ total: 1001 }, 422, 'total'],
    [{ customr: 'x' }, 422, 'customr'],
    [{ '@id': 'http://localhost:8080/api/orders/other' }, 422, '@id'],
    [{ amounts: 'rubbish' }, 422, 'amounts/0'],
    [[], 500],
    ['text', 500],
    [7, 500],
    [null, 500],
    [new Date(), 500],
    [{ total: Number.NaN }, 500],
    [{ amounts: [1, Number.POSITIVE_INFINITY] }, 500],
    [{ placedAt: new Date(Number.NaN) }, 500],
    [Promise.resolve({ total: 9 }), 201],
    [Promise.reject(new Error('no')), 500],
  ]
  for (const [one] of cases) if (one instanceof Promise) one.catch(() => {})
  for (const [one, expected, path] of cases) {
    returned = one
    const before = (await ask('GET', 'orders'))[1].totalItems
    const [status, body] = await ask('POST', 'orders', { amounts: [1] })
    assert.equal(status, expected, JSON.stringify([one, body]))
    if (path !== undefined) assert.equal(body.violations[0].propertyPath, path)
    if (status === 500) {
      const [, id = 'none'] = /under ([\w-]+)\./.exec(JSON.stringify(body)) ?? []
      assert.ok(
        logged.some((line) => line.startsWith('error a request failed')),
        id,
      )
    }
    const after = (await ask('GET', 'orders'))[1].totalItems
    assert.equal(after - before, status === 201 ? 1 : 0)
  }
})

// contract: `violation(path, sentence)` is 422 at that property
// contract: `beforeDelete` likewise
test('what a hook throws is the answer, and nothing is written', async (t) => {
  let thrown: unknown
  const refuse = () => {
    if (thrown !== undefined) throw thrown
  }
  const { ask } = await openShop(t, {
    hooks: { Order: { beforeWrite: refuse, beforeDelete: async () => refuse() } },
  })
  const [, made] = await ask('POST', 'orders', { customer: 'Ann' })
  const foreign = Object.assign(new Error('of another copy of the package.'), {
    name: 'HttpError',
    status: 409,
  })
  const cases: readonly [unknown, number, string?][] = [
    [violation('amounts/0', 'is too much.'), 422, 'amounts/0'],
    [new HttpError(403, 'Not today.'), 403],
    [foreign, 409],
    [new HttpError(200, 'Nonsense.'), 500],
    [new HttpError(401, 'Who are you?'), 500],
    [new Error('a secret of the program'), 500],
    ['a string', 500],
  ]
  for (const [error, expected, path] of cases) {
    thrown = error
    const answers = [
      await ask('POST', 'orders', { customer: 'x' }),
      await ask('PATCH', `orders/${idOf(made)}`, { customer: 'x' }),
      await ask('PUT', `orders/${idOf(made)}`, { customer: 'x' }),
      await ask('DELETE', `orders/${idOf(made)}`),
    ]
    for (const [status, body] of answers) {
      assert.equal(status, expected)
      assert.doesNotMatch(JSON.stringify(body), /a secret of the program/)
      if (path !== undefined) assert.equal(body.violations[0].propertyPath, path)
    }
  }
  assert.deepEqual((await ask('GET', 'orders'))[1].member, [made])
  thrown = undefined
  assert.equal((await ask('DELETE', `orders/${idOf(made)}`))[0], 204)
})

test('a hook cannot answer 401: the log says what to use instead', async (t) => {
  const beforeWrite = () => {
    throw new HttpError(401, 'Who are you?')
  }
  const { ask, logged } = await openShop(t, { hooks: { Order: { beforeWrite } } })
  assert.equal((await ask('POST', 'orders', {}))[0], 500)
  assert.match(logged.join('\n'), /An HttpError must not have the status 401: .*; use 403\./)
})

// contract: Hooks are synchronous or not
test('what changes while a hook runs is 412 with If-Match, and runs the hook again without', async (t) => {
  const seen: number[] = []
  let between: ((id: string) => Promise<unknown>) | undefined
  const { ask, members } = await openShop(t, {
    hooks: {
      Order: {
        async beforeWrite({ operation, member, before }) {
          if (operation === 'create') return undefined
          seen.push(before?.amounts?.[0])
          const act = between
          between = undefined
          await act?.(idOf(member))
          return { ...member, total: sum(before?.amounts) }
        },
        async beforeDelete({ member }) {
          await between?.(idOf(member))
        },
      },
    },
  })
  const put = (id: string, amounts: number[]) => ask('PUT', `orders/${id}`, { amounts })
  const [, made] = await ask('POST', 'orders', { amounts: [1] })
  const id = idOf(made)
  between = () => put(id, [2])
  const [status, patched] = await ask('PATCH', `orders/${id}`, { customer: 'Ann' })
  assert.deepEqual([status, patched.customer, patched.amounts, patched.total], [200, 'Ann', [2], 2])
  assert.deepEqual(seen, [1, 1, 2], 'the one that came between, and then once more')

  const [, , headers] = await ask('GET', `orders/${id}`)
  between = () => put(id, [3])
  const match = { 'if-match': headers.get('etag') ?? '' }
  const [failed] = await ask('PATCH', `orders/${id}`, { customer: 'Bob' }, match)
  assert.equal(failed, 412)
  between = () => put(id, [4])
  const [changed, bob] = await ask('PATCH', `orders/${id}`, { customer: 'Bob' }, { 'if-match': '*' })
  assert.deepEqual([changed, bob.amounts], [200, [4]], 'anything that is there will do')
  const always =
    (count: number) =>
    async (one: string): Promise<unknown> => {
      await put(one, [count])
      between = always(count + 1)
      return undefined
    }
  between = always(10)
  const [busy] = await ask('DELETE', `orders/${id}`)
  assert.equal(busy, 503)
  between = undefined
  assert.equal(await members('orders').remove(id), true)
})

// contract: A promise that is not settled after 10 s
// contract: Hooks are synchronous or not
test('a hook that takes too long is 503; others are answered meanwhile, and its late result is thrown away', async (t) => {
  const late = Promise.withResolvers<Any>()
  const { ask } = await openShop(t, {
    hookTime: '1s',
    hooks: { Order: { beforeWrite: () => late.promise, beforeDelete: () => new Promise<void>(() => {}) } },
  })
  const slow = ask('POST', 'orders', { customer: 'Ann' })
  assert.equal((await ask('POST', 'notes', { text: 'not held up' }))[0], 201)
  const [status, body] = await slow
  assert.equal(status, 503)
  assert.match(JSON.stringify(body), /beforeWrite of Order has not answered in time/)
  late.resolve({ customer: 'late' })
  await new Promise(setImmediate)
  assert.equal((await ask('GET', 'orders'))[1].totalItems, 0)
})

// contract: `afterWrite` runs after creates, changes and deletes
test('afterWrite is told of creates, changes and deletes once they are there, and what it throws is logged', async (t) => {
  const told: Any[] = []
  const { ask, logged } = await openShop(t, {
    hooks: {
      Order: {
        async afterWrite({ operation, member, before, members }) {
          const there = await members('orders').find(member['@id'])
          told.push([operation, member.customer, before?.customer, there?.customer])
          throw new Error('nobody waits for this')
        },
      },
    },
  })
  const [, made] = await ask('POST', 'orders', { customer: 'Ann' })
  await until(() => told.length === 1)
  await ask('PATCH', `orders/${idOf(made)}`, { customer: 'Bob' })
  await until(() => told.length === 2)
  await ask('PUT', `orders/${idOf(made)}`, { customer: 'Cid' })
  await until(() => told.length === 3)
  assert.equal((await ask('DELETE', `orders/${idOf(made)}`))[0], 204)
  await until(() => told.length === 4)
  assert.deepEqual(told, [
    ['create', 'Ann', undefined, 'Ann'],
    ['update', 'Bob', 'Ann', 'Bob'],
    ['replace', 'Cid', 'Bob', 'Cid'],
    ['delete', 'Cid', 'Cid', undefined],
  ])
  await until(
    () =>
      logged.filter((line) => /a hook has failed after the commit .*nobody waits/.test(line)).length === 4,
  )
})

test('a hook that changes its arguments changes nothing by that', async (t) => {
  const spoil = ({ member, before }: Any): void => {
    member.customer = 'spoilt'
    member.amounts?.push(99)
    if (before) before.customer = 'spoilt'
  }
  const { ask } = await openShop(t, {
    hooks: { Order: { beforeWrite: spoil, afterWrite: spoil, beforeDelete: spoil } },
  })
  const [, made] = await ask('POST', 'orders', { customer: 'Ann', amounts: [1] })
  assert.deepEqual([made.customer, made.amounts], ['Ann', [1]])
  const [, changed] = await ask('PATCH', `orders/${idOf(made)}`, { amounts: [2] })
  assert.deepEqual([changed.customer, changed.amounts], ['Ann', [2]])
  assert.equal((await ask('DELETE', `orders/${idOf(made)}`))[0], 204)
})
