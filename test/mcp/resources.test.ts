import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { business, library } from './apis.ts'
import type { ConnectedBridge } from './bridge.ts'

/** Notifications, one after the other, each waited for. */
function updatesOf({ client }: ConnectedBridge): () => Promise<string> {
  const updates = new PassThrough({ objectMode: true })
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.write(params.uri)
  })
  return async () => {
    if (updates.readableLength === 0) await once(updates, 'readable')
    return updates.read()
  }
}

// contract: Collections are resources, members a resource template
test('Collections are resources, members a template, and a subscription reports what changes', async () => {
  const bridge = await library()
  const { base, client, other } = bridge
  const { resources } = await client.listResources()
  assert.deepEqual(
    resources.map(({ uri, name, mimeType }) => [uri, name, mimeType]),
    ['authors', 'books'].map((name) => [`${base}/${name}`, name, 'application/json']),
  )
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    [`${base}/{collection}/{id}`],
  )
  const nextUpdate = updatesOf(bridge)
  await client.subscribeResource({ uri: `${base}/authors` })
  const author = await other.collection('authors').create({ name: 'Followed' })
  assert.equal(await nextUpdate(), `${base}/authors`)
  await client.unsubscribeResource({ uri: `${base}/authors` })
  await client.subscribeResource({ uri: author.iri })
  await other.collection('authors').create({ name: 'Not followed' })
  await author.update({ name: 'Changed' })
  assert.equal(await nextUpdate(), author.iri)

  const { contents } = await client.readResource({ uri: author.iri })
  const [read] = contents as { readonly text: string; readonly mimeType: string }[]
  assert.equal(read?.mimeType, 'application/json')
  assert.equal(JSON.parse(read?.text ?? '').member.name, 'Changed')
  await client.unsubscribeResource({ uri: author.iri })

  for (const uri of [
    'http://example.org/',
    `${base}/authors/nobody`,
    `${base}/session`,
    `${base}/authorsx`,
  ]) {
    await assert.rejects(client.readResource({ uri }), { code: -32_602 })
  }
  await assert.rejects(client.subscribeResource({ uri: 'http://example.org/' }), { code: -32_602 })
})

test('Hosts of the newer revision of the protocol listen to resources', async () => {
  const bridge = await business()
  const { base, client, other } = bridge
  const nextUpdate = updatesOf(bridge)
  const listening = await client.listen({ resourceSubscriptions: [`${base}/people`] })
  await other.collection('customers').create({ name: 'Nobody asks' })
  await other.collection('people').create({ name: 'Followed' })
  assert.equal(await nextUpdate(), `${base}/people`)
  await listening.close()
  const { contents } = await client.readResource({ uri: `${base}/people` })
  assert.ok(JSON.parse((contents[0] as { text: string }).text).total > 0)
})
