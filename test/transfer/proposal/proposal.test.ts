import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_SETTINGS } from '../../../src/config/index.ts'
import { proposeApiFile } from '../../../src/transfer/proposal/proposal.ts'
import { inSoak } from '../../support/soak.ts'
import { compareTimes, createLeast } from '../../support/timing.ts'
import { openBulk, tallyOf } from '../transfer.ts'

async function* chunksOf(data: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(data as string)
}

/** The proposal for the data, and how many of its members are refused under it. */
async function roundTrip(t: TestContext, file: string, data: string) {
  const { text: api, importFlags = [] } = await proposeApiFile(file, chunksOf(data))
  const bulk = await openBulk(t, api, 'sqlite::memory:')
  const format = file.endsWith('.csv') ? 'csv' : 'jsonld'
  const imported = await bulk.import(data, { format, file, csv: formsIn(importFlags) })
  await bulk.store.close()
  return { api, imported }
}

function formsIn(flags: readonly string[]) {
  const form = flags[flags.indexOf('--dates') + 1] ?? ''
  return {
    dates: flags.includes('--dates') ? COMMAND_SETTINGS.dates.read(form) : undefined,
    decimalComma: flags.includes('--decimal-comma'),
  }
}

/** Without the head. */
const classesOf = (api: string): string => api.slice(api.indexOf('classes:'))

test('a proposal for CSV has the narrowest type of each column, what is required, lists and embedded values', async (t) => {
  const data = [
    'id,Full Name,zip,age,height,price,born,seen,member,tags,tags,address.city,size,note',
    ...Array.from({ length: 9 }, (_, index) =>
      [
        ...[index, `"N, ${index}"`, `0${index}`, index * 10, 1.75, '12.50', '1999-12-31'],
        ...['2026-01-01T00:00:00Z', 'TRUE', 'a', index % 2 ? 'b' : '', 'Berlin', index % 2 ? 'L' : 'S', ''],
      ].join(','),
    ),
  ].join('\n')
  const { api, imported } = await roundTrip(t, 'people.csv', data)
  assert.deepEqual([tallyOf(imported), imported.reported], [[9, 0, 0], []])
  assert.equal(
    classesOf(api),
    `classes:
  People:
    collection: people
    properties:
      fullName: { type: string, required: true, title: "Full Name" }
      zip: { type: string, required: true }
      age: { type: integer, required: true }
      height: { type: decimal, required: true }
      price: { type: decimal, required: true }
      born: { type: date, required: true }
      seen: { type: dateTime, required: true }
      member: { type: boolean, required: true }
      tags: { type: string, many: true, required: true } # enum: ["a","b"]
      address: { type: Address, required: true } # or a link: in Address, remove "collection: false", and write "unique: true" at city
      size: { type: string, required: true } # enum: ["S","L"]
      note: string
  Address:
    collection: false
    properties:
      city: { type: string, required: true }
`,
  )
})

test('a proposal for db.json has a class for each list, links by id, and a single resource', async (t) => {
  const data = JSON.stringify({
    $schema: 'x',
    posts: [
      { id: '1', title: 'a', views: 100, authorId: 1, tagIds: ['x', 'y'] },
      { id: '2', title: 'b', views: 1.5, authorId: 2, tagIds: [], meta: { lang: 'en' }, parentId: 'none' },
    ],
    authors: [{ id: 1, name: 'A' }, { id: 2 }],
    tags: [{ id: 'x' }, { id: 'y' }],
    'site-settings': { name: 'blog', open: true },
  })
  const { api, imported } = await roundTrip(t, 'db.json', data)
  assert.deepEqual([tallyOf(imported), imported.reported], [[7, 0, 0], []])
  assert.equal(
    classesOf(api),
    `classes:
  Post:
    properties:
      title: { type: string, required: true }
      views: { type: decimal, required: true }
      author: Author
      tags: { type: Tag, many: true }
      meta: Meta
      parentId: string
  Author:
    properties:
      name: string
  Tag:
    properties: {}
  SiteSettings:
    collection: false
    operations: [read, create, replace, update]
    properties:
      name: { type: string, required: true }
      open: { type: boolean, required: true }
  Meta:
    collection: false
    properties:
      lang: { type: string, required: true }
`,
  )
})

test('an embedded value is not required if its cells may all be empty', async (t) => {
  const data = 'n,a.b.c,d.e,f.g,f.g\n1,2024-02-29,x,1,2\n2,"","","",""\n'
  const { api, imported } = await roundTrip(t, 'people.csv', data)
  assert.deepEqual([tallyOf(imported), imported.reported], [[2, 0, 0], []])
  assert.match(api, /^ {6}a: A\n {6}d: D # or a link.*\n {6}f: F$/m)
})

test('a list is not required if it may have an empty text', async (t) => {
  for (const row of ['"",x', 'x,""', '"",""', '" ",x']) {
    const { api, imported } = await roundTrip(t, 'people.csv', `tag,tag\n${row}\n`)
    assert.deepEqual([tallyOf(imported), imported.reported], [[1, 0, 0], []], row)
    assert.match(api, / tag: \{ type: string, many: true \}/)
  }
  const { api } = await roundTrip(t, 'people.csv', 'tag,tag\n,x\nx,\n')
  assert.match(api, / tag: \{ type: string, many: true, required: true \}/)
})

test('a proposal guesses no form that would change values which look like numbers and dates', async () => {
  const rows = [
    // Without a comma anywhere, points and spaces need not be between thousands.
    ['ip\n192.168.100.101\n192.168.100.102\n', ' ip: { type: string, required: true }', []],
    ['a,b\n555 123,12.345\n555 124,1.5\n', ' b: { type: decimal, required: true }', []],
    ['a;b\n1.234.567;1,5\n', ' a: { type: integer, required: true }', ['--decimal-comma']],
    // Columns that contradict each other say nothing about a third.
    ['a,b,c\n13/02/2026,02/13/2026,01/02/2026\n', ' c: { type: string, required: true }', []],
    ['a,b,c\n13/02/2026,13.2.2026,01/02/2026\n', ' c: { type: date, ', ['--dates', 'dd/mm/yyyy']],
  ] as const
  for (const [data, part, flags] of rows) {
    const { text, importFlags } = await proposeApiFile('rows.csv', chunksOf(data))
    assert.ok(text.includes(part), text)
    assert.deepEqual(importFlags, flags, data)
  }
})

test('a file in UTF-16 of either byte order is proposed, and imported, as the same text', async () => {
  const bytes = Buffer.from('\ufeffname;town\nZoë;Köln\n', 'utf16le')
  const [little, big] = [bytes, Buffer.from(bytes).swap16()]
  const expected = await proposeApiFile('rows.csv', chunksOf(little))
  assert.match(expected.text, / name: .*\n {6}town: /)
  assert.deepEqual(await proposeApiFile('rows.csv', chunksOf(big)), expected)
})

test('the time for many columns grows with their number, and no path is too deep', async () => {
  const line = (count: number, cell: (index: number) => string, between = ',') =>
    Array.from({ length: count }, (_, at) => cell(at)).join(between)
  const kinds = [
    (count: number) => `${line(count, (at) => `c${at}`)}\n`,
    (count: number) => `${line(count, () => 'a')}\n${line(count, () => '1')}\n`,
    (count: number) => `${line(count, () => 'a', '.')}\n1\n`,
  ]
  for (const dataOf of kinds) {
    const proposing = (data: string) => () => () => proposeApiFile('rows.csv', chunksOf(data))
    const least = createLeast([proposing(dataOf(2_000)), proposing(dataOf(20_000))])
    await compareTimes(async () => {
      const [ofFew, ofMany] = await least(1)
      assert.ok(ofMany < 40 * ofFew, `${ofMany} µs for ten times as much as ${ofFew} µs`)
    })
  }
})

test('a column "@id" beside "id" becomes a property with another name', async (t) => {
  const { api, imported } = await roundTrip(t, 'people.csv', 'id,@id\n1,2\n')
  assert.deepEqual([tallyOf(imported), imported.reported], [[1, 0, 0], []])
  assert.match(api, / id2: \{ type: integer, required: true, title: "@id" \}/)
})

test('whatever is in CSV, a proposal for it can be served, and refuses none of it', async (t) => {
  const name = fc.oneof(
    fc.constantFrom(
      'id',
      'Id',
      'a',
      'a.b',
      'a.b.c',
      'A b',
      '2 x',
      '@id',
      '@type',
      'null',
      'x:y',
      'fooId',
      '__proto__',
      'constructor',
      'Größe',
      '名',
    ),
    fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== '' && !/[\0;|\t]/.test(text)),
  )
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      '1',
      '-0',
      '007',
      '1.50',
      '1e3',
      'true',
      'FALSE',
      '2024-02-29',
      '2023-02-29',
      '2026-01-01T00:00:00Z',
      ' ',
      '99999999999999999999',
      ...[
        '31.12.2026',
        '31.02.2026',
        '01/02/2026',
        '12,5',
        '1.234',
        '1,234',
        '0,500',
        '-1.234,5',
        '+7,5',
        '12,',
      ],
    ),
    fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
  )
  const table = fc
    .array(name, { minLength: 1, maxLength: 5 })
    .chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { maxLength: 8 }),
      ),
    )
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      const data = [names, ...rows].map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
      const { api, imported } = await roundTrip(t, 'some data.csv', data)
      assert.deepEqual([tallyOf(imported), imported.reported], [[rows.length, 0, 0], []], api)
    }),
    { numRuns: inSoak(1000, 30) },
  )
})

test('whatever is in db.json, of one kind in each key, a proposal for it can be served, and refuses none of it', async (t) => {
  const texts = fc.constantFrom('', '1', 'true', '2024-02-29', '2026-01-01T00:00:00Z', 'a b', '…')
  const kinds = [
    texts,
    fc.constantFrom(0, -1, 1.5, 1e21, 1e-7, 1e300, 2 ** 53 + 2),
    fc.boolean(),
    fc.constant(null),
    fc.array(texts, { maxLength: 3 }),
    fc.record({ 'in a': texts, 'in-b': fc.integer() }, { requiredKeys: [] }),
    fc.array(fc.record({ id: fc.integer(), x: texts }), { maxLength: 2 }),
  ] as const
  const key = fc.constantFrom(
    'a',
    'A b',
    '2 x',
    '@type ',
    'null',
    'fooId',
    'tagIds',
    'post_id',
    'postId',
    'post',
    'constructor',
    'Größe',
    'x:y',
  )
  const column = fc
    .uniqueArray(key, { maxLength: 4 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((one) => [one, fc.nat(kinds.length - 1)]))))
  const ids = fc.constantFrom(fc.nat(5), fc.constantFrom('0', '1', 'a', 'b c', 'd'))
  const rows = fc.tuple(column, ids).chain(([columns, id]) => {
    const values = Object.entries(columns).map(
      ([name, kind]) => [name, kinds[kind as number] ?? texts] as const,
    )
    const model = { ...Object.fromEntries(values), id }
    return fc.array(fc.record(model, { requiredKeys: [] }), { maxLength: 5 })
  })
  const reserved = ['Session', 'operation-batches', 'OpenApiDocument', 'events', 'contexts', 'Line Items']
  const table = fc.constantFrom('posts', 'foos', 'tags', 'order-lines', 'news', ...reserved)
  const document = fc.dictionary(table, rows, { minKeys: 1, maxKeys: 4 })
  await fc.assert(
    fc.asyncProperty(document, async (tables) => {
      const count = Object.values(tables).flat().length
      const { api, imported } = await roundTrip(t, 'db.json', JSON.stringify(tables))
      assert.deepEqual([imported.refused, imported.reported], [0, []], api)
      assert.equal(imported.added + imported.alreadyThere, count)
    }),
    { numRuns: inSoak(1000, 30), examples: [[{ events: [{ id: 1 }], 'Line Items': [{ id: 1 }] }]] },
  )
})

test('data that no API file fits is refused with what is wrong', async () => {
  const rows: readonly (readonly [file: string, data: string, code: string, line?: number])[] = [
    ['a.csv', '', 'NoHeader'],
    ['a.csv', 'a|b\n', 'WrongDelimiter', 1],
    ['a.csv', 'a\n"b\n', 'OpenQuote', 2],
    ['a.json', '[]', 'NotTables'],
    ['a.json', '{', 'MalformedJson'],
  ]
  for (const [file, data, code, line] of rows)
    await assert.rejects(proposeApiFile(file, chunksOf(data)), {
      code,
      ...(line !== undefined && { line }),
    })
})

test('a proposal for CSV knows how a spreadsheet writes, and the flags with which it is imported', async (t) => {
  const header = 'day;price;count;size;code;either'
  const rows = ['31.12.2026;1.234,50;1.000;1,234;007;01/02/2026', '2026-01-01;-7;12;2,345;1;02/01/2026']
  const { text, importFlags } = await proposeApiFile('orders.csv', chunksOf([header, ...rows].join('\n')))
  assert.deepEqual(importFlags, ['--dates', 'dd.mm.yyyy', '--decimal-comma'])
  assert.match(text, /^# The import needs: --dates dd\.mm\.yyyy --decimal-comma$/m)
  assert.equal(
    classesOf(text),
    `classes:
  Order:
    properties:
      day: { type: date, required: true }
      price: { type: decimal, required: true }
      count: { type: integer, required: true }
      size: { type: string, required: true }
      code: { type: string, required: true }
      either: { type: string, required: true }
`,
  )
  const { imported } = await roundTrip(t, 'orders.csv', [header, ...rows].join('\n'))
  assert.deepEqual(tallyOf(imported), [2, 0, 0])
})

test('dates that can be read in two ways are not proposed, but named', async () => {
  const { text, importFlags } = await proposeApiFile('a.csv', chunksOf('day\n01/02/2026\n03/04/2026\n'))
  assert.deepEqual(importFlags, [])
  assert.match(text, /day: \{ type: string, .*# dates\? .* --dates dd\/mm\/yyyy or mm\/dd\/yyyy$/m)
  const known = await proposeApiFile('a.csv', chunksOf('day\n01/02/2026\n03/14/2026\n'))
  assert.deepEqual(known.importFlags, ['--dates', 'mm/dd/yyyy'])
})

test('a file that is not UTF-8 is taken for Latin-1, or for UTF-16 by its mark', async () => {
  const latin1 = await proposeApiFile('a.csv', chunksOf(Buffer.from('gr\xf6\xdfe\n1\n', 'latin1')))
  assert.deepEqual(latin1.importFlags, ['--encoding', 'latin1'])
  assert.match(latin1.text, /"größe": /)
  const utf16 = await proposeApiFile('a.csv', chunksOf(Buffer.from('\ufeffgröße\n1\n', 'utf16le')))
  assert.deepEqual(utf16.importFlags, ['--encoding', 'utf-16'])
  assert.match(utf16.text, /"größe": /)
})

test('a column that may name members of another class is proposed as embedded, and becomes a link as it says', async (t) => {
  const data = 'customer.email,total\nann@shop.example,1\n'
  const { text } = await proposeApiFile('orders.csv', chunksOf(data))
  assert.match(text, /customer: \{ .* \} # or a link: in Customer, remove "collection: false"/)
  const linked = text
    .replace('    collection: false\n', '')
    .replace('email: { type: string,', 'email: { type: string, unique: true,')
  const bulk = await openBulk(t, linked, 'sqlite::memory:')
  await bulk.import([{ '@type': 'Customer', '@id': '/customers/1', email: 'ann@shop.example' }])
  const imported = await bulk.import(data, { format: 'csv', file: 'orders.csv' })
  assert.deepEqual(tallyOf(imported), [1, 0, 0])
})
