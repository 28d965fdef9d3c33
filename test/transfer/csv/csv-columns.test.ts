import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSplitCsv } from '../../../src/transfer/csv/csv.ts'
import { modelOf } from '../../support/service.ts'
import { shown, splitBy } from '../splitting.ts'

// contract: A text that begins with `=`
test('with --spreadsheet one apostrophe is taken off, of cells and of the header', async () => {
  const [customer] = modelOf('classes: { Customer: { properties: { name: string } } }').classes
  assert.ok(customer)
  const rows = [
    ["'=1", '=1'],
    ["'-1", '-1'],
    ["'@a", '@a'],
    ["'+", '+'],
    ["'\ta", '\ta'],
    ['"\'\ra"', '\ra'],
    ["''=1", "'=1"],
    ["'a", "'a"],
    ["'", "'"],
    ['=1', '=1'],
  ] as const
  for (const [cell, name] of rows) {
    const found = await splitBy(createSplitCsv(customer, { spreadsheet: true }), `'@id,name\n7,${cell}\n`)
    assert.deepEqual(shown(found), [`2: ${JSON.stringify({ '@type': 'Customer', '@id': '7', name })}`])
  }
})

test('a column is the property of that name before it is one with that title', async () => {
  const [thing] = modelOf(`
title: Titles
classes:
  Thing:
    properties:
      a: { type: string, title: b }
      b: { type: string, title: place.city }
      c: { type: string, title: "@id" }
      place: Place
  Place: { collection: false, properties: { city: { type: string, title: zip }, zip: string } }
`).classes
  assert.ok(thing)
  const rows = [
    ['b\n1\n', '{"b":"1"}'],
    ['place.city\n1\n', '{"place":{"city":"1"}}'],
    ['place.zip\n1\n', '{"place":{"zip":"1"}}'],
    ['@id\n1\n', '{"c":"1"}'],
    ['@id,c\n1,2\n', '{"@id":"1","c":"2"}'],
  ] as const
  for (const [data, values] of rows)
    assert.deepEqual(shown(await splitBy(createSplitCsv(thing), data)), [
      `2: ${JSON.stringify({ '@type': 'Thing', ...JSON.parse(values) })}`,
    ])
})
