import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { MemberContent } from '../../../src/members/index.ts'
import { modelOf } from '../../support/service.ts'

const FULL = `
classes:
  Thing: { properties: { a: string, text: langString, town: Town, towns: { type: Town, many: true }, by: Thing } }
  Town: { collection: false, properties: { name: string, zip: integer } }
`
const BODY = `{"a": "x", "text": {"en": "e"}, "town": {"name": "n", "zip": 1},
  "towns": [{"name": "n"}, {"name": "o", "zip": 2}, {"zip": 3}], "by": "/api/things/1"}`

const without = (part: string, file = FULL) => replaced(part, '', file)

function replaced(part: string, by: string, file = FULL): string {
  assert.ok(file.includes(part), part)
  return file.replace(part, by)
}

function shapeOf(file: string) {
  const [shape] = classSchemas(modelOf(file))
  assert.ok(shape)
  return shape
}

/** What each file does to the member that the one before it has left. */
function movesUnder(...files: readonly string[]): string[][] {
  const [thing] = modelOf(FULL).classes
  assert.ok(thing)
  let stored: MemberContent = createInput(thing, 'http://x.example/api').create(
    readJson(BODY) as JsonObject,
    '1',
    0,
  )
  return files.map((file) => {
    const converted = shapeOf(file).convert(stored, stored.links)
    if ('violations' in converted) assert.fail(JSON.stringify(converted.violations))
    stored = converted
    return (converted.moves ?? []).map((move) =>
      move.change === 'renamed' ? `${move.from} → ${move.property}` : `${move.change} ${move.property}`,
    )
  })
}

const ROWS: readonly (readonly [name: string, files: readonly string[], moves: readonly string[][]])[] = [
  ['nothing', [FULL], [[]]],
  ['a new property', [replaced('a: string,', 'a: string, b: string,')], [[]]],
  [
    'a property goes, stays away, and comes back',
    [without('a: string,'), replaced('a: string,', 'b: string,'), FULL],
    [['hidden a'], [], ['shown a']],
  ],
  [
    'texts by language go and come back',
    [without('text: langString,'), FULL],
    [['hidden text'], ['shown text']],
  ],
  ['a link goes and comes back', [without(', by: Thing'), FULL], [['hidden by'], ['shown by']]],
  [
    'a property gets another name, and the former one again',
    [
      replaced('a: string,', 'b: { type: string, was: a },'),
      replaced('a: string,', 'a: { type: string, was: b },'),
    ],
    [['a → b'], ['b → a']],
  ],
  [
    'a property comes back under another name',
    [without('a: string,'), replaced('a: string,', 'b: { type: string, was: a },')],
    [['hidden a'], ['a → b']],
  ],
  [
    'a part of embedded values goes and comes back: once a member, however many have it',
    [without(', zip: integer'), FULL],
    [
      ['hidden town/zip', 'hidden towns/zip'],
      ['shown town/zip', 'shown towns/zip'],
    ],
  ],
  [
    'a part gets another name',
    [replaced('zip: integer', 'code: { type: integer, was: zip }')],
    [['town/zip → town/code', 'towns/zip → towns/code']],
  ],
  [
    'an embedded value goes after a part of it, and comes back before that',
    [without(', zip: integer'), without('town: Town,', without(', zip: integer')), without(', zip: integer')],
    [['hidden town/zip', 'hidden towns/zip'], ['hidden town'], ['shown town']],
  ],
  [
    'an embedded value of which a part is hidden gets another name',
    [
      without(', zip: integer'),
      replaced('town: Town,', 'city: { type: Town, was: town },', without(', zip: integer')),
    ],
    [['hidden town/zip', 'hidden towns/zip'], ['town → city']],
  ],
]

test('what has become of the values of a member is said, and nothing where they have stayed', () => {
  for (const [name, files, moves] of ROWS) assert.deepEqual(movesUnder(...files), moves, name)
})
