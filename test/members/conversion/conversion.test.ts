import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import {
  type ClassSchema,
  linkName,
  type MemberContent,
  type Move,
  type StoredMember,
} from '../../../src/members/index.ts'
import type { ProblemData } from '../../../src/problem.ts'
import type { Class } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'

const BASE = 'http://x.example/api'

/** One class with one property of that kind, beside others that properties may refer to. */
const api = (property: string, more = '') => `
classes:
  Author: { properties: { name: string } }
  Writer: { properties: { town: Town, place: Place } }
  Town: { collection: false, properties: { name: string, zip: integer, mayor: Author } }
  Place: { collection: false, properties: { name: string } }
  Thing:
    properties:
      ${property}
      kept: string
${more}`

const classOf = (file: string): Class => modelOf(file).classes.find(({ name }) => name === 'Thing') as Class
const shapeOf = (file: string): ClassSchema =>
  classSchemas(modelOf(file)).find(({ name }) => name === 'Thing') as ClassSchema

function write(file: string, body: string): MemberContent {
  const { id, owner, ...written } = createInput(classOf(file), BASE).create(
    readJson(body) as JsonObject,
    '1',
    0,
  )
  assert.deepEqual([id, owner], ['1', undefined])
  return written
}

/** As the store hands it over. */
function convertWithMoves(
  file: string,
  { links, ...stored }: MemberContent,
): [MemberContent, readonly Move[]] {
  const converted = shapeOf(file).convert(stored, links)
  if ('violations' in converted) assert.fail(JSON.stringify(converted.violations))
  const { moves = [], ...written } = converted
  return [written, moves]
}

const convert = (file: string, stored: MemberContent): MemberContent => convertWithMoves(file, stored)[0]

/** What is wrong: place, code, the stored value and the reason; and the new name of the place, where it has another one. */
const violationsOf = (file: string, { links, ...stored }: MemberContent) => {
  const converted = shapeOf(file).convert(stored, links)
  if (!('violations' in converted)) return []
  return converted.violations.map(({ code, at, values, newPath }) => {
    const { value, problem, ...more } = values as { value?: string; problem?: ProblemData }
    const reasons = [value, problem?.code, ...Object.values({ ...problem?.values, ...more })]
    const reason = reasons.filter((one) => one !== undefined).join(' ')
    return `${at.property}: ${code} ${reason}${newPath === undefined ? '' : `, now ${newPath}`}`
  })
}

/** A property, a value of it as JSON text, another property, and what is stored then. */
const COMPATIBLE: [from: string, sent: string, to: string, stored: string][] = [
  ['a: string', '"x"', 'a: string', ',"a":"x"'],
  ['a: string', '"x"', 'a: { type: string, many: true }', ',"a":["x"]'],
  ['a: { type: string, many: true }', '["x"]', 'a: string', ',"a":"x"'],
  ['a: integer', '12', 'a: decimal', ',"a":"12"'],
  ['a: integer', '12', 'a: double', ',"a":12'],
  ['a: integer', '12', 'a: string', ',"a":"12"'],
  ['a: string', '"12"', 'a: integer', ',"a":12'],
  ['a: decimal', '"12.50"', 'a: string', ',"a":"12.50"'],
  ['a: decimal', '"12.5"', 'a: double', ',"a":12.5'],
  ['a: decimal', '"-12"', 'a: integer', ',"a":-12'],
  ['a: string', '"12.50"', 'a: decimal', ',"a":"12.50"'],
  ['a: boolean', 'true', 'a: string', ',"a":"true"'],
  ['a: string', '"false"', 'a: boolean', ',"a":false'],
  ['a: string', '"2024-02-29"', 'a: date', ',"a":"2024-02-29"'],
  ['a: dateTime', '"2024-02-29T12:00:00.10+01:00"', 'a: string', ',"a":"2024-02-29T12:00:00.10+01:00"'],
  ['a: decimal', '"+01.50"', 'a: { type: decimal, many: true }', ',"a":["+01.50"]'],
  ['a: Author', '"/api/authors/7"', 'a: { type: Author, many: true }', ',"a":["/authors/7"]'],
  ['a: Author', '"/api/authors/7"', 'a: Writer', ',"a":"/writers/7"'],
  ['a: Town', '{"name": "x"}', 'a: { type: Town, many: true }', ',"a":[{"@type":"Town","name":"x"}]'],
  ['a: Town', '{"name": "x"}', 'a: Place', ',"a":{"@type":"Place","name":"x"}'],
  ['a: langString', '{"en": "x"}', 'a: langString', ',"a":{"en":"x"}'],
  ['a: string', '"x"', 'b: { type: string, was: a }', ',"b":"x"'],
  ['a: string', '"x"', 'b: string', ''],
]

test('a value that fits its property as it is declared now stays as it was spelled', () => {
  for (const [from, sent, to, stored] of COMPATIBLE) {
    const written = write(api(from), `{"a": ${sent}, "kept": "k"}`)
    const converted = convert(api(to), written)
    assert.equal(converted.body, `${stored},"kept":"k"`, `${from} → ${to}`)
    // Back under the former file it is what it was.
    if (from.startsWith('a:') && !to.includes('was') && !to.includes('Writer')) {
      assert.deepEqual(convert(api(from), converted), written, `${from} → ${to} → ${from}`)
    }
  }
})

test('a decimal becomes a double of the same value, whatever zeros it has', () => {
  for (const [sent, stored] of [
    ['12.50', '12.5'],
    ['0.10', '0.1'],
    ['-3.0', '-3'],
    ['0.00', '0'],
  ]) {
    const written = write(api('a: decimal'), `{"a": "${sent}"}`)
    for (const to of ['double', 'float']) {
      assert.equal(convert(api(`a: ${to}`), written).body, `,"a":${stored}`)
    }
  }
})

const LONG = 'x'.repeat(1_000)

const INCOMPATIBLE: [from: string, sent: string, to: string, wrong: string][] = [
  ['a: string', '"x"', 'a: integer', 'a: CannotConvert "x" WrongDatatype integer string'],
  [
    'a: string',
    `"${LONG}"`,
    'a: integer',
    `a: CannotConvert "${'x'.repeat(59)}… WrongDatatype integer string`,
  ],
  ['a: string', '"012"', 'a: integer', 'a: CannotConvert "012" WrongDatatype integer string'],
  ['a: decimal', '"12.00"', 'a: integer', 'a: CannotConvert "12.00" WrongDatatype integer string'],
  [
    'a: string',
    '"9007199254740993"',
    'a: integer',
    'a: CannotConvert "9007199254740993" LosesDigits integer',
  ],
  ['a: string', '"x"', 'a: double', 'a: CannotConvert "x" WrongDatatype double string'],
  // Numbers to JavaScript, but not to JSON, which would write them as null.
  ['a: string', '"NaN"', 'a: double', 'a: CannotConvert "NaN" WrongDatatype double string'],
  ['a: string', '"-Infinity"', 'a: float', 'a: CannotConvert "-Infinity" WrongDatatype float string'],
  [
    'a: decimal',
    '"0.12345678901234567890"',
    'a: double',
    'a: CannotConvert "0.12345678901234567890" LosesDigits double',
  ],
  ['a: string', '"x"', 'a: boolean', 'a: CannotConvert "x" WrongDatatype boolean string'],
  ['a: string', '"x"', 'a: date', 'a: CannotConvert "x" WrongDatatype date'],
  ['a: date', '"2024-02-29"', 'a: dateTime', 'a: CannotConvert "2024-02-29" WrongDatatype dateTime'],
  ['a: double', '1.5', 'a: integer', 'a: CannotConvert 1.5 WrongDatatype integer string'],
  ['a: string', '"x"', 'a: langString', 'a: CannotConvert "x" WrongDatatype langString'],
  ['a: langString', '{"en": "x"}', 'a: string', 'a: CannotConvert {"en":"x"} WrongDatatype string object'],
  ['a: langString', '{"en": "x"}', 'a: Town', 'a: CannotEmbed {"en":"x"} Town'],
  [
    'a: Town',
    '{"name": "x"}',
    'a: string',
    'a: CannotConvert {"@type":"Town","name":"x"} WrongDatatype string object',
  ],
  [
    'a: Town',
    '{"name": "x"}',
    'a: langString',
    'a: CannotConvert {"@type":"Town","name":"x"} InvalidLanguageTag @type',
  ],
  ['a: Town', '{"name": "x"}', 'a: Author', 'a: CannotLink {"@type":"Town","name":"x"} authors'],
  [
    'a: Town',
    '{"mayor": "/api/authors/7"}',
    'a: string',
    'a: CannotConvert {"@type":"Town","mayor":"/authors/7"} WrongDatatype string object',
  ],
  ['a: Author', '"/api/authors/7"', 'a: string', 'a: LinkNow "/authors/7" string'],
  ['a: Author', '"/api/authors/7"', 'a: anyURI', 'a: LinkNow "/authors/7" anyURI'],
  ['a: string', '"x"', 'a: Author', 'a: CannotLink "x" authors'],
  ['a: string', '"x"', 'a: Town', 'a: CannotEmbed "x" Town'],
  ['a: { type: string, many: true }', '["x", "y"]', 'a: string', 'a: OneValueNow 2'],
  [
    'a: { type: string, many: true }',
    '["1", "y"]',
    'a: { type: integer, many: true }',
    'a/1: CannotConvert "y" WrongDatatype integer string',
  ],
  [
    'a: string',
    '"x"',
    'b: { type: integer, was: a }',
    'a: CannotConvert "x" WrongDatatype integer string, now b',
  ],
]

test('a value that cannot be converted is named, and nothing is stored', () => {
  for (const [from, sent, to, wrong] of INCOMPATIBLE) {
    const violations = violationsOf(api(to), write(api(from), `{"a": ${sent}}`))
    assert.deepEqual(violations, [wrong], `${from} → ${to}`)
  }
})

test('a new required property or constraint changes no member, nor does a default that is not to be filled in', () => {
  const written = write(api('a: string'), '{"a": "xyz"}')
  for (const to of [
    'a: { type: string, maxLength: 1 }',
    'a: { type: string, required: true, default: d }',
    'b: { type: string, required: true }\n      a: string',
    'b: { type: string, default: d }\n      a: string',
  ]) {
    assert.equal(convert(api(to), written).body, ',"a":"xyz"', to)
  }
})

test('a member lacks a required value, unless the next PUT fills in its default', () => {
  const { body } = write(api('a: string'), '{}')
  const codes = (file: string) =>
    shapeOf(file)
      .violationsOf(body)
      .map(({ code }) => code)
  assert.deepEqual(codes(api('a: { type: string, required: true }')), ['RequiredValue'])
  assert.deepEqual(codes(api('a: { type: string, required: true, default: x }')), [])
})

test('what is hidden comes back, by its name or by its former one, and is never shown twice', () => {
  const written = write(api('a: string'), '{"a": "x"}')
  const hidden = convert(api('b: string'), written)
  assert.equal(hidden.body, '')
  assert.equal(hidden.hidden, '{"a":"x"}')
  assert.deepEqual(convert(api('a: string'), hidden), written)
  assert.equal(convert(api('c: { type: string, was: a }'), hidden).body, ',"c":"x"')
  assert.equal(convert(api('c: { type: string, was: a }'), hidden).hidden, '')
  // A name of its own goes before the former name of another.
  const both = { ...write(api('c: string'), '{"c": "y"}'), hidden: '{"a":"x"}' }
  const taken = convert(api('c: { type: string, was: a }'), both)
  assert.deepEqual([taken.body, taken.hidden], [',"c":"y"', '{"a":"x"}'])
})

test('values within embedded values are converted, hidden and shown again like those of members', () => {
  const towns = (properties: string) =>
    api('a: { type: Town, many: true }', '').replace(
      '{ name: string, zip: integer, mayor: Author }',
      `{ ${properties} }`,
    )
  const full = towns('name: string, zip: integer, mayor: Author')
  const written = write(
    full,
    '{"a": [{"name": "x", "zip": 1, "mayor": "/api/authors/7"}, {"name": "y"}, {"zip": 2}]}',
  )
  const shorter = convert(towns('name: string'), written)
  assert.equal(
    shorter.body,
    ',"a":[{"@type":"Town","name":"x"},{"@type":"Town","name":"y"},{"@type":"Town"}]',
  )
  assert.deepEqual(shorter.links.map(linkName), written.links.map(linkName))
  assert.deepEqual(convert(full, shorter), written)
  const renamed = convert(towns('name: string, code: { type: decimal, was: zip }, mayor: Author'), shorter)
  assert.ok(
    renamed.body.startsWith(',"a":[{"@type":"Town","name":"x","code":"1","mayor":"/authors/7"}'),
    renamed.body,
  )
  // The whole property, with what was hidden in it already.
  const gone = convert(api('b: string'), shorter)
  assert.equal(gone.body, '')
  assert.deepEqual(gone.links, [{ property: 'a/mayor', className: 'Author', id: '7' }])
  assert.deepEqual(convert(full, gone), written)
  assert.match(
    violationsOf(towns('name: integer'), written)[0] ?? '',
    /^a\/0\/name: CannotConvert "x" WrongDatatype integer/,
  )
})

test('hidden links keep their targets, and follow their class to its present name', () => {
  const written = write(api('a: Author'), '{"a": "/api/authors/7"}')
  const hidden = convert(api('b: string'), written)
  assert.deepEqual(hidden.links.map(linkName), written.links.map(linkName))
  const links = [{ property: 'a', className: 'Poet', id: '7' }]
  const renamed = api('b: string')
    .replace('Author: {', 'Poet: { was: Author,')
    .replace('mayor: Author', 'mayor: Poet')
  assert.deepEqual(convert(renamed, { ...hidden, links }).links, links)
  // Text that looks like a link is none.
  assert.deepEqual(convert(api('b: string'), write(api('a: string'), '{"a": "/authors/7"}')).links, [])
})

test('a replacement and a patch keep what is hidden, and what is hidden in an embedded value as long as that is there', () => {
  const full = api('a: { type: Town, many: true }\n      b: Town\n      c: Author\n      d: string')
  const less = api('a: { type: Town, many: true }\n      b: Town').replace(', zip: integer', '')
  const body =
    '{"a": [{"name": "x", "zip": 1}, {"name": "y", "zip": 2}], "b": {"name": "z", "zip": 3}, "c": "/api/authors/7", "d": "e"}'
  const converted = convert(less, write(full, body))
  const input = createInput(classOf(less), BASE)
  const current: StoredMember & MemberContent = { id: '1', version: 1, owner: undefined, ...converted }
  const after = (written: MemberContent) => convert(full, written).body
  const json = (text: string) => readJson(text) as JsonObject

  assert.equal(after(input.update(json('{"kept": "k"}'), current, 0)), `${write(full, body).body},"kept":"k"`)
  const replaced = input.replace(
    json('{"a": [{"name": "new"}, {"name": "y"}], "b": {"name": "other"}}'),
    current,
    0,
  )
  assert.deepEqual(replaced.links, [{ property: 'c', className: 'Author', id: '7' }])
  const town = (name: string, zip?: number) => JSON.stringify({ '@type': 'Town', name, ...(zip && { zip }) })
  assert.equal(
    after(replaced),
    `,"a":[${town('new', 1)},${town('y', 2)}],"b":${town('other', 3)},"c":"/authors/7","d":"e"`,
  )
  const shifted = input.replace(json('{"a": [{"name": "y"}, {"name": "x"}, {"name": "new"}]}'), current, 0)
  assert.equal(
    after(shifted),
    `,"a":[${town('y', 2)},${town('x', 1)},${town('new')}],"c":"/authors/7","d":"e"`,
  )
  assert.equal(after(input.replace(json('{}'), current, 0)), ',"c":"/authors/7","d":"e"')
})
