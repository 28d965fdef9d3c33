import type { FairQueue } from '../fair-queue.ts'
import type { GateRequest } from '../http/index.ts'
import type { Clock } from './clock.ts'
import type { ParaphraseCheck } from './credentials.ts'
import type { Nonces } from './nonce.ts'
import type { Attempter, AuthStore, FailureLimits, Token, UserRoles } from './store/index.ts'

/** The verified user of this request. `token`: the token of the request; undefined while tokens are off. */
export interface Principal extends UserRoles {
  readonly userId: number
  readonly token: Token | undefined
}

/** The verdict of the gate. `nonce` of an admitted request: the nonce for the next request, while tokens are off. */
export type Admission =
  | { readonly verdict: 'challenged'; readonly nonce: string }
  | { readonly verdict: 'exchanged'; readonly token: string }
  | { readonly verdict: 'admitted'; readonly principal: Principal | undefined; readonly nonce?: string }
  | { readonly verdict: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly verdict: 'busy' }

export type Gate = (request: GateRequest) => Promise<Admission>

/** `open`: authentication off. `nonce`: credentials with every request. `token`: the two steps. */
export type GateMode = 'open' | 'nonce' | 'token'

export interface GateDependencies {
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
  /** Called for errors that do not affect a response: a sweep that will be tried again, a hash that was not upgraded. */
  readonly onError: (error: unknown) => void
}
