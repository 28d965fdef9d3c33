import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../src/problem.ts'
import { SHARED_STORES } from '../../support/stores.ts'
import { BASE, openBulk } from '../transfer.ts'

const NONE = { added: 0, alreadyThere: 0, refused: 0 }

const API = `
title: Shop
classes:
  Customer:
    properties:
      email: { type: string, unique: true, title: E-mail }
      name: string
  Product:
    properties:
      number: { type: integer, unique: true }
  Tag:
    properties:
      name: { type: string, unique: true }
      code: { type: string, unique: true }
  Order:
    properties:
      customer: { type: Customer, required: true }
      products: { type: Product, many: true }
      tags: { type: Tag, many: true }
      delivery: Delivery
  Delivery:
    collection: false
    properties:
      to: Customer
  Person:
    properties:
      email: { type: string, unique: true }
      manager: Person
`

const TARGETS = [
  { '@type': 'Customer', '@id': '/customers/1', email: 'ann@shop.example' },
  { '@type': 'Customer', '@id': '/customers/2', email: '1' },
  { '@type': 'Customer', '@id': '/customers/3', email: 'a/b' },
  { '@type': 'Product', '@id': '/products/7', number: 100 },
  { '@type': 'Product', '@id': '/products/8', number: 101 },
  { '@type': 'Tag', '@id': '/tags/1', name: 'new', code: 'N' },
]

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: links are found by a unique property of their targets`, async (t) => {
    const bulk = await openBulk(t, API, await newDatabase(t))
    await bulk.import(TARGETS)
    const rows = [
      ['customer.email\nann@shop.example\n', { customer: 1 }],
      ['customer.E-mail\nann@shop.example\n', { customer: 1 }],
      ['customer.email\na/b\n', { customer: 3 }],
      ['customer\nann@shop.example\n', { customer: 1 }],
      // An id counts before a value.
      ['customer\n1\n', { customer: 1 }],
      ['customer\n/customers/2\n', { customer: 2 }],
      ['customer,products.number,products.number\n1,100,101\n', { customer: 1, products: [7, 8] }],
      ['customer,products,products\n1,100,8\n', { customer: 1, products: [7, 8] }],
      ['customer,tags.code\n1,N\n', { customer: 1, tags: [1] }],
      ['customer,delivery.to.email\n1,1\n', { customer: 1, delivery: { to: 2 } }],
    ] as const
    for (const [index, [data, links]] of rows.entries()) {
      const [header, line] = data.split('\n')
      const csv = `@id,${header}\n/orders/${index},${line}\n`
      const imported = await bulk.import(csv, { format: 'csv', file: 'orders.csv' })
      assert.deepEqual(imported, { ...NONE, added: 1, reported: [] }, data)
      const again = await bulk.import(csv, { format: 'csv', file: 'orders.csv' })
      assert.deepEqual(again, { ...NONE, alreadyThere: 1, reported: [] }, data)
      const member = (await bulk.members())[`/orders/${index}`]
      assert.deepEqual(idsIn(member), links, data)
    }
  })
}

/** The links of a member, by their ids. */
function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsIn)
  if (typeof value === 'string') return Number(value.split('/').at(-1))
  const entries = Object.entries(Object(value)).filter(([name]) => !name.startsWith('@'))
  return Object.fromEntries(entries.map(([name, one]) => [name, idsIn(one)]))
}

test('a value that no member has is refused with its line, and a column of no unique property at once', async (t) => {
  const bulk = await openBulk(t, API)
  await bulk.import(TARGETS)
  const data = 'customer.email\nann@shop.example\nbea@shop.example\n'
  assert.deepEqual(await bulk.import(data, { format: 'csv', file: 'orders.csv' }), {
    ...NONE,
    added: 1,
    refused: 1,
    reported: ['3: customer NoSuchTarget(Customer, email, bea@shop.example)'],
  })
  // More than one property is unique.
  assert.deepEqual(
    (await bulk.import('customer,tags\n1,new tag\n', { format: 'csv', file: 'orders.csv' })).refused,
    1,
  )
  await assert.rejects(bulk.import('customer.name\nAnn\n', { format: 'csv', file: 'orders.csv' }), {
    code: 'ColumnNotUnique',
    values: { className: 'Customer', property: 'name', link: 'customer' },
  })
  await assert.rejects(
    bulk.import('customer.emial\nAnn\n', { format: 'csv', file: 'orders.csv' }),
    (error) => {
      assert.ok(error instanceof Problem && error.code === 'UnknownColumn')
      assert.ok((error.values as { known: string[] }).known.includes('customer.email'))
      return true
    },
  )
})

test('links by a unique value lead to members of the same file, in any order and in circles', async (t) => {
  const count = 300
  // A tree of ten below each, from its leaves to its root: few can be added at once.
  const lines = Array.from({ length: count }, (_, index) => {
    const number = count - 1 - index
    const manager = number === 0 ? '' : `p${Math.floor((number - 1) / 10)}@x.example`
    return `p${number}@x.example,${manager}`
  })
  for (const column of ['manager.email', 'manager']) {
    const bulk = await openBulk(t, API)
    const data = `email,${column}\n${lines.join('\n')}\na@x.example,b@x.example\nb@x.example,a@x.example\nc@x.example,d@x.example\n`
    const imported = await bulk.import(data, { format: 'csv', file: 'persons.csv' })
    assert.deepEqual(imported, {
      ...NONE,
      added: count + 2,
      refused: 1,
      reported: [`${count + 4}: manager NoSuchTarget(Person, email, d@x.example)`],
    })
    const members = await bulk.members()
    const found = Object.values(members).map(({ email, manager = '' }) => {
      const path = String(manager).slice(BASE.length)
      return `${email},${members[path]?.email ?? ''}`
    })
    assert.deepEqual(found.filter((line) => line.startsWith('p')).toSorted(), lines.toSorted())
  }
})

test('what may be an id of a later line is taken for a unique value only where no line has that id', async (t) => {
  const bulk = await openBulk(t, API)
  const data = 'id,email,manager\n1,a,b\n2,x,\nb,c,\n3,d,x\n'
  assert.deepEqual(await bulk.import(data, { format: 'csv', file: 'persons.csv' }), {
    ...NONE,
    added: 4,
    reported: [],
  })
  const again = await bulk.import(data, { format: 'csv', file: 'persons.csv' })
  assert.deepEqual(again, { ...NONE, alreadyThere: 4, reported: [] })
  const members = await bulk.members()
  assert.deepEqual(
    ['1', '3'].map((id) => idOf(members[`/persons/${id}`]?.manager)),
    ['b', '2'],
  )
})

const idOf = (address: unknown): string | undefined => String(address).split('/').at(-1)
