import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  readSummaryQuery,
  sentQuery,
  summaryOptions,
  writeSummaryQuery,
} from '../../../../console/pages/summary/summary-query.ts'
import { readVariables } from '../../../../console/shared/connection/index.ts'
import { cls, link, property } from '../../descriptions.ts'

const CUSTOMER = cls('Customer', property('country', 'string'), property('age', 'integer'))
const ORDER = cls(
  'Order',
  property('number', 'string', { constraints: { unique: true } }),
  property('note', 'string', { constraints: { multiline: true } }),
  property('total', 'decimal'),
  property('userId', 'integer', { always: 'user' }),
  property('date', 'date'),
  link('customer', 'Customer'),
)
const variables = readVariables(
  {
    template: '',
    variables: [
      ...ORDER.properties.map(({ name }) => name),
      'customer.country',
      'customer.age',
      'total.gte',
    ].map((name) => ({ name, property: undefined, required: false })),
  },
  ORDER,
  [ORDER, CUSTOMER],
)
const options = summaryOptions(variables)

test('a summary groups by values that members share, also behind links, and adds up amounts', () => {
  assert.deepEqual(
    options.groups.map(({ path }) => path),
    ['total', 'userId', 'date', 'customer', 'customer.country', 'customer.age'],
  )
  assert.deepEqual(
    options.numbers.map(({ path }) => path),
    ['total', 'customer.age'],
  )
})

test('a summary is in its address, which is that of the API, and the rest of the address are filters', () => {
  const table: [address: string, sent: string][] = [
    ['', 'group=customer&order%5Bcount%5D=desc'],
    ['total.gte=5', 'total.gte=5&group=customer&order%5Bcount%5D=desc'],
    ['group=date', 'group=date%3Amonth&order%5Bdate%3Amonth%5D=desc'],
    ['group=date%3Ayear&sum=total', 'group=date%3Ayear&sum=total&order%5Bdate%3Ayear%5D=desc'],
    [
      'group=customer.country&avg=total&order%5Bavg.total%5D=asc&page=3',
      'group=customer.country&avg=total&order%5Bavg.total%5D=asc&page=3',
    ],
    // What the API does not have is left out.
    ['group=nothing&sum=number&page=x', 'group=customer&order%5Bcount%5D=desc'],
  ]
  for (const [address, sent] of table) {
    const query = readSummaryQuery(address, options)
    assert.ok(query, address)
    assert.equal(sentQuery(query), sent)
    assert.deepEqual(readSummaryQuery(writeSummaryQuery(query), options), query)
  }
  assert.equal(readSummaryQuery('', { groups: [], numbers: [] }), undefined)
})
