import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResults } from '../../../src/api/batch/results.ts'
import { apiProblem, apiViolation, validationFailed } from '../../../src/api/problems/index.ts'
import type { ServiceOptions } from '../../support/service.ts'
import { compareTimes } from '../../support/timing.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers } from '../users.ts'
import { serveWriter, type Writer } from '../writing.ts'
import { carryOut, LENIENT, type Result } from './operations.ts'

const creation = (body: object, target = 'authors') => ({ method: 'POST', target, body })
const resultsOf = (response: { json(): Json }) => (response.json() as { operation: Result[] }).operation

/** A body whose keys are not known. */
const wrong = (keys: number, length = 1): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, n) => [`${n}`.padEnd(length, 'x'), 1]))

// contract: A batch takes turns with other requests
test('other requests are answered while the operations of a lenient batch fail', async (t) => {
  const { post, get } = await serveWriter(t)
  await get('/authors')
  const operation = Array.from({ length: 150 }, () => creation(wrong(1_000)))
  // Without turns one of them waits for nearly all of the batch.
  await compareTimes(async () => {
    let longest = 0
    let isOver = false
    const sent = performance.now()
    const batch = post('/batch', { operation }, LENIENT).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const since = performance.now()
      await get('/authors')
      longest = Math.max(longest, performance.now() - since)
    }
    const whole = performance.now() - sent
    assert.ok(resultsOf(await batch).every(({ status }) => status === 422))
    assert.ok(longest < whole / 3, `${longest} of ${whole} ms`)
  })
})

test('a batch of another user is answered before those that one user has sent at once', async (t) => {
  const { as } = await serveUsers(t, { many: [11], other: [12] }, {})
  const long = { operation: Array.from({ length: 1_000 }, (_, n) => creation({ name: `${n}` })) }
  const order: string[] = []
  const send = async (who: keyof typeof as, body: object) => {
    const { status } = await as[who].send('POST', '/batch', body)
    order.push(`${who} ${status}`)
  }
  const flood = Array.from({ length: 4 }, () => send('many', long))
  await send('other', { operation: [creation({ name: 'x' })] })
  await Promise.all(flood)
  // One may be under way already.
  assert.ok(order.indexOf('other 200') <= 1, String(order))
  assert.equal(order.filter((one) => one === 'many 200').length, 4)
})

/** A budget of 100 ms, and operations that take a third of it. */
const NARROW: ServiceOptions = {
  flags: { maxBatchSize: '10', maxBatchBytes: '64KiB' },
  program: {
    hooks: {
      Author: {
        beforeWrite() {
          for (const until = performance.now() + 35; performance.now() < until; );
        },
      },
    },
  },
}

// contract: A batch takes turns with other requests
test('a batch that is too much work is 413, and nothing has changed', async (t) => {
  const { post, get } = await serveWriter(t, NARROW)
  const operation = Array.from({ length: 10 }, () => creation({ name: 'x' }))
  const response = await post('/batch', { operation }, AS_PROBLEM)
  assert.equal(response.status, 413, response.body)
  assert.equal(codesOf(response), 'BatchTooMuchWork')
  assert.equal((await get('/authors')).json().totalItems, 0)
  assert.equal((await post('/batch', { operation: operation.slice(0, 1) })).status, 200)
})

test('a lenient batch that is too much work says which operations were carried out', async (t) => {
  const { post, get } = await serveWriter(t, NARROW)
  const operation = Array.from({ length: 10 }, () => creation({ name: 'x' }))
  const results = resultsOf(await post('/batch', { operation }, LENIENT))
  const statuses = results.map(({ status }) => status)
  const made = statuses.filter((status) => status === 201).length
  assert.ok(made > 0)
  assert.deepEqual(statuses, [...Array(made).fill(201), ...Array(10 - made).fill(413)])
  assert.match(results.at(-1)?.type ?? '', /#BatchTooMuchWork$/)
  assert.equal((await get('/authors')).json().totalItems, made)
})

test('a hook may send a batch of the same user while its own batch waits for it', async (t) => {
  let writer: Writer | undefined
  const program: ServiceOptions['program'] = {
    hooks: {
      Author: {
        async beforeWrite() {
          const response = await writer?.post('/batch', { operation: [creation({ title: 'y' }, 'books')] })
          assert.equal(response?.status, 200)
        },
      },
    },
  }
  writer = await serveWriter(t, { program })
  const authors = { operation: [creation({ name: 'x' }), creation({ name: 'y' })] }
  assert.equal((await writer.post('/batch', authors)).status, 200)
  assert.equal((await writer.get('/books')).json().totalItems, 2)
})

// contract: `Prefer: handling=lenient`: each on its own
test('the answer of a lenient batch lists 20 violations of an operation, and counts the rest', async (t) => {
  const { post } = await serveWriter(t)
  const operation = [creation(wrong(19)), creation(wrong(21)), creation(wrong(2_000))]
  const [all, more, most] = resultsOf(await post('/batch', { operation }, LENIENT))
  assert.deepEqual([all?.violations?.length, all?.furtherViolations], [20, undefined])
  assert.deepEqual([more?.violations?.length, more?.furtherViolations], [20, 2])
  assert.deepEqual([most?.violations?.length, most?.furtherViolations], [20, 981])
  assert.ok(most?.detail?.includes('981'), most?.detail)
})

// contract: `Prefer: handling=lenient`: each on its own
test('the answer of a lenient batch is no longer than 1 MiB, and has every status, address and ETag', async (t) => {
  const { post, etag, base } = await serveWriter(t)
  const failing = Array.from({ length: 300 }, () => creation(wrong(30, 100)))
  const operation = failing.flatMap((one, n) => (n % 10 === 9 ? [creation({ name: `a ${n}` }), one] : [one]))
  const response = await post('/batch', { operation }, LENIENT)
  const bytes = Buffer.byteLength(response.body)
  assert.ok(bytes <= 1024 * 1024 && bytes > 900 * 1024, `${bytes} bytes`)
  const results = resultsOf(response)
  assert.deepEqual(
    results.map(({ status }) => status),
    operation.map(({ body }) => ('name' in body ? 201 : 422)),
  )
  const made = results.filter(({ status }) => status === 201)
  const last = made.at(-1)
  assert.equal(last?.etag, await etag((last?.location ?? '').slice(base.length)))
  assert.ok(made.every(({ location, etag }) => location !== undefined && etag !== undefined))
  assert.ok(results.at(-1)?.detail?.startsWith(`operation[${results.length - 1}]: `))
  assert.deepEqual([results.at(-1)?.violations, results.at(-1)?.furtherViolations], [undefined, 31])
})

test('the answer of a larger batch is no longer than 1 MiB, either', () => {
  const results = createResults(5_000, 100, 'http://localhost/api')
  const long = apiProblem('NotReplaceable', { name: 'x'.repeat(10_000) })
  for (let index = 0; index < 2_500; index++) {
    results.add({ status: 201, location: 'http://localhost/api/authors/a', etag: '"1-x"' })
    results.fail(
      index % 2 === 0 ? long : validationFailed(apiViolation('IdTaken', 'a', { id: 'x'.repeat(10_000) })),
    )
  }
  assert.equal(results.all.length, 5_000)
  assert.ok(JSON.stringify(results.all).length <= 1024 * 1024)
})

// contract: Limits: body 1 MiB
test('a body in a batch may be as deep as one alone, and is refused with the same limit', async (t) => {
  const { post } = await serveWriter(t)
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const alone = (body: string) => post('/books', body, AS_PROBLEM)
  const inBatch = (body: string) =>
    post('/batch', `{"operation":[{"method":"POST","target":"books","body":${body}}]}`, AS_PROBLEM)
  for (const send of [alone, inBatch]) {
    assert.equal((await send(nested(32))).status, 422)
    const deeper = await send(nested(33))
    assert.equal(deeper.status, 400)
    assert.match(codesOf(deeper), /^(operation\[0\]: )?JsonTooDeep$/)
  }
})

// contract: Up to 1,000 operations and 8 MiB (settings).
// contract: An `If-Match` on the batch itself is 400.
test('a batch has limits, and is no resource with an ETag', async (t) => {
  const flags = { maxBatchSize: '3', maxBatchBytes: '2MiB', requireIfMatch: true }
  const writer = await serveWriter(t, { flags })
  const { post, send } = writer
  await writer.put('/books/emma', { title: 'Emma' }, CREATE)
  const deletion = { method: 'DELETE', target: 'books/none' }
  const cases: readonly [status: number, sent: unknown, headers?: Record<string, string>][] = [
    [400, { operation: [] }, { 'If-Match': '*' }],
    [400, { operation: [] }, { 'If-None-Match': '*' }],
    [400, '{"operation":[],"operation":[]}'],
    [406, { operation: [] }, { Accept: 'image/png' }],
    [413, `{"operation":[]${' '.repeat(2_100_000)}}`],
    // Of an operation that is too long nothing more is read.
    [413, `{"operation":[{"method":"POST","target":"books","body":[${'[],'.repeat(400_000)}`],
    [422, `{"operation":[${JSON.stringify(deletion)},1,1,1,${'['.repeat(40)}`],
    [415, { operation: [] }, { 'Content-Type': 'text/plain' }],
    [422, [1]],
    [422, {}],
    [422, { operation: {} }],
    [422, { operation: [], operations: [] }],
    [422, { operation: [], '@context': 'http://example.org/' }],
    [422, { operation: [deletion, deletion, deletion, deletion] }],
    [422, { operation: [{ ...deletion, ifMatch: '"1-x",'.repeat(3_000) }] }],
    [428, { operation: [{ method: 'DELETE', target: 'books/emma' }] }],
    [200, { operation: [{ method: 'DELETE', target: 'books/emma', ifMatch: '*' }] }],
    [200, { operation: [] }],
    [200, { '@context': `${writer.base}/contexts/OperationBatch`, '@type': 'OperationBatch', operation: [] }],
    [200, `{"operation":[{"method":"POST","target":"authors","body":{"name":"x"}}]${' '.repeat(1_500_000)}}`],
  ]
  for (const [status, sent, headers] of cases) {
    const response = await post('/batch', sent, headers)
    assert.equal(
      response.status,
      status,
      `${JSON.stringify(sent).slice(0, 200)} ${response.body.slice(0, 200)}`,
    )
  }
  assert.equal(codesOf(await post('/batch', [], AS_PROBLEM)), 'BodyNotAnObject')
  // What has come with the head is kept until it is known which limit holds.
  const narrow = await serveWriter(t, { limits: { bodyBytes: 200 } })
  const long = { method: 'POST', target: 'authors', body: { name: 'x'.repeat(300) } }
  assert.equal((await narrow.post('/batch', { operation: [long] })).status, 200)
  assert.equal((await narrow.post('/authors', long.body)).status, 413)
  // Not by what was sent: a patch of a few bytes writes all that the member has.
  const small = await serveWriter(t, { flags: { maxBatchBytes: '64KiB' } })
  const genres = Array.from({ length: 300 }, (_, index) => `g${index}`)
  const book = await small.addAt('/books', { title: 'x', genres })
  const patch = { method: 'PATCH', target: book.slice(1), body: { available: true } }
  assert.equal((await small.post('/batch', { operation: [patch] })).status, 200)
  const twice = await small.post('/batch', { operation: [patch, patch] }, AS_PROBLEM)
  assert.deepEqual([twice.status, codesOf(twice)], [413, 'operation[1]: BatchTooLong'])
  const read = await send('GET', '/batch')
  assert.deepEqual([read.status, read.headers.allow], [405, 'POST'])
})

test('a batch of creations costs a quarter of single ones by one client, or less', async (t) => {
  const writer = await serveWriter(t)
  const creation = (n: number) => ({ title: `Book ${n}`, genres: ['a', 'b'], price: '12.50', pages: n + 1 })
  await writer.post('/books', creation(0))
  const ratios: number[] = []
  // The machine may be busy with other things in one of them.
  for (let round = 0; round < 5 && !ratios.some((ratio) => ratio >= 4); round++) {
    const singles = 100
    let since = performance.now()
    for (let n = 0; n < singles; n++) await writer.post('/books', creation(n))
    const single = (performance.now() - since) / singles
    since = performance.now()
    await carryOut(
      writer,
      Array.from({ length: 1_000 }, (_, n) => ['POST', 'books', { body: creation(n) }] as const),
    )
    ratios.push(single / ((performance.now() - since) / 1_000))
  }
  assert.ok(
    ratios.some((ratio) => ratio >= 4),
    `${ratios} times cheaper`,
  )
})
