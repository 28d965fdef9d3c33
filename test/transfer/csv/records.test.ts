import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSplitCsv } from '../../../src/transfer/csv/csv.ts'
import { createFindEnd, findDelimiter, readCells } from '../../../src/transfer/csv/records.ts'
import { splitRecords } from '../../../src/transfer/ndjson.ts'
import { modelOf } from '../../support/service.ts'
import { shown, splitBy, written } from '../splitting.ts'

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
      const read = texts.map((text) => readCells(text).map((one) => one.text))
      assert.deepEqual(read, records.filter(isWritten))
    }),
    { numRuns: 300 },
  )
})

const EMPTY = { text: '', context: undefined }

async function* inBytes(text: string): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) yield Buffer.from([byte])
}

test('what is between the cells is found in the header, outside of quotes', async () => {
  const rows = [
    ['a,b\n', ','],
    ['a;b\n', ';'],
    ['a\tb\n', '\t'],
    ['a\n1;2;3\n', ','],
    ['', ','],
    ['"a,b,c";d\n', ';'],
    ['"a ""b"",c,d";e\r\n', ';'],
    ['"a\n,,,";b\n', ';'],
    ['a,b;c;d\n', ';'],
    ['a;b,c\n', ','],
    ['\ufeff\n\r\n \na;b\n', ';'],
    ['sep=;\na,b,c\n', ';'],
    ['\ufeffSEP=\t\r\na\n', '\t'],
    ['sep=;x,y,z\n', ','],
  ] as const
  for (const [data, delimiter] of rows)
    assert.equal((await findDelimiter(inBytes(data))).delimiter, delimiter, JSON.stringify(data))
})

test('all of the data is still there, and the source is ended with its reader', async () => {
  let isEnded = false
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (const text of ['a;', 'b\n', '1;2\n', '3;4\n']) yield Buffer.from(text)
    } finally {
      isEnded = true
    }
  }
  const read: string[] = []
  for await (const chunk of (await findDelimiter(source())).chunks) {
    read.push(String(chunk))
    if (read.length === 3) break
  }
  assert.deepEqual([read.join(''), isEnded], ['a;b\n1;2\n', true])
})

test('a file without a line feed is not held in memory to find its header', async () => {
  let given = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (; given < 1_000; given++) yield Buffer.alloc(64 * 1024, 'a')
  }
  await findDelimiter(endless())
  assert.ok(given < 10)
})

test('cells between semicolons or tabs are read like those between commas', async () => {
  const [customer] = modelOf('classes: { Customer: { properties: { name: string, note: string } } }').classes
  assert.ok(customer)
  const expected = (line: number) => [
    `${line}: {"@type":"Customer","name":"a,b","note":"c\\"d"}`,
    `${line + 1}: {"@type":"Customer","name":"e\\nf","note":""}`,
  ]
  const rows = [
    ['name;note\na,b;"c""d"\n"e\nf";""\n', 2],
    ['name\tnote\r\na,b\t"c""d"\r\n"e\nf"\t""\r\n', 2],
    ['sep=;\nname;note\na,b;"c""d"\n"e\nf";""\n', 3],
  ] as const
  for (const [data, line] of rows)
    for (const size of [1, 1_000])
      assert.deepEqual(shown(await splitBy(createSplitCsv(customer), data, size)), expected(line))
})

test('a row of empty cells is a blank line, whatever is between the cells', async () => {
  const [customer] = modelOf('classes: { Customer: { properties: { name: string, note: string } } }').classes
  assert.ok(customer)
  for (const one of [',', ';', '\t']) {
    const data = `name${one}note\na${one}b\n${one}\n${one}${one}\r\n""${one}\n`
    assert.deepEqual(shown(await splitBy(createSplitCsv(customer), data)), [
      '2: {"@type":"Customer","name":"a","note":"b"}',
      '5: {"@type":"Customer","name":""}',
    ])
  }
})
