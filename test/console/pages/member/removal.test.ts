import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf, removalAddress } from '../../../../console/pages/member/removal.ts'
import { cls, collectionOf } from '../../descriptions.ts'

const COLLECTIONS = [
  collectionOf('projects', cls('Project')),
  collectionOf('timeentries', { ...cls('TimeEntry'), plural: 'time entries' }),
]

test('members that a removal affects are counted by collection, in the order of the navigation', () => {
  const at = (path: string) => `http://api.test/${path}`
  const entries = Array.from({ length: 1_001 }, (_, number) => at(`timeentries/${number}`))
  const groups = groupsOf([...entries, at('projects/1'), { '@id': at('elsewhere/1') }], COLLECTIONS, 'en')
  assert.deepEqual(
    groups.map(({ count, iris }) => [count, iris.length]),
    [
      ['1 project', 1],
      ['1,001 time entries', 1_001],
      ['1 other member', 1],
    ],
  )
  assert.deepEqual(groupsOf(undefined, COLLECTIONS), [])
})

test('an API says what a removal does only at an address of its own', () => {
  const iri = 'http://api.test/projects/$&'
  assert.equal(removalAddress(iri, { removal: '{+member}/removal' }), `${iri}/removal`)
  assert.equal(removalAddress(iri, { removal: '' }), undefined)
  assert.equal(removalAddress(iri, undefined), undefined)
})
