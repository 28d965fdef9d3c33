import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '../../../src/members/index.ts'
import { permittedModel, textKey } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import { ordersModel, readerIn, readerOf } from '../queries.ts'

const CUSTOMER = { kind: 'link', property: 'customer', className: 'Customer' } as const

// contract: **Filters**: `p=v`
test('a path wins over an operator behind a dot, which brackets still reach', () => {
  const read = readerIn(ordersModel(), 'Order')
  const path: Filter = {
    test: 'some',
    step: CUSTOMER,
    filters: [{ property: 'ne', test: 'in', keys: [textKey('x')] }],
  }
  const operator: Filter = { property: 'customer', test: 'not', key: '7' }
  const table: [query: string, filter: Filter, linkQuery: string][] = [
    // Customers have a property that is named "ne".
    ['customer.ne=x', path, 'customer.ne=x'],
    ['customer.ne.eq=x', path, 'customer.ne.eq=x'],
    ['customer[ne]=customers/7', operator, 'customer%5Bne%5D=customers/7'],
    ['customer%255Bne%255D=customers/7', operator, 'customer%255Bne%255D=customers/7'],
    ['vault.ne=vaults/7', { ...operator, property: 'vault' }, 'vault.ne=vaults/7'],
  ]
  for (const [query, filter, linkQuery] of table) {
    assert.deepEqual(read(query).selection.filters, [filter], query)
    assert.equal(read(query).linkQuery, linkQuery)
    assert.deepEqual(read(linkQuery).selection.filters, [filter], linkQuery)
  }
})

test('names that queries use have their paths, too', () => {
  const api = `
classes:
  Odd:
    properties:
      page: Odd
      order: Odd
      exists: Odd
      or: Odd
      q: Odd
      größe: integer
`
  const read = readerOf(api, 'Odd')
  const table: [query: string, step: string][] = [
    ['page.größe=1', 'page'],
    ['order.größe=1', 'order'],
    ['exists.größe.eq=1', 'exists'],
    ['or.größe[eq]=1', 'or'],
    ['q.größe=1', 'q'],
    ['q.gr%25C3%25B6%25C3%259Fe=1', 'q'],
  ]
  for (const [query, property] of table) {
    const sent = query.includes('%') ? query : encodeURI(query)
    const filters: Filter[] = [{ property: 'größe', test: 'in', keys: [1] }]
    const expected = { test: 'some', step: { kind: 'link', property, className: 'Odd' }, filters }
    assert.deepEqual(read(sent).selection.filters, [expected], query)
  }
  // Where both are possible, existence and order win; the operator of a property is reached behind a dot.
  assert.deepEqual(read('exists[page]=false').selection.filters, [
    { property: 'page', test: 'exists', exists: false },
  ])
  assert.deepEqual(read('page.eq=odds/1').selection.filters, [{ property: 'page', test: 'in', keys: ['1'] }])
  assert.deepEqual(read('or[ne]=odds/1').selection.filters, [{ property: 'or', test: 'not', key: '1' }])
  assert.deepEqual(read('or[a][or.ne]=odds/1').selection.filters, [{ property: 'or', test: 'not', key: '1' }])
})

// contract: Everything here is over what the user may read
test('paths lead only through what the user may see', () => {
  const model = modelOf(`
roles: [clerk]
classes:
  Person: { properties: { name: string }, access: { all: clerk } }
  Note: { properties: { text: string, author: Person } }
`)
  const reverseLinks = [{ name: 'notes', className: 'Note', collection: 'notes', property: 'author' }]
  const classes = model.classes.map((cls) => (cls.name === 'Person' ? { ...cls, reverseLinks } : cls))
  const readFor = (name: string, ...roles: string[]) =>
    readerIn(permittedModel({ ...model, classes }, roles), name)
  assert.equal(readFor('Note', 'clerk')('author.name=Ann').selection.filters.length, 1)
  const refused = { code: 'UnknownParameter' }
  assert.throws(() => readFor('Note')('author.name=Ann'), refused)
  assert.throws(() => readFor('Note')('author.zzz=Ann'), refused)
  assert.throws(() => readFor('Note')('sort=author.name'), { code: 'UnknownSortProperty' })
  assert.throws(() => readFor('Note')('sort=author'), { code: 'NotSortable' })
  // The address of the link is part of the note.
  assert.equal(readFor('Note')('author=persons/1').selection.filters.length, 1)
})

test('a reverse link leads to what the user may list', () => {
  const model = modelOf(`
roles: [clerk]
classes:
  Person: { properties: { name: string } }
  Note:
    properties: { text: string, author: { type: Person, reverse: notes } }
    access: { list: clerk, read: everyone }
`)
  const readFor = (...roles: string[]) => readerIn(permittedModel(model, roles), 'Person')
  assert.equal(readFor('clerk')('notes.text=x&exists[notes]=true').selection.filters.length, 2)
  assert.throws(() => readFor()('notes.text=x'), { code: 'UnknownParameter' })
  assert.throws(() => readFor()('exists[notes]=true'), { code: 'UnknownParameter' })
})
