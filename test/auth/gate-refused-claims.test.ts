import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, bytesOf, MINUTE, START, spell } from '../support/auth-steps.ts'
import { PARAPHRASE, stepB, USER } from '../support/client.ts'
import { serve, type TestService } from '../support/service.ts'

/** A request that must be refused, made by a service whose clock the row may move. */
interface RefusedClaim {
  readonly name: string
  readonly lines: (service: TestService, time: { now: number }) => Promise<readonly string[]>
}

const lineOf = (
  nonce: string,
  user: number | string = USER,
  paraphrase: string = PARAPHRASE,
): readonly string[] =>
  Object.entries(stepB(nonce, user, paraphrase)).map(([name, value]) => `${name}: ${value}`)

const CLAIMS: readonly RefusedClaim[] = [
  // contract: A request with neither a valid token
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'a wrong paraphrase gets the same bytes as no credentials',
    lines: async ({ client }) => lineOf(await client.nonce(), USER, 'wrong'),
  },
  // contract: Wrong credentials, a nonce that is unknown
  // contract: No response tells whether a user exists
  {
    name: 'an unknown user gets the same bytes as no credentials',
    lines: async ({ client }) => lineOf(await client.nonce(), 999),
  },
  // contract: An unknown name costs the same time
  {
    name: 'an unknown name gets the same bytes as no credentials',
    lines: async ({ client }) => lineOf(await client.nonce(), 'nobody@studio.example'),
  },
  // contract: An unknown name costs the same time
  {
    name: 'a wrong paraphrase for a name gets the same bytes as no credentials',
    lines: async ({ client, store }) => {
      await store.auth.changeUser(USER, { name: 'anna@studio.example' })
      return lineOf(await client.nonce(), 'anna@studio.example', 'wrong')
    },
  },
  {
    name: 'a text that is too long for a name gets the same bytes as no credentials',
    lines: async ({ client }) => lineOf(await client.nonce(), 'x'.repeat(201)),
  },
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'a forged nonce gets the same bytes as no credentials',
    lines: async ({ client }) => {
      const nonce = await client.nonce()
      return lineOf(nonce.slice(0, -1) + (nonce.endsWith('0') ? '1' : '0'))
    },
  },
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'an expired nonce gets the same bytes as no credentials',
    lines: async ({ client }, time) => {
      const nonce = await client.nonce()
      time.now += 5 * MINUTE
      return lineOf(nonce)
    },
  },
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'a spent nonce gets the same bytes as no credentials',
    lines: async ({ client }) => {
      const nonce = await client.nonce()
      await client.send('GET', '/', stepB(nonce))
      return lineOf(nonce)
    },
  },
  {
    name: 'a nonce from the future gets the same bytes as no credentials',
    lines: async ({ store, client }, time) => {
      // Well sealed, as by a host whose clock runs six seconds ahead.
      const bytes = bytesOf(await client.nonce())
      bytes.writeUInt32BE(time.now / 1000 + 6, 0)
      const seal = createHmac('sha256', await store.auth.nonceSecret())
        .update(bytes.subarray(0, 9))
        .digest()
      seal.copy(bytes, 9, 0, 7)
      return lineOf(spell(bytes))
    },
  },
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'an expired token gets the same bytes as no credentials',
    lines: async ({ client }, time) => {
      const token = await client.signIn()
      time.now += 45 * MINUTE
      return [`X-Authorization: ${token}`]
    },
  },
  // contract: A request with neither a valid token
  // contract: Wrong credentials, a nonce that is unknown
  {
    name: 'an unknown token gets the same bytes as no credentials',
    lines: async () => [`X-Authorization: ${'f'.repeat(64)}`],
  },
  {
    name: 'a revoked token gets the same bytes as no credentials',
    lines: async ({ client }) => {
      const token = await client.signIn()
      await client.send('DELETE', '/session', { 'X-Authorization': token })
      return [`X-Authorization: ${token}`]
    },
  },
]

test('what is refused gets the same bytes as no credentials', async (t) => {
  const time = { now: START }
  const service = await serve(t, { time })
  for (const { name, lines } of CLAIMS)
    await t.test(name, async () => assertRefused(service, await lines(service, time)))
})
