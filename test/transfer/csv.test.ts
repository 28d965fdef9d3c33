import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFindEnd, createSplitCsv, readCells } from '../../src/transfer/csv.ts'
import { splitRecords } from '../../src/transfer/ndjson.ts'
import { modelOf } from '../support/service.ts'
import { shown, splitBy } from './splitting.ts'
import { openBulk, tallyOf } from './transfer.ts'

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

const written = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

test('what is written as RFC 4180 says is read again, wherever the chunks end and whatever ends a line', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\r', '\n', 'é', '€', ';') })
  const record = fc.array(cell, { minLength: 1, maxLength: 4 })
  const size = fc.constantFrom(1, 2, 3, 7, 1000)
  const line = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1 }), size, line, async (records, size, end) => {
      const data = records.map((cells) => cells.map(written).join(',') + end).join('')
      const found = await splitBy((chunks) => splitRecords(chunks, createFindEnd()), data, size)
      // Behind the end of the last line there is nothing.
      assert.deepEqual(found.pop(), {
        ...found.at(-1),
        ...EMPTY,
        line: data.split('\n').length,
        position: data.split('\n').length,
      })
      // Blank lines may be left out.
      const texts = found.flatMap((one) => ('text' in one && one.text.trim() !== '' ? [one.text] : []))
      const isWritten = (cells: string[]) => cells.length > 1 || written(cells[0] ?? '').trim() !== ''
      assert.deepEqual(texts.map(readCells), records.filter(isWritten))
    }),
    { numRuns: 300 },
  )
})

const EMPTY = { text: '', context: undefined }

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
    [order, 'customer_id,total\n7,12.50\n', '{"@type":"Order","customer":"7","total":12.50}'],
    [order, 'paid,paid\nTRUE,\n', '{"@type":"Order","paid":true}'],
    [order, 'lines\n-007\n', '{"@type":"Order","lines":-7}'],
    [order, 'lines\n-+05\n', '{"@type":"Order","lines":"-+05"}'],
    [order, 'lines\ntwo\n', '{"@type":"Order","lines":"two"}'],
    [order, 'tags,tags,tags\na,,b\n', '{"@type":"Order","tags":["a","b"]}'],
  ] as const
  for (const [cls, data, member] of rows)
    assert.deepEqual(
      shown(await splitBy(createSplitCsv(cls), data)).map((one) => one.replace(/^\d+: /, '')),
      [member],
    )
})

test('what is wrong in CSV is said with its line; without a header that fits, nothing is read', async () => {
  const [customer] = modelOf(API).classes
  assert.ok(customer)
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['name;id\na;1\n', ['1! The header has ";" and no comma; save the file with commas between the cells.']],
    ['name\tid\n', ['1! The header has "\\t" and no comma; save the file with commas between the cells.']],
    ['nam\na\nb\n', ['1! nam: is not a property of Customer; did you mean "name"?']],
    ['name,\na,b\n', ['1! Column 2 has no name in the header; give it one.']],
    [
      '\n\nname\n\n"a\nb"\n"c"d\n\ne"f\n',
      [
        '5: {"@type":"Customer","name":"a\\nb"}',
        '7! Behind a closing quote there must be a comma or the end of the line.',
        '9! A cell with a quote in it must be in quotes, and the quote doubled.',
      ],
    ],
    ['name,id\na\n', ['2! This line has 1 cells, and the header 2; make them as many.']],
    [
      'name,greeting,greeting.en\na,b,c\nd,,e\n',
      [
        '2! "greeting" has a value, and "greeting.en" one within it; leave one of the cells empty.',
        '3: {"@type":"Customer","name":"d","greeting":{"en":"e"}}',
      ],
    ],
    ['name\n"a\nb\n', ['2! A quote is opened and not closed; close it, or double it within a cell.']],
  ]
  for (const [data, expected] of rows)
    assert.deepEqual(shown(await splitBy(createSplitCsv(customer), data)), expected)
  const invalidUtf8 = Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0x0a])
  assert.deepEqual(shown(await splitBy(createSplitCsv(customer), invalidUtf8)), [
    '2! This is not UTF-8; save the file as UTF-8.',
  ])
})

test('CSV and db.json are imported: ids are kept, links are found by id, and a second time adds nothing', async (t) => {
  const bulk = await openBulk(t, API)
  const customers = 'id,name,address.city\n1,"Ann, the first",Berlin\nb-2,Bob,\n'
  const orders = 'customer_id,total,paid\n1,12.50,true\nb-2,3,false\n9,1,true\n'
  const first = await bulk.import(customers, { format: 'csv', file: 'customers.csv' })
  assert.deepEqual([tallyOf(first), first.reported], [[2, 0, 0], []])
  const second = await bulk.import(orders, { format: 'csv', file: 'orders.csv' })
  assert.deepEqual(second.reported, ['4: customer: links to "9", which does not exist.'])
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
  assert.deepEqual(third.reported, [
    '5: id: must be 1 to 128 letters, digits, ".", "_", "~" and "-"; or be left out.',
    '5: This must be one JSON object, the member itself.',
    '7: "things" is no collection of this API; add it to the API file, or leave it out.',
  ])
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
