import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type FollowerCall, FollowerPaused } from '../../src/api/index.ts'
import { createWebhook } from '../../src/webhooks/webhook.ts'
import { type Received, startReceiver, verify } from '../support/receiver.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const TEXT = '{"@id":"http://localhost/api/events#e1","name":"Zoë"}'

const CALL: FollowerCall = {
  event: async () => ({ id: 'e1' }),
  eventText: async (object) => (object === 'whole' ? TEXT.replace('Zoë', 'in full') : TEXT),
  member: async () => assert.fail('nobody asks'),
  before: async () => assert.fail('nobody asks'),
  members: undefined,
}

/** A webhook to a receiver, and what its deliveries come to. */
async function startWebhook(
  t: TestContext,
  respond: (request: Received) => number,
  more: { readonly includesObject?: boolean; readonly signal?: AbortSignal } = {},
) {
  const receiver = await startReceiver(t, respond)
  const destination = { url: new URL(receiver.url()), host: '127.0.0.1', isAllowed: false }
  const { includesObject = false, signal } = more
  const secrets = [Buffer.alloc(24, 7)]
  const webhook = createWebhook(
    { name: 'billing', destination, classes: ['Order'], secretFile: '', secrets, includesObject },
    { now: Date.now, say: ({ code }) => code, signal },
  )
  const deliver = () =>
    webhook.deliver(CALL).then(
      () => 'delivered',
      (error: Error) => `${error instanceof FollowerPaused ? 'paused: ' : ''}${error.message}`,
    )
  return { receiver, webhook, deliver }
}

/** The status of a response, and what it means. */
const STATUSES: [status: number, outcome: string][] = [
  [200, 'delivered'],
  [201, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [300, 'ReceiverRedirects'],
  [302, 'ReceiverRedirects'],
  [304, 'ReceiverRedirects'],
  [308, 'ReceiverRedirects'],
  [400, 'ReceiverRefuses'],
  [404, 'ReceiverRefuses'],
  [410, 'paused: ReceiverGone'],
  [429, 'ReceiverRefuses'],
  [500, 'ReceiverRefuses'],
  [503, 'ReceiverRefuses'],
]

test('a 2xx is success, 410 pauses, and everything else is tried again', async (t) => {
  let status = 200
  const { deliver } = await startWebhook(t, () => status)
  for (const [sent, outcome] of STATUSES) {
    status = sent
    assert.equal(await deliver(), outcome, String(sent))
  }
})

test('the event is the body, as JSON, and every attempt has the same id and a new signature', async (t) => {
  const { receiver, deliver } = await startWebhook(t, () => 204)
  await deliver()
  await deliver()
  const [first, second] = receiver.received
  assert.ok(first && second)
  assert.equal(first.body, TEXT)
  assert.equal(first.headers['content-type'], 'application/json')
  assert.deepEqual(
    [first, second].map(({ headers }) => headers['webhook-id']),
    ['e1', 'e1'],
  )
  for (const request of [first, second]) assert.deepEqual(verify(SECRET, request), JSON.parse(TEXT))
})

test('include: object sends the member in full', async (t) => {
  const { receiver, deliver } = await startWebhook(t, () => 204, { includesObject: true })
  await deliver()
  assert.equal(verify(SECRET, receiver.received[0] ?? assert.fail()).name, 'in full')
})

/** A receiver that never responds. */
const never = (): number => 0

// contract: **Webhooks** are followers that need no code
test('a receiver has 15 s, and the runner waits for longer', async (t) => {
  const { receiver, webhook } = await startWebhook(t, never)
  assert.ok((webhook.limitMs ?? 0) > 15_000)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let outcome: unknown
  const delivering = webhook.deliver(CALL).catch((error: Error) => {
    outcome = error.message
  })
  while (receiver.received.length === 0) await turn()
  t.mock.timers.tick(14_999)
  for (let turns = 0; turns < 10; turns++) await turn()
  assert.equal(outcome, undefined)
  t.mock.timers.tick(1)
  await delivering
  assert.equal(outcome, 'ReceiverSilent')
})

test('a delivery that is cut off when the service closes says so', async (t) => {
  const closing = new AbortController()
  const { receiver, deliver } = await startWebhook(t, never, { signal: closing.signal })
  const outcome = deliver()
  while (receiver.received.length === 0) await turn()
  closing.abort()
  assert.equal(await outcome, 'DeliveryCutOff')
  assert.equal(await deliver(), 'DeliveryCutOff', 'and later ones do not begin')
})
