import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, type Client, type Member } from 'hydrant-client'
import { groupsOf, readRemovals, removalAddress } from '../../../../console/pages/member/removal.ts'
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

test('what several removals would do is not known if one of them could not be asked about, unless it is refused', async () => {
  const members = ['http://api.test/projects/1', 'http://api.test/projects/2'].map(
    (iri) => ({ iri }) as Member,
  )
  const addresses = members.map(({ iri }) => `${iri}/removal`)
  const deleted = { '@id': 'http://api.test/timeentries/1' }
  const failing = (error: ApiError) => ({
    get: (async (address: string) => {
      if (address === addresses[0]) throw error
      return { data: { deleted } }
    }) as unknown as Client['get'],
  })
  const read = (error: ApiError) =>
    readRemovals(
      { client: failing(error) as Client, collections: COLLECTIONS },
      { addresses, members, signal: AbortSignal.timeout(1_000) },
    )
  for (const status of [403, 404, 409, 410]) {
    const { deleted: groups } = await read(new ApiError('refused', 'No.', { status }))
    assert.deepEqual(
      groups.map(({ count }) => count),
      ['1 time entry'],
    )
  }
  await assert.rejects(read(new ApiError('unreachable', 'No connection.')), { kind: 'unreachable' })
  await assert.rejects(read(new ApiError('unavailable', 'Later.', { status: 503 })), { kind: 'unavailable' })
})
