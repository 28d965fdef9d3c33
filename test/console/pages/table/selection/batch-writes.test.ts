import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, createClient } from 'hydrant-client'
import { writeEach } from '../../../../../console/pages/table/selection/batch-writes.ts'
import { PARAPHRASE, USER } from '../../../../support/client.ts'
import { serve } from '../../../../support/service.ts'

test('members are written in batches of a hundred, and each that fails has its reason', async (t) => {
  const { base } = await serve(t)
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const authors = client.collection('authors')
  const added = await client.batch(({ create }) => {
    for (let number = 0; number < 103; number += 1) create('authors', { name: `Author ${number}` })
  })
  const members = []
  for await (const member of authors.members()) members.push(member)
  const [changed, deleted, linked] = members
  await (await changed?.reload())?.update({ name: 'Somebody' })
  await (await deleted?.reload())?.remove()
  await client.collection('books').create({ title: 'Emma', author: linked?.iri })
  const progress: number[] = []
  const failed = await writeEach(
    client,
    members,
    (batch, member) => batch.remove(member),
    (done) => progress.push(done),
  )
  assert.equal(added.length, 103)
  assert.deepEqual(progress, [0, 100])
  assert.deepEqual(
    failed.map(({ iri }) => iri),
    [changed, deleted, linked].map((one) => one?.iri),
  )
  assert.match(String(failed[0]?.reason), /^Someone has changed it/)
  assert.match(String(failed[1]?.reason), /^Someone else has already deleted it/)
  assert.match(String(failed[2]?.reason), /Emma/)
  assert.equal((await authors.page()).totalItems, 2)

  const refusing = { batch: () => Promise.reject(new ApiError('unavailable', 'Not now.')) }
  const [only] = await writeEach(
    refusing,
    members.slice(0, 1),
    () => {},
    () => {},
  )
  assert.equal(only?.reason, 'Not now.')
  // A response that says nothing about a member is no success.
  const silent = { batch: async () => [{ status: 204 }] }
  const untold = await writeEach(
    silent,
    members.slice(0, 2),
    () => {},
    () => {},
  )
  assert.deepEqual(
    untold.map(({ iri }) => iri),
    [members[1]?.iri],
  )
})
