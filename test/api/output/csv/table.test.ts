import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCsvFormat } from '../../../../src/api/index.ts'
import { modelOf } from '../../../support/service.ts'
import { type SignedIn, serveSignedIn } from '../../signed-in.ts'
import { API, CSV, ESCAPED, HEADER } from './library.ts'

/** The header and the only row, without its address. */
async function rowOf({ get, send, base }: SignedIn, values: object, headers = CSV): Promise<string[]> {
  const sent = { 'Content-Type': 'application/json', 'If-None-Match': '*' }
  await send('DELETE', '/books/b')
  const added = await send('PUT', '/books/b', sent, JSON.stringify(values))
  assert.equal(added.status, 201, added.body)
  const { body } = await get('/books', headers)
  const [header = '', row = '', ...rest] = body.split('\r\n')
  assert.deepEqual(rest.at(-1), '', 'the last line ends, too')
  const text = [row, ...rest.slice(0, -1)].join('\r\n')
  assert.ok(text.startsWith(`${base}/books/b,`), body)
  return [header, text.slice(`${base}/books/b,`.length)]
}

// contract: `Accept: text/csv` on a collection
test('a member is a row of RFC 4180: empty texts in quotes, nothing without a value, numbers as they are written', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const { add } = service
  const ann = (await add('/authors', { name: 'Ann' }))['@id']
  const bob = (await add('/authors', { name: 'Bob' }))['@id']
  const columns = HEADER.slice(4)
  const table: [values: object, row: string, header?: string][] = [
    [{}, ',,,,,,,,,,,,,'],
    [{ title: 'Emma' }, 'Emma,,,,,,,,,,,,,'],
    [{ title: '' }, '"",,,,,,,,,,,,,'],
    [{ title: ' a ' }, ' a ,,,,,,,,,,,,,'],
    [{ title: 'a,b' }, '"a,b",,,,,,,,,,,,,'],
    [{ title: 'a "b"' }, '"a ""b""",,,,,,,,,,,,,'],
    [{ title: 'a\nb' }, '"a\nb",,,,,,,,,,,,,'],
    [{ title: 'a\rb' }, '"a\rb",,,,,,,,,,,,,'],
    [{ title: 'a\r\nb' }, '"a\r\nb",,,,,,,,,,,,,'],
    [{ title: 'a\\b\tc\u2028' }, 'a\\b\tc\u2028,,,,,,,,,,,,,'],
    [{ title: 'Ñandú 書 😀' }, 'Ñandú 書 😀,,,,,,,,,,,,,'],
    [{ title: '\ufeffa' }, '\ufeffa,,,,,,,,,,,,,'],
    [{ title: '=1+1' }, '=1+1,,,,,,,,,,,,,'],
    [{ pages: -3, price: '-012.50', weight: 1e21, inPrint: false }, ',-3,-012.50,1e+21,false,,,,,,,,,'],
    [
      { published: '1815-12-23', loan: '-P1D', page: 'http://example.org/a,b' },
      ',,,,,1815-12-23,-P1D,"http://example.org/a,b",,,,,,',
    ],
    [{ author: ann }, `,,,,,,,,${ann},,,,,`],
    [{ editors: [ann, bob] }, `,,,,,,,,,${ann},${bob},,,,`, columns.replace('editors', 'editors,editors')],
    [{ tags: ['a', '', 'b,c'] }, ',,,,,,,,,,a,"","b,c",,,', columns.replace('tags', 'tags,tags,tags')],
    [{ names: { en: 'Hi', de: '' } }, ',,,,,,,,,,,"",Hi,,', columns.replace('names', 'names.de,names.en')],
    [
      { publisher: { name: 'M', cities: ['x', 'y'], series: [{ title: 'z' }] } },
      ',,,,,,,,,,,,M,x,y',
      `${columns},publisher.cities`,
    ],
    [{ chapters: [{ title: 'One' }] }, ',,,,,,,,,,,,,'],
  ]
  for (const [values, row, header = columns] of table)
    assert.deepEqual(await rowOf(service, values), [`@id,${header}`, row], JSON.stringify(values))
  const { body, headers } = await service.get('/authors', CSV)
  assert.equal(body, `@id,name\r\n${ann},Ann\r\n${bob},Bob\r\n`)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
})

// contract: A text that begins with `=`
test('with Prefer: spreadsheet, texts that a spreadsheet would read as formulas have an apostrophe', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const table: [values: object, row: string][] = [
    ...['=1+1', '+1', '-1', '@a', '\ta', "'=1", "''-", '='].map((title): [object, string] => [
      { title },
      `'${title},,,,,,,,,,,,,`,
    ]),
    [{ title: '\ra' }, '"\'\ra",,,,,,,,,,,,,'],
    [{ title: '=cmd|"/c",' }, '"\'=cmd|""/c"",",,,,,,,,,,,,,'],
    ...["'a", 'a=1', ' =1', '\n=1', ''].map((title): [object, string] => [
      { title },
      `${title === '' || title.includes('\n') ? `"${title}"` : title},,,,,,,,,,,,,`,
    ]),
    [{ pages: -3, price: '+1', weight: -0.5 }, ',-3,+1,-0.5,,,,,,,,,,'],
    [{ loan: '-P1D' }, ",,,,,,'-P1D,,,,,,,"],
    [{ tags: ['=1'] }, ",,,,,,,,,,'=1,,,"],
    [{ publisher: { name: '@x', cities: ['-y'] } }, ",,,,,,,,,,,,'@x,'-y"],
  ]
  for (const [values, row] of table)
    assert.deepEqual(await rowOf(service, values, ESCAPED), [`'${HEADER}`, row], JSON.stringify(values))
  const names = await rowOf(service, { names: { en: '+1' } }, ESCAPED)
  assert.equal(names[1], ",,,,,,,,,,,'+1,,")

  const applied: [prefer: string, confirmed: string | undefined, accept?: string][] = [
    ['spreadsheet', 'spreadsheet'],
    ['Spreadsheet', 'spreadsheet'],
    ['spreadsheet=""', 'spreadsheet'],
    ['return=minimal, spreadsheet;x=1', 'spreadsheet'],
    ['spreadsheet, count=exact', 'count=exact, spreadsheet'],
    ['spreadsheet=no', undefined],
    ['spreadsheets', undefined],
    ['spreadsheet', undefined, 'application/ld+json'],
    ['spreadsheet', undefined, 'text/turtle'],
  ]
  for (const [Prefer, confirmed, Accept = 'text/csv'] of applied) {
    const { headers } = await service.get('/books', { Accept, Prefer })
    assert.equal(headers['preference-applied'], confirmed, `${Prefer} ${Accept}`)
  }
})

test('the text of a member that a later API file has written is read in whatever order it is', () => {
  const [, book] = modelOf(API).classes
  assert.ok(book)
  const format = createCsvFormat(book, 'http://h', { spreadsheet: false })
  const table = format.createTable()
  const bodies: [body: string, row: string][] = [
    [',"title":"a","pages":1', 'a,1,,,,,,,,,,,,'],
    [',"pages":1,"title":"a"', 'a,1,,,,,,,,,,,,'],
    [',"other":{"a":[1]},"title":"a"', 'a,,,,,,,,,,,,,'],
    [',"title":["a","b"]', '"[""a"",""b""]",,,,,,,,,,,,,'],
    [',"publisher":{"@type":"Other","x":"}","name":"n"},"pages":2', ',2,,,,,,,,,,,n,'],
    [',"publisher":"text"', ',,,,,,,,,,,,,'],
  ]
  for (const [body, row] of bodies)
    assert.equal(table.write(format.read({ id: 'b', body })), `http://h/books/b,${row}\r\n`)
})

test('a list of properties to show leaves the others out', () => {
  const [, book] = modelOf(API).classes
  assert.ok(book)
  const rows: [shown: string[], header: string, leftOut: string[]][] = [
    [['pages', 'title'], '@id,title,pages', []],
    [['publisher', 'title'], '@id,title,publisher.name,publisher.cities', ['publisher.series']],
    [['publisher.name', 'chapters'], '@id,publisher.name', ['chapters']],
    [[], '@id', []],
  ]
  for (const [shown, header, leftOut] of rows) {
    const format = createCsvFormat(book, 'http://h', { spreadsheet: false, shown })
    const table = format.createTable()
    assert.equal(table.header(), `${header}\r\n`)
    assert.deepEqual(format.leftOut, leftOut)
    const row = table.write(format.read({ id: 'b', body: ',"title":"a","pages":1' }))
    assert.equal(row?.split(',').length, header.split(',').length)
  }
})
