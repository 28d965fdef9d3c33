import assert from 'node:assert/strict'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createNonces } from '../../src/auth/nonce.ts'
import {
  assertChallenged,
  assertExchanged,
  bytesOf,
  MINUTE,
  NONCE,
  SECOND,
  START,
  spell,
  useNonce as use,
} from '../support/auth-steps.ts'
import { serve, shareService } from '../support/service.ts'

// What a nonce is made of, and how long it lives. Which of them are spent: nonce.test.ts.

const shared = shareService()

// contract: Nonce ¦ value
// contract: UUID-shaped, lower case, version 8
test('a nonce is a UUID of version 8 and of the RFC 9562 variant, in lower case', async () => {
  const { client } = await shared()
  for (let count = 0; count < 20; count += 1) assert.match(await client.nonce(), NONCE)
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
test('the last 56 bits of a nonce are HMAC-SHA-256 of the others under the secret in the database', async () => {
  const { client, store } = await shared()
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

test('a nonce with any single bit flipped is refused, and the nonce itself is then still good', async () => {
  const service = await shared()
  const nonce = await service.client.nonce()
  for (let bit = 0; bit < 128; bit += 1) {
    const bytes = bytesOf(nonce)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assertChallenged(await use(service, spell(bytes)), `bit ${bit}`)
  }
  assertExchanged(await use(service, nonce))
})

test('random UUIDs are refused, also of the right version and the right time', async () => {
  const service = await shared()
  const time = bytesOf(await service.client.nonce()).subarray(0, 4)
  for (let count = 0; count < 50; count += 1) {
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

test('a nonce has one spelling, but for its case', async () => {
  const service = await shared()
  for (const { name, spell: misspell } of SHAPES)
    assertChallenged(await use(service, misspell(await service.client.nonce())), name)
})

interface Lived {
  readonly name: string
  readonly ttl: string
  /** The ages at which one works, then the one at which the next does not. */
  readonly works: readonly number[]
  readonly refused?: number
}

const LIVES: readonly Lived[] = [
  // contract: Lives 5 minutes (setting)
  {
    name: 'a nonce works until the last millisecond of 5 minutes, and is then refused',
    ttl: '5m',
    works: [5 * MINUTE - SECOND, 5 * MINUTE - 1],
    refused: 5 * MINUTE,
  },
  // contract: `--token-ttl`, `--nonce-ttl` ¦
  {
    name: 'with --nonce-ttl 10s a nonce works after 9 s, and is refused after 10 s',
    ttl: '10s',
    works: [9 * SECOND],
    refused: 10 * SECOND,
  },
  { name: 'with --nonce-ttl 1h a nonce works after 59 minutes', ttl: '1h', works: [59 * MINUTE] },
]

for (const { name, ttl, works, refused } of LIVES) {
  test(name, async (t) => {
    const time = { now: START }
    // What is usual is not set.
    const service = await serve(t, { time, ...(ttl === '5m' ? {} : { flags: { nonceTtl: ttl } }) })
    const last = await service.client.nonce()
    const nonces: string[] = []
    for (const _ of works) nonces.push(await service.client.nonce())
    for (const [index, age] of works.entries()) {
      time.now = START + age
      assertExchanged(await use(service, nonces[index] ?? ''), `after ${age} ms`)
    }
    if (refused === undefined) return
    time.now = START + refused
    assertChallenged(await use(service, last))
  })
}
