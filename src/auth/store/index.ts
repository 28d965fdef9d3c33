import { AHEAD_MS, type Awaitable } from '../../database/index.ts'

/** The properties of a user that access rules need (access.md, Users and Owners). */
export interface UserRoles {
  /** Never used again, unlike the id, so that nobody inherits the members of a removed user. */
  readonly number: number
  /** Each once, sorted. */
  readonly roles: readonly string[]
}

/** The properties that a user and its entry in a list share. */
interface UserProperties extends UserRoles {
  readonly id: number
  /** In NFC; by its key (`nameKey`) it is unique, and found at sign-in (people.md, Names). */
  readonly name: string | undefined
  /** Goes up with every change of the name or the roles. */
  readonly revision: number
  readonly addedAt: number
  /** The last exchange. */
  readonly signedInAt: number | undefined
}

export interface User extends UserProperties {
  /** argon2id in PHC form. */
  readonly paraphraseHash: string
}

/** A user whose paraphrase was right, and the hash that it was checked against. */
export type Verified = Pick<User, 'id' | 'paraphraseHash'>

export interface UserEntry extends UserProperties {
  readonly liveTokens: number
}

export interface NewUser {
  /** By default, the lowest id above all that were ever used. */
  readonly id?: number | undefined
  /** As `readName` returns it. */
  readonly name?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly paraphraseHash: string
}

/** `no next id`: no id is given, and the largest one has been used. */
export type AddedUser = number | 'id taken' | 'no next id' | 'name taken'

/** Absent properties stay as they are. */
export interface UserChange {
  /** As `readName` returns it; null for none. */
  readonly name?: string | null | undefined
  readonly roles?: readonly string[] | undefined
  /** Ends the user's tokens. */
  readonly paraphraseHash?: string | undefined
}

export interface UserPreconditions {
  /** The revision that the user must still have. */
  readonly revision?: number | undefined
  /** Some user must keep one of these roles: the last one who has any, and is not being removed, does not lose them. */
  readonly keepRoles?: readonly string[] | undefined
}

export type ChangedUser = 'changed' | 'missing' | 'stale' | 'name taken' | 'last manager'
export type BegunRemoval = 'begun' | 'missing' | 'last manager'

/** The properties of a user that change without a new revision. */
export interface UserActivity {
  readonly signedInAt: number | undefined
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
  /** The id that was sent, or a negative number that stands for the name that was sent (`throttleNumber`). */
  readonly claimed: number
}

export interface Attempt extends Attempter {
  /** The nonce in lower case. */
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

export type Reserved =
  | { readonly outcome: 'reserved'; readonly attemptIds: readonly number[] }
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
  /** `key`: see `nameKey`. */
  findUserByName(key: string): Awaitable<User | undefined>
  listUsers(now: number): Promise<UserEntry[]>
  /** The distinct parameters in the hashes of all users, the part before the salt: `$argon2id$v=19$m=19456,t=2,p=1$`. */
  hashParameters(): Promise<string[]>
  /** Keyed by user id; ids without a user are left out. */
  listAccounts(ids: readonly number[], now: number): Promise<ReadonlyMap<number, UserActivity>>
  /** Changes with the name, the roles or the existence of any user, by whichever process. */
  usersGeneration(): Awaitable<number>
  /** Returns the id. Changes nothing if the id or the name is taken. */
  addUser(user: NewUser, now: number): Promise<AddedUser>
  /** All of the change or nothing. */
  changeUser(id: number, change: UserChange, preconditions?: UserPreconditions): Promise<ChangedUser>
  /** `changeUser` for roles alone. Returns false if there is no such user. */
  setRoles(id: number, roles: readonly string[]): Promise<boolean>
  /** `changeUser` for the paraphrase alone. Returns false if there is no such user. */
  setParaphrase(id: number, paraphraseHash: string): Promise<boolean>
  /** Sets the hash if it is still `from`, and ends all tokens of the user but one. Returns whether it did. */
  changeOwnParaphrase(id: number, from: string, to: string, keptTokenId: number | undefined): Promise<boolean>
  /** The same paraphrase hashed with newer parameters: tokens stay valid. Does nothing if the hash is not `from`. */
  upgradeParaphrase(id: number, from: string, to: string): Promise<void>
  /**
   * Marks the user as being removed, unless nobody else would be left who has one of `keepRoles` and is not being removed.
   * So of two users who remove each other at once, one begins. The mark lasts until the user is removed, `cancelRemoval`,
   * or REMOVAL_MS: the process may have ended.
   */
  beginRemoval(id: number, keepRoles: readonly string[]): Promise<BegunRemoval>
  cancelRemoval(id: number): Promise<void>
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
  /** As `begin`, without a nonce: reserves an attempt for each claimed user, or none. */
  reserve(address: string, claimed: readonly number[], limits: FailureLimits, now: number): Promise<Reserved>
  /**
   * The paraphrase was right: removes the reservation, and stores the token, if there is one, and the time. Returns false,
   * and stores nothing, if the user has a new paraphrase by now or was removed.
   */
  succeed(attemptId: number, verified: Verified, now: number, token?: NewToken): Promise<boolean>
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

/** How long a user counts as being removed. */
export const REMOVAL_MS = 60_000

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
