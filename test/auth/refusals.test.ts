import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basic, PARAPHRASE, stepB, USER } from '../support/client.ts'
import { shareService, type TestService } from '../support/service.ts'
import { ask, assertChallenged, assertExchanged, assertRefused } from './wire.ts'

const shared = shareService()

/** What a table's rows are made of: a nonce that is good, credentials that are right, a token that is live. */
interface Good {
  readonly nonce: string
  readonly authorization: string
  readonly token: string
}

async function prepare(service: TestService): Promise<Good> {
  const { client } = service
  return {
    token: await client.signIn(),
    nonce: await client.nonce(),
    authorization: basic(USER, PARAPHRASE),
  }
}

interface RefusedLines {
  readonly name: string
  readonly lines: (good: Good) => readonly string[]
}

const BAD_TOKEN = 'f'.repeat(64)
const WRONG = basic(USER, 'wrong')
const FORGED = '00000000-0000-8000-8000-000000000000'

/** What a proxy read may differ from what we read (authentication.md, order of decisions, 0). */
const DOUBLED: readonly RefusedLines[] = [
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  {
    name: 'a live token before another X-Authorization is refused',
    lines: ({ token }) => [`X-Authorization: ${token}`, `X-Authorization: ${BAD_TOKEN}`],
  },
  {
    name: 'a live token after another X-Authorization is refused',
    lines: ({ token }) => [`X-Authorization: ${BAD_TOKEN}`, `X-Authorization: ${token}`],
  },
  {
    name: 'the same live token twice is refused',
    lines: ({ token }) => [`X-Authorization: ${token}`, `X-Authorization: ${token}`],
  },
  {
    name: 'a live token beside an empty X-Authorization is refused',
    lines: ({ token }) => ['X-Authorization:', `X-Authorization: ${token}`],
  },
  {
    name: 'X-Authorization twice in different spellings is refused',
    lines: ({ token }) => [`x-authorization: ${token}`, `X-AUTHORIZATION: ${BAD_TOKEN}`],
  },
  {
    name: 'two X-Authorization with one nonce and correct credentials are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authorization: ${BAD_TOKEN}`,
      `X-Authorization: ${BAD_TOKEN}`,
      `X-Authentication: ${nonce}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'correct credentials before another Authorization are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `Authorization: ${authorization}`,
      `Authorization: ${WRONG}`,
    ],
  },
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  {
    name: 'correct credentials after another Authorization are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `Authorization: ${WRONG}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'the same correct credentials twice are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `Authorization: ${authorization}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'two Authorization headers beside a live token are refused',
    lines: ({ token, authorization }) => [
      `X-Authorization: ${token}`,
      `Authorization: ${authorization}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'a good nonce before another X-Authentication is refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `X-Authentication: ${FORGED}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'a good nonce after another X-Authentication is refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${FORGED}`,
      `X-Authentication: ${nonce}`,
      `Authorization: ${authorization}`,
    ],
  },
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  {
    name: 'the same good nonce twice is refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `X-Authentication: ${nonce}`,
      `Authorization: ${authorization}`,
    ],
  },
  {
    name: 'two nonces in one header are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}, ${nonce}`,
      `Authorization: ${authorization}`,
    ],
  },
]

const HALVES: readonly RefusedLines[] = [
  // contract: `X-Authentication` ¦ `<nonce>`, the value received
  // contract: Otherwise step A
  { name: 'a nonce without credentials is refused', lines: ({ nonce }) => [`X-Authentication: ${nonce}`] },
  // contract: `Authorization` ¦ `Basic
  // contract: Otherwise step A
  {
    name: 'correct credentials without a nonce are refused',
    lines: ({ authorization }) => [`Authorization: ${authorization}`],
  },
  {
    name: 'correct credentials with an empty nonce are refused',
    lines: ({ authorization }) => ['X-Authentication:', `Authorization: ${authorization}`],
  },
  {
    name: 'credentials in a Proxy-Authorization header are refused',
    lines: ({ nonce, authorization }) => [
      `X-Authentication: ${nonce}`,
      `Proxy-Authorization: ${authorization}`,
    ],
  },
]

const TOKENS: readonly RefusedLines[] = [
  {
    name: 'a token in upper case is refused',
    lines: ({ token }) => [`X-Authorization: ${token.toUpperCase()}`],
  },
  { name: 'a token of 63 digits is refused', lines: ({ token }) => [`X-Authorization: ${token.slice(1)}`] },
  { name: 'a token of 65 digits is refused', lines: ({ token }) => [`X-Authorization: ${token}0`] },
  {
    name: 'a token that is not hexadecimal is refused',
    lines: ({ token }) => [`X-Authorization: ${token.slice(1)}g`],
  },
  {
    name: 'a token with a space in it is refused',
    lines: ({ token }) => [`X-Authorization: ${token.slice(0, 32)} ${token.slice(32)}`],
  },
  { name: 'a token in quotes is refused', lines: ({ token }) => [`X-Authorization: "${token}"`] },
  {
    name: 'a token with a scheme before it is refused',
    lines: ({ token }) => [`X-Authorization: Bearer ${token}`],
  },
  { name: 'an empty token is refused', lines: () => ['X-Authorization:'] },
  // contract: Accepted in `X-Authorization` alone
  { name: 'a token in a Bearer header is refused', lines: ({ token }) => [`Authorization: Bearer ${token}`] },
  {
    name: 'a token as a paraphrase is refused',
    lines: ({ token }) => [`Authorization: ${basic(USER, token)}`],
  },
  { name: 'a token in a Basic header is refused', lines: ({ token }) => [`Authorization: Basic ${token}`] },
  { name: 'a token in the nonce header is refused', lines: ({ token }) => [`X-Authentication: ${token}`] },
  {
    name: 'a token in a header of another name is refused',
    lines: ({ token }) => [`From: ${token}`, `X-Auth-Token: ${token}`, `X_Authorization: ${token}`],
  },
  // contract: Accepted in `X-Authorization` alone
  {
    name: 'a token in a cookie is refused',
    lines: ({ token }) => [`Cookie: X-Authorization=${token}; token=${token}`],
  },
]

test('headers that are repeated, incomplete or misplaced are refused', async (t) => {
  const service = await shared()
  for (const { name, lines } of [...DOUBLED, ...HALVES, ...TOKENS]) {
    await t.test(name, async () => {
      const good = await prepare(service)
      await assertRefused(service, lines(good))
      assert.equal(await service.store.auth.isSpent(good.nonce), false)
    })
  }
  const { nonce } = await prepare(service)
  assertExchanged(await service.client.send('GET', '/books', stepB(nonce)))
  assert.equal(await service.store.auth.isSpent(nonce), true)
})

// contract: Accepted in `X-Authorization` alone
test('a token in the query or in the path is refused', async () => {
  const service = await shared()
  const { token } = await prepare(service)
  for (const key of ['X-Authorization', 'x-authorization', 'token', 'access_token']) {
    await assertRefused(service, [], `GET /api/books?${key}=${token}`)
  }
  await assertRefused(service, [], `GET /api/books/${token}`)
})

// contract: Accepted in `X-Authorization` alone
test('a token in the body is refused', async () => {
  const { client } = await shared()
  const token = await client.signIn()
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  assertChallenged(
    await client.send('POST', '/authors', form, `access_token=${token}&X-Authorization=${token}`),
  )
  const body = JSON.stringify({ name: 'Ada', token, access_token: token, 'X-Authorization': token })
  assertChallenged(await client.send('POST', '/authors', { 'Content-Type': 'application/json' }, body))
})

test('a token behind very many other headers is read, and so is a second one that spoils it', async () => {
  const service = await shared()
  const { token } = await prepare(service)
  const others = Array.from({ length: 1_900 }, () => 'a:b')
  assert.equal((await ask(service, [...others, `X-Authorization: ${token}`])).status, 200)
  await assertRefused(service, [`X-Authorization: ${token}`, ...others, `X-Authorization: ${BAD_TOKEN}`])
})
