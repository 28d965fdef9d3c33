import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { stepB, type TestClient, type TestResponse } from '../support/client.ts'
import { createPostgresServer } from '../support/postgres-server.ts'
import { prepareDatabase, type ServerProcess, spawnServer } from '../support/server-processes.ts'
import { inSoak } from '../support/soak.ts'

/** What clients have seen, to be compared with what is there in the end. */
interface Seen {
  /** ISBNs, which are unique, of books whose creation was acknowledged. */
  readonly acknowledged: string[]
  /** How often each nonce was exchanged for a token. */
  readonly exchanged: Map<string, number>
  readonly tokens: string[]
  /** Responses that should have been refused and were not. */
  readonly unauthorised: string[]
  readonly statuses: Map<number, number>
}

const PHASE_MS = inSoak(30_000, 0)
/** So many writes are acknowledged between two disturbances, at least. */
const SOME = inSoak(30, 10)
/** On each host. */
const WRITERS = inSoak(['a', 'b'], ['a'])
const EXCHANGERS = inSoak([1, 2], [1])
const REVOKED = 'f'.repeat(64)

test('several processes on one PostgreSQL under load, one of them killed and PostgreSQL restarted: no acknowledged write is lost, no nonce accepted twice, nobody served without a token', {
  timeout: 600_000,
}, async (t) => {
  // With its usual settings: what is acknowledged is on disk.
  const postgres = await createPostgresServer()
  t.after(() => postgres.remove())
  await prepareDatabase(t, postgres.url)
  const hosts = await Promise.all(inSoak([1, 2, 3], [1, 2]).map(() => spawnServer(t, postgres.url)))
  const [victim, ...others] = hosts as [ServerProcess, ...ServerProcess[]]
  const seen: Seen = {
    acknowledged: [],
    exchanged: new Map(),
    tokens: [await victim.client.signIn()],
    unauthorised: [],
    statuses: new Map(),
  }

  const running = { on: true }
  const clients = hosts.map(({ client }) => client)
  const load = Promise.all([
    ...clients.flatMap((client, host) => WRITERS.map((name) => create(client, `${host}${name}`))),
    ...clients.map((client) => intrude(client)),
    ...EXCHANGERS.map(() => exchange(clients)),
  ])
  const goOn = async () => {
    const [writes, tokens] = [seen.acknowledged.length, seen.tokens.length]
    await wait(PHASE_MS)
    while (seen.acknowledged.length < writes + SOME || seen.tokens.length === tokens) await wait(20)
  }
  await goOn()
  await victim.kill()
  await goOn()
  await postgres.stop()
  while (!seen.statuses.has(503)) await wait(20)
  await wait(PHASE_MS / 3)
  await postgres.start()
  await goOn()
  // Once more as a crash: what was acknowledged is in its log.
  await postgres.crash()
  await postgres.start()
  await goOn()
  running.on = false
  await load

  const { client } = others[0] as ServerProcess
  const stored = await isbnsIn(client, await signInEventually(client))
  assert.deepEqual(
    seen.acknowledged.filter((isbn) => !stored.has(isbn)),
    [],
  )
  assert.deepEqual(
    [...seen.exchanged.values()].filter((times) => times > 1),
    [],
  )
  assert.deepEqual(seen.unauthorised, [])
  assert.deepEqual(
    [...seen.statuses.keys()].filter((status) => ![200, 201, 401, 503].includes(status)),
    [],
  )

  /** Undefined for a process that was killed. */
  async function ask(
    send: (client: TestClient) => Promise<TestResponse>,
    client: TestClient,
  ): Promise<TestResponse | undefined> {
    try {
      const response = await send(client)
      seen.statuses.set(response.status, (seen.statuses.get(response.status) ?? 0) + 1)
      return response
    } catch {
      // Refused, or cut off: a client of a killed process hears nothing else.
      await wait(20)
      return undefined
    }
  }

  async function create(client: TestClient, name: string): Promise<void> {
    for (let n = 0; running.on; n += 1) {
      const isbn = `${name}-${n}`
      const headers = { 'X-Authorization': seen.tokens[0] ?? '', 'Content-Type': 'application/json' }
      const body = JSON.stringify({ title: isbn, isbn })
      const response = await ask((one) => one.send('POST', '/books', headers, body), client)
      if (response?.status === 201) seen.acknowledged.push(isbn)
    }
  }

  /** Each nonce is sent to all hosts at once. */
  async function exchange(hosts: readonly TestClient[]): Promise<void> {
    for (let n = 0; running.on; n += 1) {
      const issuer = hosts[n % hosts.length] as TestClient
      const nonce = (await ask((one) => one.send('GET', '/books'), issuer))?.headers['x-authentication']
      if (nonce === undefined) continue
      const answers = await Promise.all(
        hosts.map((host) => ask((one) => one.send('GET', '/books', stepB(nonce)), host)),
      )
      for (const answer of answers) {
        const token = answer?.headers['x-authorization']
        if (token === undefined) continue
        seen.exchanged.set(nonce, (seen.exchanged.get(nonce) ?? 0) + 1)
        seen.tokens.push(token)
      }
    }
  }

  async function intrude(client: TestClient): Promise<void> {
    while (running.on) {
      for (const headers of [{}, { 'X-Authorization': REVOKED }]) {
        const response = await ask((one) => one.send('GET', '/books', headers), client)
        if (response !== undefined && response.status < 400) seen.unauthorised.push(response.body)
      }
      await wait(inSoak(5, 20))
    }
  }
})

async function signInEventually(client: TestClient): Promise<string> {
  for (;;) {
    try {
      return await client.signIn()
    } catch {
      await wait(50)
    }
  }
}

/** All of them, along the links of the pages. */
async function isbnsIn(client: TestClient, token: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (let path: string | undefined = '/books?itemsPerPage=100'; path !== undefined; ) {
    const response = await client.send('GET', path, { 'X-Authorization': token })
    assert.equal(response.status, 200, response.body)
    const { member, view } = response.json() as { member: { isbn: string }[]; view: { next?: string } }
    for (const { isbn } of member) found.add(isbn)
    path = view.next?.replace(/^.*\/api/, '')
  }
  return found
}
