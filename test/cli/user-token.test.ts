import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { AuthStore } from '../../src/auth/index.ts'
import { assertRefused, each, folderWithDatabase, hydrant, inStore } from './command.ts'

const MINUTE_MS = 60_000
const LIMIT = { failures: 100, windowMs: MINUTE_MS }
const tokenHash = (number: number) => String(number).repeat(64)

/** Tokens 1 and 2 are of user 1, token 3 of user 2; user 3 has none. All live but token 4, which ended long ago. */
async function folderWithTokens(t: TestContext): Promise<{ folder: string; issuedAt: number }> {
  const folder = await folderWithDatabase(t)
  const issuedAt = Date.now() - MINUTE_MS
  await inStore(folder, async (store) => {
    for (const id of [1, 2, 3]) await store.addUser({ id, paraphraseHash: `hash ${id}` }, 0)
    await issue(store, 1, 1, issuedAt)
    await issue(store, 2, 1, issuedAt)
    await issue(store, 3, 2, issuedAt)
    await issue(store, 4, 2, issuedAt - 60 * MINUTE_MS)
  })
  return { folder, issuedAt }
}

async function issue(store: AuthStore, number: number, userId: number, issuedAt: number): Promise<void> {
  const begun = await store.begin({
    address: '192.0.2.1',
    claimed: userId,
    nonce: `nonce ${number}`,
    nonceExpiresAt: issuedAt + MINUTE_MS,
    series: 0,
    now: issuedAt,
    limits: { user: LIMIT, address: LIMIT },
  })
  assert.equal(begun.outcome, 'begun')
  const token = { hash: tokenHash(number), issuedAt, expiresAt: issuedAt + 45 * MINUTE_MS }
  const user = { id: userId, paraphraseHash: `hash ${userId}` }
  assert.ok(begun.outcome === 'begun' && (await store.succeed(begun.attemptId, user, token.issuedAt, token)))
}

const liveTokens = (folder: string): Promise<number[]> =>
  inStore(folder, async (store) => (await store.listTokens(Date.now())).map(({ id }) => id))

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant token list` / `token revoke
test('token list shows live tokens by number, user, issue and end, and never the token', async (t) => {
  const { folder, issuedAt } = await folderWithTokens(t)
  const issued = new Date(issuedAt).toISOString()
  const ends = new Date(issuedAt + 45 * MINUTE_MS).toISOString()
  const text = await hydrant(['token', 'list'], { cwd: folder })
  assert.equal(text.status, 0)
  assert.deepEqual(
    text.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      ['token', 'user', 'issued', 'ends'],
      ['1', '1', issued, ends],
      ['2', '1', issued, ends],
      ['3', '2', issued, ends],
    ],
  )
  const json = await hydrant(['token', 'list', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(json.stdout), [
    { id: 1, user: 1, issuedAt: issued, expiresAt: ends },
    { id: 2, user: 1, issuedAt: issued, expiresAt: ends },
    { id: 3, user: 2, issuedAt: issued, expiresAt: ends },
  ])
  for (const number of [1, 2, 3]) {
    assert.ok(!`${text.stdout}${json.stdout}`.includes(tokenHash(number).slice(0, 16)))
  }
})

test('token list of a database without tokens says so', async (t) => {
  const folder = await folderWithDatabase(t)
  assert.equal((await hydrant(['token', 'list'], { cwd: folder })).stdout, 'There are no live tokens.\n')
  assert.equal((await hydrant(['token', 'list', '--json'], { cwd: folder })).stdout, '[]\n')
})

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant token list` / `token revoke
test('token revoke ends one token, those of a user, or all, and says how many', async (t) => {
  const rows: readonly (readonly [readonly string[], string, readonly number[]])[] = [
    [['--token-id', '1'], '1 token ended.\n', [2, 3]],
    [['--user', '1'], '2 tokens ended.\n', [3]],
    [['--user', '3'], '0 tokens ended.\n', [1, 2, 3]],
    [['--all'], '3 tokens ended.\n', []],
    [['--all', '--json'], '{"revoked":3}\n', []],
    [['--user', '2', '--json'], '{"revoked":1}\n', [1, 2]],
  ]
  await each(rows, async ([flags, said, left]) => {
    const { folder } = await folderWithTokens(t)
    const revoked = await hydrant(['token', 'revoke', ...flags], { cwd: folder })
    assert.deepEqual(revoked, { status: 0, stdout: said, stderr: '' })
    assert.deepEqual(await liveTokens(folder), left)
  })
})

// contract: Every flag but `--help` and `--version`
test('which tokens to revoke may come from the environment, and a flag wins over all of it', async (t) => {
  const { folder } = await folderWithTokens(t)
  const env = { HYDRANT_ALL: 'on', HYDRANT_USER: '1' }
  const two = await hydrant(['token', 'revoke'], { cwd: folder, env })
  assertRefused(two, 2, '--user <id>', '--token-id <n>', '--all')
  const flag = await hydrant(['token', 'revoke', '--token-id', '3'], { cwd: folder, env })
  assert.equal(flag.stdout, '1 token ended.\n')
  assert.deepEqual(await liveTokens(folder), [1, 2])
  const variable = await hydrant(['token', 'revoke'], { cwd: folder, env: { HYDRANT_TOKEN_ID: '1' } })
  assert.equal(variable.stdout, '1 token ended.\n')
  assert.deepEqual(await liveTokens(folder), [2])
})

// contract: `hydrant token list` / `token revoke
test('token revoke with no choice, two choices or a malformed one is wrong usage and ends nothing', async (t) => {
  const { folder } = await folderWithTokens(t)
  const oneOfThem = '--user <id>, --token-id <n> and --all'
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[], oneOfThem],
    [['--no-all'], oneOfThem],
    [['--user', '1', '--all'], oneOfThem],
    [['--token-id', '1', '--all'], oneOfThem],
    [['--user', '1', '--token-id', '1'], oneOfThem],
    [['--user', 'abc'], '--user: '],
    [['--user', '0'], '--user: '],
    [['--user='], '--user '],
    [['--token-id', '0'], '--token-id: '],
    [['--token-id', '-1'], '--token-id'],
    [['--token-id', '1.5'], '--token-id: '],
    [['--token-id', tokenHash(1)], '--token-id: '],
    [['--token-id'], '--token-id <n>'],
    [['1'], 'takes none'],
  ]
  await each(rows, async ([flags, part]) => {
    const refused = await hydrant(['token', 'revoke', ...flags], { cwd: folder })
    assertRefused(refused, 2, part)
    assert.ok(!refused.stderr.includes(tokenHash(1)))
  })
  assert.deepEqual(await liveTokens(folder), [1, 2, 3])
})

test('revoking a token or the tokens of a user that does not exist is a failure', async (t) => {
  const { folder } = await folderWithTokens(t)
  const rows: readonly (readonly [readonly string[], string, string])[] = [
    [['--token-id', '99'], 'token 99', 'hydrant token list'],
    [['--token-id', '4'], 'token 4', 'hydrant token list'],
    [['--user', '99'], 'user 99', 'hydrant user list'],
  ]
  await each(rows, async ([flags, ...parts]) => {
    assertRefused(await hydrant(['token', 'revoke', ...flags], { cwd: folder }), 1, ...parts)
  })
  assert.deepEqual(await liveTokens(folder), [1, 2, 3])
})

test('a command that is proposed is one on the same database', async (t) => {
  const { folder } = await folderWithTokens(t)
  renameSync(join(folder, 'hydrant.db'), join(folder, 'other.db'))
  const rows: readonly (readonly [string, string])[] = [
    ['token revoke --token-id 99', 'token list'],
    ['token revoke --user 99', 'user list'],
    ['user remove 99', 'user list'],
    ['user roles 99 editor', 'user list'],
    ['user paraphrase 99', 'user list'],
    ['user add 1', 'user paraphrase 1'],
  ]
  await each(rows, async ([command, proposed]) => {
    const refused = await hydrant([...command.split(' '), '--db', 'sqlite:other.db'], { cwd: folder })
    assertRefused(refused, 1, `hydrant ${proposed} --db sqlite:other.db`)
  })
})

test('a new paraphrase and the removal of a user end the tokens of that user alone', async (t) => {
  const { folder } = await folderWithTokens(t)
  const changed = await hydrant(['user', 'paraphrase', '1'], { cwd: folder, input: 'open sesame\n' })
  assert.equal(changed.status, 0)
  assert.deepEqual(await liveTokens(folder), [3])
  const removed = await hydrant(['user', 'remove', '2'], { cwd: folder })
  assert.equal(removed.stdout, 'User 2 was removed; 1 token ended.\n')
  assert.deepEqual(await liveTokens(folder), [])
})
