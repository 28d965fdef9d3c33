import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLongForm } from '../../src/vocabulary/long-form/long-form.ts'
import { DATATYPE_NAMES, OPERATIONS } from '../../src/vocabulary/model.ts'
import { serveSignedIn } from '../api/signed-in.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { modelOf, problemsOf } from './api-files.ts'

const PAGE = 'docs/api-file.md'
const text = readFileSync(join(ROOT, PAGE), 'utf8')

/** What a message lists behind "possible: ". */
const possibleIn = (problems: readonly string[]): string[] =>
  /possible: (.*)$/.exec(problems[0] ?? '')?.[1]?.split(', ') ?? assert.fail(problems.join('\n'))

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
    ...possibleIn(problemsOf('xyzzyxyzzyxyzzy: 1\nclasses: { A: }')),
    ...possibleIn(problemsOf('classes: { A: { xyzzyxyzzyxyzzy: 1 } }')),
    ...possibleIn(problemsOf('classes: { A: { properties: { p: { type: string, xyzzyxyzzyxyzzy: 1 } } } }')),
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

test('every name that is refused on the page is refused', () => {
  const [, collections = ''] = /A collection cannot be called (.*)\. No two/.exec(text) ?? []
  const names = [...collections.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  assert.equal(names.length, 10)
  for (const name of names)
    assert.match(problemsOf(`classes: { A: { collection: ${name} } }`)[0] ?? '', /reserved/)
  for (const name of ['__proto__', 'hasOwnProperty', '"@x"'])
    assert.match(
      problemsOf(`classes: { A: { properties: { ${name}: string } } }`)[0] ?? '',
      /cannot be the name/,
    )
  for (const name of ['EntryPoint', 'Session', 'ConstraintViolationList'])
    assert.match(problemsOf(`classes: { ${name}: }`)[0] ?? '', /every API has/)
})

test('a member with values within it is taken as it is printed on the page', async (t) => {
  const { send, add, base } = await serveSignedIn(t, { api: codeBlock(PAGE, 'yaml', 'Address') })
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  assert.equal((await send('PUT', '/countries/us', headers, '{"name": "USA"}')).status, 201)
  const printed = codeBlock(PAGE, 'json', 'Springfield').replaceAll('http://localhost:8080/api', base)
  const { home } = await add('/persons', JSON.parse(printed))
  assert.deepEqual(home, { '@type': 'Address', ...JSON.parse(printed).home })
})
