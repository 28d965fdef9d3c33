import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf, notesOf, problemsOf } from '../api-files.ts'

const inClass = (line: string) => `classes:\n  Book:\n    ${line}\n  Author:\n`

const PROPERTIES: readonly (readonly [line: string, problem: string])[] = [
  ['name: { type: string }', '3:5 PropertyAmongKeys(Book, name)'],
  ['name: { type: string, required: true }', '3:5 PropertyAmongKeys(Book, name)'],
  ['pages: integer', '3:5 PropertyAmongKeys(Book, pages)'],
  ['author: Author', '3:5 PropertyAmongKeys(Book, author)'],
  ['title: { type: string }', '3:5 PropertyAmongKeys(Book, title)'],
  ['label: { type: langString, required: true }', '3:5 PropertyAmongKeys(Book, label)'],
]

for (const [line, problem] of PROPERTIES)
  test(`${line} in a class is a property that is not below "properties"`, () =>
    assert.deepEqual(problemsOf(inClass(line)), [problem]))

const KEYS: readonly (readonly [line: string, problem: string])[] = [
  ['name: Emma', '3:5 UnknownKey(name, of iri … was, class Book)'],
  ['fields: { type: string, name: string }', '3:5 UnknownKey(fields, of iri … was, class Book)'],
  ['type: object', '3:5 UnknownKey(type, of iri … was, class Book)'],
  ['propertys: { title: string }', '3:5 UnknownKey(propertys, → properties, class Book)'],
]

for (const [line, problem] of KEYS)
  test(`${line} in a class is a key that is wrong`, () =>
    assert.deepEqual(problemsOf(inClass(line)), [problem]))

test('a property may be called like a key of properties', () => {
  const [book] = modelOf(inClass('properties: { type: string, title: string }')).classes
  assert.deepEqual(
    book?.properties.map(({ name }) => name),
    ['type', 'title'],
  )
})

const EMPTY: readonly (readonly [what: string, text: string, notes: readonly string[]])[] = [
  ['nothing', 'A:', ['NoProperties(A, )']],
  ['an empty key "properties"', 'A: { properties: }', ['NoProperties(A, )']],
  [
    'types beside "properties"',
    'A:\n    properties:\n    title: string\n    description: B\n  B: { properties: {} }',
    ['NoProperties(A, title description)'],
  ],
  ['its own name as its title', 'A: { title: A, collection: as }', ['NoProperties(A, )']],
  ['properties that are none', 'A: { title: string, properties: {} }', []],
  ['a property', 'A: { title: string, properties: { title: string } }', []],
]

for (const [what, text, notes] of EMPTY)
  test(`a class with ${what} is read, with ${notes.length} notes about its properties`, () =>
    assert.deepEqual(
      notesOf(`classes:\n  ${text}\n`).filter((note) => note.startsWith('NoProperties')),
      notes,
    ))
