import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restrict, type StepClass } from '../../../src/api/query/restrict.ts'
import type { Filter } from '../../../src/members/index.ts'
import { textKey } from '../../../src/vocabulary/index.ts'
import { ordersModel, readerIn } from '../queries.ts'

const model = ordersModel()
const CUSTOMER = { kind: 'link', property: 'customer', className: 'Customer' } as const
const ORDERS_OF = { kind: 'reverse', property: 'customer', className: 'Order' } as const
const isNamed: Filter = { property: 'name', test: 'in', keys: [textKey('A')] }
const ownerOf =
  (owners: Readonly<Record<string, number>>) =>
  ({ kind, className }: StepClass): readonly Filter[] => {
    const owner = owners[`${kind} ${className}`]
    return owner === undefined ? [] : [owned(owner)]
  }
const owned = (owner: number): Filter => ({ test: 'owner', owner })

// contract: Everything here is over what the user may read
test('each step of a filter or an order is restricted to the members that the user may read', () => {
  const read = readerIn(model, 'Order')
  const owners = ownerOf({ 'link Customer': 7, 'reverse Order': 8, 'link Product': 0 })
  const filtersOf = (query: string) => restrict(read(query).selection, owners).filters
  const named: Filter = { test: 'some', step: CUSTOMER, filters: [isNamed, owned(7)] }
  const exists: Filter = { property: 'name', test: 'exists', exists: true }
  const table: [query: string, ...filters: Filter[]][] = [
    ['customer.name=A', named],
    ['exists[customer.name]=false', { test: 'none', step: CUSTOMER, filters: [exists, owned(7)] }],
    [
      'customer.orders.exists=true',
      {
        test: 'some',
        step: CUSTOMER,
        filters: [{ test: 'some', step: ORDERS_OF, filters: [owned(8)] }, owned(7)],
      },
    ],
    [
      'or[a][customer.name]=A&or[a][number]=1',
      { test: 'any', filters: [{ property: 'number', test: 'in', keys: [1] }, named] },
    ],
    [
      'lines.product.name=A&lines.amount=1',
      {
        test: 'some',
        step: { kind: 'embedded', property: 'lines' },
        filters: [
          { property: 'lines.amount', test: 'in', keys: [1] },
          {
            test: 'some',
            step: { kind: 'link', property: 'lines.product', className: 'Product' },
            filters: [isNamed, owned(0)],
          },
        ],
      },
    ],
    // The address of a link is part of the member that has it.
    ['customer=customers/1', { property: 'customer', test: 'in', keys: ['1'] }],
  ]
  for (const [query, ...filters] of table) {
    const named = filtersOf(query).toSorted((a, b) => a.test.localeCompare(b.test))
    assert.deepEqual(
      named,
      filters.toSorted((a, b) => a.test.localeCompare(b.test)),
      query,
    )
  }
  const { order } = restrict(read('sort=customer.partner.name,number').selection, owners)
  const partner = { kind: 'link', property: 'partner', className: 'Customer', filters: [owned(7)] }
  assert.deepEqual(order, [
    { property: 'name', descending: false, through: [{ ...CUSTOMER, filters: [owned(7)] }, partner] },
    { property: 'number', descending: false },
  ])
})

test('a selection without a restricted step stays as it is', () => {
  const { selection, steps } = readerIn(
    model,
    'Customer',
  )('partner.orders.number=1&orders.state=new&sort=partner.name')
  assert.equal(restrict(selection, ownerOf({ 'link Order': 1, 'reverse Customer': 1 })), selection)
  assert.deepEqual(steps, [
    { kind: 'link', className: 'Customer' },
    { kind: 'reverse', className: 'Order' },
  ])
})
