import { randomBytes } from 'node:crypto'
import { AHEAD_MS } from '../../../database/index.ts'
import { arrayOf } from '../../../database/postgres/arrays.ts'
import { inTime } from '../../../database/postgres/deadlines.ts'
import { ensureCurrentSchema } from '../../../database/postgres/opening.ts'
import type { Param, RunSql } from '../../../database/postgres/pool.ts'
import { closePools, type DatabasePools, openPools } from '../../../database/postgres/pools.ts'
import {
  type AuthStore,
  correctTimes,
  LONGEST_TOKEN_MS,
  type OpenAuthStore,
  rolesOf,
  type Token,
  type TokenChoice,
  type UserRoles,
} from '../index.ts'
import { createAttempts } from './attempts.ts'
import { createTokenCache } from './token-cache.ts'
import { createUsers, IS_LIVE, type ThenForget } from './users.ts'

type TokenRow = readonly [id: number, userId: number, issuedAt: number, expiresAt: number]

const toToken = ([id, userId, issuedAt, expiresAt]: readonly [...TokenRow, ...unknown[]]): Token => ({
  id,
  userId,
  issuedAt,
  expiresAt,
})

/** Opens users, tokens and nonces, without the members that the database may hold. */
export async function openAuthStore(url: string): Promise<OpenAuthStore> {
  await ensureCurrentSchema(url)
  const pools = openPools(url)
  return { store: createAuthStore(pools), close: () => closePools(pools) }
}

export function createAuthStore(pools: DatabasePools): AuthStore {
  const cache = createTokenCache((hash, now) => readToken(pools.tokens.run, hash, now))
  /** For writes that end tokens or change roles: this process empties its cache at once, even if the outcome is not known. */
  const thenForget: ThenForget = (work) => work.finally(cache.forget)
  return {
    ...createAttempts(pools),
    ...createNonces(pools),
    ...createUsers(pools, thenForget),
    ...createTokens(pools, thenForget),
    findToken: cache.find,
    async sweep(now, { user, address }, limit) {
      const oldest = now - Math.max(user.windowMs, address.windowMs)
      return (await numberOf(pools.writes.run(SWEEP, [now, oldest, limit]))) >= limit
    },
  }
}

async function readToken(run: RunSql, hash: string, now: number): Promise<(Token & UserRoles) | undefined> {
  const text = `SELECT tokens.id, user_id, issued_at, expires_at, number, roles, clock_ms() - recorded_at
    FROM tokens JOIN users ON users.id = user_id WHERE hash = $1`
  type Row = [...TokenRow, number: number, roles: string, ageMs: number]
  const [row] = await run<Row>(text, [hash])
  return row && correctTimes({ ...toToken(row), number: row[4], roles: rolesOf(row[5]) }, now - row[6], now)
}

type NonceMethods = Pick<
  AuthStore,
  'nonceSecret' | 'nonceSeries' | 'beginNonceSeries' | 'latestTime' | 'databaseTime'
>

const createNonces = ({ quick, writes }: DatabasePools): NonceMethods => ({
  async nonceSecret() {
    const found = await findSecret(quick.run)
    if (found !== undefined) return found
    const text = "INSERT INTO settings VALUES ('nonce_secret', $1) ON CONFLICT DO NOTHING"
    await writes.run(text, [randomBytes(32).toString('hex')])
    // Our secret, or that of a faster process, whose commit the insert has waited for.
    return (await findSecret(writes.run)) as Buffer
  },
  nonceSeries: () =>
    numberOf(quick.run("SELECT max(value::bigint) FROM settings WHERE name = 'nonce_series'")),
  beginNonceSeries: (series) => numberOf(writes.run('SELECT begin_nonce_series($1)', [series])),
  latestTime: () =>
    numberOf(
      quick.run(`SELECT greatest(
        (SELECT max(issued_at) FROM tokens),
        (SELECT max(spent_at) FROM spent_nonces),
        (SELECT value::bigint FROM settings WHERE name = 'swept_at'),
        0)`),
    ),
  databaseTime: () => numberOf(quick.run('SELECT clock_ms()')),
})

type TokenMethods = Pick<AuthStore, 'endTokenAhead' | 'listTokens' | 'listRoles' | 'revokeTokens'>

const createTokens = ({ tokens, writes, slow }: DatabasePools, thenForget: ThenForget): TokenMethods => ({
  async endTokenAhead(id, now) {
    // If this host's clock is behind, the token is valid for other hosts.
    const text = `DELETE FROM tokens WHERE id = $1 AND issued_at > greatest($2, clock_ms()) + ${AHEAD_MS}`
    await thenForget(writes.run(text, [id, now]))
  },
  async listTokens(now) {
    const text = `SELECT id, user_id, issued_at, expires_at FROM tokens WHERE ${IS_LIVE} ORDER BY id`
    return (await slow.run<TokenRow>(text, [now])).map(toToken)
  },
  async listRoles(of, ids) {
    const from = of === 'users' ? 'users' : 'tokens JOIN users ON users.id = user_id'
    const text = `SELECT ${of}.id, number, roles FROM ${from} WHERE ${of}.id = ANY ($1::bigint[])`
    const rows = await tokens.run<[number, number: number, roles: string]>(text, [arrayOf(ids)])
    return new Map(rows.map(([id, number, roles]) => [id, { number, roles: rolesOf(roles) }]))
  },
  revokeTokens: (choice, now) => thenForget(revokeTokens(writes.write, choice, now)),
})

/** The number in a result of one row and column. */
const numberOf = async (answer: Promise<unknown[][]>): Promise<number> => Number((await answer)[0]?.[0])

async function findSecret(run: RunSql): Promise<Buffer | undefined> {
  const [row] = await run<[string]>("SELECT value FROM settings WHERE name = 'nonce_secret'")
  return row && Buffer.from(row[0], 'hex')
}

/** How many tokens one statement can remove within its timeout. */
const BATCH = 10_000

/**
 * Returns how many were live. Expired tokens are removed too: this host's clock may be ahead of others. Each batch is
 * committed on its own, so that a revocation need not wait for the others.
 */
async function revokeTokens(write: RunSql, choice: TokenChoice, now: number): Promise<number> {
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

/** A token that was stored longer ago than any token lives, yet has not expired: the clock that issued it was ahead. */
const LIES_AHEAD = `expires_at > $1 + ${LONGEST_TOKEN_MS + AHEAD_MS}
  AND recorded_at <= clock_ms() - ${LONGEST_TOKEN_MS + AHEAD_MS}`

const SWEEP = `
  WITH ended AS (${removal('tokens', 'id', 'expires_at <= $1')}),
    ahead AS (${removal('tokens', 'id', LIES_AHEAD)}),
    forgotten AS (${removal('spent_nonces', 'nonce', 'expires_at <= $1')}),
    forgiven AS (${removal('attempts', 'id', 'at <= $2')}),
    remembered AS (
      INSERT INTO settings VALUES ('swept_at', $1::bigint::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE settings.value::bigint < excluded.value::bigint)
  SELECT greatest(
    (SELECT count(*) FROM ended), (SELECT count(*) FROM ahead), (SELECT count(*) FROM forgotten), (SELECT count(*) FROM forgiven))`
