import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { API_FILE_SCHEMA } from '../../../src/vocabulary/short-form/keys.ts'
import { codeBlocks, ROOT } from '../../support/markdown.ts'
import { knownKeys, problemsOf, withProperties } from '../api-files.ts'

// Draft 2020-12 itself is checked by the meta-schema that Ajv has; `regex` is the one format.
const validate = new Ajv2020({ strictTypes: false, formats: { regex: true } }).compile(API_FILE_SCHEMA)

const isValid = (text: string): boolean => validate(parse(text))

type Schema = { readonly [key: string]: Schema }

test('every API file of the examples and the docs is valid', () => {
  const examples = join(ROOT, 'examples')
  const files = readdirSync(examples).filter((name) => name.endsWith('.yaml'))
  const texts = [
    ...files.map((name) => readFileSync(join(examples, name), 'utf8')),
    ...codeBlocks('docs/api-file.md', 'yaml'),
    ...codeBlocks('README.md', 'yaml'),
  ]
  assert.ok(texts.length > 10)
  for (const text of texts) assert.ok(isValid(text), `${text}\n${JSON.stringify(validate.errors)}`)
})

test('the schema has the keys that the reader knows, no other, and says what each means', () => {
  const { properties, $defs } = API_FILE_SCHEMA as Schema
  const [, property] = Object.values($defs?.property?.anyOf ?? {})
  const rows: [text: string, keys: Schema | undefined][] = [
    ['xyzzyxyzzyxyzzy: 1\nclasses: { A: }', properties],
    ['classes: { A: { xyzzyxyzzyxyzzy: 1 } }', $defs?.class?.properties],
    [withProperties('p: { type: string, xyzzyxyzzyxyzzy: 1 }'), property?.properties],
  ]
  for (const [text, keys = {}] of rows) {
    assert.deepEqual(Object.keys(keys).toSorted(), knownKeys(text).toSorted())
    for (const [key, { description }] of Object.entries(keys)) assert.ok(description, key)
  }
})

test('what the reader refuses in one place is not valid', () => {
  const mistakes = [
    'clases: { A: }',
    'title: a',
    'title: 5\nclasses: { A: }',
    'classes: {}',
    'classes: { A: { propertys: {} } }',
    'classes: { book: }',
    'classes: { A: { collection: true } }',
    'classes: { A: { operations: [lst] } }',
    'classes: { A: { operations: [list, list] } }',
    'classes: { A: { access: { veiw: everyone } } }',
    'roles: [Editor]\nclasses: { A: }',
    ...['p: integr', 'p: 5', 'p:', 'p: [string]', 'p: {}', 'p: { type: string, requird: true }'].map((line) =>
      withProperties(line),
    ),
    ...['minLength: -1', 'minimum: x', 'enum: []', 'enum: [a, a]', 'many: 1', 'was: 5', 'pattern: 5'].map(
      (constraint) => withProperties(`p: { type: string, ${constraint} }`),
    ),
    withProperties('1a: string'),
  ]
  for (const text of mistakes) {
    assert.notDeepEqual(problemsOf(text), [], text)
    assert.ok(!isValid(text), text)
  }
})
