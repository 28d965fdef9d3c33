import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExpandBody } from '../../../src/api/input/expansion.ts'
import { Problem } from '../../../src/problem.ts'
import { compareTimes } from '../../support/timing.ts'
import { startBystander } from '../../threats/bystander.ts'
import { serveSignedIn } from '../signed-in.ts'

const task = (document: object) => ({
  ...{ document, base: 'http://x.example/', context: undefined, contexts: [], knowsBundled: true },
})
const HARMLESS = task({ 'http://x.example/a': 'x' })
const contextsOf = (count: number, at = 0) =>
  Array.from({ length: count }, (_, index) => ({ [`t${at + index}`]: 'http://x.example/' }))
/** Minutes of work. */
const ENDLESS = task({ '@context': contextsOf(20_000), t0: 'x' })

const outcomeOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    () => 'done',
    (error) => (error instanceof Problem ? error.code : assert.fail(error)),
  )

test('an expansion that takes too long is 422, and the next one has another thread', async () => {
  const expandBody = createExpandBody(300)
  assert.equal(await outcomeOf(expandBody(ENDLESS, 'a')), 'TooMuchJsonLd')
  const { nodes } = await expandBody(HARMLESS, 'a')
  assert.deepEqual(nodes, [{ 'http://x.example/a': [{ '@value': 'x' }] }])
  assert.equal(await outcomeOf(expandBody(ENDLESS, 'a')), 'TooMuchJsonLd')
  assert.equal(await outcomeOf(expandBody(HARMLESS, 'a')), 'done')
})

test('expansions are one at a time, users take turns, and those beyond the queue are 503', async () => {
  const expandBody = createExpandBody()
  const ended: string[] = []
  const many = Array.from({ length: 80 }, () =>
    outcomeOf(expandBody(HARMLESS, 'many')).then((outcome) => {
      if (outcome === 'done') ended.push('many')
      return outcome
    }),
  )
  const few = [1, 2].map(() => outcomeOf(expandBody(HARMLESS, 'few')).then(() => ended.push('few')))
  await Promise.all(few)
  // The second of the few is behind three of the others at most: the one that ran, and one for each turn.
  assert.ok(ended.length <= 6, ended.join())
  const outcomes = await Promise.all(many)
  assert.equal(outcomes.filter((outcome) => outcome === 'JsonLdProcessorBusy').length, 80 - 1 - 62)
})

test('what the processor says of a document arrives from the thread', async () => {
  const expandBody = createExpandBody()
  await assert.rejects(expandBody(task({ '@context': 'http://y.example/c' }), ''), {
    code: 'ForeignContext',
    values: { address: 'http://y.example/c' },
  })
  await assert.rejects(expandBody(task({ '@id': 5 }), ''), { code: 'InvalidJsonLd' })
  const { dropped } = await expandBody(task({ unknown: 1, 'http://x.example/a': 1 }), '')
  assert.deepEqual(dropped, [{ code: 'invalid property', what: 'unknown' }])
})

/** So many times the wait beside a body in our own terms; on the main thread it was a hundred and more. */
const MOST = 40

test('a body with many contexts holds nobody else up', async (t) => {
  const service = await serveSignedIn(t)
  const token = await service.client.signIn()
  const mount = new URL(service.base).pathname
  const head = `X-Authorization: ${token}\r\nHost: test\r\n`
  const bystander = startBystander(service.port, `HEAD ${mount}/ HTTP/1.1\r\n${head}\r\n`)
  t.after(bystander.close)
  const post = (body: object) => {
    const text = JSON.stringify(body)
    const more = `Content-Type: application/ld+json\r\nConnection: close\r\nContent-Length: ${text.length}\r\n`
    return Buffer.from(`POST ${mount}/authors HTTP/1.1\r\n${head}${more}\r\n${text}`)
  }
  const name = 'x'.repeat(13_000)
  const [plain, foreign] = [
    post({ name }),
    post({ '@context': contextsOf(500), [`${service.base}/vocab#Author/name`]: 'x' }),
  ]
  await bystander.waitBeside(foreign)
  let [alone, beside] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  await compareTimes(async () => {
    alone = Math.min(alone, await bystander.waitBeside(plain))
    beside = Math.min(beside, await bystander.waitBeside(foreign))
    assert.ok(beside <= MOST * alone, `${beside} ms beside many contexts, ${alone} ms beside our own terms`)
  })
})
