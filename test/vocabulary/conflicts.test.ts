import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findConflicts } from '../../src/vocabulary/conflicts.ts'
import { explainCycle, orderByEmbedding } from '../../src/vocabulary/embedding.ts'
import type { Class, Model, Property } from '../../src/vocabulary/model.ts'
import { modelOf } from './api-files.ts'

const MODEL = modelOf('classes:\n  Book: { properties: { title: string, pages: integer } }\n  Author:\n')

/** The model with a change to its class Book, as a document in another form might give it. */
const withBook = (change: Partial<Class>): Model => ({
  ...MODEL,
  classes: MODEL.classes.map((cls) => (cls.name === 'Book' ? { ...cls, ...change } : cls)),
})

/** The model with a change to the property `pages`. */
function withPages(change: Partial<Property>): Model {
  const properties = MODEL.classes[0]?.properties ?? []
  return withBook({
    properties: properties.map((property) =>
      property.name === 'pages' ? { ...property, ...change } : property,
    ),
  })
}

describe('conflicts of a model, whatever form it was read from', () => {
  it('are none where there are none', () => assert.deepEqual(findConflicts(MODEL), []))

  it('are none among names of any script', () => {
    const classNames = ['Größe', '本', 'ქართული', 'हिन्दी', 'Ёж', 'مكتبة', '𠮷2', '한글']
    for (const name of classNames)
      assert.deepEqual(findConflicts(withBook({ name, collection: name })), [], name)
    const names = ['größe', 'größe-2', '名_1', 'मूल्य', 'قيمة', '_x', 'ё٣', '𐐨', 'ʻokina']
    for (const name of names) assert.deepEqual(findConflicts(withPages({ name })), [], name)
    const paths = ['bücher', '本', '٣', 'a.b~c-d_e', 'книги.2']
    for (const collection of paths) assert.deepEqual(findConflicts(withBook({ collection })), [], collection)
  })

  const models: [what: string, Model, about: string, property: string | undefined, message: RegExp][] = [
    ['two classes of one name', withBook({ name: 'Author' }), 'name', undefined, /two classes "Author"/],
    ['a name that is none', withBook({ name: 'a book' }), 'name', undefined, /not a class name/],
    ['a class of every API', withBook({ name: 'Session' }), 'name', undefined, /every API has/],
    ['a collection class', withBook({ name: 'AuthorCollection' }), 'name', undefined, /collection of Author/],
    [
      'a reserved path',
      withBook({ collection: 'batch' }),
      'collection',
      undefined,
      /Book cannot be at \/batch, which is reserved/,
    ],
    ['a path that is none', withBook({ collection: 'a b' }), 'collection', undefined, /cannot be the path/],
    ['two properties of one name', withPages({ name: 'title' }), 'name', 'title', /two properties "title"/],
    ['a keyword', withPages({ name: '@type' }), 'name', '@type', /keywords of JSON-LD/],
    [
      'unique and many',
      withPages({ unique: true, many: true }),
      'unique',
      'pages',
      /unique and have many values/,
    ],
    [
      'a filter by duration',
      withPages({ range: { kind: 'datatype', datatype: 'duration' } }),
      'filterable',
      'pages',
      /"pages" is a duration, which cannot be filtered by/,
    ],
  ]
  for (const [what, model, about, property, message] of models) {
    it(`are told of ${what}`, () => {
      const conflict = findConflicts(model).find((found) => message.test(found.message))
      assert.ok(conflict !== undefined, JSON.stringify(findConflicts(model)))
      assert.deepEqual([conflict.about, conflict.property], [about, property])
    })
  }
})

describe('the order of embedding', () => {
  it('has every class after those that it embeds', () => {
    const { order, cycles } = orderByEmbedding(
      new Map([
        ['A', ['B', 'C']],
        ['B', ['C']],
        ['C', []],
      ]),
    )
    assert.deepEqual(order, ['C', 'B', 'A'])
    assert.deepEqual(cycles, [])
  })

  it('names each cycle, and tells it at the property that closes it', () => {
    const embedding = orderByEmbedding(
      new Map([
        ['A', ['B']],
        ['B', ['C', 'B']],
        ['C', ['A']],
      ]),
    )
    assert.deepEqual(embedding.cycles, [
      ['A', 'B', 'C', 'A'],
      ['B', 'B'],
    ])
    assert.match(explainCycle(embedding.cycles, 'C', 'A') ?? '', /^A embeds B embeds C embeds A: /)
    assert.equal(explainCycle(embedding.cycles, 'A', 'B'), undefined)
  })
})
