import { HttpError } from '../errors.ts'
import type { Attempter, AuthStore, FailureLimits, Token, User } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { type Credentials, readBasic, readClaims } from './credentials.ts'
import { createHashQueue, defaultQueue, type HashQueue } from './hash-queue.ts'
import type { Nonce, Nonces, Random } from './nonce.ts'
import { createParaphraseCheck, hashParaphrase, needsUpgrade, type ParaphraseCheck } from './paraphrase.ts'
import { DEFAULT_LIMITS, queueKey, throttleKey } from './throttle.ts'
import { hashToken, issueToken } from './token.ts'

/** The user of this request, verified. `token` is what proved it; absent while tokens are off. */
export interface Principal {
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

/** As much of a request as the gate looks at. */
export interface Knock {
  readonly rawHeaders: readonly string[]
  /** Where it comes from, for the throttle. */
  readonly address: string
  /**
   * Waits until the request has been sent whole and throws its body away; false when that is longer than is read.
   * A client that waits for `100 Continue` has nothing to wait for. Rejects when the message is malformed.
   */
  drain(): Promise<boolean>
}

export type Gate = (knock: Knock) => Promise<Admission>

/** `open`: authentication off. `nonce`: credentials with every request. `token`: the two steps. */
export type GateMode = 'open' | 'nonce' | 'token'

export interface GateParts {
  readonly mode: GateMode
  readonly store: AuthStore
  readonly clock: Clock
  readonly nonces: Nonces
  readonly tokenTtlMs: number
  readonly limits?: FailureLimits
  readonly hashing?: HashQueue | undefined
  readonly isParaphrase?: ParaphraseCheck
  /** Told of each wrong paraphrase; for a log, which may name both. */
  readonly onFailure?: ((attempter: Attempter) => void) | undefined
  /** Told of what went wrong beside an answer. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly random?: Random
}

/** The order of decisions is that of authentication.md, The gate. */
export function createGate(parts: GateParts): Gate {
  const { mode, store, clock, nonces, tokenTtlMs, random, limits = DEFAULT_LIMITS } = parts
  const { hashing = createHashQueue(defaultQueue()), isParaphrase = createParaphraseCheck() } = parts

  const challenge = (): Admission => ({ verdict: 'challenged', nonce: nonces.issue(clock.now()) })

  const throttled = (until: number): Admission => ({
    verdict: 'throttled',
    retryAfterSeconds: Math.max(1, Math.ceil((until - clock.now()) / 1000)),
  })

  return async (knock) => {
    if (mode === 'open') return { verdict: 'admitted', principal: undefined }
    const claims = readClaims(knock.rawHeaders)
    if (claims === undefined) return challenge()
    if (mode === 'token' && claims.token !== undefined) {
      const token = await findLive(claims.token)
      if (token !== undefined) return { verdict: 'admitted', principal: { userId: token.userId, token } }
    }
    if (claims.nonce === undefined || claims.authorization === undefined) return challenge()
    // The nonce first: without a good one, credentials are not worth a look.
    const nonce = nonces.read(claims.nonce, clock.now())
    const credentials = nonce && readBasic(claims.authorization)
    if (nonce === undefined || credentials === undefined) return challenge()
    return attempt(knock, nonce, credentials)
  }

  async function findLive(text: string): Promise<Token | undefined> {
    const token = await store.findToken(hashToken(text))
    if (token === undefined) return undefined
    clock.witness(token.issuedAt)
    return clock.now() < token.expiresAt ? token : undefined
  }

  /** Everything that can be refused cheaply is refused before a place in the queue is taken. */
  async function attempt(knock: Knock, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    // Step B ignores the body, but a malformed message must have no effect at all.
    if (mode === 'token' && !(await knock.drain())) return challenge()
    const attempter = { address: throttleKey(knock.address), userId: credentials.userId }
    // Both at once: across a network that is one way instead of two.
    const [isSpent, until] = await Promise.all([
      store.isSpent(nonce.value),
      store.throttledUntil(attempter, limits, clock.now()),
    ])
    if (isSpent) return challenge()
    if (until !== undefined) return throttled(until)
    const exchanged = await hashing.run(queueKey(knock.address), () =>
      exchange(attempter.address, nonce, credentials).catch(refuseAll),
    )
    return exchanged ?? { verdict: 'busy' }
  }

  /** Where the store is not there, those who wait must not find out one after the other: that would take too long. */
  function refuseAll(error: unknown): never {
    if (error instanceof HttpError && error.status === 503) hashing.refuseWaiting(error)
    throw error
  }

  /** Has a hash slot. From `begin` on the attempt is reserved, and must be settled on every way out. */
  async function exchange(address: string, nonce: Nonce, credentials: Credentials): Promise<Admission> {
    const { userId } = credentials
    // At once, as above. Who has another paraphrase when it was checked is noticed by `succeed`.
    const [begun, found] = await Promise.allSettled([
      store.begin({
        address,
        userId,
        nonce: nonce.value,
        nonceExpiresAt: nonce.expiresAt,
        now: clock.now(),
        limits,
      }),
      findUser(userId),
    ])
    if (begun.status === 'rejected') throw begun.reason
    if (begun.value.outcome === 'spent') return respent(begun.value.sweptAt)
    if (begun.value.outcome === 'throttled') return throttled(begun.value.retryAt)
    const { attemptId } = begun.value
    let admission: Admission | undefined
    try {
      if (found.status === 'rejected') throw found.reason
      admission = await check(attemptId, found.value, credentials)
    } catch (error) {
      // Nobody waits for it: where the store is silent, the answer would come too late.
      store.giveBack(attemptId).catch((reason: unknown) => parts.onError?.(reason))
      throw error
    }
    // Not inside the `try`: a wrong paraphrase that could not be recorded is not given back either.
    if (admission !== undefined) return admission
    parts.onFailure?.({ address, userId })
    await store.fail(attemptId)
    return challenge()
  }

  /** A promise in any case, also of what fails. */
  async function findUser(id: number): Promise<User | undefined> {
    return store.findUser(id)
  }

  /** A sweep that was made later than it is here may have removed the nonce: the next one is issued as of then. */
  function respent(sweptAt: number | undefined): Admission {
    if (sweptAt !== undefined) clock.witness(sweptAt)
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
    // The hash is another one by now: perhaps of this very paraphrase, upgraded by an exchange beside this one.
    if (admission === undefined) return check(attemptId, await findUser(userId), credentials)
    if (needsUpgrade(user.paraphraseHash)) await upgrade(user, paraphrase)
    return admission
  }

  async function upgrade({ id, paraphraseHash }: User, paraphrase: string): Promise<void> {
    try {
      await store.upgradeParaphrase(id, paraphraseHash, await hashParaphrase(paraphrase))
    } catch (error) {
      // The token is issued: that the hash stays an old one until the next exchange is no reason to lose it.
      parts.onError?.(error)
    }
  }

  /** Undefined when the hash that was verified is no longer the user's. */
  async function admit(attemptId: number, user: User): Promise<Admission | undefined> {
    if (mode === 'nonce') {
      if (!(await store.succeed(attemptId, user, undefined))) return undefined
      const principal = { userId: user.id, token: undefined }
      return { verdict: 'admitted', principal, nonce: nonces.issue(clock.now()) }
    }
    const token = issueToken(random)
    const issuedAt = clock.now()
    const stored = { hash: hashToken(token), issuedAt, expiresAt: issuedAt + tokenTtlMs }
    return (await store.succeed(attemptId, user, stored)) ? { verdict: 'exchanged', token } : undefined
  }
}
