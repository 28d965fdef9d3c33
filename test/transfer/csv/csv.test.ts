import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSplitCsv } from '../../../src/transfer/csv/csv.ts'
import { DataError } from '../../../src/transfer/index.ts'
import type { DatatypeName } from '../../../src/vocabulary/index.ts'
import { inShort } from '../../support/problems.ts'
import { modelOf } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { shown, splitBy, written } from '../splitting.ts'
import { openBulk, tallyOf } from '../transfer.ts'

const API = `
title: Shop
classes:
  Customer:
    properties:
      name: { type: string, required: true, title: Full name }
      address: Address
      greeting: langString
  Order:
    properties:
      customer: { type: Customer, required: true }
      total: decimal
      weight: double
      lines: integer
      paid: boolean
      placedAt: dateTime
      tags: { type: string, many: true }
  Address:
    collection: false
    properties:
      city: string
      zip: string
`

const EMPTY_TEXTS = '"name":"","address":{"city":""},"greeting":{"en":""}'

test('a line of CSV becomes a member: typed cells, lists, embedded values, languages, titles, no value for nothing', async () => {
  const [customer, order] = modelOf(API).classes
  assert.ok(customer && order)
  const rows = [
    [customer, 'id,Full name\n1,Ann\n', '{"@type":"Customer","id":"1","name":"Ann"}'],
    [customer, '\ufeffname\r\n"a ""b"""\r\n', '{"@type":"Customer","name":"a \\"b\\""}'],
    [
      customer,
      'address.city,address.zip\nBerlin,01234\n',
      '{"@type":"Customer","address":{"city":"Berlin","zip":"01234"}}',
    ],
    [customer, 'name,address.city\nAnn,\n', '{"@type":"Customer","name":"Ann"}'],
    [
      customer,
      'greeting.en,greeting.de\nHi,Hallo\n',
      '{"@type":"Customer","greeting":{"en":"Hi","de":"Hallo"}}',
    ],
    [order, 'customerId,lines\n7,+012\n', '{"@type":"Order","customer":"7","lines":12}'],
    [order, 'customer_id,total\n7,12.50\n', '{"@type":"Order","customer":"7","total":"12.50"}'],
    [order, 'total\n 012.5\n', '{"@type":"Order","total":"012.5"}'],
    [order, 'total\n+1\n', '{"@type":"Order","total":"+1"}'],
    [order, 'total\n1e3\n', '{"@type":"Order","total":1e3}'],
    [order, 'weight\n.5\n', '{"@type":"Order","weight":0.5}'],
    [order, 'weight\n-01.e-2\n', '{"@type":"Order","weight":-1e-2}'],
    [order, 'paid,paid\nTRUE,\n', '{"@type":"Order","paid":true}'],
    [order, 'lines\n-007\n', '{"@type":"Order","lines":-7}'],
    [order, 'tags,tags,tags\na,,b\n', '{"@type":"Order","tags":["a","b"]}'],
    // An empty cell in quotes is an empty text, and no value where there can be no text.
    [order, 'tags,tags,tags\na,"",\n', '{"@type":"Order","tags":["a",""]}'],
    [order, 'customer,total,paid,placedAt,lines\n"","","","",1\n', '{"@type":"Order","lines":1}'],
    [customer, 'name,address.city,greeting.en\n"","",""\n', `{"@type":"Customer",${EMPTY_TEXTS}}`],
    [customer, '@id,name\n/customers/7,Ann\n', '{"@type":"Customer","@id":"/customers/7","name":"Ann"}'],
    // Without --spreadsheet the apostrophe is a part of the text.
    [customer, "name\n'=1\n", '{"@type":"Customer","name":"\'=1"}'],
  ] as const
  for (const [cls, data, member] of rows)
    assert.deepEqual(
      shown(await splitBy(createSplitCsv(cls), data)).map((one) => one.replace(/^\d+: /, '')),
      [member],
    )
})

test('what is wrong in CSV is said with its line', async () => {
  const [customer, order] = modelOf(API).classes
  assert.ok(customer && order)
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [
      '\n\nname\n\n"a\nb"\n"c"d\n\ne"f\n',
      ['5: {"@type":"Customer","name":"a\\nb"}', '7! TextAfterQuote', '9! QuoteInCell'],
    ],
    ['name,id\na\n', ['2! WrongCellCount(1, 2)']],
    [
      'name,greeting,greeting.en\na,b,c\nd,,e\n',
      ['2! ValueAndPart(greeting, greeting.en)', '3: {"@type":"Customer","name":"d","greeting":{"en":"e"}}'],
    ],
    ['name\n"a\nb\n', ['2! OpenQuote']],
  ]
  for (const [data, expected] of rows)
    assert.deepEqual(shown(await splitBy(createSplitCsv(customer), data)), expected)
  const invalidUtf8 = Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0x0a])
  assert.deepEqual(shown(await splitBy(createSplitCsv(customer), invalidUtf8)), ['2! NotUtf8'])
})

test('a cell that is no value of its property is said as it is in the file, with the others of its line', async () => {
  const [, order] = modelOf(API).classes
  assert.ok(order)
  const rows = [
    ['lines\n-+05\n', 'lines InvalidCell(integer, -+05)'],
    ['total,paid\n1.2.3,yes\n', 'total InvalidCell(decimal, 1.2.3) paid InvalidCell(boolean, yes)'],
    ['weight\n.\n', 'weight InvalidCell(double, .)'],
    ['weight\nNaN\n', 'weight InvalidCell(double, NaN)'],
  ] as const
  for (const [data, problems] of rows)
    assert.deepEqual(shown(await splitBy(createSplitCsv(order), data)), [`2! ${problems}`])
})

test('a wrong header is an error of the file: no member is read, and none is refused', async (t) => {
  const rows = [
    ['name|id\na|1\n', 'WrongDelimiter(|)'],
    ['nam\na\nb\n', 'nam UnknownColumn(Customer, nam, → name)'],
    ['name,\na,b\n', 'UnnamedColumn(2)'],
  ] as const
  const bulk = await openBulk(t, API)
  for (const [data, problem] of rows) {
    const importing = bulk.import(data, { format: 'csv', file: 'customers.csv' })
    await assert.rejects(importing, (error) => {
      assert.ok(error instanceof DataError)
      assert.deepEqual([error.line, inShort(error)], [1, problem])
      return true
    })
  }
  assert.deepEqual(await bulk.members(), {})
})

/** Values of every datatype as they are written in JSON. */
const VALUES: Readonly<Record<DatatypeName, fc.Arbitrary<unknown>>> = {
  string: fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => text.isWellFormed() && !text.includes('\0')),
  boolean: fc.boolean(),
  integer: fc.maxSafeInteger(),
  nonNegativeInteger: fc.nat(),
  positiveInteger: fc.integer({ min: 1 }),
  decimal: fc.stringMatching(/^[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})$/),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  float: fc.float({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  date: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((one) => one.toISOString().slice(0, 10)),
  dateTime: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((one) => one.toISOString()),
  time: fc.constantFrom('00:00:00', '12:34:56.789Z', '23:59:59+02:00'),
  duration: fc.constantFrom('P1D', 'PT1.5S', '-P1Y2M3DT4H5M6S'),
  anyURI: fc.webUrl(),
  langString: fc.record({ en: fc.string({ minLength: 1 }).filter((text) => !text.includes('\0')) }),
}

const TYPES_API = `
title: Values
classes:
  Thing:
    properties:
${Object.keys(VALUES)
  .map((name) => `      a_${name}: ${name}\n`)
  .join('')}`

test('members of every datatype are equal, whether they come as NDJSON, as CSV, or as CSV of what was exported', async (t) => {
  const cellOf = (value: unknown) => (typeof value === 'string' ? written(value) : String(value))
  const csvOf = (things: readonly Record<string, unknown>[]) => {
    const names = Object.keys(VALUES).map((name) => `a_${name}`)
    const row = (thing: Record<string, unknown>) =>
      names.map((name) => {
        const value = thing[name]
        return cellOf(name === 'a_langString' ? (value as { en: string }).en : value)
      })
    const header = ['id', ...names.map((name) => (name === 'a_langString' ? `${name}.en` : name))]
    return `${header}\n${things.map((thing) => `${thing.id},${row(thing)}\n`).join('')}`
  }
  const thing = fc.record(Object.fromEntries(Object.entries(VALUES).map(([name, any]) => [`a_${name}`, any])))
  const things = fc.sample(thing, inSoak(2_000, 100)).map((values, id) => ({ id: `${id}`, ...values }))
  const [fromJson, fromCsv, again] = [
    await openBulk(t, TYPES_API),
    await openBulk(t, TYPES_API),
    await openBulk(t, TYPES_API),
  ]
  const all = [
    await fromJson.import(things.map((one) => ({ '@type': 'Thing', ...one }))),
    await fromCsv.import(csvOf(things), { format: 'csv', file: 'things.csv' }),
  ]
  const members = await fromJson.members()
  assert.deepEqual(await fromCsv.members(), members)
  const exported = Object.entries(members).map(([path, values]) => ({
    id: path.split('/').at(-1),
    ...values,
  }))
  all.push(await again.import(csvOf(exported), { format: 'csv', file: 'things.csv' }))
  assert.deepEqual(await again.members(), members)
  for (const { added, reported } of all) assert.deepEqual([added, reported], [things.length, []])
})

test('CSV and db.json are imported: ids are kept, links are found by id, and a second time adds nothing', async (t) => {
  const bulk = await openBulk(t, API)
  const customers = 'id,name,address.city\n1,"Ann, the first",Berlin\nb-2,Bob,\n'
  const orders = 'customer_id,total,paid\n1,12.50,true\nb-2,3,false\n9,1,true\n'
  const first = await bulk.import(customers, { format: 'csv', file: 'customers.csv' })
  assert.deepEqual([tallyOf(first), first.reported], [[2, 0, 0], []])
  const second = await bulk.import(orders, { format: 'csv', file: 'orders.csv' })
  assert.deepEqual(second.reported, ['4: customer DanglingLink(9)'])
  assert.deepEqual(tallyOf(await bulk.import(orders, { format: 'csv', file: 'orders.csv' })), [0, 2, 1])

  const tables = `{
  "$schema": "./schema.json",
  "orders": [
    { "id": 5, "customerId": 4, "total": 7.10 },
    { "customerId": "b-2" }, { "id": "no address" }, 1
  ],
  "things": [{}],
  "customers": [{ "id": 4, "Full name": "Dan" }]
}`
  const third = await bulk.import(tables, { format: 'jsonld', file: 'db.json' })
  assert.deepEqual(third.reported, ['5: id InvalidId', '5: NotAnObject', '7: UnknownTable(things)'])
  assert.deepEqual(tallyOf(third), [3, 0, 3])
  const members = await bulk.members()
  assert.deepEqual(members['/customers/1'], {
    '@type': 'Customer',
    name: 'Ann, the first',
    address: { '@type': 'Address', city: 'Berlin' },
  })
  assert.equal(members['/orders/5']?.customer, 'http://localhost:8080/api/customers/4')
  assert.equal(members['/orders/5']?.total, '7.10')
})

test('in NDJSON, "id" is the id and a link may be an id, but "@id" and a property "id" go first', async (t) => {
  const bulk = await openBulk(t, `${API}  Part:\n    properties:\n      id: string\n`)
  const { reported } = await bulk.import([
    { '@type': 'Customer', id: 'a', name: 'A' },
    { '@type': 'Customer', '@id': '/customers/b', name: 'B' },
    { '@type': 'Part', '@id': '/parts/p', id: 'own' },
    { '@type': 'Order', id: 1, customer: 'a' },
  ])
  assert.deepEqual(reported, [])
  const members = await bulk.members()
  assert.deepEqual(Object.keys(members).toSorted(), ['/customers/a', '/customers/b', '/orders/1', '/parts/p'])
  assert.equal(members['/parts/p']?.id, 'own')
})
