import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { AuthStore, NewToken, Verified } from '../../../src/auth/index.ts'
import type { Open } from '../../support/stores.ts'

export const NOW = Date.UTC(2030, 0, 1)
export const MINUTE = 60_000
export const LIMITS = {
  user: { failures: 3, windowMs: 5 * MINUTE },
  address: { failures: 5, windowMs: MINUTE },
}
export const SEVEN: Verified = { id: 7, paraphraseHash: 'hash of seven' }
export const EIGHT: Verified = { id: 8, paraphraseHash: 'hash of eight' }

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
    claimed: userId,
    nonce,
    nonceExpiresAt: at + MINUTE,
    series: 0,
    now: at,
    limits: LIMITS,
  })
}

export async function begun(store: AuthStore, attempted?: Attempted): Promise<number> {
  const result = await begin(store, attempted)
  assert.ok(result.outcome === 'begun', result.outcome)
  return result.attemptId
}

export const tokenOf = (hash: string, issuedAt = NOW): NewToken => ({
  hash,
  issuedAt,
  expiresAt: issuedAt + 45 * MINUTE,
})

export async function issue(store: AuthStore, hash: string, user = SEVEN, issuedAt = NOW): Promise<void> {
  const attemptId = await begun(store, { userId: user.id, at: issuedAt, address: hash })
  assert.equal(await store.succeed(attemptId, user, issuedAt, tokenOf(hash, issuedAt)), true)
}

/** The store of users 7 and 8. */
export async function openWithUsers(t: TestContext, open: Open): Promise<AuthStore> {
  const { auth } = await open(t)
  await auth.addUser(SEVEN, NOW)
  await auth.addUser(EIGHT, NOW + 1)
  return auth
}

export const liveUsers = async (store: AuthStore): Promise<number[]> =>
  (await store.listTokens(NOW)).map(({ userId }) => userId)
