import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Representation } from 'hydrant-client'
import type { WebhookDeclaration } from '../../src/library/index.ts'
import { openStore } from '../../src/store/open.ts'
import { newDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/folders.ts'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { idOf, openShop, until } from './shop.ts'

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

/** A file with the secret, for the owner alone. */
function secretFile(t: TestContext, mode = 0o600): string {
  const path = join(temporaryFolder(t), 'a.secret')
  writeFileSync(path, `${SECRET}\n`)
  chmodSync(path, mode)
  return path
}

function webhookTo(t: TestContext, { url }: Receiver, more: Partial<WebhookDeclaration> = {}) {
  return { name: 'billing', url: url(), classes: ['Order'], secretFile: secretFile(t), ...more }
}

/** The events that a receiver has got, each verified: what they are, of which member. */
const eventsOf = ({ received }: Receiver) =>
  received.map((request) => {
    const event = verify(SECRET, request) as { '@type': string; '@id': string; object: Representation }
    return { ...event, what: `${event['@type']} ${idOf(event.object)}`, request }
  })

test('every change of its classes is sent, as the feed has it', async (t) => {
  const receiver = await startReceiver(t)
  const { ask, logged } = await openShop(t, { webhooks: [webhookTo(t, receiver)] })
  const [, made] = await ask('POST', 'orders', { customer: 'Ann' })
  await ask('POST', 'notes', { text: 'not for webhooks' })
  await ask('PATCH', `orders/${idOf(made)}`, { customer: 'Bob' })
  await ask('DELETE', `orders/${idOf(made)}`)
  await until(() => receiver.received.length === 3)
  const events = eventsOf(receiver)
  const id = idOf(made)
  assert.deepEqual(
    events.map(({ what }) => what),
    [`Create ${id}`, `Update ${id}`, `Delete ${id}`],
  )
  for (const { request, ...event } of events)
    assert.equal(event['@id'].split('#')[1], request.headers['webhook-id'])
  assert.deepEqual(Object.keys(JSON.parse(events[0]?.request.body ?? '')), [
    ...['@context', '@id', '@type', 'object', 'published', 'etag'],
  ])
  assert.deepEqual(logged, [])
})

test('include: object has the member in full, and its address alone where it is gone', async (t) => {
  const receiver = await startReceiver(t)
  const webhook = webhookTo(t, receiver, { include: 'object', classes: ['Order', 'Note'] })
  const { ask } = await openShop(t, { webhooks: [webhook] })
  const [, made] = await ask('POST', 'orders', { customer: 'Ann', amounts: [1, 2] })
  await until(() => receiver.received.length === 1)
  await ask('DELETE', `orders/${idOf(made)}`)
  await ask('POST', 'notes', { text: 'Zoë' })
  await until(() => receiver.received.length === 3)
  const [created, ...others] = eventsOf(receiver)
  assert.deepEqual(created?.object.amounts, [1, 2])
  const deleted = others.find(({ what }) => what.startsWith('Delete'))
  assert.deepEqual(deleted?.object, { '@id': made['@id'], '@type': 'Order' })
  const note = others.find(({ what }) => what.startsWith('Create'))
  assert.equal(note?.object.text, 'Zoë')
})

test('a receiver that refuses, and one that is away and comes back, lose nothing: in order by member', async (t) => {
  const db = newDatabase(t)
  let refusals = 0
  // The first change of one member is refused twice; its later changes wait, and those of others do not.
  const receiver = await startReceiver(t, ({ body }) => {
    const { '@type': type, object } = JSON.parse(body)
    return type === 'Create' && object.customer === 'stuck' && refusals++ < 2 ? 500 : 204
  })
  const webhooks = [webhookTo(t, receiver, { include: 'object' })]
  const first = await openShop(t, { db, webhooks })
  const ids: string[] = []
  for (const customer of ['stuck', 'free']) {
    const [, made] = await first.ask('POST', 'orders', { customer })
    await first.ask('PATCH', `orders/${idOf(made)}`, { amounts: [1] })
    ids.push(idOf(made))
  }
  const [stuck = '', free = ''] = ids
  await until(() => receiver.received.length === 6)
  const events = eventsOf(receiver)
  const of = (id: string) => events.filter(({ what }) => what.endsWith(` ${id}`))
  const kindsOf = (id: string) => of(id).map(({ what }) => what.split(' ')[0])
  assert.deepEqual(kindsOf(stuck), ['Create', 'Create', 'Create', 'Update'])
  assert.deepEqual(kindsOf(free), ['Create', 'Update'])
  assert.ok(
    of(free).every((event) => events.indexOf(event) < 4),
    'others did not wait',
  )
  const attempts = of(stuck).map(({ request }) => request.headers['webhook-id'])
  assert.equal(new Set(attempts.slice(0, 3)).size, 1, 'attempts of one event have one id')
  assert.match(first.logged[0] ?? '', /^error a follower has failed .*127\.0\.0\.1 responded with 500\./)
  assert.equal(first.logged.length, 2)

  await receiver.close()
  await first.ask('PATCH', `orders/${free}`, { amounts: [2] })
  await until(() => first.logged.length > 2)
  assert.match(first.logged[2] ?? '', /127\.0\.0\.1 cannot be reached \(ECONNREFUSED\)\./)
  // Nor does a restart lose anything.
  await first.close()
  const back = await startReceiver(t, undefined, { port: receiver.port })
  const second = await openShop(t, { db, webhooks })
  await second.ask('PATCH', `orders/${free}`, { amounts: [3] })
  await until(() => back.received.length === 2)
  assert.deepEqual(
    eventsOf(back).map(({ what }) => what),
    [`Update ${free}`, `Update ${free}`],
  )
})

// contract: **Webhooks** are followers that need no code
test('410 pauses a webhook until it is resumed; then nothing was lost', async (t) => {
  const db = newDatabase(t)
  let status = 410
  const receiver = await startReceiver(t, () => status)
  const { ask, logged } = await openShop(t, { db, webhooks: [webhookTo(t, receiver)] })
  const [, one] = await ask('POST', 'orders', { customer: 'Ann' })
  await until(() => logged.length === 1)
  assert.match(logged[0] ?? '', /^error a follower is paused.*wants no more events \(410\)/)
  const [, two] = await ask('POST', 'orders', { customer: 'Bob' })
  const store = await openStore(db)
  t.after(store.close)
  const findPaused = async () => (await store.followers.list())[0]?.paused
  while ((await findPaused()) === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(receiver.received.length, 1)
  status = 204
  assert.ok(await store.followers.resume('billing'))
  await until(() => receiver.received.length === 3)
  assert.deepEqual(
    eventsOf(receiver)
      .map(({ what }) => what)
      .toSorted(),
    [one, one, two].map((member) => `Create ${idOf(member)}`).toSorted(),
  )
})

test('a secret that others can read is a warning, and no secret is in it', async (t) => {
  const receiver = await startReceiver(t)
  const file = secretFile(t, 0o644)
  const { logged } = await openShop(t, { webhooks: [webhookTo(t, receiver, { secretFile: file })] })
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /^warn other users .* a secret of a webhook; .*chmod 600 /)
  assert.ok(logged[0]?.includes(file))
})

test('wrong webhooks are problems at start, at their paths', async (t) => {
  const receiver = await startReceiver(t)
  const follower = { classes: ['Order'], handle() {} }
  const opened = openShop(t, {
    followers: { mail: follower },
    webhooks: [
      webhookTo(t, receiver, { name: 'mail' }),
      webhookTo(t, receiver, { classes: ['Ordre'] }),
      webhookTo(t, receiver, { url: 'https://10.0.0.1/?key=hush' }),
    ],
  })
  await assert.rejects(opened, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'InvalidApiFile')
    assert.equal(
      error.message,
      [
        'webhooks: 0.name: a follower called "mail" exists already; choose another name',
        'webhooks: 1.classes.0: "Ordre" is not a class with members; did you mean "Order"?',
        'webhooks: 2.name: a webhook called "billing" exists already; choose another name',
        'webhooks: 2.url: 10.0.0.1 is in a private network; allow the host with --webhook-allow 10.0.0.1',
      ].join('\n'),
    )
    return true
  })
})
