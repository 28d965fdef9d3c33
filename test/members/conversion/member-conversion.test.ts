import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { ClassSchema, MemberContent } from '../../../src/members/index.ts'
import type { Class } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'

const BASE = 'http://x.example/api'

const api = (property: string) => `
classes:
  Author: { properties: { name: string, born: Town, died: Place } }
  Town: { collection: false, properties: { name: string, zip: string, mayor: Author } }
  Place: { collection: false, properties: { name: string, zip: integer, mayor: string } }
  Thing: { properties: { ${property}, kept: string } }`

const shapeOf = (file: string): ClassSchema =>
  classSchemas(modelOf(file)).find(({ name }) => name === 'Thing') as ClassSchema

function write(file: string, body: string): MemberContent {
  const cls = modelOf(file).classes.find(({ name }) => name === 'Thing') as Class
  return createInput(cls, BASE).create(readJson(body) as JsonObject, '1', 0)
}

const convert = (
  file: string,
  { links, ...stored }: Pick<MemberContent, 'body' | 'baseUrlOffsets' | 'hidden' | 'links'>,
): Pick<MemberContent, 'body' | 'baseUrlOffsets' | 'hidden' | 'links'> => {
  const { body, baseUrlOffsets, hidden, links: after } = shapeOf(file).convertEntry(stored, links)
  return { body, baseUrlOffsets, hidden, links: after }
}

const ANN = `"${BASE}/authors/ann"`

/** A property, a value as JSON text, another property, what is shown of the value then, and what is hidden. */
const HIDDEN: [from: string, sent: string, to: string, shown: string, hidden: string][] = [
  ['a: string', '"x"', 'a: integer', '', '{"a":"x"}'],
  ['a: string', '"12"', 'a: integer', ',"a":12', ''],
  ['a: string', '"x"', 'b: string', '', '{"a":"x"}'],
  ['a: { type: string, many: true }', '["1","x"]', 'a: { type: integer, many: true }', '', '{"a":["1","x"]}'],
  ['a: { type: string, many: true }', '["x","y"]', 'a: string', '', '{"a":["x","y"]}'],
  ['a: string', '"x"', 'a: Town', '', '{"a":"x"}'],
  ['a: Author', ANN, 'a: string', '', '{"a":{"@id":"/authors/ann","@type":"Author"}}'],
  [
    ...['a: Town', `{"name":"n","zip":"x","mayor":${ANN}}`, 'a: Place', ',"a":{"@type":"Place","name":"n"}'],
    '{"a":{"zip":"x","mayor":{"@id":"/authors/ann","@type":"Author"}}}',
  ] as [string, string, string, string, string],
  [
    ...['a: { type: Town, many: true }', '[{"zip":"1"},{"zip":"x"}]', 'a: { type: Place, many: true }'],
    ...[',"a":[{"@type":"Place","zip":1},{"@type":"Place"}]', '{"a":[{},{"zip":"x"}]}'],
  ] as [string, string, string, string, string],
]

for (const [from, sent, to, shown, hidden] of HIDDEN)
  test(`in an entry, ${sent} as ${from} is converted to ${to}, and back`, () => {
    const stored = write(api(from), `{"a":${sent},"kept":"k"}`)
    const converted = convert(api(to), stored)
    assert.deepEqual([converted.body, converted.hidden], [`${shown},"kept":"k"`, hidden])
    const again = convert(api(from), converted)
    assert.equal(again.body, stored.body)
    assert.equal(again.hidden, '')
    assert.equal(again.baseUrlOffsets, stored.baseUrlOffsets)
  })

test('in an entry, a value that cannot be converted is hidden under the present name of its property', () => {
  const stored = write(api('a: string'), '{"a":"x"}')
  const renamed = convert(api('b: { type: integer, was: a }'), stored)
  assert.deepEqual([renamed.body, renamed.hidden], ['', '{"b":"x"}'])
  assert.equal(convert(api('b: string'), renamed).body, ',"b":"x"')
})

test('a default fills members, and no entry', () => {
  const stored = write(api('a: string'), '{"kept":"k"}')
  const shape = shapeOf(api('b: { type: string, default: x }'))
  const filling = { names: new Set(['Thing.b']), now: 0 }
  const member = shape.convert(stored, [], filling)
  assert.equal('body' in member && member.body, ',"b":"x","kept":"k"')
  assert.equal(shape.convertEntry(stored, []).body, ',"kept":"k"')
})
