import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import { connect } from '../../../../console/shared/connection/connection.ts'
import { hasFeed } from '../../../../console/shared/connection/description.ts'
import {
  changesInWords,
  countRemoteChanges,
  followRemoteChanges,
  MOST_REMOTE_CHANGES,
  type RemoteChanges,
  withChange,
} from '../../../../console/shared/connection/remote-changes.ts'
import { PARAPHRASE, USER } from '../../../support/client.ts'
import { serve } from '../../../support/service.ts'

type Kind = 'create' | 'update' | 'delete'

test('several changes of a member are reduced to the one that matters to the page', () => {
  for (const [kinds, told] of [
    [['create'], 'create'],
    [['create', 'update'], 'create'],
    [['create', 'delete'], undefined],
    [['create', 'delete', 'create'], 'create'],
    [['update', 'update'], 'update'],
    [['update', 'delete'], 'delete'],
    [['delete', 'create'], 'update'],
    [['delete', 'create', 'delete'], 'delete'],
  ] as [Kind[], Kind | undefined][]) {
    const changes = kinds.reduce<RemoteChanges>(
      (all, type) => withChange(all, { type, resource: 'a' }),
      new Map(),
    )
    assert.equal(changes.get('a'), told, kinds.join())
  }
  const none: RemoteChanges = new Map()
  const isShown = (iri: string) => iri === 'shown'
  for (const type of ['update', 'delete'] as const) {
    assert.equal(withChange(none, { type, resource: 'elsewhere' }, isShown), none)
    assert.equal(withChange(none, { type, resource: 'shown' }, isShown).size, 1)
  }
  let many = none
  for (let index = 0; index < MOST_REMOTE_CHANGES + 9; index += 1)
    many = withChange(many, { type: 'create', resource: `${index}` })
  assert.equal(many.size, MOST_REMOTE_CHANGES)
})

test('the changes of the members of a page are described in words', () => {
  const changes: RemoteChanges = new Map([
    ['a', 'update'],
    ['b', 'delete'],
    ['c', 'create'],
    ['d', 'create'],
  ])
  assert.equal(changesInWords(countRemoteChanges(changes, ['a', 'b'])), '1 changed, 1 deleted, 2 new')
  // One of them came with the page.
  assert.equal(changesInWords(countRemoteChanges(changes, ['c'])), '1 new')
  assert.equal(changesInWords(countRemoteChanges(new Map(), ['a'])), '')
})

test('if the position in the feed is lost, the page is notified, and the feed is followed from now on', async (t) => {
  const [here, elsewhere] = [await serve(t), await serve(t)]
  const placeIn = async ({ base }: { base: string }) => {
    const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
    for await (const { id } of client.changes()) return id
    return undefined
  }
  for (const [after, isLost] of [
    [await placeIn(here), false],
    [await placeIn(elsewhere), true],
  ] as const) {
    const stop = new AbortController()
    const { promise: isFromNow, resolve: settle } = Promise.withResolvers<boolean>()
    const connection = connect(here.base, { id: USER, paraphrase: PARAPHRASE })
    const following = followRemoteChanges(connection, { after, signal: stop.signal }, { see() {}, settle })
    assert.equal(await isFromNow, isLost)
    stop.abort()
    await assert.rejects(following, { name: 'AbortError' })
  }
})

test('changes by others are followed beyond the expiry of a token without asking to sign in, and own changes are skipped', async (t) => {
  const service = await serve(t)
  const { base, store } = service
  const connection = connect(base, { id: USER, paraphrase: PARAPHRASE })
  const other = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  assert.ok(hasFeed({ documentation: await connection.client.documentation() }))
  const stop = new AbortController()
  const seen: string[] = []
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const following = followRemoteChanges(
    connection,
    { collection: 'books', signal: stop.signal },
    { see: ({ type, resource }) => seen.push(`${type} ${resource}`), settle: () => start() },
  )
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await started
  const mine = await connection.client.collection('books').create({ title: 'Mine' })
  await (await mine.update({ pages: 1 })).remove()
  const theirs = await other.collection('books').create({ title: 'Theirs' })
  await until(() => seen.length > 0)
  assert.deepEqual(seen, [`create ${theirs.iri}`])

  await store.auth.revokeTokens({ userId: USER }, Date.now())
  await until(() => (connection.signedIn.get()?.endsAt ?? Number.POSITIVE_INFINITY) <= Date.now())
  await theirs.update({ pages: 2 })
  assert.equal(connection.signInRequest.get(), undefined)

  // What has happened meanwhile is told after the next sign-in, which another request has asked for.
  const read = connection.client.collection('books').page()
  await until(() => connection.signInRequest.get() !== undefined)
  connection.signInRequest.get()?.answer({ id: USER, paraphrase: PARAPHRASE })
  await read
  await until(() => seen.length > 1)
  assert.deepEqual(seen.slice(1), [`update ${theirs.iri}`])
  stop.abort()
  await assert.rejects(following, { name: 'AbortError' })
})
