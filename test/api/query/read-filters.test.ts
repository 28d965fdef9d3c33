import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '../../../src/members/index.ts'
import { textKey } from '../../../src/vocabulary/index.ts'
import { ordersModel, readerIn } from '../queries.ts'

const read = readerIn(ordersModel(), 'Order')
const filtersOf = (query: string): readonly Filter[] =>
  JSON.parse(JSON.stringify(read(query).selection.filters))

const any = (...filters: readonly Filter[]): Filter => ({ test: 'any', filters })
const number = (...keys: readonly number[]): Filter => ({ property: 'number', test: 'in', keys })
const named = (name: string): Filter => ({
  test: 'some',
  step: { kind: 'link', property: 'customer', className: 'Customer' },
  filters: [{ property: 'name', test: 'in', keys: [textKey(name)] }],
})
const paid: Filter = { property: 'state', test: 'in', keys: [textKey('paid')] }
const absent: Filter = { property: 'number', test: 'exists', exists: false }
const from = (key: number): Filter => ({ property: 'number', test: 'range', from: { key, inclusive: true } })

// contract: `or[a][title]=Emma&or[a][isbn]=978…`
// contract: So every combination can be said
// contract: An alternative is any filter of this page
test('parameters of a group are alternatives, each on its own', () => {
  const table: [query: string, ...filters: Filter[]][] = [
    ['or[a][number]=1&or[a][state]=paid', any(number(1), paid)],
    ['or%5Ba%5D%5Bnumber%5D=1&or[a][state.eq]=paid', any(number(1), paid)],
    ['or[a][number]=1&or[a][number]=2', any(number(1), number(2))],
    ['or[a][number.gte]=5&or[a][number.exists]=false', any(from(5), absent)],
    // Not one range, nor one customer.
    [
      'or[a][number.gte]=5&or[a][number.lt]=1',
      any(from(5), { property: 'number', test: 'range', to: { key: 1, inclusive: false } }),
    ],
    ['or[a][customer.name]=A&or[a][customer.name]=B', any(named('A'), named('B'))],
    ['or[a][q]=the+Sea*&or[a][number]=1', any(number(1), { test: 'words', words: ['sea*', 'the'] })],
    // Groups are joined by "and", with each other and with everything else.
    [
      'or[b][number]=1&or[b][state]=paid&or[a][number]=2&or[a][customer.name]=A&number=7',
      number(7),
      any(number(2), named('A')),
      any(number(1), paid),
    ],
    [
      'or[1][number]=1&or[1][state]=paid&or[12][number]=2&or[12][state]=paid',
      any(number(1), paid),
      any(number(2), paid),
    ],
    // A group of one is that filter.
    ['or[a][number]=1', number(1)],
    ['or[a][customer.name]=A', named('A')],
    ['or[a][customer.name]=A&customer.name=B', named('B'), named('A')],
    ['or[a][q]=sea', { test: 'words', words: ['sea'] }],
  ]
  for (const [query, ...filters] of table) {
    assert.deepEqual(filtersOf(query), filters, query)
    const { linkQuery } = read(query)
    assert.deepEqual(filtersOf(linkQuery), filters, linkQuery)
    assert.equal(read(linkQuery).linkQuery, linkQuery)
  }
})

test('links repeat filters and alternatives as they were sent', () => {
  const query = 'or[b][number.eq]=1&or%5Ba%5D%5Bcustomer.name%5D=A+B&number.gte=2&sort=number'
  const encoded = 'or%5Bb%5D%5Bnumber.eq%5D=1&or%5Ba%5D%5Bcustomer.name%5D=A+B&number.gte=2&sort=number'
  assert.equal(read(query).linkQuery, encoded)
})

test('words of an alternative are not those of the whole query, whose order is that of creation', () => {
  const { words, order } = read('q=a&or[a][q]=b&or[a][number]=1').selection
  assert.deepEqual([words, order], [['a'], []])
  for (const query of [
    'or[a][number.gte]=1&or[a][state]=paid',
    'customer.born.lt=5',
    'or[a][q]=x&number.gt=5',
  ])
    assert.deepEqual(read(query).selection.order, [], query)
  assert.deepEqual(read('customer.born.lt=5&number.gt=1').selection.order, [
    { property: 'number', descending: false },
  ])
  assert.deepEqual(read('lines.amount.gt=1').selection.order, [
    { property: 'lines.amount', descending: false },
  ])
})

test('a query is cheap if indexes answer each of its filters', () => {
  const table: [query: string, isCheap: boolean][] = [
    ['customer.name=A', true],
    ['exists[customer.name]=false', true],
    ['customer.name.contains=A', false],
    ['customer.partner.name.ne=A', false],
    ['lines.note=x&lines.amount.ne=5', false],
    ['or[a][number]=1&or[a][customer.born.gt]=1', true],
    ['or[a][number]=1&or[a][customer.name.contains]=x', false],
    ['or[a][q]=sea&or[a][number]=1', true],
    ['or[a][q]=se*&or[a][number]=1', false],
    ['order[customer.name]=asc', true],
  ]
  for (const [query, isCheap] of table) assert.equal(read(query).isCheap, isCheap, query)
})
