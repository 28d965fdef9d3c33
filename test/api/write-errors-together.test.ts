import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestResponse } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import type { Json } from './signed-in.ts'
import { serveWriter, type Writer } from './writing.ts'

const API = `
classes:
  Customer: { properties: { name: { type: string, required: true } } }
  Invoice:
    unique: [[customer, number], [series, year, part]]
    properties:
      customer: Customer
      number: { type: decimal, filterable: false }
      series: string
      year: { type: integer, filterable: false }
      part: { type: string, maxLength: 500 }
      note: { type: string, maxLength: 5 }
`

interface Violation {
  readonly propertyPath: string
  readonly code: string
}

/** What is wrong with a body, as the paths and codes of its violations; empty where it was accepted. */
const wrongIn = (response: TestResponse): [string, string][] => {
  if (response.status < 300) return []
  assert.equal(response.status, 422, response.body)
  const { violations } = response.json() as { violations: Violation[] }
  return violations.map(({ propertyPath, code }) => [propertyPath, code])
}

const AS_PROBLEM = { Accept: 'application/problem+json' }

const TAKEN = [['customer', 'NotUniqueTogether']]

async function serveInvoices(t: Parameters<typeof serveWriter>[0], db?: string) {
  const writer = await serveWriter(t, { api: API, ...(db !== undefined && { db }) })
  const [ann, bob] = await Promise.all(
    ['Ann', 'Bob'].map(async (name) => (await writer.add('/customers', { name }))['@id']),
  )
  return { ...writer, ann, bob }
}

// contract: **Unique together**
// contract: A member that lacks one of them
test('no write gives a member the values that another has of all the properties', async (t) => {
  const { post, put, patch, addAt, ann, bob, get } = await serveInvoices(t)
  const first = await addAt('/invoices', { customer: ann, number: '1', note: 'a' })
  const other = await addAt('/invoices', { customer: bob, number: '1' })
  const table: [what: string, write: () => Promise<TestResponse>, wrong: unknown][] = [
    ['a creation', () => post('/invoices', { customer: ann, number: '1' }, AS_PROBLEM), TAKEN],
    ['another spelling', () => post('/invoices', { customer: ann, number: 1.0 }, AS_PROBLEM), TAKEN],
    [
      'a creation at an address',
      () => put('/invoices/x', { customer: ann, number: '1' }, { ...AS_PROBLEM, 'If-None-Match': '*' }),
      TAKEN,
    ],
    ['a replacement', () => put(other, { customer: ann, number: '1.0' }, AS_PROBLEM), TAKEN],
    ['an update of one of them', () => patch(other, { customer: ann }, AS_PROBLEM), TAKEN],
    ['one value alone', () => post('/invoices', { customer: ann, number: '2' }), []],
    ['its own values', () => put(first, { customer: ann, number: '1' }), []],
    ['its own values in part', () => patch(first, { number: '1.00' }), []],
    ['without the first', () => post('/invoices', { number: '1' }), []],
    ['without the first, again', () => post('/invoices', { number: '1' }), []],
    ['without the second', () => post('/invoices', { customer: ann }), []],
    ['without the second, again', () => post('/invoices', { customer: ann }), []],
    ['a value that was taken out', () => patch(first, { number: null }), []],
    ['and is free now', () => patch(other, { customer: ann }), []],
  ]
  for (const [what, write, wrong] of table) assert.deepEqual(wrongIn(await write()), wrong, what)
  assert.equal((await get('/invoices')).json().totalItems, 7)
})

// contract: **Unique together**
test('three of them, of any length, are compared in full', async (t) => {
  const { post } = await serveInvoices(t)
  const long = 'é'.repeat(499)
  const write = (part: string, year: number, series: string) =>
    post('/invoices', { series, year, part }, AS_PROBLEM)
  assert.deepEqual(wrongIn(await write(`${long}a`, 2026, 'A')), [])
  assert.deepEqual(wrongIn(await write(`${long}b`, 2026, 'A')), [])
  assert.deepEqual(wrongIn(await write(`${long}a`, 2026, 'a')), [])
  assert.deepEqual(wrongIn(await write(`${long}a`, 2027, 'A')), [])
  assert.deepEqual(wrongIn(await write(`${long}a`, 2026, 'A')), [['series', 'NotUniqueTogether']])
  // Values that read the same only when they are put one behind the other.
  assert.deepEqual(wrongIn(await write('"a","b', 1, 'c')), [])
  assert.deepEqual(wrongIn(await write('a', 1, 'b","c')), [])
})

// contract: The violation names all.
test('one violation names all of them, also beside others of a body that is invalid', async (t) => {
  const { post, add, ann } = await serveInvoices(t)
  await add('/invoices', { customer: ann, number: '1', series: 'A', year: 2026, part: 'x' })
  const both = { customer: ann, number: '1', series: 'A', year: 2026, part: 'x' }
  for (const note of ['short', 'too long']) {
    const response = await post('/invoices', { ...both, note }, AS_PROBLEM)
    assert.deepEqual(wrongIn(response), [
      ...(note === 'short' ? [] : [['note', 'TooLong']]),
      ['customer', 'NotUniqueTogether'],
      ['series', 'NotUniqueTogether'],
    ])
    const { violations } = response.json() as { violations: (Violation & { message: string })[] }
    const [first, second] = violations
      .slice(-2)
      .map(({ propertyPath, message }) => `${propertyPath} ${message}`)
    for (const name of ['customer', 'number']) assert.ok(first?.includes(name), name)
    for (const name of ['series', 'year', 'part']) assert.ok(second?.includes(name), name)
  }
  // A value that cannot be read collides with nothing.
  const unread = await post('/invoices', { customer: ann, number: 'one' }, AS_PROBLEM)
  assert.deepEqual(wrongIn(unread), [['number', 'WrongDatatype']])
})

const operation = (method: string, target: string, body?: Json) => ({ method, target, ...(body && { body }) })

const batch = ({ post }: Writer, ...operations: object[]) =>
  post('/batch', { operation: operations }, AS_PROBLEM)

// contract: Under races, in batches, on both stores
test('a batch sees what its own operations have taken and set free', async (t) => {
  const writer = await serveInvoices(t)
  const { addAt, ann, bob, values } = writer
  const [one, two] = [
    await addAt('/invoices', { customer: ann, number: '1' }),
    await addAt('/invoices', { customer: ann, number: '2' }),
  ]
  const [first, second] = [one.slice(1), two.slice(1)]
  const path = (index: number) => [[`operation[${index}]/customer`, 'NotUniqueTogether']]
  const within = await batch(
    writer,
    operation('POST', 'invoices', { customer: bob, number: '1' }),
    operation('POST', 'invoices', { customer: bob, number: '1.0' }),
  )
  assert.deepEqual(wrongIn(within), path(1))
  const swapAtOnce = await batch(
    writer,
    operation('PATCH', first, { number: '2' }),
    operation('PATCH', second, { number: '1' }),
  )
  assert.deepEqual(wrongIn(swapAtOnce), path(0))
  const swap = await batch(
    writer,
    operation('PATCH', first, { number: null }),
    operation('PATCH', second, { number: '1' }),
    operation('PATCH', first, { number: '2' }),
  )
  assert.deepEqual(wrongIn(swap), [])
  assert.deepEqual([(await values(one)).number, (await values(two)).number], ['2', '1'])
  const freed = await batch(
    writer,
    operation('DELETE', second),
    operation('POST', 'invoices', { customer: ann, number: '1' }),
    operation('PATCH', first, { customer: bob }),
    operation('POST', 'invoices', { customer: ann, number: '2' }),
  )
  assert.deepEqual(wrongIn(freed), [])
})

// contract: Under races, in batches, on both stores
test('of a hundred that write the same values at once one succeeds, by whatever method', async (t) => {
  const { post, put, patch, addAt, get, ann, bob } = await serveInvoices(t, newDatabase(t))
  const paths = await Promise.all(
    Array.from({ length: 30 }, (_, index) => addAt('/invoices', { customer: bob, number: String(index) })),
  )
  const body = { customer: ann, number: '7' }
  const writes = Array.from({ length: 100 }, (_, index) => {
    const path = paths[Math.floor(index / 4)]
    if (index % 4 === 0 && path !== undefined) return patch(path, body)
    if (index % 4 === 1) return put(`/invoices/new-${index}`, body, { 'If-None-Match': '*' })
    if (index % 4 === 2)
      return post('/batch', { operation: [operation('POST', 'invoices', { ...body, note: 'b' })] })
    return post('/invoices', body)
  })
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status < 300).length, 1, statuses.join())
  assert.ok(
    statuses.every((status) => status < 300 || status === 422 || status === 503),
    statuses.join(),
  )
  const found = (await get(`/invoices?customer=${encodeURIComponent(String(ann))}`)).json()
  assert.equal(found.totalItems, 1)
})

// contract: Under races, in batches, on both stores
test('a batch and single writes that take the same values at once never both get them', async (t) => {
  const writer = await serveInvoices(t, newDatabase(t))
  const { post, patch, addAt, get, ann, bob } = writer
  const path = await addAt('/invoices', { customer: bob, number: '0' })
  for (let round = 1; round <= 15; round++) {
    const number = String(round)
    const both = [
      () =>
        batch(
          writer,
          operation('POST', 'invoices', { customer: bob, number }),
          operation('POST', 'invoices', { customer: ann, number }),
        ),
      () =>
        round % 3 === 0
          ? patch(path, { customer: ann, number })
          : post('/invoices', { customer: ann, number }),
    ]
    const responses = await Promise.all((round % 2 === 0 ? both : both.reverse()).map((write) => write()))
    assert.equal(responses.filter(({ status }) => status < 300).length, 1, String(round))
  }
  const { member } = (
    await get(`/invoices?customer=${encodeURIComponent(String(ann))}&itemsPerPage=100`)
  ).json()
  const numbers = (member as { number: string }[]).map((one) => one.number)
  assert.equal(new Set(numbers).size, numbers.length)
})
