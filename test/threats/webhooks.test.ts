import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openShop, until } from '../library/shop.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startReceiver } from '../support/receiver.ts'

// Webhooks into the inside (SSRF): by the addresses of a name, by a name that changes them (DNS rebinding), by redirects.

/** Names of an attacker: each lookup gives the next of the answers, and is counted. */
function answerLookups(t: TestContext, answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const lookup = t.mock.method(dns, 'lookup', async (host: string) => {
    const answer = answers[asked.length] ?? answers.at(-1) ?? []
    asked.push(host)
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  })
  syncBuiltinESMExports()
  t.after(() => {
    lookup.mock.restore()
    syncBuiltinESMExports()
  })
  return asked
}

/** A shop with a webhook, and a change that it sends. */
async function sendTo(t: TestContext, url: string, more: { readonly webhookAllow?: string } = {}) {
  const secretFile = join(temporaryFolder(t), 'a.secret')
  writeFileSync(secretFile, `whsec_${Buffer.alloc(32, 9).toString('base64')}`, { mode: 0o600 })
  const webhooks = [{ name: 'outside', url, classes: ['Order'], secretFile }]
  const shop = await openShop(t, { webhooks, ...more })
  await shop.ask('POST', 'orders', { customer: 'Ann' })
  return shop
}

// contract: Only `https:` or loopback, no redirect
test('a name that leads inside, now or later, gets no connection', async (t) => {
  const inside = await startReceiver(t)
  const asked = answerLookups(t, [['127.0.0.1'], ['1.1.1.1', '::ffff:127.0.0.1']])
  const { logged } = await sendTo(t, `https://rebind.example:${inside.port}/?key=hush`)
  await until(() => logged.length >= 2)
  assert.deepEqual(asked.slice(0, 2), ['rebind.example', 'rebind.example'], 'one lookup for each attempt')
  for (const line of logged)
    assert.match(line, /Nothing was sent to rebind\.example: its address .*127\.0\.0\.1 is/)
  assert.ok(!logged.join().includes('hush'), 'the rest of an address may be secret')
  assert.equal(inside.connections(), 0)
})

test('a host that is allowed may be inside, and no other', async (t) => {
  const inside = await startReceiver(t)
  answerLookups(t, [['127.0.0.1']])
  const { logged } = await sendTo(t, `https://inside.example:${inside.port}/`, {
    webhookAllow: 'INSIDE.example',
  })
  // It got a connection, and cannot do TLS.
  await until(() => logged.length >= 1)
  assert.match(logged[0] ?? '', /inside\.example cannot be reached/)
  assert.equal(inside.connections(), 1)
})

test('a redirect to the inside is not followed, and is a failure that says so', async (t) => {
  const inside = await startReceiver(t)
  const outside = await startReceiver(t, () => (_, response) => {
    response.writeHead(307, { Location: inside.url() }).end()
  })
  const { logged } = await sendTo(t, outside.url())
  await until(() => logged.length >= 1)
  assert.match(logged[0] ?? '', /redirects \(307\), which is not followed/)
  assert.equal(inside.connections(), 0)
})
