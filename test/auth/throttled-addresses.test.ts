import { test } from 'node:test'
import { assertChallenged, assertExchanged } from '../support/auth-steps.ts'
import { type Headers, USER } from '../support/client.ts'
import { assertThrottled, startThrottled } from './throttled.ts'

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
