import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceValue } from '../../../src/transfer/tables/schema.ts'
import { valueReaderFor } from '../../../src/transfer/tables/values.ts'
import type { DatatypeName } from '../../../src/vocabulary/index.ts'

test('values become JSON by the datatype of the property; what does not fit stays, to be refused', () => {
  const rows: readonly (readonly [datatype: DatatypeName, value: SourceValue, json: string | undefined])[] = [
    ['string', 'a', '"a"'],
    ['string', 12n, '"12"'],
    ['string', '', '""'],
    ['string', null, undefined],
    ['integer', 12n, '12'],
    ['integer', 9007199254740993n, '9007199254740993'],
    ['integer', 'x', '"x"'],
    ['decimal', '12.50', '"12.50"'],
    ['decimal', 1e-7, '1e-7'],
    ['double', 0.1, '0.1'],
    ['double', 'NaN', '"NaN"'],
    ['boolean', 1n, 'true'],
    ['boolean', 'false', 'false'],
    ['boolean', 2n, '"2"'],
    ['date', '2024-02-29', '"2024-02-29"'],
    ['date', '2024-02-29 00:00:00', '"2024-02-29"'],
    ['date', '2024-02-29 10:00:00', '"2024-02-29 10:00:00"'],
    ['dateTime', '2024-02-29 10:00:00', '"2024-02-29T10:00:00Z"'],
    ['dateTime', '2024-02-29T10:00:00.5+02:00', '"2024-02-29T10:00:00.5+02:00"'],
    ['dateTime', '2024-02-29 10:00:00+00', '"2024-02-29T10:00:00+00:00"'],
    ['dateTime', '2024-02-29 10:00', '"2024-02-29T10:00:00Z"'],
    ['dateTime', '2024-02-29', '"2024-02-29T00:00:00Z"'],
    ['dateTime', 1709200800n, '"2024-02-29T10:00:00.000Z"'],
    ['dateTime', 1709200800000n, '"2024-02-29T10:00:00.000Z"'],
    ['dateTime', 'infinity', '"infinity"'],
    ['time', '10:00', '"10:00:00"'],
    ['time', '10:00:00+05:30', '"10:00:00+05:30"'],
    ['time', '10:00:00-03', '"10:00:00-03:00"'],
    ['duration', 'P1DT2H', '"P1DT2H"'],
    ['langString', '{"en": "a"}', '{"en":"a"}'],
  ]
  for (const [datatype, value, json] of rows) {
    const read = valueReaderFor({ kind: 'datatype', datatype }, { isList: false })
    assert.equal(JSON.stringify(read(value)), json, `${datatype} ${value}`)
  }
  const many = valueReaderFor({ kind: 'datatype', datatype: 'dateTime' }, { isList: true })
  assert.equal(JSON.stringify(many('["2024-02-29 10:00:00", null]')), '["2024-02-29T10:00:00Z",null]')
})
