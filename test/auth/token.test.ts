import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { assertChallenged, MINUTE, SECOND, START, TOKEN } from '../support/auth-steps.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'

const use = ({ client }: Pick<TestService, 'client'>, token: string) =>
  client.send('GET', '/books', { 'X-Authorization': token })

async function assertServed(service: TestService, token: string, what?: string): Promise<void> {
  assert.equal((await use(service, token)).status, 200, what)
}

async function assertEnded(service: TestService, token: string, what?: string): Promise<void> {
  assertChallenged(await use(service, token), what)
}

// contract: Token ¦ value
// contract: `X-Authorization` ¦ `<token>` (a unique
// contract: 32 bytes from the system
test('a token is 64 lower-case hexadecimal digits, fresh at every exchange', async (t) => {
  const { client } = await serve(t)
  const tokens = new Set<string>()
  for (let count = 0; count < 3; count += 1) tokens.add(await client.exchange())
  assert.equal(tokens.size, 3)
  for (const token of tokens) assert.match(token, TOKEN)
})

// contract: 32 bytes from the system
test('several tokens of a user live side by side, each for its own 45 minutes', async (t) => {
  const time = { now: START }
  const service = await serve(t, { time })
  const first = await service.client.exchange()
  time.now += 20 * MINUTE
  const second = await service.client.exchange()
  for (const token of [first, second]) await assertServed(service, token)
  time.now = START + 45 * MINUTE
  await assertEnded(service, first)
  await assertServed(service, second)
})

interface Lived {
  readonly name: string
  readonly ttl: string
  /** The ages at which it is served, then those at which it is not. */
  readonly served: readonly number[]
  readonly refused: readonly number[]
}

const LIVES: readonly Lived[] = [
  // contract: The token is valid for 45 minutes
  // contract: Token expiry ¦ 45 minutes
  // contract: Valid while now < issued + 45 minutes
  {
    name: 'a token is served until the last millisecond of 45 minutes, and then refused',
    ttl: '45m',
    served: [45 * MINUTE - SECOND, 45 * MINUTE - 1],
    refused: [45 * MINUTE, 24 * 60 * MINUTE],
  },
  // contract: `--token-ttl`, `--nonce-ttl` ¦
  {
    name: 'with --token-ttl 90s a token is served after 89 s, and refused after 90 s',
    ttl: '90s',
    served: [89 * SECOND],
    refused: [90 * SECOND],
  },
]

for (const { name, ttl, served, refused } of LIVES) {
  test(name, async (t) => {
    const time = { now: START }
    // What is usual is not set.
    const service = await serve(t, { time, ...(ttl === '45m' ? {} : { flags: { tokenTtl: ttl } }) })
    const token = await service.client.exchange()
    for (const [ages, assertSo] of [
      [served, assertServed],
      [refused, assertEnded],
    ] as const) {
      for (const age of ages) {
        time.now = START + age
        await assertSo(service, token, `after ${age} ms`)
      }
    }
  })
}

test('a token lives 45 minutes unless a setting makes that shorter; longer is not possible', () => {
  assert.equal(readConfig({}, {}).tokenTtlMs, 45 * MINUTE)
  assert.equal(readConfig({ tokenTtl: '45m' }, {}).tokenTtlMs, 45 * MINUTE)
  assert.throws(() => readConfig({ tokenTtl: '46m' }, {}), { code: 'TokenTtlTooLong' })
})

// contract: Valid while now < issued + 45 minutes
test('the use of a token does not extend its life', async (t) => {
  const time = { now: START }
  const service = await serve(t, { time })
  const token = await service.client.signIn()
  for (const minute of [10, 20, 30, 40, 44]) {
    time.now = START + minute * MINUTE
    await assertServed(service, token)
  }
  time.now = START + 45 * MINUTE - SECOND
  await assertServed(service, token)
  time.now = START + 45 * MINUTE + SECOND
  await assertEnded(service, token)
})

// In hydrus every token of a process ended 45 minutes after the process had started.
test('a token lives 45 minutes from its issue, whenever the service was started', async (t) => {
  const time = { now: START }
  const service = await serve(t, { time })
  time.now += 44 * MINUTE
  const token = await service.client.exchange()
  time.now = START + 46 * MINUTE
  await assertServed(service, token)
  time.now = START + 89 * MINUTE - SECOND
  await assertServed(service, token)
  time.now = START + 89 * MINUTE
  await assertEnded(service, token)
})

test('a live token is served across a restart', async (t) => {
  const time = { now: START }
  const before = await serve(t, { db: newDatabase(t), time })
  const token = await before.client.signIn()
  await before.close()
  const after = await serve(t, { db: before.db, time })
  await assertServed(after, token)
  time.now += 45 * MINUTE
  await assertEnded(after, token)
})

test('a token is served by every service on the same database, and ends on all', async (t) => {
  const time = { now: START }
  const here = await serve(t, { db: newDatabase(t), time })
  const there = await serve(t, { db: here.db, time })
  const token = await here.client.signIn()
  await assertServed(there, token)
  time.now += 45 * MINUTE
  await assertEnded(there, token)
  await assertEnded(here, token)
})
