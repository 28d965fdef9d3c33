import { OutcomeUnknown, unavailable } from '../../errors.ts'
import { SPENT_GRACE_MS } from '../auth-store.ts'
import type { AuthStore, FailureLimits } from '../store.ts'
import { inTime } from './deadlines.ts'
import type { Pools } from './pool.ts'

const FAILED = 1

type AttemptRow = [attemptId: number | null, retryAt: number | null, sweptAt: number | null]

type Attempts = Pick<AuthStore, 'isSpent' | 'throttledUntil' | 'begin' | 'succeed' | 'fail' | 'giveBack'>

/** What step B asks: nonces are spent once, failures counted and limited, on however many hosts. */
export const createAttempts = ({ quick, writes }: Pools<'quick' | 'writes'>): Attempts => ({
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
    // Its row may have been swept: a request that waited so long cannot be told from one that comes again.
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
    // The lock is for as long as the statement takes: a new paraphrase waits for it, and then ends the token.
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
  async giveBack(attemptId) {
    await writes.run('DELETE FROM attempts WHERE id = $1', [attemptId])
  },
})

/** After an exchange there is nothing to look for: a nonce that may be spent, or a token that no client has. */
const withFreshNonce = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) throw error
    throw unavailable('The database does not answer; try again shortly, with a fresh nonce.', 2, error.cause)
  })

/** In the order in which both functions of the schema take them. */
const numbersOf = ({ user, address }: FailureLimits): number[] => [
  ...[user.failures, user.windowMs, address.failures, address.windowMs],
]
