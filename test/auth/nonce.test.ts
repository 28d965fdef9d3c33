import assert from 'node:assert/strict'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createNonces } from '../../src/auth/nonce.ts'
import { stepB, USER } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, type TestService, temporaryFolder } from '../support/service.ts'
import { assertChallenged, assertExchanged, MINUTE, NONCE, SECOND, START } from './wire.ts'

const bytesOf = (nonce: string): Buffer => Buffer.from(nonce.replaceAll('-', ''), 'hex')

const spell = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const use = ({ client }: Pick<TestService, 'client'>, nonce: string, paraphrase?: string) =>
  client.send('GET', '/books', stepB(nonce, USER, paraphrase))

// contract: Nonce ¦ value
// contract: UUID-shaped, lower case, version 8
test('a nonce is a UUID of version 8 and of the RFC 9562 variant, in lower case', async (t) => {
  const { client } = await serve(t)
  for (let count = 0; count < 100; count += 1) assert.match(await client.nonce(), NONCE)
})

// contract: UUID-shaped, lower case, version 8
test('a nonce begins with the 32 bits of Unix seconds at which it was issued', async (t) => {
  const { client } = await serve(t, { time: { now: START + 12_345 } })
  assert.equal(bytesOf(await client.nonce()).readUInt32BE(0), START / 1000 + 12)
})

// contract: UUID-shaped, lower case, version 8
test('a nonce has 34 random bits around its version and variant', () => {
  const issue = (byte: number) =>
    bytesOf(createNonces([Buffer.alloc(32)], MINUTE, (buffer) => buffer.fill(byte)).issue(START))
  assert.equal(issue(0x00).toString('hex', 4, 9), '0000800080')
  assert.equal(issue(0xff).toString('hex', 4, 9), 'ffff8fffbf')
})

test('random bytes are never used for two nonces', () => {
  const nonces = createNonces([randomBytes(32)], MINUTE)
  const issued = new Set(Array.from({ length: 5_000 }, () => nonces.issue(START)))
  // 34 bits: two of 5,000 in one second are the same by chance once in 1,400 runs, three pairs never.
  assert.ok(issued.size > 4_997)
})

// contract: UUID-shaped, lower case, version 8
test('the last 56 bits of a nonce are HMAC-SHA-256 of the others under the secret in the database', async (t) => {
  const { client, store } = await serve(t)
  const bytes = bytesOf(await client.nonce())
  const seal = createHmac('sha256', await store.auth.nonceSecret())
    .update(bytes.subarray(0, 9))
    .digest()
  assert.deepEqual(bytes.subarray(9), seal.subarray(0, 7))
})

test('the seal of a nonce is HMAC-SHA-256 for secrets shorter and longer than a block', () => {
  for (const length of [1, 32, 63, 64, 65, 200]) {
    const secret = randomBytes(length)
    const bytes = bytesOf(createNonces([secret], MINUTE).issue(START))
    const seal = createHmac('sha256', secret).update(bytes.subarray(0, 9)).digest()
    assert.deepEqual(bytes.subarray(9), seal.subarray(0, 7), `a secret of ${length} bytes`)
  }
})

test('a nonce with any single bit flipped is refused, and the nonce itself is then still good', async (t) => {
  const service = await serve(t)
  const nonce = await service.client.nonce()
  for (let bit = 0; bit < 128; bit += 1) {
    const bytes = bytesOf(nonce)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assertChallenged(await use(service, spell(bytes)), `bit ${bit}`)
  }
  assertExchanged(await use(service, nonce))
})

test('random UUIDs are refused, also of the right version and the right time', async (t) => {
  const service = await serve(t)
  const time = bytesOf(await service.client.nonce()).subarray(0, 4)
  for (let count = 0; count < 500; count += 1) {
    const bytes = Buffer.concat([time, randomBytes(12)])
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    assertChallenged(await use(service, spell(bytes)))
    assertChallenged(await use(service, randomUUID()))
  }
})

const SHAPES: readonly { readonly name: string; readonly spell: (nonce: string) => string }[] = [
  { name: 'a nonce without its hyphens is refused', spell: (nonce) => nonce.replaceAll('-', '') },
  { name: 'a nonce in braces is refused', spell: (nonce) => `{${nonce}}` },
  { name: 'a nonce as a URN is refused', spell: (nonce) => `urn:uuid:${nonce}` },
  { name: 'a nonce in quotes is refused', spell: (nonce) => `"${nonce}"` },
  { name: 'a nonce with a digit too many is refused', spell: (nonce) => `${nonce}0` },
]

test('a nonce has one spelling, but for its case', async (t) => {
  const service = await serve(t)
  for (const { name, spell: misspell } of SHAPES)
    assertChallenged(await use(service, misspell(await service.client.nonce())), name)
})

// contract: Upper-case spelling is the same nonce
test('a nonce in upper case is the same nonce: it works, and is spent in both spellings', async (t) => {
  const service = await serve(t)
  const [first, second] = [await service.client.nonce(), await service.client.nonce()]
  assertExchanged(await use(service, first.toUpperCase()))
  assertChallenged(await use(service, first))
  assertExchanged(await use(service, second))
  assertChallenged(await use(service, second.toUpperCase()))
})

// contract: Spent by the first attempt, right or wrong
test('a nonce is spent by the first attempt when it is right', async (t) => {
  const service = await serve(t)
  const nonce = await service.client.nonce()
  assertExchanged(await use(service, nonce))
  assertChallenged(await use(service, nonce))
})

// contract: Spent by the first attempt, right or wrong
test('a nonce is spent by the first attempt when it is wrong', async (t) => {
  const service = await serve(t)
  const nonce = await service.client.nonce()
  assertChallenged(await use(service, nonce, 'wrong'))
  assertChallenged(await use(service, nonce))
})

const AGES: readonly { name: string; ttl?: string; ageMs: number; works: boolean }[] = [
  { name: 'a nonce works 4:59 after it was issued', ageMs: 5 * MINUTE - SECOND, works: true },
  { name: 'a nonce works until the last millisecond of 5 minutes', ageMs: 5 * MINUTE - 1, works: true },
  // contract: Lives 5 minutes (setting)
  { name: 'a nonce is refused 5:00 after it was issued', ageMs: 5 * MINUTE, works: false },
  { name: 'with --nonce-ttl 10s a nonce works after 9 s', ttl: '10s', ageMs: 9 * SECOND, works: true },
  // contract: Lives 5 minutes (setting)
  // contract: `--token-ttl`, `--nonce-ttl` ¦
  {
    name: 'with --nonce-ttl 10s a nonce is refused after 10 s',
    ttl: '10s',
    ageMs: 10 * SECOND,
    works: false,
  },
  { name: 'with --nonce-ttl 1h a nonce works after 59 minutes', ttl: '1h', ageMs: 59 * MINUTE, works: true },
]

for (const { name, ttl, ageMs, works } of AGES) {
  test(name, async (t) => {
    const time = { now: START }
    const service = await serve(t, { time, ...(ttl === undefined ? {} : { flags: { nonceTtl: ttl } }) })
    const nonce = await service.client.nonce()
    time.now += ageMs
    if (works) assertExchanged(await use(service, nonce))
    else assertChallenged(await use(service, nonce))
  })
}

const AHEAD: readonly { name: string; aheadMs: number; works: boolean }[] = [
  { name: 'a nonce of a host whose clock is 5 s ahead works', aheadMs: 5 * SECOND, works: true },
  // contract: Lives 5 minutes (setting)
  { name: 'a nonce of a host whose clock is 6 s ahead is refused', aheadMs: 6 * SECOND, works: false },
]

for (const { name, aheadMs, works } of AHEAD) {
  test(name, async (t) => {
    const here = await serve(t, { db: newDatabase(t), time: { now: START } })
    const there = await serve(t, { db: here.db, time: { now: START + aheadMs } })
    const nonce = await there.client.nonce()
    if (works) assertExchanged(await use(here, nonce))
    else assertChallenged(await use(here, nonce))
  })
}

// contract: Works on every host that shares the database
test('a nonce works on a second service on the same database, and is spent for both', async (t) => {
  const first = await serve(t, { db: newDatabase(t) })
  const second = await serve(t, { db: first.db })
  const nonce = await first.client.nonce()
  assertExchanged(await use(second, nonce))
  assertChallenged(await use(first, nonce))
})

test('a nonce is refused by a service on another database', async (t) => {
  const nonce = await (await serve(t)).client.nonce()
  assertChallenged(await use(await serve(t), nonce))
})

// contract: Works on every host that shares the database
test('across a restart an unused nonce works and a spent one stays spent', async (t) => {
  const before = await serve(t, { db: newDatabase(t) })
  const [spent, unused] = [await before.client.nonce(), await before.client.nonce()]
  assertExchanged(await use(before, spent))
  await before.close()
  const after = await serve(t, { db: before.db })
  assertChallenged(await use(after, spent))
  assertExchanged(await use(after, unused))
})

// contract: The secret is made at first start
// contract: `--secret-file` (or `HYDRANT_SECRET`) ¦
test('a secret is rotated with two lines in its file: the first seals, both are accepted', async (t) => {
  const path = join(temporaryFolder(t), 'secret')
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)]
  const db = newDatabase(t)
  const start = (lines: readonly string[]) => {
    writeFileSync(path, `${lines.join('\n')}\n`)
    return serve(t, { db, flags: { secretFile: path } })
  }
  const before = await start([older])
  const [first, second] = [await before.client.nonce(), await before.client.nonce()]

  const during = await start([newer, older])
  assertExchanged(await use(during, first))
  const sealed = bytesOf(await during.client.nonce())
  const seal = createHmac('sha256', newer).update(sealed.subarray(0, 9)).digest()
  assert.deepEqual(sealed.subarray(9), seal.subarray(0, 7))

  const after = await start([newer])
  assertChallenged(await use(after, second))
  assertExchanged(await use(after, spell(sealed)))
})
