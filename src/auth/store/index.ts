import { AHEAD_MS, type Awaitable } from '../../database/index.ts'

/** The properties of a user that access rules need (access.md, Users and Owners). */
export interface UserRoles {
  /** Never used again, unlike the id, so that nobody inherits the members of a removed user. */
  readonly number: number
  /** Each once, sorted. */
  readonly roles: readonly string[]
}

export interface User extends UserRoles {
  readonly id: number
  /** argon2id in PHC form. */
  readonly paraphraseHash: string
}

/** A user whose paraphrase was right, and the hash that it was checked against. */
export type Verified = Pick<User, 'id' | 'paraphraseHash'>

export interface UserEntry extends UserRoles {
  readonly id: number
  readonly addedAt: number
  readonly liveTokens: number
}

export interface Token {
  /** Identifies the token for an operator; only its user knows the token itself. */
  readonly id: number
  readonly userId: number
  readonly issuedAt: number
  readonly expiresAt: number
}

/** How many failed checks of a paraphrase are too many, and within which time. */
export interface FailureLimit {
  readonly failures: number
  readonly windowMs: number
}

export interface FailureLimits {
  /** Per client address and user. */
  readonly user: FailureLimit
  /** Per client address, all users together. */
  readonly address: FailureLimit
}

/** The address and user by which the throttle counts attempts. */
export interface Attempter {
  readonly address: string
  readonly userId: number
}

export interface Attempt extends Attempter {
  /** In lower case. */
  readonly nonce: string
  readonly nonceExpiresAt: number
  readonly series: number
  readonly now: number
  readonly limits: FailureLimits
}

export type Begun =
  | { readonly outcome: 'begun'; readonly attemptId: number }
  /**
   * Another request has spent the nonce, or may have: a sweep may have removed its row, or it belongs to an earlier
   * series. `series`: the series whose nonces are accepted. No attempt is reserved.
   */
  | { readonly outcome: 'spent'; readonly series?: number }
  /** Failures and running attempts are at the limit. Nothing was written; the nonce is not spent. */
  | { readonly outcome: 'throttled'; readonly retryAt: number }

export interface NewToken {
  readonly hash: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export type TokenChoice = { readonly userId: number } | { readonly tokenId: number } | 'all'

export interface AuthStore {
  /** The deployment's nonce secret: created at first use, the same for all processes on this store. */
  nonceSecret(): Promise<Buffer>
  /** The series of nonces that are accepted (authentication.md, Time); 0 at first. */
  nonceSeries(): Promise<number>
  /** Begins this series, unless a later one has begun, and returns the current one. Nonces of earlier series are refused. */
  beginNonceSeries(series: number): Promise<number>
  /** The latest time that was written with a token, a spent nonce or a sweep; 0 for a new store. */
  latestTime(): Promise<number>
  /** The clock of the database's host, if that may be another host. */
  databaseTime?(): Promise<number>

  findUser(id: number): Awaitable<User | undefined>
  listUsers(now: number): Promise<UserEntry[]>
  /** The distinct parameters in the hashes of all users, the part before the salt: `$argon2id$v=19$m=19456,t=2,p=1$`. */
  hashParameters(): Promise<string[]>
  /** Returns false, and changes nothing, if the user exists. */
  addUser(id: number, paraphraseHash: string, now: number, roles?: readonly string[]): Promise<boolean>
  /** Replaces the user's roles. Returns false if there is no such user. */
  setRoles(id: number, roles: readonly string[]): Promise<boolean>
  /** Ends the user's tokens too. False when there is no such user. */
  setParaphrase(id: number, paraphraseHash: string): Promise<boolean>
  /** The same paraphrase hashed with newer parameters: tokens stay valid. Does nothing if the hash is not `from`. */
  upgradeParaphrase(id: number, from: string, to: string): Promise<void>
  /** Ends the user's tokens too. False when there is no such user. */
  removeUser(id: number): Promise<boolean>

  isSpent(nonce: string): Awaitable<boolean>
  /** When the recorded failures will have fallen below the limit; undefined while they are below it. */
  throttledUntil(attempter: Attempter, limits: FailureLimits, now: number): Awaitable<number | undefined>
  /**
   * Reserves the attempt and spends the nonce, both or neither, in one transaction: of any number of racing
   * requests on any number of hosts exactly one gets `begun`. The reservation counts as a failure until it
   * is settled, so a process that dies in between has not given the attacker a free guess.
   */
  begin(attempt: Attempt): Promise<Begun>
  /**
   * The paraphrase was right: removes the reservation and stores the token, if there is one. Returns false, and stores no
   * token, if the user has a new paraphrase by now or was removed.
   */
  succeed(attemptId: number, verified: Verified, token: NewToken | undefined): Promise<boolean>
  /** The paraphrase was wrong: the reservation becomes a recorded failure. */
  fail(attemptId: number): Promise<void>
  /** The paraphrase could not be checked: removes the reservation. */
  cancel(attemptId: number): Promise<void>

  /**
   * A token that any process on this store has revoked is not found (on PostgreSQL, after less than one second). The
   * caller checks by its clock whether it has expired or lies ahead; its times are corrected by its age (`correctTimes`).
   */
  findToken(hash: string, now: number): Awaitable<(Token & UserRoles) | undefined>
  /** Ends a token whose issue lies ahead of `now`; on PostgreSQL, only if it lies ahead of the database's clock too. */
  endTokenAhead(id: number, now: number): Promise<void>
  listTokens(now: number): Promise<Token[]>
  /** The roles of users, or of the users of tokens, by the ids of those that exist; never from a cache. */
  listRoles(of: 'users' | 'tokens', ids: readonly number[]): Awaitable<ReadonlyMap<number, UserRoles>>
  /** Returns how many live tokens were ended. */
  revokeTokens(choice: TokenChoice, now: number): Promise<number>

  /**
   * Removes up to `limit` expired rows of each kind, and stores `now`: nonces that it would have removed are refused.
   * Returns whether there may be more.
   */
  sweep(now: number, limits: FailureLimits, limit: number): Promise<boolean>
}

/** Roles as both stores keep them. No role contains a comma (access.md, Users). */
export const rolesText = (roles: readonly string[] = []): string => [...new Set(roles)].toSorted().join(',')

export const rolesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','))

/**
 * A spent nonce is kept a little longer than it is valid: a request that was checked in time may reach the store later,
 * and another host's clock may be ahead.
 */
export const SPENT_GRACE_MS = 30_000

/** A token may live shorter than this, not longer (seed.md, Limits). */
export const LONGEST_TOKEN_MS = 45 * 60_000

/** How far a token's issue may differ from its age before it is corrected. With the lease of a cached token, below 5 s. */
const AGE_TOLERANCE_MS = 3_000

/**
 * A token is as old as the database says, or older: the clock that issued it may have been ahead, and corrected since.
 * `recordedAt`: when it was stored, by the database's clock but converted to the clock of `now`; undefined if not known.
 * Returns the token itself if there is nothing to correct.
 */
export function correctTimes<T extends Token>(token: T, recordedAt: number | undefined, now: number): T {
  const { issuedAt, expiresAt } = token
  if (recordedAt === undefined || issuedAt > now + AHEAD_MS) return token
  const lateMs = issuedAt - recordedAt
  return lateMs <= AGE_TOLERANCE_MS
    ? token
    : { ...token, issuedAt: issuedAt - lateMs, expiresAt: expiresAt - lateMs }
}

/** The store on a database connection of its own. */
export interface OpenAuthStore {
  readonly store: AuthStore
  close(): Promise<void>
}
