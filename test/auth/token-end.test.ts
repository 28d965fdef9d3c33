import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type AuthStore, hashParaphrase } from '../../src/auth/index.ts'
import { openStore } from '../../src/store/open.ts'
import { assertChallenged, assertExchanged, encode } from '../support/auth-steps.ts'
import { PARAPHRASE, stepB, type TestClient, USER } from '../support/client.ts'
import { heardEverywhere, newDatabase, stolen } from '../support/databases.ts'
import { runCommand } from '../support/server-processes.ts'
import { serve, type TestService } from '../support/service.ts'

const OTHER = 8
const OTHERS_PARAPHRASE = 'of the other user'
const othersHash = hashParaphrase(OTHERS_PARAPHRASE)

interface SignedIn {
  readonly service: TestService
  /** Two tokens of user 7. */
  readonly tokens: readonly [string, string]
  readonly others: string
}

/** Users 7 and 8, signed in; every token was used once, so that it is remembered in memory. */
async function signIn(t: TestContext): Promise<SignedIn> {
  const service = await serve(t, { db: newDatabase(t) })
  const { client, store } = service
  await store.auth.addUser({ id: OTHER, paraphraseHash: await othersHash }, 0)
  const tokens = [await client.signIn(), await client.signIn()] as const
  const others = await client.signIn(OTHER)
  for (const token of [...tokens, others]) assert.equal(await statusOf(client, token), 200)
  return { service, tokens, others }
}

const statusOf = async (client: TestClient, token: string): Promise<number> =>
  (await client.send('GET', '/books', { 'X-Authorization': token })).status

interface Ending {
  readonly name: string
  /** What is left on the very next request: of the first token, of the second, and of the other user's. */
  readonly left: readonly [number, number, number]
  readonly end: (signedIn: SignedIn) => Promise<unknown>
}

const IN_PROCESS: readonly Ending[] = [
  // contract: A live token ends early only by
  {
    name: 'DELETE of the session ends that token at once, and no other',
    left: [401, 200, 200],
    end: ({ service, tokens }) => service.client.send('DELETE', '/session', { 'X-Authorization': tokens[0] }),
  },
  // contract: Ends at once when its user is removed
  {
    name: 'the removal of a user ends its tokens at once, and no others',
    left: [401, 401, 200],
    end: ({ service }) => service.store.auth.removeUser(USER),
  },
  // contract: Ends at once when its user is removed
  {
    name: 'a new paraphrase ends the tokens of its user at once, and no others',
    left: [401, 401, 200],
    end: async ({ service }) => service.store.auth.setParaphrase(USER, await hashParaphrase('new')),
  },
]

/** Another process has a store of its own; that its commands call these is shown in test/cli. */
const IN_ANOTHER_STORE: readonly Ending[] = [
  {
    name: 'the tokens of a user that are revoked elsewhere are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => elsewhere(service, (auth) => auth.revokeTokens({ userId: USER }, Date.now())),
  },
  {
    name: 'all tokens that are revoked elsewhere are refused on the next request',
    left: [401, 401, 401],
    end: ({ service }) => elsewhere(service, (auth) => auth.revokeTokens('all', Date.now())),
  },
  // contract: Ends at once when its user is removed
  {
    name: 'the tokens of a user who is removed elsewhere are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => elsewhere(service, (auth) => auth.removeUser(USER)),
  },
  {
    name: 'the tokens of a user who is given a new paraphrase elsewhere are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => elsewhere(service, async (auth) => auth.setParaphrase(USER, await othersHash)),
  },
  // contract: Ends at once when its user is removed
  {
    name: 'a token that another process revokes by its number is refused on the next request',
    left: [401, 200, 200],
    end: async ({ service }) => {
      const [first] = await service.store.auth.listTokens(Date.now())
      await runCommand(['token', 'revoke', '--token-id', String(first?.id), '--db', service.db])
    },
  },
]

async function elsewhere({ db }: TestService, act: (auth: AuthStore) => unknown): Promise<void> {
  const store = await openStore(db)
  await act(store.auth)
  await store.close()
}

for (const { name, left, end } of [...IN_PROCESS, ...IN_ANOTHER_STORE]) {
  test(name, async (t) => {
    const signedIn = await signIn(t)
    await end(signedIn)
    if (!IN_PROCESS.some((one) => one.name === name)) await heardEverywhere()
    const { service, tokens, others } = signedIn
    const statuses = []
    for (const token of [...tokens, others]) statuses.push(await statusOf(service.client, token))
    assert.deepEqual(statuses, left)
  })
}

test('after a new paraphrase the old one is refused and the new one is exchanged', async (t) => {
  const service = await serve(t, { db: newDatabase(t) })
  const { client } = service
  await elsewhere(service, async (auth) => auth.setParaphrase(USER, await othersHash))
  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), USER, PARAPHRASE)))
  assertExchanged(await client.send('GET', '/books', stepB(await client.nonce(), USER, OTHERS_PARAPHRASE)))
})

test('a user who is added again has none of the tokens from before', async (t) => {
  const { client, store } = await serve(t)
  const token = await client.signIn()
  await store.auth.removeUser(USER)
  await store.auth.addUser({ id: USER, paraphraseHash: await hashParaphrase(PARAPHRASE) }, 0)
  assert.equal(await statusOf(client, token), 401)
  assert.equal(await statusOf(client, await client.signIn()), 200)
})

// contract: A live token ends early only by
test('a write elsewhere that ends no token leaves all of them live', async (t) => {
  const { service, tokens, others } = await signIn(t)
  await elsewhere(service, async (auth) => auth.addUser({ id: 9, paraphraseHash: await othersHash }, 0))
  await heardEverywhere()
  for (const token of [...tokens, others]) assert.equal(await statusOf(service.client, token), 200)
})

// contract: Stored only as SHA-256
test('a stolen database holds no token and no paraphrase, in no spelling', async (t) => {
  const { service, tokens, others } = await signIn(t)
  const { client, db } = service
  await client.send('GET', '/books', stepB(await client.nonce(), USER, 'a wrong guess'))
  const bytes = await stolen(db)

  // The search would find something: the hash is there in the token's place.
  assert.ok(bytes.includes(hash('sha256', tokens[0], 'hex')))
  for (const token of [...tokens, others]) {
    const raw = Buffer.from(token, 'hex')
    for (const spelling of [
      token,
      token.toUpperCase(),
      raw.toString('latin1'),
      raw.toString('base64').replaceAll('=', ''),
      raw.toString('base64url'),
      encode(token).replaceAll('=', ''),
    ]) {
      assert.ok(!bytes.includes(spelling))
    }
  }
  for (const [user, paraphrase] of [
    [USER, PARAPHRASE],
    [OTHER, OTHERS_PARAPHRASE],
    [USER, 'a wrong guess'],
  ] as const) {
    for (const text of [paraphrase, `${user}:${paraphrase}`]) {
      const spellings = [text, encode(text).replaceAll('=', ''), Buffer.from(text).toString('hex')]
      for (const spelling of spellings) assert.ok(!bytes.includes(spelling), spelling)
    }
  }
})

// contract: Stored only as SHA-256
test('the hash of a token that stands in the database is not accepted as a token', async (t) => {
  const { client } = await serve(t)
  const token = await client.signIn()
  assert.equal(await statusOf(client, hash('sha256', token, 'hex')), 401)
})
