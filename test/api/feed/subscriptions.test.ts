import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Subscription } from '../../../src/api/feed/subscription.ts'
import { USER } from '../../support/client.ts'
import { serve } from '../../support/service.ts'
import { type OpenStream, openStream } from '../../support/streams.ts'

// contract: At most 1,000 streams a process and 20 a user
test('streams are limited, by user and in all, and an ended one makes room', async (t) => {
  const flags = { maxStreams: '3', maxUserStreams: '2' }
  const service = await serve(t, { flags })
  const { paraphraseHash } = (await service.store.auth.findUser(USER)) ?? { paraphraseHash: '' }
  for (const id of [8, 9]) await service.store.auth.addUser({ id, paraphraseHash }, 0)
  const tokens = new Map<number, string>()
  for (const id of [USER, 8, 9]) tokens.set(id, await service.client.signIn(id))
  const open = (id: number) => {
    const stream = openStream(service, '', {
      Accept: 'text/event-stream, application/problem+json',
      'X-Authorization': tokens.get(id) ?? '',
    })
    t.after(() => stream.cut())
    return stream
  }
  const opened = async (id: number) => {
    const stream = open(id)
    await Promise.race([stream.until(1), stream.closed]).catch(() => {})
    if (stream.refused === undefined) return stream
    assert.equal(stream.refused.status, 503)
    assert.match(stream.refused.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    stream.cut()
    return stream.refused.body
  }
  // All at once: the limit holds under a race.
  const racing = await Promise.all([USER, USER, USER, USER].map(opened))
  const streams = racing.filter((one): one is OpenStream => typeof one !== 'string')
  assert.equal(streams.length, 2)
  assert.match(String(racing.find((one) => typeof one === 'string')), /#TooManyOwnStreams"/)
  assert.ok(typeof (await opened(8)) !== 'string')
  assert.match(String(await opened(9)), /#TooManyStreams"/)
  streams[0]?.cut()
  for (let found: OpenStream | string = ''; typeof found === 'string'; ) found = await opened(9)
})

test('without users the limit is by address', async (t) => {
  const service = await serve(t, { flags: { auth: false, maxUserStreams: '1' } })
  const first = openStream(service, '', {})
  await first.until(1)
  const second = openStream(service, '', {})
  await second.until(1).catch(() => {})
  assert.equal(second.refused?.status, 503)
  const elsewhere = openStream(service, '', {}, { from: '127.0.0.2' })
  await elsewhere.until(1)
  for (const stream of [first, elsewhere]) stream.cut()
})

test('a stream lasts no longer where the clock is set back again and again', (t) => {
  const ms = { now: 0 }
  t.mock.method(performance, 'now', () => ms.now)
  const subscriber = { principal: undefined, address: '', endsAt: 45 * 60_000 }
  const subscription = new Subscription(subscriber, 0)
  ms.now = 45 * 60_000 - 1
  assert.equal(subscription.isPast(0), false)
  ms.now += 1
  assert.equal(subscription.isPast(0), true)
})
