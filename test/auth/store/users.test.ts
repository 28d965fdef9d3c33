import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthStore, NewToken, Verified } from '../../../src/auth/index.ts'
import type { Awaitable } from '../../../src/database/index.ts'
import { inSoak } from '../../support/soak.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../../support/stores.ts'

const NOW = Date.UTC(2030, 0, 1)
const MINUTE = 60_000
const LIMITS = { user: { failures: 3, windowMs: 5 * MINUTE }, address: { failures: 5, windowMs: MINUTE } }
const SEVEN: Verified = { id: 7, paraphraseHash: 'hash of seven' }
const EIGHT: Verified = { id: 8, paraphraseHash: 'hash of eight' }

interface Attempted {
  readonly address?: string
  readonly userId?: number
  readonly at?: number
}

/** A nonce for each attempt. */
let issued = 0

function begin(store: AuthStore, { address = 'here', userId = 7, at = NOW }: Attempted = {}) {
  issued += 1
  const nonce = `nonce ${issued}`
  return store.begin({
    address,
    userId,
    nonce,
    nonceExpiresAt: at + MINUTE,
    series: 0,
    now: at,
    limits: LIMITS,
  })
}

async function begun(store: AuthStore, attempted?: Attempted): Promise<number> {
  const result = await begin(store, attempted)
  assert.ok(result.outcome === 'begun', result.outcome)
  return result.attemptId
}

const tokenOf = (hash: string, issuedAt = NOW): NewToken => ({
  hash,
  issuedAt,
  expiresAt: issuedAt + 45 * MINUTE,
})

async function issue(store: AuthStore, hash: string, user = SEVEN, issuedAt = NOW): Promise<void> {
  const attemptId = await begun(store, { userId: user.id, at: issuedAt, address: hash })
  assert.equal(await store.succeed(attemptId, user, tokenOf(hash, issuedAt)), true)
}

/** Ten thousand at once would be a flood, which a store across a network answers with 503. */
async function inBatches<T>(hashes: readonly string[], act: (hash: string) => Awaitable<T>): Promise<T[]> {
  const results: T[] = []
  // So few that they are answered in time on a busy machine.
  for (let from = 0; from < hashes.length; from += 150) {
    results.push(...(await Promise.all(hashes.slice(from, from + 150).map(act))))
  }
  return results
}

const liveUsers = async (store: AuthStore): Promise<number[]> =>
  (await store.listTokens(NOW)).map(({ userId }) => userId)

for (const { name, open } of STORES) describe(name, () => suite(open))

// A file keeps them as a database in memory does, and PostgreSQL in a map of the same class.
const KEEPING = inSoak(['SQLite in memory', 'PostgreSQL'], ['SQLite in memory'])
for (const { name, open } of STORES.filter(({ name }) => KEEPING.includes(name))) {
  test(`${name}: more tokens than are kept in memory are found, and none after all were revoked`, async (t) => {
    const { auth } = await open(t)
    await auth.addUser(SEVEN.id, SEVEN.paraphraseHash, NOW)
    const hashes = Array.from({ length: 10_050 }, (_, index) => `token ${index}`)
    await inBatches(hashes, (hash) => auth.succeed(0, SEVEN, tokenOf(hash)))
    const find = async (some: readonly string[]) =>
      (await inBatches(some, (hash) => auth.findToken(hash, NOW))).filter(Boolean).length
    assert.equal(await find(hashes), 10_050)
    assert.equal(await auth.revokeTokens('all', NOW), 10_050)
    assert.equal(await find([...hashes.slice(0, 100), ...hashes.slice(-100)]), 0)
  })
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: roles that another process has changed are those of the token`, async (t) => {
    const url = newDatabase(t)
    const { auth: own } = await openFor(t, url)
    const { auth: other } = await openFor(t, url)
    await own.addUser(SEVEN.id, SEVEN.paraphraseHash, NOW)
    await issue(own, 'a')
    for (const roles of [['editor'], ['author', 'editor'], []]) {
      await own.findToken('a', NOW)
      await other.setRoles(7, roles)
      const since = performance.now()
      for (;;) {
        const askedAt = performance.now() - since
        const found = await own.findToken('a', NOW)
        if (String(found?.roles) === String(roles)) break
        // access.md, Users: from the next request on, or within a second on every other host.
        assert.ok(name === 'PostgreSQL' && askedAt < 1_000, `${found?.roles} after ${askedAt} ms`)
      }
      assert.deepEqual((await other.findToken('a', NOW))?.roles, roles)
    }
  })
}

function suite(openStore: Open): void {
  const open: (...args: Parameters<Open>) => Promise<AuthStore> = async (...args) => {
    const { auth } = await openStore(...args)
    await auth.addUser(SEVEN.id, SEVEN.paraphraseHash, NOW)
    await auth.addUser(EIGHT.id, EIGHT.paraphraseHash, NOW + 1)
    return auth
  }

  // contract: The secret is made at first start
  test('the nonce secret is made at first use and stays the same', async (t) => {
    const store = await open(t)
    const secret = await store.nonceSecret()
    assert.equal(secret.length, 32)
    assert.deepEqual(await store.nonceSecret(), secret)
    assert.notDeepEqual(await (await open(t)).nonceSecret(), secret)
  })

  test('asked for many times at once the nonce secret is the same', async (t) => {
    const store = await open(t)
    const secrets = await Promise.all(Array.from({ length: 5 }, () => store.nonceSecret()))
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
  })

  test('the latest time of a new store is 0', async (t) => {
    assert.equal(await (await open(t)).latestTime(), 0)
  })

  test('the latest time is that of the last spent nonce, token or sweep', async (t) => {
    const store = await open(t)
    const attemptId = await begun(store, { at: NOW })
    assert.equal(await store.latestTime(), NOW)
    await store.succeed(attemptId, SEVEN, tokenOf('a', NOW + 1))
    assert.equal(await store.latestTime(), NOW + 1)
    await store.sweep(NOW + 2, LIMITS, 10)
    assert.equal(await store.latestTime(), NOW + 2)
    await store.sweep(NOW - 1, LIMITS, 10)
    assert.equal(await store.latestTime(), NOW + 2)
  })

  // contract: Authorised users are added to the API
  test('a user is found by id, and by no other', async (t) => {
    const store = await open(t)
    assert.deepEqual({ ...(await store.findUser(7)) }, { ...SEVEN, number: 1, roles: [] })
    assert.equal(await store.findUser(9), undefined)
  })

  test('a user with the largest id is found', async (t) => {
    const store = await open(t)
    await store.addUser(Number.MAX_SAFE_INTEGER, 'x', NOW)
    assert.equal((await store.findUser(Number.MAX_SAFE_INTEGER))?.id, Number.MAX_SAFE_INTEGER)
  })

  test('the parameters of all hashes are listed, each once', async (t) => {
    const store = await open(t)
    const parameters = ['$argon2id$v=19$m=19456,t=2,p=1$', '$argon2i$m=8,t=1,p=10$']
    for (const [index, hash] of ['salt$hash', 'other$hash'].entries()) {
      for (const [kind, before] of parameters.entries()) {
        await store.addUser(10 + 10 * kind + index, before + hash, NOW)
      }
    }
    assert.deepEqual((await store.hashParameters()).sort(), [...parameters].sort())
  })

  // contract: Authorised user ¦ id
  test('a user is added once; a second time changes nothing', async (t) => {
    const store = await open(t)
    assert.equal(await store.addUser(9, 'nine', NOW), true)
    assert.equal(await store.addUser(9, 'another', NOW), false)
    assert.equal((await store.findUser(9))?.paraphraseHash, 'nine')
  })

  test('users are listed by id with the number of their live tokens', async (t) => {
    const store = await open(t)
    await store.addUser(1, 'one', NOW)
    await issue(store, 'a')
    await issue(store, 'b')
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    const users = (await store.listUsers(NOW)).map((entry) => ({ ...entry }))
    assert.deepEqual(users, [
      { id: 1, addedAt: NOW, liveTokens: 0, number: 3, roles: [] },
      { id: 7, addedAt: NOW, liveTokens: 2, number: 1, roles: [] },
      { id: 8, addedAt: NOW + 1, liveTokens: 0, number: 2, roles: [] },
    ])
  })

  test('a user has the roles that were given last, each once, and so has each token', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.addUser(9, 'nine', NOW, ['editor', 'author', 'editor'])
    const rolesOf = async () => [
      (await store.listUsers(NOW)).map(({ roles }) => roles),
      (await store.findUser(7))?.roles,
      (await store.findToken('a', NOW))?.roles,
      (await store.findToken('b', NOW))?.roles,
    ]
    const nine = ['author', 'editor']
    assert.deepEqual(await rolesOf(), [[[], [], nine], [], [], []])
    assert.equal(await store.setRoles(7, ['reader', 'author', 'reader']), true)
    const seven = ['author', 'reader']
    assert.deepEqual(await rolesOf(), [[seven, [], nine], seven, seven, []])
    assert.equal(await store.setRoles(7, []), true)
    assert.deepEqual(await rolesOf(), [[[], [], nine], [], [], []])
  })

  test('roles for nobody are refused', async (t) => {
    const store = await open(t)
    assert.equal(await store.setRoles(9, ['editor']), false)
    assert.equal(await store.findUser(9), undefined)
  })

  test('the number of a user is never given again, also not to the same id, nor after one that was not added', async (t) => {
    const store = await open(t)
    assert.equal(await store.addUser(8, 'again', NOW), false)
    const numbers: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await store.addUser(9, 'nine', NOW)
      numbers.push((await store.findUser(9))?.number ?? 0)
      await store.removeUser(9)
    }
    const given = [...(await store.listUsers(NOW)).map(({ number }) => number), ...numbers]
    assert.equal(new Set(given).size, 5)
    assert.ok(given.every((number) => number > 0 && Number.isSafeInteger(number)))
  })

  test('users that are added at once have numbers of their own', async (t) => {
    const store = await open(t)
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.addUser(100 + index, 'x', NOW)))
    const numbers = (await store.listUsers(NOW)).map(({ number }) => number)
    assert.equal(new Set(numbers).size, 22)
  })

  test('a new paraphrase replaces the old one and ends the tokens of that user alone', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.findToken('a', NOW)
    assert.equal(await store.setParaphrase(7, 'new'), true)
    assert.equal((await store.findUser(7))?.paraphraseHash, 'new')
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.equal((await store.findToken('b', NOW))?.userId, 8)
  })

  test('a new paraphrase for nobody is refused', async (t) => {
    const store = await open(t)
    assert.equal(await store.setParaphrase(9, 'new'), false)
    assert.equal(await store.findUser(9), undefined)
  })

  test('an upgraded hash leaves tokens live', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await store.upgradeParaphrase(7, SEVEN.paraphraseHash, 'newer')
    assert.equal((await store.findUser(7))?.paraphraseHash, 'newer')
    assert.equal((await store.findToken('a', NOW))?.userId, 7)
  })

  test('a hash that has changed in the meantime is not upgraded', async (t) => {
    const store = await open(t)
    await store.upgradeParaphrase(7, 'another', 'newer')
    await store.upgradeParaphrase(9, 'another', 'newer')
    assert.equal((await store.findUser(7))?.paraphraseHash, SEVEN.paraphraseHash)
    assert.equal(await store.findUser(9), undefined)
  })

  test('a user is removed with all tokens, and no other', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    await store.findToken('a', NOW)
    assert.equal(await store.removeUser(7), true)
    assert.equal(await store.removeUser(7), false)
    assert.equal(await store.findUser(7), undefined)
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.deepEqual(await liveUsers(store), [8])
  })

  test('a token that was issued is found by its hash, with its number, user and times', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    const found = await store.findToken('a', NOW)
    const standing = { number: 1, roles: [] }
    assert.deepEqual(
      { ...found, id: 0 },
      { id: 0, userId: 7, issuedAt: NOW, expiresAt: NOW + 45 * MINUTE, ...standing },
    )
    assert.equal(await store.findToken('b', NOW), undefined)
  })

  test('a token that was looked for in vain is found once it is issued', async (t) => {
    const store = await open(t)
    assert.equal(await store.findToken('a', NOW), undefined)
    await issue(store, 'a')
    assert.equal((await store.findToken('a', NOW))?.userId, 7)
  })

  test('the live tokens are listed by number', async (t) => {
    const store = await open(t)
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    const tokens = await store.listTokens(NOW)
    assert.deepEqual(
      tokens.map(({ userId, issuedAt }) => [userId, issuedAt]),
      [
        [7, NOW],
        [8, NOW],
      ],
    )
    const [first, second] = tokens
    assert.ok(first !== undefined && second !== undefined && first.id < second.id)
    assert.equal((await store.findToken('a', NOW))?.id, first.id)
  })

  test('one token is revoked by its number, once', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await issue(store, 'b')
    const tokenId = (await store.findToken('a', NOW))?.id ?? 0
    assert.equal(await store.revokeTokens({ tokenId }, NOW), 1)
    assert.equal(await store.revokeTokens({ tokenId }, NOW), 0)
    assert.equal(await store.findToken('a', NOW), undefined)
    assert.equal((await store.findToken('b', NOW))?.userId, 7)
  })

  test('the tokens of a user are revoked, and no others', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    await issue(store, 'b')
    await issue(store, 'c', EIGHT)
    assert.equal(await store.revokeTokens({ userId: 7 }, NOW), 2)
    assert.deepEqual(await liveUsers(store), [8])
  })

  test('all tokens are revoked, and those that had expired are not counted', async (t) => {
    const store = await open(t)
    await issue(store, 'old', SEVEN, NOW - 45 * MINUTE)
    await issue(store, 'a')
    await issue(store, 'b', EIGHT)
    assert.equal(await store.revokeTokens('all', NOW), 2)
    assert.deepEqual(await liveUsers(store), [])
  })

  test('a revocation by a clock that is ahead ends the tokens that are live elsewhere', async (t) => {
    const store = await open(t)
    const ahead = NOW + 46 * MINUTE
    for (const hash of ['a', 'b', 'c']) await issue(store, hash)
    await issue(store, 'd', EIGHT)
    const tokenId = (await store.findToken('a', NOW))?.id ?? 0
    assert.equal(await store.revokeTokens({ tokenId }, ahead), 0)
    assert.equal((await store.listTokens(NOW)).length, 3)
    assert.equal(await store.revokeTokens({ userId: 7 }, ahead), 0)
    assert.deepEqual(await liveUsers(store), [8])
    assert.equal(await store.revokeTokens('all', ahead), 0)
    assert.deepEqual(await liveUsers(store), [])
  })

  test('the number of a token that has ended names no other one', async (t) => {
    const store = await open(t)
    await issue(store, 'a')
    const ended = (await store.findToken('a', NOW))?.id ?? 0
    await store.revokeTokens('all', NOW)
    await issue(store, 'b')
    assert.ok(((await store.findToken('b', NOW))?.id ?? 0) > ended)
  })
}
