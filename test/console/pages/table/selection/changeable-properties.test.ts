import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeableProperties } from '../../../../../console/pages/table/selection/changeable-properties.ts'
import { cls, property } from '../../../descriptions.ts'

test('several members get the same value of a property, unless it is read-only, unique or would be merged', () => {
  const offered = changeableProperties(
    cls(
      'Book',
      property('title', 'string'),
      { ...property('isbn', 'string'), constraints: { unique: true } },
      { ...property('createdAt', 'dateTime'), writable: false },
      { ...property('home', 'string'), range: 'http://api.test/vocab#Address' },
      { ...property('text', 'string'), range: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' },
    ),
  )
  assert.deepEqual(
    offered.map(({ name }) => name),
    ['title'],
  )
  assert.deepEqual(changeableProperties(undefined), [])
})
