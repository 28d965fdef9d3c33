import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertRefused, each, folderWithApi, hydrant } from '../command.ts'
import { openTerminal } from '../terminal.ts'

const AUTHORS = '{"@type":"Author","@id":"/authors/1","name":"a"}\n{"@type":"Author","name":"b"}\n'

// contract: Output meant for programs is available with `--json`.
test('a file is imported, with a summary for people and one for programs', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'data.ndjson'), AUTHORS)
  const first = await hydrant(['import', 'api.yaml', 'data.ndjson'], { cwd: folder })
  assert.equal(first.status, 0, first.stderr)
  assert.match(
    first.stdout,
    /^2 added, 0 already there, 0 refused, in \d+\.\d s \([\d,]+ added per second\)\.\n$/,
  )
  assert.equal(first.stderr, '')

  const again = await hydrant(['import', 'api.yaml', 'data.ndjson', '--json'], { cwd: folder })
  const { seconds, membersPerSecond, ...tally } = JSON.parse(again.stdout)
  assert.deepEqual(tally, { added: 0, alreadyThere: 2, refused: 0 })
  assert.deepEqual([typeof seconds, membersPerSecond], ['number', 0])
})

// contract: `hydrant import <api-file> <data>` / `export
test('what is refused is reported with file and line on standard error, and the exit status is 1', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'data.jsonl'), `${AUTHORS}{"@type":"Author"}\n\n{"@type":"Author","nam":"c"}\n`)
  const { status, stdout, stderr } = await hydrant(['import', 'api.yaml', './data.jsonl'], { cwd: folder })
  assert.equal(status, 1)
  assert.match(stdout, /^2 added, 0 already there, 2 refused/)
  assert.deepEqual(
    stderr.split('\n').map((line) => line.split(' ', 2).join(' ')),
    ['./data.jsonl:3: name:', './data.jsonl:5: nam:', './data.jsonl:5: name:', 'hydrant: 2', ''],
  )
  assert.match(stderr, /--as-stored/)
})

test('an address on another base is refused with the flag that names the base', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'authors.csv'), 'id,name\n1,a\n')
  writeFileSync(join(folder, 'books.csv'), 'title,author\na,http://localhost:9000/api/authors/1\n')
  await hydrant(['import', 'api.yaml', 'authors.csv'], { cwd: folder })
  const refused = await hydrant(['import', 'api.yaml', 'books.csv'], { cwd: folder })
  assert.match(refused.stderr, / http:\/\/localhost:8080\/api; --base-url /)
  const flags = ['--base-url', 'http://localhost:9000/api']
  const added = await hydrant(['import', 'api.yaml', 'books.csv', ...flags], { cwd: folder })
  assert.match(added.stdout, /^1 added/)
})

test('data without members is no failure, and import says that it has none', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'data.ndjson'), '')
  writeFileSync(join(folder, 'authors.csv'), 'id,name\n')
  for (const data of ['data.ndjson', 'authors.csv']) {
    const { status, stdout } = await hydrant(['import', 'api.yaml', data], { cwd: folder })
    assert.equal(status, 0)
    assert.match(stdout, /^0 added, .* The data has no members\.\n$/)
  }
})

test('the name of a CSV file, or --class, says which class its lines are', async (t) => {
  const folder = folderWithApi(t)
  for (const name of ['authors', 'Author', 'people'])
    writeFileSync(join(folder, `${name}.csv`), 'id,name\n1,a\n')
  const added = async (...args: string[]) => hydrant(['import', 'api.yaml', ...args], { cwd: folder })
  assert.match((await added('authors.csv')).stdout, /^1 added/)
  assert.match((await added('Author.csv')).stdout, /^0 added, 1 already there/)
  assert.match((await added('people.csv', '--class', 'Author')).stdout, /^0 added, 1 already there/)
  assertRefused(await added('people.csv'), 2, '--class: Author, Book.')
  assertRefused(await added('people.csv', '--class', 'Autor'), 2, '"Autor"', '"Author"')
  const exported = await hydrant(['export', 'api.yaml', 'all.csv'], { cwd: folder })
  assertRefused(exported, 2, '--class: Author, Book.')
})

test('the same file in another folder has the same members', async (t) => {
  const folder = folderWithApi(t)
  mkdirSync(join(folder, 'other'))
  for (const path of ['data.ndjson', 'other/data.ndjson', 'other.ndjson'])
    writeFileSync(join(folder, path), AUTHORS)
  const added = async (path: string) =>
    JSON.parse((await hydrant(['import', 'api.yaml', path, '--json'], { cwd: folder })).stdout).added
  assert.equal(await added('data.ndjson'), 2)
  assert.equal(await added('other/data.ndjson'), 0)
  assert.equal(await added('other.ndjson'), 1)
})

// contract: `hydrant import <api-file> <data>` / `export
test('the ending of a file or --format says what is in it; "-" is standard input', async (t) => {
  const document = '{"@context":{},"@graph":[{"@id":"/authors/1"},\n1]}'
  const rows: readonly (readonly [args: readonly string[], input: string, stderr: RegExp])[] = [
    [['-'], AUTHORS, /^$/],
    [['-', '--format', 'ndjson'], AUTHORS, /^$/],
    [['-', '--format', 'jsonld'], document, /^standard input:1: .*\nstandard input:2: /],
    [['data.jsonld'], document, /^data.jsonld:1: .*\ndata.jsonld:2: /],
    [['data.json'], document, /^data.json:1: .*\ndata.json:2: /],
    [['data.NDJSON'], AUTHORS, /^$/],
    [['data.txt', '--format', 'ndjson'], AUTHORS, /^$/],
  ]
  await each(rows, async ([args, input, expected]) => {
    const folder = folderWithApi(t)
    if (args[0] !== '-') writeFileSync(join(folder, args[0] ?? ''), input)
    const { stderr } = await hydrant(['import', 'api.yaml', ...args], { cwd: folder, input })
    assert.match(stderr, expected)
  })
})

test('a wrong header is an error of the file, and no member is counted', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'authors.csv'), 'nam\na\n')
  const { status, stdout, stderr } = await hydrant(['import', 'api.yaml', 'authors.csv'], { cwd: folder })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /authors\.csv:1: nam: .*Author.*"name"\?\n$/)
})

test('wrong usage, and files that cannot be read, are said in one line, and no database is made', async (t) => {
  const folder = folderWithApi(t)
  mkdirSync(join(folder, 'folder.json'))
  for (const name of ['data.txt', 'data.ndjson', 'data.jsonld']) writeFileSync(join(folder, name), AUTHORS)
  const rows: readonly (readonly [args: readonly string[], status: number, ...parts: string[]])[] = [
    [['import', 'api.yaml'], 2, "missing required argument 'data'"],
    [['import', 'machines.csv'], 2, 'hydrant import api.yaml machines.csv;'],
    [['import', 'my machines.csv'], 2, "hydrant import api.yaml 'my machines.csv';"],
    [['import', 'postgres://me:secret@localhost/old'], 2, 'hydrant import api.yaml <data>;'],
    [['import', 'api.yaml', 'data.xlsx'], 2, '"data.xlsx"', 'as CSV'],
    [['import', 'api.yaml', 'data.txt'], 2, 'ends in .ndjson, .jsonl, .jsonld, .json', '--format'],
    [['import', 'api.yaml', '-', '--format', 'xml'], 2, '--format', 'ndjson, jsonld or csv'],
    [['import', 'api.yaml', '-', '--db', 'sqlite::memory:'], 2, '--db'],
    // Members in other formats name their class themselves.
    [['import', 'api.yaml', 'data.ndjson', '--class', 'Nope'], 2, '--class is for CSV'],
    [['import', 'api.yaml', 'data.jsonld', '--class', 'Author'], 2, '--class is for CSV'],
    [['import', 'api.yaml', '-', '--dates', 'dd.mm.yyyy'], 2, '--dates is for CSV'],
    [['import', 'api.yaml', 'missing.ndjson'], 1, 'missing.ndjson: '],
    [['import', 'api.yaml', 'missing.csv'], 1, 'missing.csv: '],
    [['import', 'api.yaml', 'folder.json'], 1, 'folder.json: '],
  ]
  await each(rows, async ([args, status, ...parts]) => {
    assertRefused(await hydrant(args, { cwd: folder }), status, ...parts)
  })
  const missing = await hydrant(['import', 'missing.yaml', 'data.txt', '--format', 'ndjson'], { cwd: folder })
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /^missing\.yaml: [^\n]+\n$/)
  assert.ok(!existsSync(join(folder, 'hydrant.db')))
})

test('--base-url says which addresses are those of members', async (t) => {
  const folder = folderWithApi(t)
  const line = '{"@id":"https://example.org/authors/1","name":"a"}\n'
  const args = ['import', 'api.yaml', '-']
  assert.equal((await hydrant(args, { cwd: folder, input: line })).status, 1)
  const env = { HYDRANT_BASE_URL: 'https://example.org/' }
  assert.equal((await hydrant(args, { cwd: folder, input: line, env })).status, 0)
})

// contract: `hydrant import <api-file> <data>` / `export
test('on a terminal there is a progress bar, and what is refused stands above it', async (t) => {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'data.ndjson'), `${AUTHORS}{"@type":"Author"}\n`)
  const terminal = openTerminal(t, ['import', 'api.yaml', 'data.ndjson'], folder)
  assert.equal(await terminal.ended, 1)
  assert.match(terminal.screen(), /[█░=-]{30} 0%/)
  assert.ok(terminal.screen().includes('\x1b[2Kdata.ndjson:3: name: '))
  assert.match(terminal.screen(), /[█░=-]{30} 100% 2 added/)
})

test('CSV as a spreadsheet has written it is imported, and a line that needs a flag names it', async (t) => {
  const api = `
classes:
  Customer: { properties: { email: { type: string, unique: true } } }
  Order: { properties: { customer: Customer, day: date, total: decimal, note: string } }
`
  const folder = folderWithApi(t, api)
  writeFileSync(join(folder, 'customers.csv'), 'id;email\n1;ann@shop.example\n')
  const orders = 'customer.email;day;total;note\nann@shop.example;31.12.2026;1.250,50;für\n'
  writeFileSync(join(folder, 'orders.csv'), Buffer.from(orders, 'latin1'))
  const add = (...args: string[]) => hydrant(['import', 'api.yaml', ...args], { cwd: folder })
  assert.match((await add('customers.csv')).stdout, /^1 added/)
  assert.match((await add('orders.csv')).stderr, /^orders\.csv:2: .* --encoding latin1\.$/m)
  const inLatin1 = ['orders.csv', '--encoding', 'latin1']
  const refused = await add(...inLatin1)
  assert.match(refused.stderr, /^orders\.csv:2: day: .* --dates dd\.mm\.yyyy\.$/m)
  assert.match(refused.stderr, /^orders\.csv:2: total: .* --decimal-comma\.$/m)
  const added = await add(...inLatin1, '--dates', 'dd.mm.yyyy', '--decimal-comma')
  assert.match(added.stdout, /^1 added/)
  const { stdout } = await hydrant(['export', 'api.yaml', '--class', 'Order'], { cwd: folder })
  const { '@id': _, ...order } = JSON.parse(stdout)
  const customer = 'http://localhost:8080/api/customers/1'
  assert.deepEqual(order, { '@type': 'Order', customer, day: '2026-12-31', total: '1250.50', note: 'für' })
  assertRefused(await add('orders.csv', '--dates', 'yy'), 2, '--dates: ', 'dd.mm.yyyy')
  assertRefused(await add('orders.csv', '--encoding', 'latin-9'), 2, '--encoding: ', 'utf-16')
})
