import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { hashParaphrase } from '../../src/auth/credentials.ts'
import { PARAPHRASE, stepB, type TestClient, USER } from '../support/client.ts'
import { heardEverywhere, newDatabase, stolen } from '../support/databases.ts'
import { serve, type TestService } from '../support/service.ts'
import { runCommand } from './processes.ts'
import { assertChallenged, assertExchanged, encode } from './wire.ts'

const OTHER = 8
const OTHERS_PARAPHRASE = 'of the other user'

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
  await store.auth.addUser(OTHER, await hashParaphrase(OTHERS_PARAPHRASE), 0)
  const tokens = [await client.signIn(), await client.signIn()] as const
  const others = await client.exchange(OTHER, OTHERS_PARAPHRASE)
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

const IN_ANOTHER_PROCESS: readonly Ending[] = [
  // contract: Ends at once when its user is removed
  {
    name: 'a token that another process revokes by its number is refused on the next request',
    left: [401, 200, 200],
    end: async ({ service }) => {
      const listed = JSON.parse(await runCommand(['token', 'list', '--json', '--db', service.db]))
      assert.deepEqual(
        listed.map(({ user }: { user: number }) => user),
        [USER, USER, OTHER],
      )
      await runCommand(['token', 'revoke', '--token-id', String(listed[0].id), '--db', service.db])
    },
  },
  {
    name: 'the tokens of a user that another process revokes are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => runCommand(['token', 'revoke', '--user', String(USER), '--db', service.db]),
  },
  {
    name: 'all tokens that another process revokes are refused on the next request',
    left: [401, 401, 401],
    end: ({ service }) => runCommand(['token', 'revoke', '--all', '--db', service.db]),
  },
  // contract: Ends at once when its user is removed
  {
    name: 'the tokens of a user that another process removes are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => runCommand(['user', 'remove', String(USER), '--db', service.db]),
  },
  {
    name: 'the tokens of a user whom another process gives a new paraphrase are refused on the next request',
    left: [401, 401, 200],
    end: ({ service }) => runCommand(['user', 'paraphrase', String(USER), '--db', service.db], 'new\n'),
  },
]

for (const { name, left, end } of [...IN_PROCESS, ...IN_ANOTHER_PROCESS]) {
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
  const { client, db } = await serve(t, { db: newDatabase(t) })
  await runCommand(['user', 'paraphrase', String(USER), '--db', db], 'entirely new\n')
  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), USER, PARAPHRASE)))
  assertExchanged(await client.send('GET', '/books', stepB(await client.nonce(), USER, 'entirely new')))
})

test('a user who is added again has none of the tokens from before', async (t) => {
  const { client, store } = await serve(t)
  const token = await client.signIn()
  await store.auth.removeUser(USER)
  await store.auth.addUser(USER, await hashParaphrase(PARAPHRASE), 0)
  assert.equal(await statusOf(client, token), 401)
  assert.equal(await statusOf(client, await client.signIn()), 200)
})

// contract: A live token ends early only by
test('a write of another process that ends no token leaves all of them live', async (t) => {
  const { service, tokens, others } = await signIn(t)
  await runCommand(['user', 'add', '9', '--db', service.db], 'nine\n')
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
