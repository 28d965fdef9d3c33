import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPERATIONS, USUAL_METHODS } from '../../../src/vocabulary/index.ts'
import { classIn, modelOf, notesOf, withProperties } from '../api-files.ts'

describe('the short form', () => {
  it('is completed with defaults', () => {
    const model = modelOf(
      'classes:\n  Category:\n    properties:\n      name: string\n      span: duration\n  Empty:\n',
    )
    assert.equal(model.title, 'api')
    assert.equal(model.description, '')
    const [category, empty] = model.classes
    assert.equal(category?.collection, 'categories')
    assert.equal(category?.title, 'Category')
    assert.deepEqual([...(category?.operations ?? [])], [...OPERATIONS])
    assert.deepEqual(category?.properties[0], {
      name: 'name',
      iri: undefined,
      title: 'name',
      description: '',
      range: { kind: 'datatype', datatype: 'string' },
      many: false,
      required: false,
      writable: true,
      unique: false,
      filterable: true,
      multiline: false,
      default: undefined,
      always: undefined,
      onDelete: 'refuse',
      reverse: undefined,
      example: undefined,
      unit: undefined,
      constraints: {},
      formerName: undefined,
    })
    assert.equal(category?.properties[1]?.filterable, false)
    assert.deepEqual(empty?.properties, [])
    assert.deepEqual(category?.methods, USUAL_METHODS)
    assert.equal(category?.formerName, undefined)
  })

  it('may be JSON, with tabs', () => {
    const model = modelOf(
      '{\n\t"title": "T",\n\t"classes": {\n\t\t"Box": {"properties": {"a": "string"}}\n\t}\n}\n',
    )
    assert.equal(model.title, 'T')
    assert.equal(model.classes[0]?.collection, 'boxes')
  })

  it('links forward and to itself', () => {
    const [book] = modelOf(
      `${withProperties('author: Author', 'sequel: Book')}  Author:\n    collection: people\n`,
    ).classes
    assert.deepEqual(
      book?.properties.map(({ range }) => range),
      [
        { kind: 'link', className: 'Author', collection: 'people' },
        { kind: 'link', className: 'Book', collection: 'books' },
      ],
    )
  })

  it('takes names of Object.prototype and of Hydra for ordinary names', () => {
    const names = ['constructor', 'valueOf', 'toString', 'title', 'member', 'id', 'type', 'view', '_a-1']
    const [book] = modelOf(withProperties(...names.map((name) => `${name}: string`))).classes
    assert.deepEqual(
      book?.properties.map(({ name }) => name),
      names,
    )
  })

  const defaults: [line: string, expected: unknown][] = [
    ['p: { type: dateTime, default: now }', { kind: 'now' }],
    ['p: { type: date, default: now }', { kind: 'now' }],
    ['p: { type: string, default: now }', { kind: 'value', value: 'now' }],
    ['p: { type: integer, writable: false, default: user }', { kind: 'user' }],
    ['p: { type: positiveInteger, default: user }', { kind: 'user' }],
    ['p: { type: string, default: user }', { kind: 'value', value: 'user' }],
    ['p: { type: decimal, default: 12.50 }', { kind: 'value', value: '12.50' }],
    ['p: { type: integer, default: 3 }', { kind: 'value', value: 3 }],
    ['p: { type: boolean, default: false }', { kind: 'value', value: false }],
    ['p: { type: string, many: true, default: [a, b] }', { kind: 'value', value: ['a', 'b'] }],
    ['p: { type: date, default: 2024-02-29 }', { kind: 'value', value: '2024-02-29' }],
  ]
  for (const [line, expected] of defaults) {
    it(`reads the default of ${line}`, () => {
      assert.deepEqual(modelOf(withProperties(line)).classes[0]?.properties[0]?.default, expected)
    })
  }

  it('keeps constraints and the former name', () => {
    const line = 'p: { type: decimal, minimum: 0.5, maximum: 9, enum: [1.50, "2"], was: q }'
    const property = modelOf(withProperties(line)).classes[0]?.properties[0]
    assert.deepEqual(property?.constraints, { minimum: 0.5, maximum: 9, enum: ['1.50', '2'] })
    assert.equal(property?.formerName, 'q')
  })

  it('keeps the former name of a class', () => {
    assert.equal(classIn(modelOf('classes: { Person: { was: Author } }'), 'Person').formerName, 'Author')
  })

  it('tells what it has completed', () => {
    assert.deepEqual(notesOf('classes:\n  Category:\n  Box: { collection: crates, operations: [list] }\n'), [
      'TitleFromFile(api)',
      'NoProperties(Category, )',
      'CollectionFromName(Category, categories)',
      'NoProperties(Box, )',
      'AllOperations(Category, list create read update replace delete)',
    ])
    assert.deepEqual(
      notesOf('title: T\nclasses: { A: { collection: as, operations: [list], properties: {} } }'),
      [],
    )
  })
})
