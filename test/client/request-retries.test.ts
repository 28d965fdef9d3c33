import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { ApiError, createClient } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'

type Answering = (response: ServerResponse, request: IncomingMessage) => void

/** Answers the first request in the first way, and so on; all that are left in the last one. */
async function script(t: TestContext, ...ways: readonly Answering[]) {
  const asked: string[] = []
  const base = await listen(t, (request, response) => {
    const way = ways[Math.min(asked.length, ways.length - 1)]
    asked.push(`${request.method} ${request.url}`)
    way?.(response, request)
  })
  return { base, asked }
}

const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (response) => {
    response.writeHead(code, { 'Content-Type': 'application/ld+json', ...headers }).end('{}')
  }
const cut: Answering = (response) => response.destroy()
const cutInside: Answering = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/ld+json', 'Content-Length': '100' })
  response.write('{"name"', () => response.destroy())
}
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString()

test('What is repeated, and what is not', async (t) => {
  const now = { 'Retry-After': '0' }
  const rows = [
    ['GET', [cut, status(200)], 'answered', 2],
    ['GET', [cutInside, status(200)], 'answered', 2],
    ['GET', [cut, cut, cut, status(200)], 'answered', 4],
    ['GET', [status(502), status(200)], 'answered', 2],
    ['GET', [status(503, now), status(200)], 'answered', 2],
    ['GET', [status(503, { 'Retry-After': inSeconds(1) }), status(200)], 'answered', 2],
    ['GET', [status(504), status(200)], 'answered', 2],
    ['GET', [status(429, now), status(200)], 'answered', 2],
    ['GET', [status(503, now)], 'unavailable', 4],
    ['GET', [status(500), status(200)], 'refused', 1],
    ['GET', [status(404), status(200)], 'not-found', 1],
    ['GET', [status(410), status(200)], 'not-found', 1],
    ['POST', [status(429, now), status(200)], 'answered', 2],
    ['PUT', [status(429, now), status(200)], 'answered', 2],
    ['PATCH', [status(429, now), status(200)], 'answered', 2],
    ['DELETE', [status(429, now), status(200)], 'answered', 2],
    ['POST', [cut, status(200)], 'unreachable', 1],
    ['POST', [cutInside, status(200)], 'unreachable', 1],
    ['PUT', [cut, status(200)], 'unreachable', 1],
    ['PATCH', [cut, status(200)], 'unreachable', 1],
    ['DELETE', [cut, status(200)], 'unreachable', 1],
    ['POST', [status(502), status(200)], 'unavailable', 1],
    ['PUT', [status(503, now), status(200)], 'unavailable', 1],
    ['DELETE', [status(504), status(200)], 'unavailable', 1],
  ] as const
  // Each has a server of its own, and they wait side by side.
  const checks = rows.map(async ([method, ways, expected, times]) => {
    const { base, asked } = await script(t, ...ways)
    const { request } = createClient({ base })
    const outcome = await request(method, '/x', method === 'GET' ? {} : { body: {} }).then(
      () => 'answered',
      (error) => (error instanceof ApiError ? error.kind : error),
    )
    assert.equal(outcome, expected, `${method} ${ways.length}`)
    assert.equal(asked.length, times, `${method} ${expected}`)
  })
  await Promise.all(checks)
})

test('A Retry-After beyond the patience is an error at once, which has that time', async (t) => {
  for (const [header, least, most] of [
    ['11', 11, 11],
    ['3600', 3_600, 3_600],
    [inSeconds(100), 90, 101],
  ] as const) {
    const { base, asked } = await script(t, status(503, { 'Retry-After': header }))
    const error = await createClient({ base })
      .request('GET', '/x')
      .catch((reason) => reason)
    assert.equal(error.kind, 'unavailable')
    assert.ok(error.retryAfter >= least && error.retryAfter <= most, String(error.retryAfter))
    assert.equal(asked.length, 1)
  }
})

test('Without patience nothing is repeated', async (t) => {
  const { base, asked } = await script(t, cut, status(200))
  await assert.rejects(createClient({ base, patience: 0 }).request('GET', '/x'), { kind: 'unreachable' })
  assert.equal(asked.length, 1)
})

test('A malformed Retry-After is ignored', async (t) => {
  for (const header of ['soon', '-5', inSeconds(-100)]) {
    const { base, asked } = await script(t, status(503, { 'Retry-After': header }), status(200))
    await createClient({ base }).request('GET', '/x')
    assert.equal(asked.length, 2)
  }
})

// Whoever waits to the end of it fails by the time limit.
test('An abort ends the wait before a request is sent again', { timeout: 5_000 }, async (t) => {
  const controller = new AbortController()
  const reason = new Error('not wanted any more')
  const { base, asked } = await script(t, (response) => {
    response.writeHead(503, { 'Retry-After': '9' }).end(() => setTimeout(() => controller.abort(reason), 50))
  })
  await assert.rejects(createClient({ base }).request('GET', '/x', controller), reason)
  assert.equal(asked.length, 1)
})

test('An abort ends a request without a response, with the reason of the signal', async (t) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const controller = new AbortController()
    const reason = new Error('not wanted any more')
    const { base, asked } = await script(t, () => controller.abort(reason))
    await assert.rejects(createClient({ base }).request(method, '/x', controller), reason)
    assert.equal(asked.length, 1)
  }
})

test('An abort may have any reason, or none', async (t) => {
  for (const reason of [null, 0, 'enough']) {
    const controller = new AbortController()
    const { base } = await script(t, () => controller.abort(reason))
    const thrown = await createClient({ base })
      .request('GET', '/x', controller)
      .catch((error) => ({ error }))
    assert.deepEqual(thrown, { error: reason })
  }
})

test('A request that waits to be repeated is not sent after signing out', async (t) => {
  let signedOut: Promise<void> | undefined
  const { base, asked } = await script(t, (response) => {
    response.writeHead(503, { 'Retry-After': '1' }).end('{}', () => {
      signedOut = client.signOut()
    })
  })
  const client = createClient({ base })
  await assert.rejects(client.request('GET', '/x'), { name: 'AbortError' })
  await signedOut
  assert.equal(asked.length, 1)
})

test('A request that is aborted before it begins is not sent', async (t) => {
  const { base, asked } = await script(t, status(200))
  const signal = AbortSignal.abort()
  const client = createClient({ base })
  await assert.rejects(client.request('GET', '/x', { signal }), { name: 'AbortError' })
  await assert.rejects(client.entryPoint({ signal }), { name: 'AbortError' })
  await assert.rejects(client.collectionAt('/x').page({}, { signal }), { name: 'AbortError' })
  assert.deepEqual(
    asked.filter((line) => line !== 'GET /'),
    [],
  )
})

test('A shared read continues when one of its callers aborts', async (t) => {
  const { base, asked } = await script(t, status(200, { Link: '' }))
  const client = createClient({ base })
  const controller = new AbortController()
  const given = client.entryPoint(controller)
  const other = client.entryPoint()
  controller.abort()
  await assert.rejects(given, { name: 'AbortError' })
  assert.deepEqual((await other).links, {})
  assert.deepEqual(asked, ['GET /'])
})

test('A shared read that never ends is started again by the next caller', { timeout: 60_000 }, async (t) => {
  const never: Answering = () => {}
  const { base, asked } = await script(t, never, status(200), never, status(200))
  const client = createClient({ base })
  for (const expected of [['GET /'], ['GET /', 'GET /', 'GET /vocab']]) {
    const controller = new AbortController()
    const given = client.documentation(controller)
    while (asked.length < expected.length) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(asked, expected)
    controller.abort()
    await assert.rejects(given, { name: 'AbortError' })
  }
  await client.documentation()
  assert.deepEqual(asked.slice(3), ['GET /vocab'])
})

test('The result of a shared read is kept, also if a later caller aborts', async (t) => {
  const { base, asked } = await script(t, status(200))
  const client = createClient({ base })
  await client.documentation()
  const late = new AbortController()
  for (const { signal } of [{ signal: AbortSignal.abort() }, late]) {
    const given = [client.entryPoint({ signal }), client.documentation({ signal })]
    late.abort()
    for (const one of given) await assert.rejects(one, { name: 'AbortError' })
  }
  await client.documentation()
  assert.deepEqual(asked, ['GET /', 'GET /vocab'])
})

test('A shared read that failed is started again by the next caller', async (t) => {
  const { base, asked } = await script(t, status(500), status(200))
  const client = createClient({ base })
  await assert.rejects(client.entryPoint(), { kind: 'refused' })
  await client.entryPoint()
  await client.entryPoint()
  assert.equal(asked.length, 2)
})

test('A long-lived signal keeps no listeners of finished requests', async (t) => {
  const { base } = await script(t, status(200))
  const client = createClient({ base })
  const { signal } = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1
    removeEventListener.apply(signal, args)
  }
  for (let turn = 0; turn < 5; turn += 1) await client.entryPoint({ signal })
  await new Promise((resolve) => setTimeout(resolve))
  assert.equal(listeners, 0)
})

test('A credentials function that ignores its error is called with pauses, and not forever', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const exchangedAt: number[] = []
  let paraphrase = () => 'wrong'
  const client = createClient({
    base: 'http://localhost/api',
    credentials: () => ({ id: 1, paraphrase: paraphrase() }),
    async fetch(_, init) {
      const headers = new Headers(init?.headers)
      if (headers.has('x-authorization')) return new Response('{}')
      if (!headers.has('authorization')) return challenge()
      exchangedAt.push(Date.now() / 1_000)
      const isRight = headers.get('authorization') === `Basic ${btoa('1:right')}`
      return isRight ? new Response('{}', { headers: { 'x-authorization': 'token' } }) : challenge()
    },
  })
  const challenge = () => new Response('{}', { status: 401, headers: { 'x-authentication': 'nonce' } })
  const settled = async (work: Promise<unknown>) => {
    let outcome: unknown
    work.then(
      () => {
        outcome = 'answered'
      },
      (error) => {
        outcome = error.kind
      },
    )
    for (let tick = 0; tick < 2_000 && outcome === undefined; tick += 1) {
      for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      t.mock.timers.tick(100)
    }
    return outcome
  }
  const gaps = () => exchangedAt.slice(1).map((at, index) => at - (exchangedAt[index] ?? 0))

  assert.equal(await settled(client.request('GET', 'books')), 'credentials')
  assert.equal(exchangedAt.length, 5)
  for (const [index, least] of [0.3, 0.9, 2.7, 8.1].entries())
    assert.ok((gaps()[index] ?? 0) >= least - 0.01, `${gaps()}`)
  // The next request waits for its turn too, and is one attempt.
  assert.equal(await settled(client.request('GET', 'books')), 'credentials')
  assert.equal(exchangedAt.length, 6)
  assert.ok((gaps()[4] ?? 0) >= 24.2, `${gaps()}`)
  // Other credentials each time: at most one exchange in 30 seconds, until one is right.
  let count = 0
  paraphrase = () => {
    count += 1
    return count > 3 ? 'right' : `wrong ${count}`
  }
  assert.equal(await settled(client.request('GET', 'books')), 'answered')
  assert.equal(exchangedAt.length, 10)
  for (const gap of gaps().slice(5)) assert.ok(gap >= 29.9, `${gaps()}`)
})
