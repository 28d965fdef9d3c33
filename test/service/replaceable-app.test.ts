import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App, Request, Response } from '../../src/http/index.ts'
import { createReplaceableApp } from '../../src/service/replaceable-app.ts'

const answer = (status: number): Response => ({ status, shared: [], headers: [], body: '' })
const always =
  (status: number): App =>
  async () =>
    answer(status)
const REQUEST = {} as Request

test('a replacement waits for what is in flight, holds what comes meanwhile, and changes nothing where it fails', async () => {
  const first = Promise.withResolvers<Response>()
  const replaceable = createReplaceableApp(() => first.promise, [])
  const inFlight = replaceable.app(REQUEST)
  const ready = Promise.withResolvers<App>()
  let isBegun = false
  const exchanged = replaceable.replace(() => {
    isBegun = true
    return ready.promise
  })
  const held = replaceable.app(REQUEST)
  await new Promise(setImmediate)
  assert.equal(isBegun, false)
  first.resolve(answer(201))
  assert.equal((await inFlight).status, 201)
  ready.resolve(always(202))
  await exchanged
  assert.deepEqual([isBegun, (await held).status], [true, 202])

  const failed = replaceable.replace(() => Promise.reject(new Error('no')))
  const during = replaceable.app(REQUEST)
  await assert.rejects(failed, { message: 'no' })
  assert.equal((await during).status, 202)
})

test('a request that a replacement holds for too long gets 503 with Retry-After', async () => {
  const ready = Promise.withResolvers<App>()
  const replaceable = createReplaceableApp(always(200), [], 1)
  const exchanged = replaceable.replace(() => ready.promise)
  const { status, headers } = await replaceable.app(REQUEST)
  assert.deepEqual([status, headers.includes('Retry-After')], [503, true])
  ready.resolve(always(204))
  await exchanged
  assert.equal((await replaceable.app(REQUEST)).status, 204)
})
