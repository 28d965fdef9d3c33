import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLinks, tableAt } from '../../../../console/pages/member/representation.ts'
import { cls as classOf, link, property } from '../../descriptions.ts'

const topic = classOf('Topic', property('name', 'string'))
const note = classOf('Note', link('topic', 'Topic'))

test('members of a class that the API does not offer to read are not requested for their names', () => {
  const member = { iri: 'http://api.test/notes/1', data: { topic: 'http://api.test/topics/1' } }
  const linked = (target: typeof topic) => [...firstLinks(member, note, [note, target], 5)]
  assert.deepEqual(linked(topic), ['http://api.test/topics/1'])
  assert.deepEqual(linked({ ...topic, properties: [] }), [])
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

test('a link from the other side leads to the filtered table', () => {
  const address = 'http://api.test/notes?topic=http://api.test/topics/1'
  const collections = [{ iri: 'http://api.test/topics' }, { iri: 'http://api.test/notes' }]
  assert.deepEqual(tableAt(address, collections), {
    collection: collections[1],
    query: 'topic=http%3A%2F%2Fapi.test%2Ftopics%2F1',
  })
  for (const other of ['http://api.test/notes', 'http://api.test/notes/1', 'http://api.test/others?topic=1'])
    assert.equal(tableAt(other, collections), undefined, other)
})
