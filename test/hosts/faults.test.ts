import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { stepB, type TestResponse } from '../support/client.ts'
import { type Middleman, startMiddleman } from '../support/middleman.ts'
import { newPostgres, postgresUrl } from '../support/postgres.ts'
import { createPostgresServer } from '../support/postgres-server.ts'
import { serve, type TestService } from '../support/service.ts'
import { startOwnTime } from '../support/timing.ts'

const BATCH = { operation: [{ method: 'POST', target: 'authors', body: { name: 'nobody' } }] }

/** "requests get 503 with Retry-After within 3 s", from the first byte sent to the last byte received. */
const ANSWERED_WITHIN_MS = 3_000
const ownTime = startOwnTime()

interface Served {
  readonly service: TestService
  readonly token: string
  add(name: string): Promise<TestResponse>
  page(): Promise<TestResponse>
}

async function sign(service: TestService): Promise<Served> {
  const token = await service.client.signIn()
  const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
  return {
    service,
    token,
    add: (name) => service.client.send('POST', '/authors', headers, JSON.stringify({ name })),
    page: () => service.client.send('GET', '/authors', headers),
  }
}

async function serveThrough(t: TestContext): Promise<Served & { readonly middleman: Middleman }> {
  const middleman = await startMiddleman(t, postgresUrl())
  const flags = { scanTime: '2s' }
  const served = await sign(await serve(t, { db: middleman.through(newPostgres(t)), flags }))
  return { ...served, middleman }
}

/**
 * @returns whether it was sent to PostgreSQL, as a write: nobody knows what has become of it, so it is not to be tried
 * again blindly.
 */
async function assertUnavailable(act: () => Promise<TestResponse>, what: string): Promise<boolean> {
  const started = ownTime()
  const response = await act()
  const ms = ownTime() - started
  assert.equal(response.status, 503, `${what}: ${response.status} ${response.body}`)
  const isSent = /may have been carried out/.test(response.body)
  assert.equal(Number(response.headers['retry-after'] ?? 0) > 0, !isSent, what)
  assert.ok(ms < ANSWERED_WITHIN_MS, `${what}: ${ms} ms`)
  return isSent
}

/** What needs the database is refused, what does not is answered as always. */
async function assertAway({ service, add, page }: Served, nonces: readonly string[]): Promise<void> {
  const { client } = service
  // What a token was good for is known for half a second yet; then nothing passes unchecked.
  await wait(600)
  const sent = await Promise.all([
    assertUnavailable(page, 'a page'),
    assertUnavailable(() => add('nobody'), 'a create'),
    ...nonces.map((nonce) =>
      assertUnavailable(() => client.send('GET', '/authors', stepB(nonce)), 'an exchange'),
    ),
  ])
  assert.ok(!sent.includes(true))
  assert.equal((await client.send('GET', '/authors')).status, 401)
}

/** By itself; bounded by the time limit of the suite. */
async function recovered({ add, page }: Served): Promise<void> {
  for (;;) {
    const [added, read] = [await add('after'), await page()]
    if (added.status === 201 && read.status === 200) return
    for (const { status, body } of [added, read]) assert.ok([200, 201, 503].includes(status), body)
    await wait(20)
  }
}

async function noncesFrom({ client }: TestService): Promise<string[]> {
  return [await client.nonce(), await client.nonce()]
}

describe('faults of the database', { timeout: 120_000 }, () => {
  test('PostgreSQL that is stopped means 503 within 3 s, and is found again when it is started', async (t) => {
    const server = await createPostgresServer()
    t.after(() => server.remove())
    const served = await sign(await serve(t, { db: server.url }))
    assert.equal((await served.add('before')).status, 201)
    const nonces = await noncesFrom(served.service)
    await server.stop()
    await assertAway(served, nonces)
    await server.start()
    await recovered(served)
    // Nothing that was refused has used a nonce up, nor has a token ended.
    const [nonce = ''] = nonces
    assert.equal((await served.service.client.send('GET', '/authors', stepB(nonce))).status, 200)
  })

  test('connections that are cut mean 503 at most, and new ones are made', async (t) => {
    const served = await serveThrough(t)
    for (let round = 0; round < 10; round += 1) {
      const answers = Promise.all(Array.from({ length: 10 }, (_, n) => served.add(`${round}-${n}`)))
      served.middleman.cut()
      for (const { status, body } of await answers) assert.ok([201, 503].includes(status), body)
    }
    await recovered(served)
  })

  test('PostgreSQL that accepts and does not answer means 503 within 3 s', async (t) => {
    const served = await serveThrough(t)
    const nonces = await noncesFrom(served.service)
    served.middleman.hold()
    await assertAway(served, nonces)
    served.middleman.release()
    await recovered(served)
  })

  test('silence in the middle of a request that was let in means 503 within 3 s, whatever it does', async (t) => {
    const served = await serveThrough(t)
    const { client, base } = served.service
    const { location = '' } = (await served.add('somebody')).headers
    const path = location.slice(base.length)
    const headers = { 'X-Authorization': served.token, 'Content-Type': 'application/merge-patch+json' }
    const json = { ...headers, 'Content-Type': 'application/json' }
    const batch = () => client.send('POST', '/batch', json, JSON.stringify(BATCH))
    // So that it has a connection: to open one has a limit of its own.
    assert.equal((await batch()).status, 200)
    // The token is known for a moment: what is silent is the rest. On a busy machine the moment can be over, and again.
    for (let isCreateSent = false; !isCreateSent; ) {
      assert.equal((await served.page()).status, 200)
      served.middleman.hold()
      const [created, ...others] = await Promise.all([
        assertUnavailable(() => served.add('nobody'), 'a create'),
        assertUnavailable(served.page, 'a page'),
        assertUnavailable(() => client.send('PATCH', path, headers, '{"name": "other"}'), 'an update'),
        assertUnavailable(() => client.send('DELETE', path, headers), 'a removal'),
        assertUnavailable(batch, 'a batch'),
        assertUnavailable(() => client.send('GET', '/authors?name[contains]=x', headers), 'a search'),
      ])
      assert.ok(!others.includes(true))
      isCreateSent = created
      served.middleman.release()
      await recovered(served)
    }
  })

  test('a lenient batch does not wait for a silent PostgreSQL anew for each of its operations', async (t) => {
    const served = await serveThrough(t)
    const headers = {
      ...{ 'X-Authorization': served.token, 'Content-Type': 'application/json', Prefer: 'handling=lenient' },
    }
    const many = { operation: Array.from({ length: 40 }, () => BATCH.operation).flat() }
    /** It is let in while the token is known. On a busy machine that moment can be over, and again. */
    async function sendInSilence(): Promise<TestResponse> {
      assert.equal((await served.page()).status, 200)
      served.middleman.hold()
      const answer = await served.service.client.send('POST', '/batch', headers, JSON.stringify(many))
      served.middleman.release()
      if (answer.status === 200) return answer
      await recovered(served)
      return sendInSilence()
    }
    const { operation } = (await sendInSilence()).json() as {
      operation: { status: number; type: string }[]
    }
    assert.deepEqual(new Set(operation.map(({ status }) => status)), new Set([503]))
    assert.equal(operation.length, 40)
    assert.match(operation.at(-1)?.type ?? '', /#OperationNotTried$/)
  })

  test('exchanges that wait for a hash while PostgreSQL falls silent are all answered within 3 s', async (t) => {
    const served = await serveThrough(t)
    const { client } = served.service
    const nonces = await Promise.all(Array.from({ length: 12 }, () => client.nonce()))
    const answered = nonces.map(async (nonce) => {
      const { status, headers } = await client.send('GET', '/', stepB(nonce))
      return { status, at: ownTime(), retryAfter: Number(headers['retry-after'] ?? 0) }
    })
    // All of them have been looked at, and hardly one has been hashed, when one was exchanged.
    await Promise.race(answered)
    const heldAt = ownTime()
    served.middleman.hold()
    const answers = await Promise.all(answered)
    assert.ok(answers.some(({ status }) => status === 503))
    for (const { status, at, retryAfter } of answers) {
      assert.ok(status === 200 || (status === 503 && retryAfter > 0), String(status))
      assert.ok(at - heldAt < ANSWERED_WITHIN_MS, `${status} after ${at - heldAt} ms`)
    }
    served.middleman.release()
    await recovered(served)
  })

  test('where every answer is half a second late an exchange still ends within 3 s', async (t) => {
    const served = await serveThrough(t)
    const { client } = served.service
    for (let count = 0; count < 4; count += 1) await client.exchange()
    const nonce = await client.nonce()
    served.middleman.delay(500)
    const started = ownTime()
    const { status } = await client.send('GET', '/', stepB(nonce))
    const ms = ownTime() - started
    assert.ok([200, 503].includes(status), String(status))
    assert.ok(ms < ANSWERED_WITHIN_MS, `${status} after ${ms} ms`)
  })

  test('changes of one member whose answers are late are all answered within 3 s', async (t) => {
    const served = await serveThrough(t)
    const { client, base } = served.service
    const { location = '' } = (await served.add('somebody')).headers
    const path = location.slice(base.length)
    const headers = { 'X-Authorization': served.token, 'Content-Type': 'application/merge-patch+json' }
    const patch = (name: string) => client.send('PATCH', path, headers, JSON.stringify({ name }))
    assert.equal((await patch('before')).status, 200)
    served.middleman.delay(300)
    const started = ownTime()
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const { status, headers } = await patch(`name ${index}`)
        return { status, ms: ownTime() - started, retryAfter: Number(headers['retry-after'] ?? 0) }
      }),
    )
    assert.ok(answers.some(({ status }) => status === 200))
    for (const { status, ms, retryAfter } of answers) {
      assert.ok(status === 200 || (status === 503 && retryAfter > 0), String(status))
      assert.ok(ms < ANSWERED_WITHIN_MS, `${status} after ${ms} ms`)
    }
    served.middleman.delay(0)
    await recovered(served)
  })

  test('answers that take too long mean 503 within 3 s', async (t) => {
    const served = await serveThrough(t)
    const nonces = await noncesFrom(served.service)
    served.middleman.delay(10_000)
    await assertAway(served, nonces)
    served.middleman.delay(0)
    await recovered(served)
  })

  test('a PostgreSQL that nobody reaches means 503 within 3 s', async (t) => {
    const served = await serveThrough(t)
    const nonces = await noncesFrom(served.service)
    served.middleman.refuse()
    await assertAway(served, nonces)
    await served.middleman.accept()
    await recovered(served)
  })

  test('every create that was acknowledged while connections were cut is there, once', async (t) => {
    const served = await serveThrough(t)
    const acknowledged: string[] = []
    let stop = false
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !stop; n += 1) {
        const name = `${writer}-${n}`
        const { status, body } = await served.add(name)
        if (status === 201) acknowledged.push(name)
        else assert.equal(status, 503, body)
      }
    })
    for (let cuts = 0; cuts < 10; cuts += 1) {
      // However slow the machine is, something is acknowledged between two cuts.
      const before = acknowledged.length
      do await wait(100)
      while (acknowledged.length < before + 2)
      served.middleman.cut()
    }
    stop = true
    await Promise.all(writers)
    await recovered(served)
    const stored = await namesIn(served)
    assert.ok(acknowledged.length > 10, String(acknowledged.length))
    assert.deepEqual(
      acknowledged.filter((name) => stored.filter((one) => one === name).length !== 1),
      [],
    )
  })
})

/** The names of all authors, page by page. */
async function namesIn({ service, token }: Served): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const response = await service.client.send('GET', `/authors?itemsPerPage=100&page=${page}`, {
      'X-Authorization': token,
    })
    assert.equal(response.status, 200, response.body)
    const { member } = response.json() as { member: { name: string }[] }
    if (member.length === 0) return names
    names.push(...member.map(({ name }) => name))
  }
}
