import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countInWords,
  incomingTo,
  linkedInWords,
  queryForLinksTo,
} from '../../../../console/pages/member/incoming.ts'
import { topicsOf } from '../../../../console/pages/table/filter-topics.ts'
import { readVariables } from '../../../../console/shared/connection/index.ts'
import { cls as classOf, collectionOf, link, property } from '../../descriptions.ts'

const person = classOf('Person', property('name', 'string'), link('friend', 'Person'))
const book = classOf('Book', link('author', 'Person'), link('editor', 'Person'), link('series', 'Series'))
const people = collectionOf('people', person)
const books = collectionOf('books', book)

test('every property that can link to a class is found, also in the class itself', () => {
  const found = incomingTo(person, [people, books])
  assert.deepEqual(
    found.map((one) => `${one.collection.name} ${one.property.name}`),
    ['people friend', 'books author', 'books editor'],
  )
  assert.deepEqual(incomingTo(undefined, [people, books]), [])
})

test('links within embedded values are found by their paths, and queried if the API has a filter for them', () => {
  const part = classOf('Part', link('maker', 'Person'))
  const line = classOf('Line', link('reader', 'Person'), property('part', 'Part'), property('line', 'Line'))
  const orders = collectionOf(
    'orders',
    classOf('Order', property('lines', 'Line'), property('first', 'Line')),
  )
  const classes = [person, part, line]
  const found = incomingTo(person, [orders], classes)
  assert.deepEqual(
    found.map((one) => one.property.name),
    ['lines.reader', 'lines.part.maker', 'first.reader', 'first.part.maker'],
  )
  const variables = [
    { name: 'lines.reader', property: 'http://api.test/vocab#eq/lines.reader', required: false },
  ]
  const template = { template: 'http://api.test/orders{?lines%2Ereader*}', variables }
  const asked = found.map((one) => queryForLinksTo(one, template, 'http://api.test/people/a', classes)?.query)
  const query = 'lines.reader=http%3A%2F%2Fapi.test%2Fpeople%2Fa'
  assert.deepEqual(asked, [query, undefined, undefined, undefined])
  // A table offers members to choose from, as for any other link.
  const [topic] = topicsOf(readVariables(template, orders.memberClass, classes))
  assert.deepEqual([topic?.title, topic?.kind, topic?.property?.range], ['Lines: Reader', 'link', person.iri])
})

test('links to a superclass can lead to members of the class', () => {
  const novelist = { ...classOf('Novelist'), superClasses: [person.iri] }
  assert.equal(incomingTo(novelist, [books]).length, 2)
})

test('linking members are queried by the variable of the property, five at a time', () => {
  const variables = [
    { name: 'author[ne]', property: 'http://api.example/vocab#ne/author', required: false },
    { name: 'author', property: 'http://api.example/vocab#Thing/author', required: false },
    { name: 'itemsPerPage', property: 'http://www.w3.org/ns/hydra/core#limit', required: false },
  ]
  const [author, editor] = incomingTo(person, [books])
  assert.ok(author && editor)
  const template = { template: 'http://api.test/books{?author*,author%5Bne%5D,itemsPerPage}', variables }
  const iri = 'http://api.test/people/a&b'
  assert.deepEqual(queryForLinksTo(author, template, iri), {
    search: { author: iri, itemsPerPage: 5 },
    query: 'author=http%3A%2F%2Fapi.test%2Fpeople%2Fa%26b',
  })
  assert.equal(queryForLinksTo(editor, template, iri), undefined)
})

test('without a total, the count is “more than 1,000”', () => {
  assert.equal(countInWords(undefined, 'en'), 'more than 1,000')
  assert.equal(countInWords(1_234, 'en'), '1,234')
})

test('the links to a member are counted in one sentence', () => {
  const found = (name: string, total: number | undefined) => ({
    collection: collectionOf(name, classOf('Book')),
    value: { members: total === 0 ? [] : [{} as never], total, query: '' },
  })
  assert.equal(linkedInWords([found('books', 0)], 'en'), undefined)
  assert.equal(linkedInWords([found('books', 1)], 'en'), '1 book links to it.')
  assert.equal(
    linkedInWords([found('books', 4), found('plays', 0), found('oldPlays', undefined)], 'en'),
    '4 books and more than 1,000 old plays link to it.',
  )
})

test('a collection without a list is not queried for links to a member', () => {
  const offering = (...methods: string[]) =>
    collectionOf('notes', classOf('Note', link('by', 'Person')), ...methods)
  assert.equal(incomingTo(person, [offering('GET', 'POST')]).length, 1)
  assert.equal(incomingTo(person, [offering('POST')]).length, 0)
})
