import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createAddressReader,
  DEFAULT_LIMITS,
  readAddressRange,
  throttleKey,
} from '../../src/auth/throttle.ts'
import { type Flags, flagOf, readConfig, SETTINGS } from '../../src/config/index.ts'
import { assertChallenged, assertExchanged, MINUTE } from '../support/auth-steps.ts'
import { type Headers, USER } from '../support/client.ts'
import { assertThrottled, startThrottled } from './throttled.ts'

const KEYS: readonly { name: string; addresses: readonly string[]; key: string }[] = [
  { name: 'an IPv4 address is counted by itself', addresses: ['203.0.113.5'], key: '203.0.113.5' },
  {
    name: 'an IPv4 address in IPv6 clothes is counted as IPv4',
    addresses: ['::ffff:203.0.113.5', '::ffff:cb00:7105', '0:0:0:0:0:ffff:203.0.113.5'],
    key: '203.0.113.5',
  },
  {
    name: 'all addresses of an IPv6 /64 are counted as one, in every spelling',
    addresses: [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:0DB8:0001:0002::1',
      '2001:db8:1:2::203.0.113.5',
    ],
    key: '2001:db8:1:2::/64',
  },
  { name: 'another IPv6 /64 is counted apart', addresses: ['2001:db8:1:3::1'], key: '2001:db8:1:3::/64' },
  {
    name: 'the IPv6 zone does not count',
    addresses: ['fe80::1%eth0', 'fe80::1%eth0.100', 'fe80::2'],
    key: 'fe80:0:0:0::/64',
  },
  { name: 'what is no address is counted by its text', addresses: ['unknown'], key: 'unknown' },
]

for (const { name, addresses, key } of KEYS) {
  test(name, () => {
    for (const address of addresses) assert.equal(throttleKey(address), key, address)
  })
}

/** The proxies are 10.0.0.0/8 and ::1. */
const CHAINS: readonly { name: string; peer: string; forwardedFor?: string; client: string }[] = [
  {
    name: 'the address of a peer that is no proxy is taken, whatever it forwards',
    peer: '203.0.113.5',
    forwardedFor: '198.51.100.7',
    client: '203.0.113.5',
  },
  {
    name: 'a trusted proxy is believed',
    peer: '10.0.0.1',
    forwardedFor: '198.51.100.7',
    client: '198.51.100.7',
  },
  {
    name: 'a trusted proxy that forwards nothing is the client itself',
    peer: '10.0.0.1',
    client: '10.0.0.1',
  },
  {
    name: 'the nearest address that is no proxy is the client, what is left of it is invented',
    peer: '10.0.0.1',
    forwardedFor: '192.0.2.1, 198.51.100.7, 10.9.9.9',
    client: '198.51.100.7',
  },
  {
    name: 'a trusted address that a client invents is not believed either',
    peer: '10.0.0.1',
    forwardedFor: '10.1.1.1, 198.51.100.7',
    client: '198.51.100.7',
  },
  {
    name: 'in a chain of proxies only, the first is the client',
    peer: '10.0.0.1',
    forwardedFor: '10.0.0.3, 10.0.0.2',
    client: '10.0.0.3',
  },
  {
    name: 'what is no address ends the chain',
    peer: '10.0.0.1',
    forwardedFor: '198.51.100.7, nonsense',
    client: '10.0.0.1',
  },
  {
    name: 'what is not an address in full ends the chain',
    peer: '10.0.0.1',
    forwardedFor: '198.51.100.7, 010.0.0.2',
    client: '10.0.0.1',
  },
  {
    name: 'an empty place ends the chain',
    peer: '10.0.0.1',
    forwardedFor: '198.51.100.7,,10.0.0.2',
    client: '10.0.0.2',
  },
  {
    name: 'spaces around a forwarded address do not matter',
    peer: '::1',
    forwardedFor: '  198.51.100.7 \t',
    client: '198.51.100.7',
  },
  {
    name: 'a proxy that connects over IPv6 with its IPv4 address is trusted',
    peer: '::ffff:10.0.0.1',
    forwardedFor: '2001:db8::1',
    client: '2001:db8::1',
  },
]

for (const { name, peer, forwardedFor, client } of CHAINS) {
  test(name, () => {
    assert.equal(createAddressReader(['10.0.0.0/8', '::1'])(peer, forwardedFor), client)
  })
}

const RANGES: readonly { name: string; ranges: readonly string[]; range: string | undefined }[] = [
  { name: 'an address is a range of one', ranges: ['10.0.0.1', '10.0.0.1/32'], range: '10.0.0.1/32' },
  { name: 'an IPv6 address is a range of one', ranges: ['::1', '0:0::1/128'], range: '::1/128' },
  { name: 'a range may be all there is', ranges: ['0.0.0.0/0'], range: '0.0.0.0/0' },
  {
    name: 'a range of IPv4 in IPv6 clothes is one of IPv4',
    ranges: ['::ffff:10.0.0.0/104', '::ffff:a00:0/104', '10.0.0.0/8'],
    range: '10.0.0.0/8',
  },
  {
    name: 'a range that covers more than IPv4 in IPv6 clothes is none',
    ranges: ['::ffff:10.0.0.0/95', '::ffff:10.0.0.0/8'],
    range: undefined,
  },
  {
    name: 'what is not an address in full is none',
    ranges: ['1', '10', '10/8', '10.0/16', '010.0.0.0/8', '0xa.0.0.0/8', '0x0a000000', '167772160/8', ''],
    range: undefined,
  },
  {
    name: 'what is not a length of a range is none',
    ranges: ['10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/+8', '10.0.0.0/', '::1/129', '10.0.0.0/8/8'],
    range: undefined,
  },
]

for (const { name, ranges, range } of RANGES) {
  test(name, () => {
    for (const text of ranges) assert.equal(readAddressRange(text)?.join('/'), range, text)
  })
}

const ADDRESSES: readonly { flag: keyof Flags; good: readonly string[]; bad: readonly string[] }[] = [
  {
    flag: 'host',
    good: ['localhost', 'host-1', '1a', 'example.org.', '0.0.0.0', '::', 'fe80::1%eth0', '::ffff:127.0.0.1'],
    bad: ['0', '127.1', '010.0.0.1', '0x7f.0.0.1', '127.0.0.0x1', '1.', '::1::', '[::1]', '127.0.0.1%eth0'],
  },
  {
    flag: 'opsPort',
    good: ['9090', 'localhost:9090', '0.0.0.0:0', '[::1]:9090', '[fe80::1%eth0]:9090'],
    bad: [
      '0:9090',
      '127.1:9090',
      '0x7f.1:9090',
      '010.0.0.1:9090',
      '[127.0.0.1]:9090',
      '[1]:9090',
      '::1:9090',
    ],
  },
  {
    flag: 'consolePort',
    good: ['8081', '127.0.0.1:8081', '[::]:8081'],
    bad: ['0:8081', '0x7f000001:8081', '010.0.0.1:8081', '[::1::]:8081'],
  },
]

for (const { flag, good, bad } of ADDRESSES) {
  test(`an address in --${flagOf(SETTINGS[flag])} is one in full, or a name`, () => {
    for (const text of good) assert.ok(readConfig({ [flag]: text }, {}), text)
    for (const text of bad)
      assert.throws(() => readConfig({ [flag]: text }, {}), { code: /^Invalid(?:Host|Address)$/ }, text)
  })
}

test('without trusted proxies the address of the peer is taken', () => {
  assert.equal(createAddressReader([])('10.0.0.1', '198.51.100.7'), '10.0.0.1')
})

// contract: Per client address (IPv4, or IPv6 /64) and user
test('the limits are 20 failures in 5 minutes per address and user and 100 a minute per address', () => {
  const limits = {
    user: { failures: 20, windowMs: 5 * MINUTE },
    address: { failures: 100, windowMs: MINUTE },
  }
  assert.deepEqual(readConfig({}, {}).limits, limits)
  assert.deepEqual(DEFAULT_LIMITS, limits)
})

// contract: Limits are settings
test('the limits are settings', () => {
  const { limits } = readConfig({ userFailures: '3/90s' }, { HYDRANT_ADDRESS_FAILURES: '7/1h' })
  assert.deepEqual(limits, {
    user: { failures: 3, windowMs: 90_000 },
    address: { failures: 7, windowMs: 60 * MINUTE },
  })
  for (const wrong of ['0/1m', '20', '20/5', '-1/5m', '/5m', '20/5m/1']) {
    assert.throws(() => readConfig({ userFailures: wrong }, {}), wrong)
  }
})

// Whose failures are counted together, and what the answer looks like. How they are counted: throttle.test.ts.

const forwarded = (address: string): Headers => ({ 'X-Forwarded-For': address })

// contract: Steps A and B, 429 and 503 of the gate
test('429 keeps the seed form whatever Accept says', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '1/1m' })
  await attempt()
  for (const accept of ['application/problem+json', 'text/turtle', 'image/png']) {
    assertThrottled(await attempt(USER, 'wrong', { Accept: accept }), 60)
  }
})

// contract: A user under attack from one address
test('a user under attack from one address signs in from another', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  const [attacker, victim] = [forwarded('203.0.113.5'), forwarded('198.51.100.7')]
  for (let count = 0; count < 3; count += 1) assertChallenged(await attempt(USER, 'wrong', attacker))
  assertThrottled(await attempt(USER, 'correct horse battery', attacker), 300)
  assertExchanged(await attempt(USER, 'correct horse battery', victim))
})

// contract: Per client address (IPv4, or IPv6 /64) and user
test('an IPv6 attacker is counted by the /64, whatever the rest of the address', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  for (const last of ['1', '2', 'ffff:0:1']) {
    assertChallenged(await attempt(USER, 'wrong', forwarded(`2001:db8:0:1::${last}`)))
  }
  assertThrottled(await attempt(USER, 'wrong', forwarded('2001:db8:0:1::abcd')), 300)
  assertChallenged(await attempt(USER, 'wrong', forwarded('2001:db8:0:2::1')))
})

// contract: Forwarded addresses are believed only
// contract: `--trust-proxy` ¦
test('X-Forwarded-For changes nothing where no proxy is trusted', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m' })
  for (let count = 0; count < 3; count += 1) await attempt(USER, 'wrong', forwarded(`203.0.113.${count}`))
  assertThrottled(await attempt(USER, 'wrong', forwarded('198.51.100.7')), 300)
})

test('X-Forwarded-For changes nothing where another proxy is trusted', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m', trustProxy: '10.0.0.0/8,::1' })
  for (let count = 0; count < 3; count += 1) await attempt(USER, 'wrong', forwarded(`203.0.113.${count}`))
  assertThrottled(await attempt(USER, 'wrong', forwarded('198.51.100.7')), 300)
})

// contract: Forwarded addresses are believed only
// contract: `--trust-proxy` ¦
test('a client behind a trusted proxy cannot invent addresses in front of its own', async (t) => {
  const { attempt } = await startThrottled(t, { userFailures: '3/5m', trustProxy: '127.0.0.1' })
  for (let count = 0; count < 3; count += 1) {
    await attempt(USER, 'wrong', forwarded(`192.0.2.${count}, 203.0.113.5`))
  }
  assertThrottled(await attempt(USER, 'wrong', forwarded('192.0.2.99, 203.0.113.5')), 300)
})
