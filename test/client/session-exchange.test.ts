import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, createClient, type UserCredentials } from 'hydrant-client'
import { listen } from '../support/browser-server.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { CREDENTIALS, recordClient, times } from './recording.ts'

/** More than seed.md, step C lets a token live. */
const LATER_MS = 46 * 60_000
const WRONG: UserCredentials = { id: USER, paraphrase: 'wrong horse battery' }

test('Steps A, B and C are done by the first request, and step C alone by the next', async (t) => {
  const { base } = await serve(t)
  const { client, lines, exchanges } = recordClient(base)
  await client.entryPoint()
  await client.request('GET', 'books')
  assert.deepEqual(lines(), ['GET  401', 'GET  200', 'GET  200', 'GET /books 200'])
  assert.equal(exchanges().length, 1)
})

test('A token that was issued before is used until it ends, and can be revoked', async (t) => {
  const time = { now: Date.now() }
  const service = await serve(t, { time })
  const { base } = service
  const first = recordClient(base, { token: await service.client.signIn() })
  await first.client.request('GET', 'books')
  assert.equal((await first.client.session())?.user, USER)
  assert.equal(first.exchanges().length, 0)
  time.now += LATER_MS
  await first.client.request('GET', 'books')
  assert.equal(first.exchanges().length, 1)

  const token = await service.client.signIn()
  const second = recordClient(base, { token, credentials: undefined })
  await second.client.signOut()
  const third = recordClient(base, { token, credentials: undefined })
  await assert.rejects(third.client.request('GET', 'books'), { kind: 'credentials' })
})

test('The paraphrase is sent in step B only', async (t) => {
  const { base } = await serve(t)
  const { client, sent, exchanges } = recordClient(base)
  const author = await client.collection('authors').create({ name: 'Ann Leckie' })
  const changed = await author.update({ born: '1966-03-02' })
  await changed.remove()
  await client.signOut()
  const secret = Buffer.from(`${USER}:${PARAPHRASE}`).toString('base64')
  const carrying = sent.filter(({ url, headers, body }) =>
    [url, body, ...headers.values()].some((text) => text?.includes(secret) || text?.includes(PARAPHRASE)),
  )
  assert.deepEqual(carrying, exchanges())
  assert.equal(carrying.length, 1)
  assert.ok(carrying[0]?.headers.has('x-authentication'))
})

test('Credentials without an id or a paraphrase are refused before anything is sent, without their values', async () => {
  const lacking = (key: string) => `The credentials lack "${key}"; they must be { id, paraphrase }.`
  const misnamed = (key: string) => `The credentials have "${key}"; that key must be named "paraphrase".`
  for (const [given, message] of [
    [{ id: USER }, lacking('paraphrase')],
    [{ id: USER, paraphrase: undefined }, lacking('paraphrase')],
    [{ id: USER, paraphrase: null }, lacking('paraphrase')],
    [{ id: USER, paraphrase: '' }, lacking('paraphrase')],
    [{ id: '', paraphrase: PARAPHRASE }, lacking('id')],
    [{ id: USER, passphrase: PARAPHRASE }, misnamed('passphrase')],
    [{ id: USER, password: PARAPHRASE }, misnamed('password')],
    [{ paraphrase: PARAPHRASE }, lacking('id')],
    [{ user: USER, password: PARAPHRASE }, lacking('id')],
    [PARAPHRASE, lacking('id')],
  ] as const) {
    const wrong = given as unknown as UserCredentials
    const refused = { name: 'ApiError', kind: 'credentials', code: 'credentials-incomplete', message }
    const { client, sent } = recordClient('http://127.0.0.1:1/api')
    assert.throws(() => createClient({ base: client.base, credentials: wrong }), refused)
    assert.throws(() => client.replaceCredentials(wrong), refused)
    await assert.rejects(client.signIn(wrong), refused)
    assert.deepEqual(sent, [])
  }
})

test('Incomplete credentials do not end the session of another user, and those of a function are not sent', async (t) => {
  const { base } = await serve(t)
  const first = recordClient(base)
  await first.client.entryPoint()
  await assert.rejects(first.client.signIn({ id: 8 } as never), { code: 'credentials-incomplete' })
  await first.client.request('GET', 'books')
  assert.equal(first.exchanges().length, 1)

  const asking = recordClient(base, { credentials: () => ({ id: USER }) as never })
  await assert.rejects(asking.client.entryPoint(), { code: 'credentials-incomplete' })
  assert.equal(asking.exchanges().length, 0)
})

test('A paraphrase in any script is sent as UTF-8', async (t) => {
  const { base } = await serve(t)
  const { client, exchanges } = recordClient(base, { credentials: { id: USER, paraphrase: 'grün 緑 🌲' } })
  await assert.rejects(client.entryPoint(), { kind: 'credentials' })
  const [, encoded = ''] = exchanges()[0]?.headers.get('authorization')?.split(' ') ?? []
  assert.equal(Buffer.from(encoded, 'base64').toString(), `${USER}:grün 緑 🌲`)
})

test('100 parallel requests without a token make one exchange', async (t) => {
  const { base } = await serve(t)
  const { client, exchanges } = recordClient(base)
  const answers = await Promise.all(times(100, (n) => client.request('GET', `books?itemsPerPage=${n + 1}`)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(exchanges().length, 1)
})

test('100 parallel requests with an expired token make one exchange', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { time })
  const { client, exchanges, sent } = recordClient(base)
  await client.signIn()
  time.now += LATER_MS
  const before = sent.length
  const answers = await Promise.all(times(100, (n) => client.request('GET', `books?itemsPerPage=${n + 1}`)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(exchanges().length, 2)
  assert.equal(sent.length - before, 201, 'each with the old token, one exchange, each with the new one')
})

test('Writes that find their token expired are carried out once', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { time })
  const { client } = recordClient(base)
  await client.documentation()
  time.now += LATER_MS
  const names = times(20, (n) => `Author ${n}`)
  await Promise.all(names.map((name) => client.collection('authors').create({ name })))
  const found: string[] = []
  for await (const { data } of client.collection('authors')) found.push(data.name)
  assert.deepEqual(found.sort(), names.sort())
})

test('A user signs in with a name in place of the id', async (t) => {
  const { base, store } = await serve(t)
  await store.auth.changeUser(USER, { name: 'J\u00fcrgen' })
  const { client } = recordClient(base, { credentials: { id: 'J\u00fcrgen', paraphrase: PARAPHRASE } })
  await client.signIn()
  assert.equal((await client.session())?.user, USER)
})

test('Wrong credentials are sent once, however many requests there are, and all fail with the same error', async (t) => {
  const { base } = await serve(t)
  const { client, exchanges } = recordClient(base, { credentials: WRONG })
  const settled = await Promise.allSettled(times(50, (n) => client.request('GET', `books?page=${n + 1}`)))
  const errors = new Set(settled.map((one) => (one.status === 'rejected' ? one.reason : 'answered')))
  assert.equal(errors.size, 1)
  const [error] = errors
  assert.ok(error instanceof ApiError)
  assert.equal(error.kind, 'credentials')
  assert.equal(error.code, 'credentials-wrong')
  assert.equal(error.message, 'The user or the passphrase is wrong.')
  await assert.rejects(client.entryPoint(), (again) => again === error)
  assert.equal(exchanges().length, 1, 'nor are they sent by a later request')

  await client.signIn(CREDENTIALS)
  assert.equal((await client.request('GET', 'books')).status, 200)
})

test('Without credentials the error says that they are needed', async (t) => {
  const { base } = await serve(t)
  const client = createClient({ base })
  await assert.rejects(client.entryPoint(), {
    code: 'credentials-missing',
    message: 'Credentials are needed.',
  })
})

test('A credentials function is called once for many requests, and again only without a valid token', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { time })
  const asked: unknown[] = []
  const { client, exchanges } = recordClient(base, {
    credentials(question) {
      asked.push(question)
      return CREDENTIALS
    },
  })
  await Promise.all(times(30, (n) => client.request('GET', `books?page=${n + 1}`)))
  assert.deepEqual(asked, [{ error: undefined, expired: false }])
  time.now += LATER_MS
  await Promise.all(times(30, (n) => client.request('GET', `books?page=${n + 1}`)))
  assert.deepEqual(asked.slice(1), [{ error: undefined, expired: true }])
  assert.equal(exchanges().length, 2)
})

test('After wrong credentials the function is called again, with the error', async (t) => {
  const { base } = await serve(t)
  const errors: (string | undefined)[] = []
  const { client, exchanges } = recordClient(base, {
    async credentials({ error }) {
      errors.push(error?.code)
      return error ? CREDENTIALS : WRONG
    },
  })
  await client.entryPoint()
  assert.deepEqual(errors, [undefined, 'credentials-wrong'])
  assert.equal(exchanges().length, 2)
})

test('Credentials may take any time: the nonce is fetched once they are there', async (t) => {
  const time = { now: Date.now() }
  const { base } = await serve(t, { time })
  const { client } = recordClient(base, {
    credentials() {
      time.now += 10 * 60_000
      return CREDENTIALS
    },
  })
  assert.equal((await client.request('GET', 'books')).status, 200)
})

test('Cancelling the question fails all waiting requests, and the next request asks again', async (t) => {
  const { base } = await serve(t)
  let asked = 0
  const { client } = recordClient(base, {
    credentials() {
      asked += 1
      return asked === 1 ? undefined : CREDENTIALS
    },
  })
  const settled = await Promise.allSettled(times(20, (n) => client.request('GET', `books?page=${n + 1}`)))
  assert.ok(settled.every((one) => one.status === 'rejected' && one.reason.kind === 'credentials'))
  assert.equal(asked, 1)
  assert.equal((await client.request('GET', 'books')).status, 200)
})

test('An abort of one request does not abort the exchange that others wait for', async (t) => {
  const { base } = await serve(t)
  const { promise: answer, resolve } = Promise.withResolvers<UserCredentials>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { client, exchanges } = recordClient(base, {
    credentials() {
      ask()
      return answer
    },
  })
  const controller = new AbortController()
  const aborted = client.request('GET', 'books', { signal: controller.signal })
  const other = client.request('GET', 'authors')
  await asked
  const reason = new Error('not wanted any more')
  controller.abort(reason)
  await assert.rejects(aborted, reason)
  resolve(CREDENTIALS)
  assert.equal((await other).status, 200)
  assert.equal(exchanges().length, 1)
})

test('A request during the question waits for the same credentials', async (t) => {
  const { base } = await serve(t)
  const { promise: answer, resolve } = Promise.withResolvers<UserCredentials>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  let questions = 0
  const { client, sent } = recordClient(base, {
    credentials() {
      questions += 1
      ask()
      return answer
    },
  })
  const first = client.request('GET', 'books')
  await asked
  const before = sent.length
  const later = times(5, (n) => client.request('GET', `authors?page=${n + 1}`))
  await new Promise((done) => setTimeout(done, 50))
  assert.equal(sent.length, before, 'nothing is sent that would be refused')
  resolve(CREDENTIALS)
  const answers = await Promise.all([first, ...later])
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(questions, 1)
})

test('Throttled: the error says when to try again, and the credentials are not forgotten', async (t) => {
  const time = { now: Date.now() }
  const { base, client: wire } = await serve(t, { time, flags: { userFailures: '1/5m' } })
  await assert.rejects(wire.signIn(USER, WRONG.paraphrase))
  const { client, exchanges } = recordClient(base)
  const settled = await Promise.allSettled(times(10, (n) => client.request('GET', `books?page=${n + 1}`)))
  const [error, ...others] = new Set(settled.map((one) => one.status === 'rejected' && one.reason))
  assert.deepEqual(others, [])
  assert.equal(error.kind, 'throttled')
  assert.equal(error.status, 429)
  assert.ok(error.retryAfter > 10 && error.retryAfter <= 300, String(error.retryAfter))
  assert.equal(exchanges().length, 1)
  time.now += error.retryAfter * 1_000 + 1_000
  assert.equal((await client.request('GET', 'books')).status, 200)
})

test('A credentials function is told about throttling', async (t) => {
  const time = { now: Date.now() }
  const { base, client: wire } = await serve(t, { time, flags: { userFailures: '1/5m' } })
  await assert.rejects(wire.signIn(USER, WRONG.paraphrase))
  const { client } = recordClient(base, {
    credentials({ error }) {
      if (error?.kind === 'throttled') time.now += (error.retryAfter ?? 0) * 1_000 + 1_000
      return CREDENTIALS
    },
  })
  assert.equal((await client.request('GET', 'books')).status, 200)
})

test('A step without a response is unreachable after 30 s', { timeout: 60_000 }, async (t) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const limits: number[] = []
  let speed = 200
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms)
    return timeout(ms / speed)
  })
  const { base } = await serve(t)
  const silent = await listen(t, () => {})
  let isSilent = (_: Headers) => true
  const toSilence: typeof fetch = (input, init) =>
    fetch(isSilent(new Headers(init?.headers)) ? silent : input, init)
  const { client, sent } = recordClient(base, { patience: 0, fetch: toSilence })
  const unreachable = { kind: 'unreachable', code: 'timeout', message: `${base} did not answer.` }

  // Step A.
  await assert.rejects(client.signIn(), unreachable)
  assert.deepEqual(limits.splice(0), [30_000])

  // Step B.
  isSilent = (headers) => headers.has('authorization')
  const waiting = ['POST', 'GET'].map((method) => client.request(method, 'books'))
  await Promise.all(waiting.map((one) => assert.rejects(one, unreachable)))
  assert.deepEqual(limits.splice(0), [30_000])

  // The next request tries again.
  isSilent = () => false
  speed = 1
  const before = sent.length
  assert.equal((await client.request('GET', 'books')).status, 200)
  assert.equal(sent.length - before, 3)
  assert.equal(limits.length, 1, 'only step B is limited, not the requests around it')
})
