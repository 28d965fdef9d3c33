import { randomBytes } from 'node:crypto'
import { OutcomeUnknown, unavailable } from '../../errors.ts'
import { rolesOf, rolesText, SPENT_GRACE_MS } from '../auth-store.ts'
import type { AuthStore, FailureLimits, Token, TokenChoice, UserRoles } from '../index.ts'
import { inTime } from './connection.ts'
import type { Param, Pools, Run } from './pool.ts'
import { arrayOf } from './tables.ts'
import { createTokenCache } from './token-cache.ts'

type TokenRow = readonly [id: number, userId: number, issuedAt: number, expiresAt: number]

const toToken = ([id, userId, issuedAt, expiresAt]: readonly [...TokenRow, ...unknown[]]): Token => ({
  id,
  userId,
  issuedAt,
  expiresAt,
})

export function openAuthStore(pools: Pools<'tokens' | 'quick' | 'writes' | 'slow'>): AuthStore {
  const { tokens, quick, writes, slow } = pools
  const cache = createTokenCache(readToken)

  async function readToken(hash: string): Promise<(Token & UserRoles) | undefined> {
    const text = `SELECT tokens.id, user_id, issued_at, expires_at, number, roles
      FROM tokens JOIN users ON users.id = user_id WHERE hash = $1`
    const [row] = await tokens.run<[...TokenRow, number: number, roles: string]>(text, [hash])
    return row && { ...toToken(row), number: row[4], roles: rolesOf(row[5]) }
  }

  /** For writes that end tokens or change roles: this process empties its cache at once, also where the outcome is not known. */
  const thenForget = <T>(work: Promise<T>): Promise<T> => work.finally(cache.forget)

  return {
    ...createAttempts(pools),

    async nonceSecret() {
      const found = await findSecret(quick.run)
      if (found !== undefined) return found
      const text = "INSERT INTO settings VALUES ('nonce_secret', $1) ON CONFLICT DO NOTHING"
      await writes.run(text, [randomBytes(32).toString('hex')])
      // Ours, or that of a faster process: the insert has waited for the other's commit.
      return (await findSecret(writes.run)) as Buffer
    },
    latestTime: () =>
      numberOf(
        quick.run(`SELECT greatest(
          (SELECT max(issued_at) FROM tokens),
          (SELECT max(spent_at) FROM spent_nonces),
          (SELECT value::bigint FROM settings WHERE name = 'swept_at'),
          0)`),
      ),
    databaseTime: () =>
      numberOf(quick.run('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint')),

    async findUser(id) {
      const text = 'SELECT paraphrase_hash, number, roles FROM users WHERE id = $1'
      const [row] = await quick.run<[string, number: number, roles: string]>(text, [id])
      return row && { id, paraphraseHash: row[0], number: row[1], roles: rolesOf(row[2]) }
    },
    async listUsers(now) {
      const rows = await slow.run<[number, number, number, number: number, roles: string]>(
        `SELECT id, added_at, (SELECT count(*) FROM tokens WHERE user_id = users.id AND expires_at > $1), number, roles
          FROM users ORDER BY id`,
        [now],
      )
      return rows.map(([id, addedAt, liveTokens, number, roles]) => ({
        ...{ id, addedAt, liveTokens, number, roles: rolesOf(roles) },
      }))
    },
    async hashParameters() {
      const rows = await slow.run<[string]>(
        `SELECT DISTINCT parameters FROM users, substring(paraphrase_hash from '^.*,p=\\d+\\$') AS parameters
          WHERE parameters IS NOT NULL`,
      )
      return rows.map(([parameters]) => parameters)
    },
    async addUser(id, paraphraseHash, now, roles) {
      const added = await writes.write(
        `INSERT INTO users (id, paraphrase_hash, added_at, roles)
          SELECT $1::bigint, $2::text, $3::bigint, $4::text WHERE ${inTime(5)} ON CONFLICT (id) DO NOTHING RETURNING 1`,
        [id, paraphraseHash, now, rolesText(roles)],
      )
      return added.length === 1
    },
    async setRoles(id, roles) {
      const text = `UPDATE users SET roles = $2 WHERE id = $1 AND ${inTime(3)} RETURNING 1`
      return (await thenForget(writes.write(text, [id, rolesText(roles)]))).length === 1
    },
    setParaphrase: (id, paraphraseHash) =>
      thenForget(
        writes.transaction(async ({ run }) => {
          const update = 'UPDATE users SET paraphrase_hash = $2 WHERE id = $1 RETURNING 1'
          const changed = await run(update, [id, paraphraseHash])
          if (changed.length === 0) return false
          // A statement of its own, after the update, which waits for every exchange that has verified the former hash: a
          // statement sees only what was committed before it began, and so not the tokens that were issued meanwhile.
          await run('DELETE FROM tokens WHERE user_id = $1', [id])
          return true
        }),
      ),
    async upgradeParaphrase(id, from, to) {
      const text = 'UPDATE users SET paraphrase_hash = $3 WHERE id = $1 AND paraphrase_hash = $2'
      await writes.run(text, [id, from, to])
    },
    async removeUser(id) {
      // Its tokens are deleted with the row (ON DELETE CASCADE), also those that were issued while this waited for it.
      const text = `DELETE FROM users WHERE id = $1 AND ${inTime(2)} RETURNING 1`
      return (await thenForget(writes.write(text, [id]))).length === 1
    },

    findToken: cache.find,
    async listTokens(now) {
      const text = 'SELECT id, user_id, issued_at, expires_at FROM tokens WHERE expires_at > $1 ORDER BY id'
      return (await slow.run<TokenRow>(text, [now])).map(toToken)
    },
    async listRoles(of, ids) {
      const from = of === 'users' ? 'users' : 'tokens JOIN users ON users.id = user_id'
      const text = `SELECT ${of}.id, number, roles FROM ${from} WHERE ${of}.id = ANY ($1::bigint[])`
      const rows = await tokens.run<[number, number: number, roles: string]>(text, [arrayOf(ids)])
      return new Map(rows.map(([id, number, roles]) => [id, { number, roles: rolesOf(roles) }]))
    },
    revokeTokens: (choice, now) => thenForget(revokeTokens(writes.write, choice, now)),

    async sweep(now, { user, address }, limit) {
      const oldest = now - Math.max(user.windowMs, address.windowMs)
      return (await numberOf(writes.run(SWEEP, [now, oldest, limit]))) >= limit
    },
  }
}

/** The number in an answer of one row and column. */
const numberOf = async (answer: Promise<unknown[][]>): Promise<number> => Number((await answer)[0]?.[0])

async function findSecret(run: Run): Promise<Buffer | undefined> {
  const [row] = await run<[string]>("SELECT value FROM settings WHERE name = 'nonce_secret'")
  return row && Buffer.from(row[0], 'hex')
}

/** How many tokens one statement can remove within its timeout. */
const BATCH = 10_000

/**
 * Returns how many were live. Expired ones are removed too: this host's clock may be ahead of others. Batch by batch, each
 * committed: a revoked token need not wait for the others.
 */
async function revokeTokens(write: Run, choice: TokenChoice, now: number): Promise<number> {
  const [condition, ...chosen] = conditionOf(choice)
  // Locked in one order, so that two revocations do not deadlock.
  const text = `
    WITH ended AS (
      DELETE FROM tokens WHERE id = ANY(ARRAY(
        SELECT id FROM tokens WHERE ${condition} AND ${inTime(chosen.length + 2)} ORDER BY id LIMIT ${BATCH} FOR UPDATE))
      RETURNING expires_at)
    SELECT count(*), count(*) FILTER (WHERE expires_at > $1) FROM ended`
  for (let total = 0; ; ) {
    const [row] = await write<[ended: number, live: number]>(text, [now, ...chosen])
    const [ended, live] = row ?? [0, 0]
    total += live
    if (ended < BATCH) return total
  }
}

function conditionOf(choice: TokenChoice): [string, ...Param[]] {
  if (choice === 'all') return ['true']
  return 'tokenId' in choice ? ['id = $2', choice.tokenId] : ['user_id = $2', choice.userId]
}

/**
 * Several hosts sweep at once: each skips rows that another one has locked. The rows are chosen in an array, which is
 * evaluated once; a join might evaluate the subquery, with its limit, again and again.
 */
const removal = (table: string, key: string, isOver: string): string =>
  `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
    SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING 1`

const SWEEP = `
  WITH ended AS (${removal('tokens', 'id', 'expires_at <= $1')}),
    forgotten AS (${removal('spent_nonces', 'nonce', 'expires_at <= $1')}),
    forgiven AS (${removal('attempts', 'id', 'at <= $2')}),
    remembered AS (
      INSERT INTO settings VALUES ('swept_at', $1::bigint::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE settings.value::bigint < excluded.value::bigint)
  SELECT greatest(
    (SELECT count(*) FROM ended), (SELECT count(*) FROM forgotten), (SELECT count(*) FROM forgiven))`

const FAILED = 1

type AttemptRow = [attemptId: number | null, retryAt: number | null, sweptAt: number | null]

type Attempts = Pick<AuthStore, 'isSpent' | 'throttledUntil' | 'begin' | 'succeed' | 'fail' | 'cancel'>

/** What step B asks: nonces are spent once, failures counted and limited, on however many hosts. */
const createAttempts = ({ quick, writes }: Pools<'quick' | 'writes'>): Attempts => ({
  async isSpent(nonce) {
    return (await quick.run('SELECT 1 FROM spent_nonces WHERE nonce = $1', [nonce])).length === 1
  },
  async throttledUntil({ address, userId }, limits, now) {
    const text = 'SELECT throttled_until($1, $2, $3, $4, $5, $6, $7, $8)'
    const params = [address, userId, now, FAILED, ...numbersOf(limits)]
    const [row] = await quick.run<[number | null]>(text, params)
    return row?.[0] ?? undefined
  },
  async begin({ address, userId, nonce, nonceExpiresAt, now, limits }) {
    const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
    // The row of the spent nonce may have been swept: a request that waited so long looks the same as a replay.
    if (now >= spentUntil) return { outcome: 'spent' }
    const text = `SELECT attempt_id, retry_at, swept_at FROM begin_attempt($1, $2, $3, $4, $5, $6, $7, $8, $9)
      WHERE ${inTime(10)}`
    const params = [address, userId, now, ...numbersOf(limits), nonce, spentUntil]
    const [row] = await withFreshNonce(writes.write<AttemptRow>(text, params))
    const [attemptId, retryAt, sweptAt] = row ?? [null, null, null]
    if (retryAt !== null) return { outcome: 'throttled', retryAt }
    if (attemptId !== null) return { outcome: 'begun', attemptId }
    return sweptAt === null ? { outcome: 'spent' } : { outcome: 'spent', sweptAt }
  },
  async succeed(attemptId, { id, paraphraseHash }, token) {
    // The row is locked until the statement ends: a change of the paraphrase waits for it, and then ends the token.
    const text = `
      WITH verified AS (SELECT id FROM users WHERE id = $2 AND paraphrase_hash = $3 AND ${inTime(7)} FOR SHARE),
        given_back AS (DELETE FROM attempts WHERE id = $1 AND EXISTS (SELECT FROM verified)),
        issued AS (INSERT INTO tokens (hash, user_id, issued_at, expires_at)
          SELECT $4::text, id, $5::bigint, $6::bigint FROM verified WHERE $4::text IS NOT NULL)
      SELECT 1 FROM verified`
    const { hash = null, issuedAt = null, expiresAt = null } = token ?? {}
    const params = [attemptId, id, paraphraseHash, hash, issuedAt, expiresAt]
    return (await withFreshNonce(writes.write(text, params))).length === 1
  },
  async fail(attemptId) {
    await writes.run(`UPDATE attempts SET failed = ${FAILED} WHERE id = $1`, [attemptId])
  },
  async cancel(attemptId) {
    await writes.run('DELETE FROM attempts WHERE id = $1', [attemptId])
  },
})

/** An unknown outcome of an exchange is a plain 503: a nonce may be spent, or a token issued that no client has. */
const withFreshNonce = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) throw error
    throw unavailable('The database does not answer; try again shortly, with a fresh nonce.', 2, error.cause)
  })

/** In the order of the parameters of both functions of the schema. */
const numbersOf = ({ user, address }: FailureLimits): number[] => [
  ...[user.failures, user.windowMs, address.failures, address.windowMs],
]
