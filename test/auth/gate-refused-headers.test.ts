import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, assertChallenged, assertExchanged, assertRefused } from '../support/auth-steps.ts'
import { basic, PARAPHRASE, stepB, USER } from '../support/client.ts'
import { shareService, type TestService } from '../support/service.ts'

const shared = shareService()

/** What a table's rows are made of: a token that is live, a nonce that is good, and the lines with both. */
interface Good {
  readonly token: string
  readonly nonce: string
  readonly withToken: string
  readonly withNonce: string
}

async function prepare({ client }: TestService): Promise<Good> {
  const [token, nonce] = [await client.signIn(), await client.nonce()]
  return { token, nonce, withToken: `X-Authorization: ${token}`, withNonce: `X-Authentication: ${nonce}` }
}

interface RefusedLines {
  readonly name: string
  readonly lines: (good: Good) => readonly string[]
}

const AUTHORIZATION = basic(USER, PARAPHRASE)
const RIGHT = `Authorization: ${AUTHORIZATION}`
const WRONG = `Authorization: ${basic(USER, 'wrong')}`
const UNKNOWN = 'f'.repeat(64)
const BAD_TOKEN = `X-Authorization: ${UNKNOWN}`
const FORGED = 'X-Authentication: 00000000-0000-8000-8000-000000000000'

/** What a proxy read may differ from what we read (authentication.md, order of decisions, 0). */
const DOUBLED: readonly RefusedLines[] = [
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  {
    name: 'a live token before another X-Authorization is refused',
    lines: ({ withToken }) => [withToken, BAD_TOKEN],
  },
  {
    name: 'a live token after another X-Authorization is refused',
    lines: ({ withToken }) => [BAD_TOKEN, withToken],
  },
  { name: 'the same live token twice is refused', lines: ({ withToken }) => [withToken, withToken] },
  {
    name: 'a live token beside an empty X-Authorization is refused',
    lines: ({ withToken }) => ['X-Authorization:', withToken],
  },
  {
    name: 'X-Authorization twice in different spellings is refused',
    lines: ({ token }) => [`x-authorization: ${token}`, `X-AUTHORIZATION: ${UNKNOWN}`],
  },
  {
    name: 'two X-Authorization with one nonce and correct credentials are refused',
    lines: ({ withNonce }) => [BAD_TOKEN, BAD_TOKEN, withNonce, RIGHT],
  },
  {
    name: 'correct credentials before another Authorization are refused',
    lines: ({ withNonce }) => [withNonce, RIGHT, WRONG],
  },
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  {
    name: 'correct credentials after another Authorization are refused',
    lines: ({ withNonce }) => [withNonce, WRONG, RIGHT],
  },
  {
    name: 'the same correct credentials twice are refused',
    lines: ({ withNonce }) => [withNonce, RIGHT, RIGHT],
  },
  {
    name: 'two Authorization headers beside a live token are refused',
    lines: ({ withToken }) => [withToken, RIGHT, RIGHT],
  },
  {
    name: 'a good nonce before another X-Authentication is refused',
    lines: ({ withNonce }) => [withNonce, FORGED, RIGHT],
  },
  {
    name: 'a good nonce after another X-Authentication is refused',
    lines: ({ withNonce }) => [FORGED, withNonce, RIGHT],
  },
  // contract: `X-Authorization`, `X-Authentication` or `Authorization` more than once
  { name: 'the same good nonce twice is refused', lines: ({ withNonce }) => [withNonce, withNonce, RIGHT] },
  {
    name: 'two nonces in one header are refused',
    lines: ({ nonce }) => [`X-Authentication: ${nonce}, ${nonce}`, RIGHT],
  },
]

const HALVES: readonly RefusedLines[] = [
  // contract: `X-Authentication` ¦ `<nonce>`, the value received
  // contract: Otherwise step A
  { name: 'a nonce without credentials is refused', lines: ({ withNonce }) => [withNonce] },
  // contract: `Authorization` ¦ `Basic
  // contract: Otherwise step A
  { name: 'correct credentials without a nonce are refused', lines: () => [RIGHT] },
  { name: 'correct credentials with an empty nonce are refused', lines: () => ['X-Authentication:', RIGHT] },
  {
    name: 'credentials in a Proxy-Authorization header are refused',
    lines: ({ withNonce }) => [withNonce, `Proxy-Authorization: ${AUTHORIZATION}`],
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
  const { withToken } = await prepare(service)
  const others = Array.from({ length: 1_900 }, () => 'a:b')
  assert.equal((await ask(service, [...others, withToken])).status, 200)
  await assertRefused(service, [withToken, ...others, BAD_TOKEN])
})
