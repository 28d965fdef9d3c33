import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readShortForm } from '../../../src/vocabulary/short-form/short-form.ts'
import { classIn, findProblems, modelOf, withProperties } from '../api-files.ts'

/** A file with one class, its keys in front of these properties. */
const withKeys = (keys: string, ...properties: string[]) =>
  withProperties(...properties).replace('    properties:', `    ${keys}\n    properties:`)

const property = (line: string, name = 'p') => {
  const found = classIn(modelOf(withProperties(line)), 'Book').properties.find((one) => one.name === name)
  assert.ok(found)
  return found
}

describe('what a class says', () => {
  // contract: **`plural: time entries`**
  test('has a plural of its words', () => {
    const names = 'TimeEntry APIKey Box HTTPServer A Category'.split(' ')
    const { classes } = modelOf(`classes:\n${names.map((name) => `  ${name}: {}\n`).join('')}`)
    assert.deepEqual(
      classes.map(({ plural }) => plural),
      ['time entries', 'API keys', 'boxes', 'HTTP servers', 'as', 'categories'],
    )
    assert.equal(
      classIn(modelOf(withKeys('plural: reading matter', 'p: string')), 'Book').plural,
      'reading matter',
    )
  })

  const labels: [keys: string, properties: string[], label: string[]][] = [
    ['label: isbn', ['isbn: string', 'name: string'], ['isbn']],
    ['label: [series, number]', ['series: Book', 'number: integer'], ['series', 'number']],
    ['plural: books', ['a: string', 'title: string', 'name: string'], ['name']],
    ['plural: books', ['name: Book', 'label: string', 'title: langString'], ['title']],
    ['plural: books', ['name: { type: string, many: true }', 'b: string'], ['b']],
    ['plural: books', ['a: string', 'b: { type: string, required: true }'], ['b']],
    ['plural: books', ['n: integer', 'a: string'], ['a']],
    ['plural: books', ['n: integer'], []],
  ]
  for (const [keys, properties, label] of labels) {
    // contract: Without it: the first of `name`, `title`, `label`
    // contract: **`label`**: `asking.md`, Labels.
    test(`has the label ${JSON.stringify(label)} with ${keys} and ${properties.join(', ')}`, () => {
      assert.deepEqual(classIn(modelOf(withKeys(keys, ...properties)), 'Book').label, label)
    })
  }

  test('has lists of properties that are unique together', () => {
    const { uniqueTogether } = classIn(
      modelOf(
        withKeys(
          'unique: [[author, number], [isbn, number]]',
          'author: Book',
          'number: integer',
          'isbn: string',
        ),
      ),
      'Book',
    )
    assert.deepEqual(uniqueTogether, [
      ['author', 'number'],
      ['isbn', 'number'],
    ])
  })

  test('reports the position of the list, or of the name, that is wrong', () => {
    const keys = ['unique: [[a, b], [a, c]]', 'label: [a, d]'].join('\n    ')
    const problems = findProblems(withKeys(keys, 'a: string', 'b: string'))
    assert.deepEqual(
      problems.map(({ code, at }) => [code, at]),
      [
        ['NoSuchProperty', { line: 3, column: 22, path: 'classes.Book.unique.1' }],
        ['NoSuchProperty', { line: 4, column: 16, path: 'classes.Book.label.1' }],
      ],
    )
  })

  test('says what a property is set to at every write, and nobody writes it', () => {
    const { always, writable } = property('p: { type: dateTime, always: now }')
    assert.deepEqual({ always, writable }, { always: 'now', writable: false })
    assert.equal(property('p: { type: date, always: now, required: true, writable: false }').always, 'now')
    assert.equal(property('p: { type: integer, always: user }').always, 'user')
  })

  test('says what a removal does, what a number counts, and how fine it is', () => {
    assert.equal(property('p: { type: Book, onDelete: delete, required: true }').onDelete, 'delete')
    assert.equal(property('p: { type: Book, onDelete: unset }').onDelete, 'unset')
    assert.equal(property('p: Book').onDelete, 'refuse')
    const price = property('p: { type: decimal, scale: 2, unit: EUR, example: 12.50 }')
    assert.deepEqual([price.constraints, price.unit, price.example], [{ scale: 2 }, 'EUR', '12.50'])
    assert.equal(property('p: { type: string, many: true, example: red }').example, 'red')
  })
})

describe('problems of what a class says', () => {
  const ofProperties: [line: string, code: string][] = [
    ['p: { type: dateTime, always: now, writable: true }', 'AlwaysWritable'],
    ['p: { type: dateTime, always: now, default: now }', 'AlwaysAndDefault'],
    ['p: { type: string, always: now }', 'AlwaysUnfit'],
    ['p: { type: dateTime, always: user }', 'AlwaysUnfit'],
    ['p: { type: dateTime, always: now, many: true }', 'AlwaysUnfit'],
    ['p: { type: integer, always: user, required: true }', 'RequiredUserDefault'],
    ['p: { type: string, onDelete: unset }', 'RemovalRuleUnfit'],
    ['p: { type: Book, onDelete: cascade }', 'UnknownRemovalRule'],
    ['p: { type: Book, onDelete: unset, required: true }', 'UnsetRequired'],
    ['p: { type: string, reverse: books }', 'ReverseUnfit'],
    ['p: { type: Book, reverse: [books] }', 'NotAText'],
    ['p: { type: Book, example: a }', 'NoExamplePossible'],
    ['p: { type: string, pattern: "^[0-9]+$", example: a }', 'InvalidValue'],
    ['p: { type: string, unit: EUR }', 'UnitUnfit'],
    ['p: { type: integer, scale: 2 }', 'UnfitConstraint'],
    ['p: { type: decimal, scale: -1 }', 'InvalidLength'],
    ['p: { type: decimal, scale: 1, default: "0.25" }', 'InvalidValue'],
    ['p: { type: string, required: true, default: " " }', 'InvalidValue'],
  ]
  for (const [line, code] of ofProperties)
    test(`${code}: ${line}`, () => assert.deepEqual(codesOf(withProperties(line)), [code]))

  const ofClasses: [keys: string, code: string][] = [
    ['unique: [a, b]', 'UniqueNotAList'],
    ['unique: a', 'UniqueNotAList'],
    ['unique: [[a]]', 'UniqueTogetherTooFew'],
    ['unique: [[a, a]]', 'UniqueTogetherTooFew'],
    ['unique: [[a, c]]', 'NoSuchProperty'],
    ['unique: [[a, many]]', 'UniqueList'],
    ['unique: [[a, texts]]', 'UniqueWithoutKey'],
    ['label: c', 'NoSuchProperty'],
    ['label: []', 'LabelNotNames'],
    ['label: 1', 'LabelNotNames'],
    ['label: many', 'LabelUnfit'],
  ]
  const properties = ['a: string', 'b: string', 'many: { type: string, many: true }', 'texts: langString']
  for (const [keys, code] of ofClasses)
    test(`${code}: ${keys}`, () => assert.deepEqual(codesOf(withKeys(keys, ...properties)), [code]))
})

function codesOf(text: string): string[] {
  const result = readShortForm(text, 'api.yaml')
  return 'problems' in result ? result.problems.map(({ code }) => code) : []
}
