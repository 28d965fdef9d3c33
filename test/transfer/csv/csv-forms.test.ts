import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_SETTINGS } from '../../../src/config/index.ts'
import { createSplitCsv } from '../../../src/transfer/csv/csv.ts'
import { modelOf } from '../../support/service.ts'
import { shown, splitBy } from '../splitting.ts'

const { read } = COMMAND_SETTINGS.dates

test('cells of CSV are read in the forms of a spreadsheet, and without them the flag is named that would read them', async () => {
  const [order] = modelOf(
    'classes: { Order: { properties: { day: date, total: decimal, count: integer, weight: double, note: string } } }',
  ).classes
  assert.ok(order)
  const data = 'day;total;count;weight;note\n1.2.2026;1.234,50;1.000;-0,5;1,5\n2026-02-01;7;7;7;7\n'
  const forms = { dates: read('dd.mm.yyyy'), decimalComma: true }
  assert.deepEqual(shown(await splitBy(createSplitCsv(order, forms), data)), [
    '2: {"@type":"Order","day":"2026-02-01","total":"1234.50","count":1000,"weight":-0.5,"note":"1,5"}',
    '3: {"@type":"Order","day":"2026-02-01","total":"7","count":7,"weight":7,"note":"7"}',
  ])
  const rows = [
    ['day\n1.2.2026\n', 'day InvalidCell(date, 1.2.2026, --dates dd.mm.yyyy)'],
    ['day\n1/2/2026\n', 'day InvalidCell(date, 1/2/2026, --dates dd/mm/yyyy or mm/dd/yyyy)'],
    ['total\n"12,5"\n', 'total InvalidCell(decimal, 12,5, --decimal-comma)'],
    ['count\n"12x,5"\n', 'count InvalidCell(integer, 12x,5)'],
  ] as const
  for (const [text, problem] of rows)
    assert.deepEqual(shown(await splitBy(createSplitCsv(order), text)), [`2! ${problem}`])
  // A point is none, where a comma is one: 12.5 might be 125.
  assert.deepEqual(shown(await splitBy(createSplitCsv(order, forms), 'total;note\n12.5;\n')), [
    '2! total InvalidCell(decimal, 12.5, true)',
  ])
})
