import { AHEAD_MS, type Awaitable, isUnavailable } from '../database/index.ts'
import { createFairQueue, createSlots, type FairQueue } from '../fair-queue.ts'
import type { GateRequest } from '../http/index.ts'
import type { Admission, Gate, GateDependencies } from './admission.ts'
import {
  type Credentials,
  hashParaphrase,
  hashQueueSize,
  needsUpgrade,
  readAuthHeaders,
  readBasic,
  throttleNumber,
} from './credentials.ts'
import type { Nonce } from './nonce.ts'
import type { Attempter, Token, User, UserRoles } from './store/index.ts'
import { queueKey, throttleKey } from './throttle.ts'
import { hashToken, issueToken } from './token.ts'

/** The order of decisions is that of authentication.md, The gate. */
export function createGate(dependencies: GateDependencies): Gate {
  const { mode, store, clock, nonces, onError } = dependencies
  const challenge = (): Admission => ({ verdict: 'challenged', nonce: nonces.issue(clock.now()) })
  const exchanges = new Exchanges(dependencies, challenge)

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
    // The nonce is checked first (authentication.md, Step B in order), because anybody may send credentials.
    const nonce = nonces.read(headers.nonce, clock.now())
    const credentials = nonce && readBasic(headers.authorization)
    if (nonce === undefined || credentials === undefined) return challenge()
    return exchanges.attempt(request, nonce, credentials)
  }

  async function findLive(text: string): Promise<(Token & UserRoles) | undefined> {
    const now = clock.now()
    const token = await store.findToken(hashToken(text), now)
    if (token === undefined || now >= token.expiresAt) return undefined
    if (token.issuedAt <= now + AHEAD_MS) return token
    // The clock was ahead when it issued this token: the token ends (authentication.md, Time). Not awaited.
    store.endTokenAhead(token.id, now).catch(onError)
    return undefined
  }
}

/**
 * How long the response is delayed if the hashing queue is full. Otherwise the clients of a flood, which try again at
 * once, would keep every core busy with refusals, and hashing, which has the lowest priority, would starve. A delayed
 * request costs no more than an idle connection.
 */
const BUSY_MS = 1_000

/** Step B: exchanges a nonce and credentials for a token or, while tokens are off, for the admission of this one request. */
class Exchanges {
  readonly #dependencies: GateDependencies
  readonly #hashing: FairQueue
  readonly #challenge: () => Admission

  /** `challenge`: the response for a wrong nonce or wrong credentials. */
  constructor(dependencies: GateDependencies, challenge: () => Admission) {
    this.#dependencies = dependencies
    this.#hashing = dependencies.hashing ?? createFairQueue(createSlots(hashQueueSize()))
    this.#challenge = challenge
  }

  /** Attempts that can be refused cheaply do not enter the queue. */
  async attempt(request: GateRequest, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    const { mode, store, limits, clock } = this.#dependencies
    // Step B ignores the body, but a malformed request must have no effect at all.
    if (mode === 'token' && !(await request.drain())) return this.#challenge()
    const attempter = {
      address: throttleKey(request.address),
      claimed: throttleNumber(credentials.claimed),
    }
    // Both at once, which takes one network round trip instead of two.
    const [isSpent, until] = await Promise.all([
      store.isSpent(nonce.value),
      store.throttledUntil(attempter, limits, clock.now()),
    ])
    if (isSpent) return this.#challenge()
    if (until !== undefined) return this.#throttled(until)
    const exchanged = await this.#hashing.run(queueKey(request.address), () =>
      this.#exchange(attempter, nonce, credentials).catch((error) => this.#refuseAll(error)),
    )
    if (exchanged !== undefined) return exchanged
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
    return { verdict: 'busy' }
  }

  #throttled(until: number): Admission {
    const seconds = Math.ceil((until - this.#dependencies.clock.now()) / 1000)
    return { verdict: 'throttled', retryAfterSeconds: Math.max(1, seconds) }
  }

  /** If the store is unavailable, all waiting exchanges are refused together: one after the other would take too long. */
  #refuseAll(error: unknown): never {
    if (isUnavailable(error)) this.#hashing.refuseWaiting(error)
    throw error
  }

  /** Runs in a hash slot. From `begin` on the attempt is reserved: every way out calls `succeed`, `fail` or `cancel`. */
  async #exchange(attempter: Attempter, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    const { store, nonces, limits, clock, onFailure, onError } = this.#dependencies
    const { value, expiresAt, series } = nonce
    const spending = { nonce: value, nonceExpiresAt: expiresAt, series, now: clock.now() }
    // Both at once, as above. A paraphrase that is changed meanwhile is noticed by `succeed`.
    const [begun, found] = await Promise.allSettled([
      store.begin({ ...attempter, ...spending, limits }),
      // Async, so that an exception of the store becomes a rejection.
      (async () => this.#findUser(credentials))(),
    ])
    if (begun.status === 'rejected') throw begun.reason
    if (begun.value.outcome === 'spent') {
      nonces.useSeries(begun.value.series ?? 0)
      return this.#challenge()
    }
    if (begun.value.outcome === 'throttled') return this.#throttled(begun.value.retryAt)
    const { attemptId } = begun.value
    let admission: Admission | undefined
    try {
      if (found.status === 'rejected') throw found.reason
      admission = await this.#check(attemptId, found.value, credentials)
    } catch (error) {
      // Not awaited: if the store does not answer, the response would come too late.
      store.cancel(attemptId).catch(onError)
      throw error
    }
    // Outside of the `try`: an attempt with a wrong paraphrase is not cancelled if its failure cannot be recorded.
    if (admission !== undefined) return admission
    onFailure?.(attempter)
    await store.fail(attemptId)
    return this.#challenge()
  }

  #findUser({ claimed }: Credentials): Awaitable<User | undefined> {
    const { store } = this.#dependencies
    return 'userId' in claimed ? store.findUser(claimed.userId) : store.findUserByName(claimed.nameKey)
  }

  /** Undefined if the paraphrase is wrong. */
  async #check(
    attemptId: number,
    user: User | undefined,
    credentials: Credentials,
  ): Promise<Admission | undefined> {
    const { store, isParaphrase } = this.#dependencies
    const { paraphrase } = credentials
    const right = await isParaphrase(user?.paraphraseHash, paraphrase)
    if (user === undefined || !right) return undefined
    const admission = await this.#admit(attemptId, user)
    // The hash has changed meanwhile: perhaps another exchange has upgraded the hash of this very paraphrase.
    if (admission === undefined) return this.#check(attemptId, await store.findUser(user.id), credentials)
    if (needsUpgrade(user.paraphraseHash)) await this.#upgrade(user, paraphrase)
    return admission
  }

  async #upgrade({ id, paraphraseHash }: User, paraphrase: string): Promise<void> {
    const { store, onError } = this.#dependencies
    try {
      await store.upgradeParaphrase(id, paraphraseHash, await hashParaphrase(paraphrase))
    } catch (error) {
      // The token is issued all the same: the next exchange tries the upgrade again.
      onError(error)
    }
  }

  /** Undefined if the hash that was verified is no longer the user's. */
  async #admit(attemptId: number, user: User): Promise<Admission | undefined> {
    const { mode, store, clock, nonces, tokenTtlMs } = this.#dependencies
    const now = clock.now()
    if (mode === 'nonce') {
      if (!(await store.succeed(attemptId, user, now))) return undefined
      const { id: userId, number, roles } = user
      const principal = { userId, number, roles, token: undefined }
      return { verdict: 'admitted', principal, nonce: nonces.issue(clock.now()) }
    }
    const token = issueToken()
    const stored = { hash: hashToken(token), issuedAt: now, expiresAt: now + tokenTtlMs }
    return (await store.succeed(attemptId, user, now, stored)) ? { verdict: 'exchanged', token } : undefined
  }
}
