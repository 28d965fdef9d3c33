import { AHEAD_MS } from '../database/index.ts'
import { HttpError } from '../errors.ts'
import { createFairQueue, createSlots, type FairQueue } from '../fair-queue.ts'
import type { GateRequest, Response } from '../http/index.ts'
import { statusBody } from '../http/response.ts'
import {
  type Credentials,
  hashParaphrase,
  hashQueueSize,
  needsUpgrade,
  type ParaphraseCheck,
  readAuthHeaders,
  readBasic,
} from './credentials.ts'
import type { Nonce, Nonces } from './nonce.ts'
import type { Attempter, AuthStore, FailureLimits, Token, User, UserRoles } from './store/index.ts'
import { queueKey, throttleKey } from './throttle.ts'
import { type Clock, hashToken, issueToken } from './token.ts'

/** The user of this request, verified. `token` is what proved it; undefined while tokens are off. */
export interface Principal extends UserRoles {
  readonly userId: number
  readonly token: Token | undefined
}

/** Who passes, decided. `nonce` on an admitted request: for the next one, while tokens are off. */
export type Admission =
  | { readonly verdict: 'challenged'; readonly nonce: string }
  | { readonly verdict: 'exchanged'; readonly token: string }
  | { readonly verdict: 'admitted'; readonly principal: Principal | undefined; readonly nonce?: string }
  | { readonly verdict: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly verdict: 'busy' }

export type Gate = (request: GateRequest) => Promise<Admission>

/** `open`: authentication off. `nonce`: credentials with every request. `token`: the two steps. */
export type GateMode = 'open' | 'nonce' | 'token'

export interface GateParts {
  readonly mode: GateMode
  readonly store: AuthStore
  readonly clock: Clock
  readonly nonces: Nonces
  readonly tokenTtlMs: number
  readonly limits: FailureLimits
  readonly hashing?: FairQueue | undefined
  readonly isParaphrase: ParaphraseCheck
  /** Called for each wrong paraphrase, for a log. */
  readonly onFailure?: ((attempter: Attempter) => void) | undefined
  /** Called for errors that change no answer: a sweep that will be tried again, a hash that was not upgraded. */
  readonly onError: (error: unknown) => void
}

/**
 * How long the answer is delayed where the hashing queue is full. Clients of a flood that try again at once would
 * otherwise keep every core busy with refusals, and hashing, which has the lowest priority, would starve. A delayed
 * request costs no more than an idle connection.
 */
const BUSY_MS = 1_000

/** The order of decisions is that of authentication.md, The gate. */
export function createGate(parts: GateParts): Gate {
  const { mode, store, clock, nonces, tokenTtlMs, limits, isParaphrase, onError } = parts
  const { hashing = createFairQueue(createSlots(hashQueueSize())) } = parts

  const challenge = (): Admission => ({ verdict: 'challenged', nonce: nonces.issue(clock.now()) })

  const throttled = (until: number): Admission => ({
    verdict: 'throttled',
    retryAfterSeconds: Math.max(1, Math.ceil((until - clock.now()) / 1000)),
  })

  return async (request) => {
    if (mode === 'open') return { verdict: 'admitted', principal: undefined }
    const headers = readAuthHeaders(request.rawHeaders)
    if (headers === undefined) return challenge()
    if (mode === 'token' && headers.token !== undefined) {
      const token = await findLive(headers.token)
      if (token !== undefined) {
        const { userId, number, roles } = token
        return { verdict: 'admitted', principal: { userId, number, roles, token } }
      }
    }
    if (headers.nonce === undefined || headers.authorization === undefined) return challenge()
    // The nonce first (authentication.md, Step B in order): anybody may send credentials.
    const nonce = nonces.read(headers.nonce, clock.now())
    const credentials = nonce && readBasic(headers.authorization)
    if (nonce === undefined || credentials === undefined) return challenge()
    return attempt(request, nonce, credentials)
  }

  async function findLive(text: string): Promise<(Token & UserRoles) | undefined> {
    const now = clock.now()
    const token = await store.findToken(hashToken(text), now)
    if (token === undefined || now >= token.expiresAt) return undefined
    if (token.issuedAt <= now + AHEAD_MS) return token
    // A clock that was ahead has issued it: it ends, and is not waited for (authentication.md, Time).
    store.endTokenAhead(token.id, now).catch(onError)
    return undefined
  }

  /** What can be refused cheaply is refused before it enters the queue. */
  async function attempt(request: GateRequest, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    // Step B ignores the body, but a malformed message must have no effect at all.
    if (mode === 'token' && !(await request.drain())) return challenge()
    const attempter = { address: throttleKey(request.address), userId: credentials.userId }
    // Both at once: across a network that is one round trip instead of two.
    const [isSpent, until] = await Promise.all([
      store.isSpent(nonce.value),
      store.throttledUntil(attempter, limits, clock.now()),
    ])
    if (isSpent) return challenge()
    if (until !== undefined) return throttled(until)
    const exchanged = await hashing.run(queueKey(request.address), () =>
      exchange(attempter.address, nonce, credentials).catch(refuseAll),
    )
    if (exchanged !== undefined) return exchanged
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
    return { verdict: 'busy' }
  }

  /** Where the store cannot be reached, all waiting exchanges are refused at once: one after the other would take too long. */
  function refuseAll(error: unknown): never {
    if (error instanceof HttpError && error.status === 503) hashing.refuseWaiting(error)
    throw error
  }

  /** Runs in a hash slot. From `begin` on the attempt is reserved: every way out calls `succeed`, `fail` or `cancel`. */
  async function exchange(address: string, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    const { userId } = credentials
    const { value, expiresAt, series } = nonce
    const spending = { nonce: value, nonceExpiresAt: expiresAt, series, now: clock.now() }
    // Both at once, as above. A paraphrase that is changed meanwhile is noticed by `succeed`.
    const [begun, found] = await Promise.allSettled([
      store.begin({ address, userId, ...spending, limits }),
      // Async, so that a store that throws rejects.
      (async () => store.findUser(userId))(),
    ])
    if (begun.status === 'rejected') throw begun.reason
    if (begun.value.outcome === 'spent') {
      nonces.useSeries(begun.value.series ?? 0)
      return challenge()
    }
    if (begun.value.outcome === 'throttled') return throttled(begun.value.retryAt)
    const { attemptId } = begun.value
    let admission: Admission | undefined
    try {
      if (found.status === 'rejected') throw found.reason
      admission = await check(attemptId, found.value, credentials)
    } catch (error) {
      // Not awaited: where the store does not answer, the response would come too late.
      store.cancel(attemptId).catch(onError)
      throw error
    }
    // Outside of the `try`: an attempt with a wrong paraphrase is not cancelled where its failure cannot be recorded.
    if (admission !== undefined) return admission
    parts.onFailure?.({ address, userId })
    await store.fail(attemptId)
    return challenge()
  }

  /** Undefined when the paraphrase is wrong. */
  async function check(
    attemptId: number,
    user: User | undefined,
    credentials: Credentials,
  ): Promise<Admission | undefined> {
    const { userId, paraphrase } = credentials
    const right = await isParaphrase(user?.paraphraseHash, paraphrase)
    if (user === undefined || !right) return undefined
    const admission = await admit(attemptId, user)
    // The hash has changed meanwhile: perhaps another exchange has upgraded the hash of this very paraphrase.
    if (admission === undefined) return check(attemptId, await store.findUser(userId), credentials)
    if (needsUpgrade(user.paraphraseHash)) await upgrade(user, paraphrase)
    return admission
  }

  async function upgrade({ id, paraphraseHash }: User, paraphrase: string): Promise<void> {
    try {
      await store.upgradeParaphrase(id, paraphraseHash, await hashParaphrase(paraphrase))
    } catch (error) {
      // The token is issued all the same: the next exchange tries the upgrade again.
      onError(error)
    }
  }

  /** Undefined when the hash that was verified is no longer the user's. */
  async function admit(attemptId: number, user: User): Promise<Admission | undefined> {
    if (mode === 'nonce') {
      if (!(await store.succeed(attemptId, user, undefined))) return undefined
      const { id: userId, number, roles } = user
      const principal = { userId, number, roles, token: undefined }
      return { verdict: 'admitted', principal, nonce: nonces.issue(clock.now()) }
    }
    const token = issueToken()
    const issuedAt = clock.now()
    const stored = { hash: hashToken(token), issuedAt, expiresAt: issuedAt + tokenTtlMs }
    return (await store.succeed(attemptId, user, stored)) ? { verdict: 'exchanged', token } : undefined
  }
}

export type Refused = Exclude<Admission, { verdict: 'admitted' }>

/**
 * The answers to requests that are not admitted: steps A and B of seed.md, and 429 and 503 while under attack. All have
 * the seed's form and type, whatever Accept says.
 */
export function createGateAnswers(noStoreHeaders: readonly string[]): (refused: Refused) => Response {
  const challenge = [...noStoreHeaders, 'WWW-Authenticate', 'Basic realm="Login required"']
  const challengeBody = statusBody(401, 'Need credentials to authenticate')
  const exchangeBody = statusBody(200, 'User token generated')
  const shared = noStoreHeaders

  return (refused) => {
    switch (refused.verdict) {
      case 'challenged': {
        const headers = ['X-Authentication', refused.nonce]
        return { status: 401, shared: challenge, headers, body: challengeBody }
      }
      case 'exchanged': {
        const headers = ['X-Authorization', refused.token]
        return { status: 200, shared, headers, body: exchangeBody }
      }
      case 'throttled': {
        const seconds = String(refused.retryAfterSeconds)
        const sentence = `Too many wrong paraphrases from this address; try again in ${seconds} s.`
        return { status: 429, shared, headers: ['Retry-After', seconds], body: statusBody(429, sentence) }
      }
      case 'busy':
        return { status: 503, shared, headers: ['Retry-After', '2'], body: statusBody(503, BUSY) }
    }
  }
}

const BUSY = 'Too many exchanges are waiting; try again in 2 s. Requests with a token are served as usual.'
