import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linkColumnsOf,
  readLinkColumns,
  valueAt,
  withBehindLinks,
  withLinkColumns,
} from '../../../../console/pages/table/link-columns.ts'
import { cls, link, operationsFor, property } from '../../descriptions.ts'

test('columns behind links are in the address of a table, but not in the query of the API', () => {
  const address = 'q=a&~column=customer.country&page=2&~column=caf%C3%A9.x'
  const { query, linked } = readLinkColumns(address)
  assert.equal(query, 'q=a&page=2')
  assert.deepEqual(linked, ['customer.country', 'café.x'])
  assert.equal(withLinkColumns(query, linked), 'q=a&page=2&~column=customer.country&~column=caf%C3%A9.x')
  assert.deepEqual(readLinkColumns(''), { query: '', linked: [] })
  assert.equal(withLinkColumns('', ['a.b']), '~column=a.b')
})

test('a table can have the readable properties of linked members, but not the name, which the link shows', () => {
  const customer = cls(
    'Customer',
    property('name', 'string'),
    property('since', 'date', { title: 'Customer since' }),
    property('secret', 'string', { readable: false }),
  )
  const person = cls('Person', property('name', 'string'), property('age', 'integer'))
  const hidden = { ...cls('Hidden', property('x', 'string')), operations: operationsFor('POST') }
  const order = cls(
    'Order',
    property('customer', 'Customer', { isLink: true, title: 'Buyer' }),
    property('people', 'Person', { isLink: true, many: true }),
    link('hidden', 'Hidden'),
    link('elsewhere', 'Elsewhere'),
  )
  assert.deepEqual(
    linkColumnsOf(order, [customer, person, hidden]).map(({ name, title, isSortable }) => [
      ...[name, title, isSortable],
    ]),
    [
      ['customer.since', 'Buyer › Customer since', true],
      ['people.age', 'People › Age', false],
    ],
  )
})

test('a column behind a link stands behind that of the link, or last if that is hidden', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }))
  assert.deepEqual(
    withBehindLinks(named('', 'customer', 'total'), named('lead.age', 'customer.since', 'customer.age')),
    named('', 'customer', 'customer.since', 'customer.age', 'total', 'lead.age'),
  )
})

test('the value of a column is that of the included member, or those of several', () => {
  const values = {
    customer: { '@id': '/1', since: 2020, home: { '@id': '/2', town: 'Vík' } },
    people: [{ age: 1 }, '/people/2', { age: [2, 3] }, {}],
    lead: '/people/3',
    'a.b': 5,
  }
  const found = ['customer.since', 'customer.home.town', 'people.age', 'people.x', 'lead.age', 'a.b', 'no.x']
  assert.deepEqual(
    found.map((path) => valueAt(values, path)),
    [2020, 'Vík', [1, 2, 3], undefined, undefined, 5, undefined],
  )
})
