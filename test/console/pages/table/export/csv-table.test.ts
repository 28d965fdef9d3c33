import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinCsv, readCsv } from '../../../../../console/pages/table/export/csv-table.ts'

const joined = (...pages: readonly string[]) => joinCsv(pages.map(readCsv))

test('cells stay as they are written, with their quotes and line breaks', () => {
  assert.deepEqual(readCsv('@id,a\r\n1,"x, ""y""\r\nz"\r\n2,""\r\n3,\r\n'), [
    ['@id', 'a'],
    ['1', '"x, ""y""\r\nz"'],
    ['2', '""'],
    ['3', ''],
  ])
  const text = fc.string().map((value) => `"${value.replaceAll('"', '""')}"`)
  const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1 })
  fc.assert(
    fc.property(rows, (cells) => {
      const page = `${[['@id', 'b'], ...cells].map((row) => row.join(',')).join('\r\n')}\r\n`
      assert.equal(joined(page), page)
    }),
  )
})

test('pages become one table with one header, even if they differ in their columns', () => {
  const table: [pages: string[], joined: string][] = [
    [['@id,a\r\n1,x\r\n', '@id,a\r\n2,y\r\n'], '@id,a\r\n1,x\r\n2,y\r\n'],
    // A list has as many columns as the longest one of its page.
    [['@id,tag,b\r\n1,x,5\r\n', '@id,tag,tag,b\r\n2,y,z,6\r\n'], '@id,tag,tag,b\r\n1,x,,5\r\n2,y,z,6\r\n'],
    // A page without any text by language has a column without a language.
    [
      ['@id,t,b\r\n1,,5\r\n', '@id,t.de,b\r\n2,ja,6\r\n', '@id,t.de,t.en,b\r\n3,,yes,7\r\n'],
      '@id,t.de,t.en,b\r\n1,,,5\r\n2,ja,,6\r\n3,,yes,7\r\n',
    ],
    [['@id,a\r\n'], '@id,a\r\n'],
  ]
  for (const [pages, expected] of table) assert.equal(joined(...pages), expected)
})
