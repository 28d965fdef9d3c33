import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShownFigure } from '../../../../console/pages/summary/summary-query.ts'
import { figureText, rowsOf } from '../../../../console/pages/summary/summary-rows.ts'
import { property } from '../../descriptions.ts'

const amount = (scale?: number) => ({
  path: 'total',
  kind: 'decimal' as const,
  property: property('total', 'decimal', { unit: 'EUR', constraints: scale === undefined ? {} : { scale } }),
})
const query = {
  group: 'customer',
  figure: 'sum',
  of: 'total',
  order: undefined,
  page: 1,
  filters: '',
} as const

test('groups have names, exact figures with their units, and lead to their members', () => {
  const group = { path: 'customer', kind: 'link' as const, property: property('customer', 'Customer') }
  const sums = [
    { group: { customer: 'http://a/customers/1' }, count: 2, sum: { total: '12345.5' } },
    { group: { customer: null }, count: 1, sum: { total: null } },
  ]
  const members = 'http://a/orders?customer=http://a/customers/1&total.gte=5'
  const [one, none] = rowsOf([{ ...sums[0], members }, sums[1] ?? {}], {
    name: 'orders',
    query: { ...query, unit: undefined },
    group,
    number: amount(2),
    names: new Map([['http://a/customers/1', 'Ann']]),
    locale: 'en',
  })
  assert.equal(one?.name, 'Ann')
  assert.equal(one.text, '12,345.50 EUR')
  assert.equal(one.figureText, '12,345.50')
  assert.equal(one.href, '#/table/orders?customer=http://a/customers/1&total.gte=5')
  assert.deepEqual([none?.name, none?.text, none?.value, none?.href], ['No value', '', undefined, undefined])
})

test('a figure is shown exactly, but an average with two digits more than the values have', () => {
  const table: [figure: unknown, name: ShownFigure, scale: number | undefined, text: string][] = [
    ['123456789012345678901234.1', 'sum', 2, '123,456,789,012,345,678,901,234.10'],
    ['2.3333333333', 'avg', undefined, '2.33'],
    ['2.3333333333', 'avg', 2, '2.3333'],
    ['85', 'avg', 2, '85'],
    [1234, 'count', undefined, '1,234'],
    [null, 'max', 2, ''],
  ]
  for (const [figure, name, scale, text] of table)
    assert.equal(figureText(figure, name, amount(scale), 'en'), text)
})
