/** An embedded store answers at once, one across a network later; callers always `await`. */
export type Awaitable<T> = T | Promise<T>

/** What a user may do goes by this (access.md, Users and Owners). */
export interface UserRoles {
  /** Given once and never again, so that nobody inherits the members of a removed user. */
  readonly number: number
  /** Each once, sorted. */
  readonly roles: readonly string[]
}

export interface User extends UserRoles {
  readonly id: number
  /** argon2id in PHC form. */
  readonly paraphraseHash: string
}

/** Whose paraphrase was checked, and by which hash. */
export type Verified = Pick<User, 'id' | 'paraphraseHash'>

export interface UserEntry extends UserRoles {
  readonly id: number
  readonly addedAt: number
  readonly liveTokens: number
}

export interface Token {
  /** A number to name the token by; the token itself is known to its owner alone. */
  readonly id: number
  readonly userId: number
  readonly issuedAt: number
  readonly expiresAt: number
}

/** How many failed checks of a paraphrase are too many. */
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

/** Whose attempt it is, as the throttle counts. */
export interface Attempter {
  readonly address: string
  readonly userId: number
}

export interface Attempt extends Attempter {
  /** In its one spelling (lower case). */
  readonly nonce: string
  readonly nonceExpiresAt: number
  readonly now: number
  readonly limits: FailureLimits
}

export type Begun =
  | { readonly outcome: 'begun'; readonly attemptId: number }
  /**
   * Another request has used the nonce, or may have: `sweptAt` is the time of a sweep that would have removed the row.
   * Nothing is reserved.
   */
  | { readonly outcome: 'spent'; readonly sweptAt?: number }
  /** Failures and running attempts are at the limit. Nothing was written, the nonce is still good. */
  | { readonly outcome: 'throttled'; readonly retryAt: number }

export interface NewToken {
  readonly hash: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export type TokenChoice = { readonly userId: number } | { readonly tokenId: number } | 'all'

export interface AuthStore {
  /** The deployment's nonce secret: made at first use, the same for all processes on this store. */
  nonceSecret(): Promise<Buffer>
  /** The latest time that was written with a token, a spent nonce or a sweep; 0 for a new store. */
  latestTime(): Promise<number>
  /** The clock of the host on which the store is, where that may be another one. */
  databaseTime?(): Promise<number>

  findUser(id: number): Awaitable<User | undefined>
  listUsers(now: number): Promise<UserEntry[]>
  /** What stands before the salt in the hashes of all users, each once: `$argon2id$v=19$m=19456,t=2,p=1$`. */
  hashParameters(): Promise<string[]>
  /** False when there is such a user already; nothing is changed then. */
  addUser(id: number, paraphraseHash: string, now: number, roles?: readonly string[]): Promise<boolean>
  /** The roles that the user has from now on. False when there is no such user. */
  setRoles(id: number, roles: readonly string[]): Promise<boolean>
  /** Ends the user's tokens too. False when there is no such user. */
  setParaphrase(id: number, paraphraseHash: string): Promise<boolean>
  /** The same paraphrase hashed with newer parameters: tokens live on. Does nothing if the hash is not `from`. */
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
   * The paraphrase was right: gives the reservation back and issues the token, if one is wanted. False, and no
   * token, when the user has another paraphrase by now or is gone.
   */
  succeed(attemptId: number, verified: Verified, token: NewToken | undefined): Promise<boolean>
  /** The paraphrase was wrong: the reservation stays behind as a recorded failure. */
  fail(attemptId: number): Promise<void>
  /** The paraphrase could not be checked: gives the reservation back. */
  cancel(attemptId: number): Promise<void>

  /**
   * Exact: a token that was revoked, by whatever process on this store, is not found. (A store across a network
   * may be late by less than one second.) Expiry is for the caller to decide, which owns the clock.
   */
  findToken(hash: string): Awaitable<(Token & UserRoles) | undefined>
  listTokens(now: number): Promise<Token[]>
  /** Of users, or of the users of tokens, by the ids of those that are there: as of now, past all memory. */
  listRoles(of: 'users' | 'tokens', ids: readonly number[]): Awaitable<ReadonlyMap<number, UserRoles>>
  /** How many live tokens were ended. */
  revokeTokens(choice: TokenChoice, now: number): Promise<number>

  /** Removes up to `limit` rows of each kind that no longer matter and remembers `now`. True when there may be more. */
  sweep(now: number, limits: FailureLimits, limit: number): Promise<boolean>
}

/** Roles as both stores keep them. No role has a comma (access.md, Users). */
export const rolesText = (roles: readonly string[] = []): string => [...new Set(roles)].toSorted().join(',')

export const rolesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','))

/**
 * A spent nonce is remembered a little longer than it could be used: a request that was judged in time may still be on its
 * way, and another host's clock may run ahead.
 */
export const SPENT_GRACE_MS = 30_000
