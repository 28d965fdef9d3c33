import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../src/app.ts'
import type { Request, Response } from '../../src/http/index.ts'
import { createHoldable } from '../../src/service/service.ts'

const answer = (status: number): Response => ({ status, shared: [], headers: [], body: '' })
const always =
  (status: number): App =>
  async () =>
    answer(status)
const REQUEST = {} as Request

test('an exchange waits for what is in flight, holds what comes meanwhile, and changes nothing where it fails', async () => {
  const first = Promise.withResolvers<Response>()
  const holdable = createHoldable(() => first.promise, [])
  const inFlight = holdable.app(REQUEST)
  const ready = Promise.withResolvers<App>()
  let isBegun = false
  const exchanged = holdable.exchange(() => {
    isBegun = true
    return ready.promise
  })
  const held = holdable.app(REQUEST)
  await new Promise(setImmediate)
  assert.equal(isBegun, false)
  first.resolve(answer(201))
  assert.equal((await inFlight).status, 201)
  ready.resolve(always(202))
  await exchanged
  assert.deepEqual([isBegun, (await held).status], [true, 202])

  const failed = holdable.exchange(() => Promise.reject(new Error('no')))
  const during = holdable.app(REQUEST)
  await assert.rejects(failed, { message: 'no' })
  assert.equal((await during).status, 202)
})

test('a request that an exchange holds for too long gets 503 with Retry-After', async () => {
  const ready = Promise.withResolvers<App>()
  const holdable = createHoldable(always(200), [], 1)
  const exchanged = holdable.exchange(() => ready.promise)
  const { status, headers } = await holdable.app(REQUEST)
  assert.deepEqual([status, headers.includes('Retry-After')], [503, true])
  ready.resolve(always(204))
  await exchanged
  assert.equal((await holdable.app(REQUEST)).status, 204)
})
