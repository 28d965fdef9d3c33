import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findConflicts } from '../../src/vocabulary/conflicts.ts'
import type { Class, Model, Property } from '../../src/vocabulary/index.ts'
import { inShort } from '../support/problems.ts'
import { inSoak } from '../support/soak.ts'
import { modelOf, problemsOf } from './api-files.ts'

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

  const models: [what: string, Model, about: string, property: string | undefined, problem: string][] = [
    ['two classes of one name', withBook({ name: 'Author' }), 'name', undefined, 'DuplicateClass(Author)'],
    ['a name that is none', withBook({ name: 'a book' }), 'name', undefined, 'InvalidClassName(a book)'],
    ['a class of every API', withBook({ name: 'Session' }), 'name', undefined, 'ReservedClassName(Session)'],
    [
      'a collection class',
      withBook({ name: 'AuthorCollection' }),
      'name',
      undefined,
      'CollectionClassName(AuthorCollection, Author)',
    ],
    [
      'a reserved path',
      withBook({ collection: 'batch' }),
      'collection',
      undefined,
      'ReservedPath(Book, batch, collection)',
    ],
    ['a path that is none', withBook({ collection: 'a b' }), 'collection', undefined, 'InvalidPath(a b)'],
    ['two properties of one name', withPages({ name: 'title' }), 'name', 'title', 'DuplicateProperty(title)'],
    ['a keyword', withPages({ name: '@type' }), 'name', '@type', 'KeywordAsName(@type)'],
    ['unique and many', withPages({ unique: true, many: true }), 'unique', 'pages', 'UniqueList(pages)'],
    [
      'a filter by duration',
      withPages({ range: { kind: 'datatype', datatype: 'duration' } }),
      'filterable',
      'pages',
      'NotFilterable(pages, duration)',
    ],
  ]
  for (const [what, model, about, property, problem] of models) {
    it(`are told of ${what}`, () => {
      const conflict = findConflicts(model).find((found) => inShort({ ...found.problem, at: {} }) === problem)
      assert.ok(conflict !== undefined, JSON.stringify(findConflicts(model)))
      assert.deepEqual([conflict.about, conflict.property], [about, property])
    })
  }
})

describe('classes that embed others', () => {
  const model = (classes: Readonly<Record<string, readonly string[]>>) => {
    const declared = Object.entries(classes).map(
      ([name, types]) => `  ${name}: { collection: false, properties: { ${declare(types)} } }\n`,
    )
    return `classes:\n  Root: { properties: { a: A } }\n${declared.join('')}`
  }
  const declare = (types: readonly string[]) => types.map((type) => `p${type}: ${type}`).join(', ')

  it('are in the order of the file, whichever is read first', () => {
    const { classes } = modelOf(model({ A: ['B', 'C'], B: ['C'], C: ['string'] }))
    assert.deepEqual(
      classes.map(({ name }) => name),
      ['Root', 'A', 'B', 'C'],
    )
    const [, a, , c] = classes
    const embedded = a?.properties.map(({ range }) => (range.kind === 'embedded' ? range.cls : undefined))
    assert.deepEqual(embedded, [classes[2], c])
  })

  it('are told of each cycle, at the property that closes it', () => {
    assert.deepEqual(problemsOf(model({ A: ['B'], B: ['C', 'B'], C: ['A'] })), [
      '4:52 EmbeddingCycle(B B)',
      '5:45 EmbeddingCycle(A B C A)',
    ])
  })

  it('may be any number, each within the one before, without a crash', () => {
    const names = Array.from({ length: inSoak(3_000, 1_000) }, (_, index) =>
      index === 0 ? 'A' : `A${index}`,
    )
    const chain = names.map((name, index) => [name, [names[index + 1] ?? 'string']] as const)
    assert.equal(problemsOf(model(Object.fromEntries(chain)))[0], '2:23 NestedTooDeep(Root, 12)')
  })
})
