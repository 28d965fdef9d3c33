import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, firstLinks, isEmpty, tableAt } from '../../../../console/pages/member/representation.ts'
import { cls as classOf, link, property } from '../../descriptions.ts'

const topic = classOf('Topic', property('name', 'string'))
const note = classOf('Note', link('topic', 'Topic'))

test('members of a class that the API does not offer to read are not requested for their names', () => {
  const member = { iri: 'http://api.test/notes/1', data: { topic: 'http://api.test/topics/1' } }
  const linked = (target: typeof topic) => [...firstLinks(member, note, [note, target], 5)]
  assert.deepEqual(linked(topic), ['http://api.test/topics/1'])
  assert.deepEqual(linked({ ...topic, properties: [] }), [])
})

test('the operations of a member are not values, but a property named “operation” is', () => {
  const labels = (data: object, cls = topic) => entriesOf(data as never, cls).map(({ label }) => label)
  assert.deepEqual(labels({ name: 'x', operation: [] }), ['Name'])
  assert.deepEqual(labels({ name: 'x', 'hydra:operation': [] }), ['Name'])
  const surgery = classOf('Surgery', property('operation', 'string'))
  assert.deepEqual(
    labels({ operation: 'appendectomy', 'http://www.w3.org/ns/hydra/core#operation': [] }, surgery),
    ['Operation'],
  )
})

test('documented properties come first, then undocumented ones; keywords and unreadable properties are left out', () => {
  const cls = classOf(
    'Thing',
    property('b', 'integer'),
    property('secret', 'string', { readable: false }),
    property('constructor', 'string'),
  )
  const entries = entriesOf({ '@id': '/x', secret: 1, a: [], b: 0 }, cls)
  assert.deepEqual(
    entries.map(({ name, value }) => [name, value]),
    [
      ['b', 0],
      ['constructor', undefined],
      ['a', []],
    ],
  )
  assert.deepEqual(
    entries.filter(isEmpty).map(({ label }) => label),
    ['Constructor', 'A'],
  )
})

test('names are requested for the first few links, also within embedded values, and once for each', () => {
  const address = classOf('Address', link('country', 'Country'))
  const cls = classOf(
    'Person',
    property('home', 'Address'),
    link('friends', 'Person'),
    property('site', 'anyURI'),
  )
  const data = {
    home: { country: '/countries/1' },
    friends: ['/people/1', '/people/2', '/people/1', '/people/3'],
    site: '/no/link',
  }
  assert.deepEqual(
    [...firstLinks({ data, iri: 'http://api.test/people/9' }, cls, [address, cls], 3)],
    ['http://api.test/countries/1', 'http://api.test/people/1', 'http://api.test/people/2'],
  )
})

test('a link from the other side stands behind the properties, and leads to the filtered table', () => {
  const cls = { ...topic, reverseLinks: [link('notes', 'NoteCollection')] }
  const address = 'http://api.test/notes?topic=http://api.test/topics/1'
  const entries = entriesOf({ notes: address, name: 'x' }, cls)
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['name', 'notes'],
  )
  const collections = [{ iri: 'http://api.test/topics' }, { iri: 'http://api.test/notes' }]
  assert.deepEqual(tableAt(address, collections), {
    collection: collections[1],
    query: 'topic=http%3A%2F%2Fapi.test%2Ftopics%2F1',
  })
  for (const other of ['http://api.test/notes', 'http://api.test/notes/1', 'http://api.test/others?topic=1'])
    assert.equal(tableAt(other, collections), undefined, other)
})
