import { databaseProblem, isOutcomeUnknown } from '../../../database/index.ts'
import { arrayOf } from '../../../database/postgres/arrays.ts'
import { inTime } from '../../../database/postgres/deadlines.ts'
import type { Pools } from '../../../database/postgres/pool.ts'
import { type AuthStore, type FailureLimits, SPENT_GRACE_MS } from '../index.ts'

const FAILED = 1

type AttemptRow = [attemptId: number | null, retryAt: number | null, series: number | null]

type Attempts = Pick<
  AuthStore,
  'isSpent' | 'throttledUntil' | 'begin' | 'reserve' | 'succeed' | 'fail' | 'cancel'
>

/** The store of step B: nonces are spent once, failures counted and limited, on any number of hosts. */
export const createAttempts = ({ quick, writes }: Pools<'quick' | 'writes'>): Attempts => ({
  async isSpent(nonce) {
    return (await quick.run('SELECT 1 FROM spent_nonces WHERE nonce = $1', [nonce])).length === 1
  },
  async throttledUntil({ address, claimed }, limits, now) {
    const text = 'SELECT throttled_until($1, $2, $3, $4, $5, $6, $7, $8)'
    const params = [address, claimed, now, FAILED, ...numbersOf(limits)]
    const [row] = await quick.run<[number | null]>(text, params)
    return row?.[0] ?? undefined
  },
  async begin({ address, claimed, nonce, nonceExpiresAt, series, now, limits }) {
    const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
    // The row of the spent nonce may have been swept: a request that has waited this long looks the same as a replay.
    if (now >= spentUntil) return { outcome: 'spent' }
    const text = `SELECT attempt_id, retry_at, series FROM begin_attempt($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      WHERE ${inTime(11)}`
    const params = [address, claimed, now, ...numbersOf(limits), nonce, spentUntil, series]
    const [row] = await withFreshNonce(writes.write<AttemptRow>(text, params))
    const [attemptId, retryAt, accepted] = row ?? [null, null, null]
    if (retryAt !== null) return { outcome: 'throttled', retryAt }
    if (attemptId !== null) return { outcome: 'begun', attemptId }
    return accepted === null ? { outcome: 'spent' } : { outcome: 'spent', series: accepted }
  },
  async reserve(address, claimed, limits, now) {
    const text = `SELECT attempt_id, retry_at FROM reserve_attempts($1, $2::bigint[], $3, $4, $5, $6, $7)
      WHERE ${inTime(8)}`
    const params = [address, arrayOf(claimed), now, ...numbersOf(limits)]
    const rows = await writes.write<[attemptId: number, retryAt: number | null]>(text, params)
    const retryAt = rows[0]?.[1] ?? null
    if (retryAt !== null) return { outcome: 'throttled', retryAt }
    return { outcome: 'reserved', attemptIds: rows.map(([attemptId]) => attemptId) }
  },
  async succeed(attemptId, { id, paraphraseHash }, now, token) {
    // The row is locked until the statement ends: a change of the paraphrase waits for it, and then ends the token.
    const text = `
      WITH verified AS (UPDATE users SET signed_in_at = $7
          WHERE id = $2 AND paraphrase_hash = $3 AND ${inTime(8)} RETURNING id),
        given_back AS (DELETE FROM attempts WHERE id = $1 AND EXISTS (SELECT FROM verified)),
        issued AS (INSERT INTO tokens (hash, user_id, issued_at, expires_at)
          SELECT $4::text, id, $5::bigint, $6::bigint FROM verified WHERE $4::text IS NOT NULL)
      SELECT 1 FROM verified`
    const { hash = null, issuedAt = null, expiresAt = null } = token ?? {}
    const params = [attemptId, id, paraphraseHash, hash, issuedAt, expiresAt, now]
    return (await withFreshNonce(writes.write(text, params))).length === 1
  },
  async fail(attemptId) {
    await writes.run(`UPDATE attempts SET failed = ${FAILED} WHERE id = $1`, [attemptId])
  },
  async cancel(attemptId) {
    await writes.run('DELETE FROM attempts WHERE id = $1', [attemptId])
  },
})

/** After an unknown outcome of an exchange the nonce may be spent, or a token issued that no client has. */
const withFreshNonce = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (!isOutcomeUnknown(error)) throw error
    const values = { retryAfterSeconds: 2, needsFreshNonce: true }
    throw databaseProblem('DatabaseNotAnswering', values, { cause: error.cause })
  })

/** In the order of the parameters of both functions of the schema. */
const numbersOf = ({ user, address }: FailureLimits): number[] => [
  ...[user.failures, user.windowMs, address.failures, address.windowMs],
]
