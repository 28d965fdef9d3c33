import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, isEmpty } from '../../../console/shared/property-entries.ts'
import { cls as classOf, link, property } from '../descriptions.ts'

const topic = classOf('Topic', property('name', 'string'))

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

test('the link to the history is no value', () => {
  const names = (history: string) =>
    entriesOf({ name: 'x', history: 'http://api.test/topics/1/history' }, { ...topic, history }).map(
      ({ name }) => name,
    )
  assert.deepEqual(names('history'), ['name'])
  assert.deepEqual(names('http://api.test/vocab#history'), ['name', 'history'])
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

test('a link from the other side stands behind the properties', () => {
  const cls = { ...topic, reverseLinks: [link('notes', 'NoteCollection')] }
  const entries = entriesOf({ notes: 'http://api.test/notes?topic=http://api.test/topics/1', name: 'x' }, cls)
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['name', 'notes'],
  )
})
