import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_SETTINGS } from '../../src/config/index.ts'
import { formsOf, toDate, withPoint, writeForm } from '../../src/transfer/local-forms.ts'

const { read } = COMMAND_SETTINGS.dates

test('a date in the form that a flag names is read, and no other', () => {
  const rows = [
    ['dd.mm.yyyy', '31.12.2026', '2026-12-31'],
    ['D.M.YYYY', '1.2.2026', '2026-02-01'],
    ['mm/dd/yyyy', '12/31/2026', '2026-12-31'],
    ['dd/mm/yyyy', '01/02/2026', '2026-02-01'],
    ['yyyy/mm/dd', '2026/2/1', '2026-02-01'],
    ['dd-mm-yyyy', '1-2-2026', '2026-02-01'],
    ['dd.mm.yyyy', '12.31.2026', undefined],
    ['dd.mm.yyyy', '31/12/2026', undefined],
    ['dd.mm.yyyy', '31.12.26', undefined],
    ['dd.mm.yyyy', '31.12.2026 ', undefined],
    ['dd.mm.yyyy', '31.12.2026.', undefined],
    ['dd.mm.yyyy', '0.1.2026', undefined],
  ] as const
  for (const [form, text, date] of rows) assert.equal(toDate(text, read(form)), date, `${form} ${text}`)
  for (const form of ['dd.mm.yy', 'dd.mm', 'yyyy.dd.mm', 'dd.dd.yyyy', 'dd/mm.yyyy', '', 'dd mm yyyy'])
    assert.throws(() => read(form), { code: 'InvalidDates' }, form)
})

test('the forms in which a text is a date are found', () => {
  const rows = [
    ['31.12.2026', 'dd.mm.yyyy'],
    ['31/12/2026', 'dd/mm/yyyy'],
    ['12/31/2026', 'mm/dd/yyyy'],
    ['01/02/2026', 'dd/mm/yyyy mm/dd/yyyy'],
    ['2026/01/02', 'yyyy/mm/dd'],
    ['2026-01-02', ''],
    ['31.12.26', ''],
    ['192.168.1.1', ''],
    ['1.2.20265', ''],
  ] as const
  for (const [text, forms] of rows) assert.equal(formsOf(text).map(writeForm).join(' '), forms, text)
})

test('a number with a decimal comma, and with groups of three digits', () => {
  const rows = [
    ['12,5', '12.5'],
    ['1.234,50', '1234.50'],
    ['-1.234.567', '-1234567'],
    ['1 234,5', '1234.5'],
    ['1\u00a0234\u202f567,5', '1234567.5'],
    ["1'234,5", '1234.5'],
    ['+7', '+7'],
    ['12.5', undefined],
    ['1.23,4', undefined],
    ['1,2,3', undefined],
    ['1234.567', undefined],
    [',5', undefined],
    ['', undefined],
    ['€ 5,00', undefined],
  ] as const
  for (const [text, number] of rows) assert.equal(withPoint(text), number, text)
})
