import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DATATYPE_NAMES, OPERATIONS } from '../../src/vocabulary/index.ts'
import { readLongForm } from '../../src/vocabulary/long-form/long-form.ts'
import { type Json, sentenceOf, serveSignedIn } from '../api/signed-in.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { findProblems, knownKeys, modelOf } from './api-files.ts'

const PAGE = 'docs/api-file.md'
const text = readFileSync(join(ROOT, PAGE), 'utf8')

test('every API file on the page can be served', async () => {
  const blocks = codeBlocks(PAGE, 'yaml')
  assert.ok(blocks.length >= 5)
  for (const block of blocks) modelOf(block)
  const documents = codeBlocks(PAGE, 'jsonld')
  assert.equal(documents.length, 1)
  for (const block of documents) {
    const read = await readLongForm(block, 'api.jsonld')
    assert.ok('model' in read, JSON.stringify(read))
    assert.deepEqual(
      read.model.classes.map(({ name, properties }) => [name, properties.map((property) => property.name)]),
      [['Note', ['text', 'due']]],
    )
  }
})

test('every key that a file can have, every type and every operation is on the page', () => {
  const keys = [
    ...knownKeys('xyzzyxyzzyxyzzy: 1\nclasses: { A: }'),
    ...knownKeys('classes: { A: { xyzzyxyzzyxyzzy: 1 } }'),
    ...knownKeys('classes: { A: { properties: { p: { type: string, xyzzyxyzzyxyzzy: 1 } } } }'),
  ]
  assert.ok(keys.length > 20)
  for (const name of [...keys, ...DATATYPE_NAMES, ...OPERATIONS]) {
    if (name === 'classes') assert.match(text, /^classes:$/m)
    else
      assert.ok(
        [name, `${name}: false`].some((said) => text.includes(`\`${said}\``)),
        name,
      )
  }
})

test('the invoices of the page are served and refused as it says', async (t) => {
  const { send, post, get, base } = await serveSignedIn(t, { api: codeBlock(PAGE, 'yaml', 'clients') })
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  const here = (json: string) => json.replaceAll('http://localhost:8080/api', base)
  const [sent = '', printed = ''] = codeBlocks(PAGE, 'json').filter((block) => block.includes('2026-014'))
  assert.equal((await send('PUT', '/customers/ann', headers, '{"name": "Ann Lee"}')).status, 201)
  const made = await send('PUT', '/invoices/1', { ...headers, Accept: 'application/json' }, here(sent))
  assert.equal(made.status, 201, made.body)
  const { changedAt, changedBy, ...rest } = made.json() as Json
  const { changedAt: _time, changedBy: _user, ...shown } = JSON.parse(here(printed))
  assert.deepEqual(rest, shown)
  assert.deepEqual([typeof changedAt, typeof changedBy], [typeof _time, typeof _user])

  const rows = [...text.matchAll(/^\| (?:`("\w+": "?[^"`]+"?)`|the same [^|]*) \| `(\w+: [^`]+)` \|$/gm)]
  assert.equal(rows.length, 4)
  for (const [row, change = '"total": "1"', sentence] of rows) {
    const number = row.includes('the same') ? {} : { number: '2026-015' }
    const body = { ...JSON.parse(here(sent)), ...number, ...JSON.parse(`{${change}}`) }
    const response = await post('/invoices', body)
    assert.deepEqual([response.status, sentenceOf(response)], [422, sentence])
  }
  assert.equal((await send('DELETE', '/customers/ann')).status, 204)
  assert.equal((await get('/invoices/1')).status, 404)
})

const codeOf = (file: string) => findProblems(file)[0]?.code

test('every name that is refused on the page is refused', () => {
  const [, collections = ''] = /A collection cannot be called (.*)\. No two/.exec(text) ?? []
  const names = [...collections.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  assert.equal(names.length, 12)
  for (const name of names) assert.equal(codeOf(`classes: { A: { collection: ${name} } }`), 'ReservedPath')
  const withProperty = (name: string) => codeOf(`classes: { A: { properties: { ${name}: string } } }`)
  assert.equal(withProperty('__proto__'), 'UnprocessableName')
  assert.equal(withProperty('hasOwnProperty'), 'UnprocessableName')
  assert.equal(withProperty('"@x"'), 'KeywordAsName')
  for (const name of ['EntryPoint', 'Session', 'ConstraintViolationList'])
    assert.equal(codeOf(`classes: { ${name}: }`), 'ReservedClassName')
})

test('a member with values within it is taken as it is printed on the page', async (t) => {
  const { send, add, base } = await serveSignedIn(t, { api: codeBlock(PAGE, 'yaml', 'Address') })
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  assert.equal((await send('PUT', '/countries/us', headers, '{"name": "USA"}')).status, 201)
  const printed = codeBlock(PAGE, 'json', 'Springfield').replaceAll('http://localhost:8080/api', base)
  const { home } = await add('/persons', JSON.parse(printed))
  assert.deepEqual(home, { '@type': 'Address', ...JSON.parse(printed).home })
})
