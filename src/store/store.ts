import type { Violation } from '../errors.ts'
import type { Key, KeyShape, Keys } from '../vocabulary/keys.ts'
import type { AdoptionChange, Move } from './adoption.ts'

export * from './adoption.ts'

/**
 * What remembers. Interfaces only: `sqlite/` and its siblings hold the implementations, `open.ts` chooses one.
 * All times are milliseconds since 1970.
 */

/** An embedded store answers at once, one across a network later; callers always `await`. */
export type Awaitable<T> = T | Promise<T>

export interface Store {
  readonly auth: AuthStore
  readonly members: MemberStore
  close(): Promise<void>
}

export interface StoreOptions {
  /** How long a search without an index may take. */
  readonly scanMs?: number
  /** Much will be written and nobody waits: the log is carried over into the file more rarely. */
  readonly bulk?: boolean
  /** Told before the members of a class are gone through, since the API file has changed. */
  readonly onAdopt?: (className: string, total: number) => void
  /** Told afterwards what that has changed; of classes that the API file does not have, at every opening. */
  readonly onAdopted?: (changes: readonly AdoptionChange[]) => void
  /**
   * What may be brought under these shapes where it is stored under others. `empty`: classes without members; `none`:
   * nothing, so that the members can only be read. Where there are other members, NotAdoptedError.
   */
  readonly adopt?: 'all' | 'empty' | 'none'
  /** Told once, when another process has adopted the members under other shapes: they cannot be read here any more. */
  readonly onOvertaken?: () => void
}

export interface User {
  readonly id: number
  /** argon2id in PHC form. */
  readonly paraphraseHash: string
}

export interface UserEntry {
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
  /** Another request has used the nonce. Nothing was written. */
  | { readonly outcome: 'spent' }
  /** Failures and running attempts are at the limit. Nothing was written, the nonce is still good. */
  | { readonly outcome: 'throttled'; readonly retryAt: number }

export interface NewToken {
  readonly hash: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export type TokenChoice = { readonly userId: number } | { readonly tokenId: number } | 'all'

export interface AuthStore {
  /** The deployment's nonce secret: made at first use, the same for everyone who opens this store. */
  nonceSecret(): Promise<Buffer>
  /** The latest time that was written with a token, a spent nonce or a sweep; 0 for a new store. */
  latestTime(): Promise<number>

  findUser(id: number): Awaitable<User | undefined>
  listUsers(now: number): Promise<UserEntry[]>
  /** False when there is such a user already; nothing is changed then. */
  addUser(id: number, paraphraseHash: string, now: number): Promise<boolean>
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
  succeed(attemptId: number, verified: User, token: NewToken | undefined): Promise<boolean>
  /** The paraphrase was wrong: the reservation stays behind as a recorded failure. */
  fail(attemptId: number): Promise<void>
  /** The paraphrase could not be checked: gives the reservation back. */
  giveBack(attemptId: number): Promise<void>

  /**
   * Exact: a token that was revoked, by whatever process on this store, is not found. (A store across a network
   * may be late by less than one second.) Expiry is for the caller, who owns the clock, to decide.
   */
  findToken(hash: string): Awaitable<Token | undefined>
  listTokens(now: number): Promise<Token[]>
  /** How many live tokens were ended. */
  revokeTokens(choice: TokenChoice, now: number): Promise<number>

  /** Removes up to `limit` rows of each kind that no longer matter and remembers `now`. True when there may be more. */
  sweep(now: number, limits: FailureLimits, limit: number): Promise<boolean>
}

/** A member as it is stored: text that is served as it is. */
export interface StoredMember {
  readonly id: string
  /** Never used twice in a class, not even after a removal. */
  readonly version: number
  /** The properties as JSON members, each with a comma before it; links are paths without the base URL. */
  readonly body: string
  /** Where in `body` the base URL goes: ascending offsets joined by commas, or empty. */
  readonly holes: string
}

export interface Link {
  /** Within an embedded value a path: `address/country`. */
  readonly property: string
  readonly className: string
  readonly id: string
}

/** What is stored of a member beside its id and version. */
export interface Written {
  readonly body: string
  readonly holes: string
  /** Values that the API file does not show (any more), as a JSON object; empty where there are none. */
  readonly hidden: string
  readonly links: readonly Link[]
  readonly keys: Keys
}

export interface NewMember extends Written {
  readonly id: string
}

/** What the store must know of a class. */
export interface ClassShape {
  readonly name: string
  /** Its former name, where the API file has renamed it. */
  readonly was: string | undefined
  /** Members that were written under another one are adopted when the store is opened. */
  readonly fingerprint: number
  readonly keys: readonly KeyShape[]
  /** The names of all its properties. */
  readonly properties: readonly string[]
  /** What messages call a member: the path of its address. */
  readonly addressOf: (id: string) => string
  /** A member that was written under another version of the API file, as this one stores it; or what does not fit. */
  readonly adopt: (stored: HiddenText) => Adopted | { readonly violations: readonly Violation[] }
}

export interface Adopted extends Written {
  /** Absent where every value has stayed where it was. */
  readonly moves?: readonly Move[]
}

/** All the text that is stored of a member; `holes` tell its links from its texts. */
export interface HiddenText {
  readonly body: string
  readonly holes: string
  readonly hidden: string
}

/** What the store alone can see is wrong with a member. */
export interface Refused {
  readonly outcome: 'refused'
  /** Links whose target does not exist. */
  readonly dangling: readonly Link[]
  /** Unique properties whose value another member has. */
  readonly taken: readonly string[]
}

export type Added =
  | { readonly outcome: 'added'; readonly version: number }
  | { readonly outcome: 'exists' }
  | Refused

export type Changed =
  | { readonly outcome: 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  | Refused

export type Removed =
  | { readonly outcome: 'removed' }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  /** Others link to it: up to ten of them. */
  | { readonly outcome: 'linked'; readonly from: readonly { className: string; id: string }[] }

/** One condition on the values of a property that has a key. A property with many values matches by any of them. */
export type Condition =
  /** Has one of these. */
  | { readonly property: string; readonly test: 'in'; readonly keys: readonly Key[] }
  | { readonly property: string; readonly test: 'range'; readonly from?: Bound; readonly to?: Bound }
  /** Has a value, and another one than this. */
  | { readonly property: string; readonly test: 'not'; readonly key: Key }
  /** `text` is folded. */
  | { readonly property: string; readonly test: 'contains'; readonly text: string }
  | { readonly property: string; readonly test: 'exists'; readonly exists: boolean }

export interface Bound {
  readonly key: Key
  readonly inclusive: boolean
}

export interface Order {
  readonly property: string
  readonly descending: boolean
}

/**
 * A place between members: of those with these keys in the order, the one with this sequence number was last. It stays
 * where it is when that member is changed or removed.
 */
export interface Position {
  readonly keys: readonly (Key | null)[]
  readonly sequence: number
}

/** Which members of a class, in which order, from where. Conditions and words are joined by "and". */
export interface Selection {
  readonly conditions: readonly Condition[]
  /** Folded words, each of which must be among the words of the member. */
  readonly words: readonly string[]
  /**
   * Members without the value come last in both directions; equals come in the order of creation, backwards where the
   * last order is descending. Without an order: the order of creation. A property with many values can be an order only
   * where it is the only one and a condition `in`, `range` or `exists` is on it: each member then stands at the least
   * of its matching values.
   */
  readonly order: readonly Order[]
  readonly start: Start
  readonly limit: number
  /** `bounded`: exact up to MOST_COUNTED, without cost; `exact`: whatever it costs. */
  readonly count: 'bounded' | 'exact'
}

export type Start =
  | { readonly at: 'offset'; readonly offset: number }
  | { readonly at: 'after'; readonly position: Position }
  /** The members right before the position, or right before the end; still in the order of the selection. */
  | { readonly at: 'before'; readonly position: Position | 'end' }

/** Filtered members are counted so far (hypermedia.md, totalItems). */
export const MOST_COUNTED = 1_000

export interface Page {
  readonly members: readonly StoredMember[]
  /** All members that match; undefined where there are more than are counted. */
  readonly total: number | undefined
  /** Whether there are further members in the direction of the walk: after these, or before them for `before`. */
  readonly more: boolean
  /** Of the first and the last member; undefined where there is none. */
  readonly edges: { readonly first: Position; readonly last: Position } | undefined
}

export interface MemberStore {
  /**
   * Names the present state of a class: what was computed under the same number is still exact, whatever process
   * writes. Undefined in a store that could not tell for less than reading anew.
   */
  state(className: string): number | undefined
  find(className: string, id: string): Awaitable<StoredMember | undefined>
  /** 503 for a selection that takes longer than the store allows; it never holds up other requests. */
  list(className: string, selection: Selection): Awaitable<Page>
  add(className: string, member: NewMember): Promise<Added>
  /** In one transaction, for bulk data; what is refused does not touch the others. */
  addAll(members: readonly { readonly className: string; readonly member: NewMember }[]): Promise<Added[]>
  /**
   * `expected`: versions that may be changed; undefined for any. `compute` is pure and may be called again when another
   * writer was faster; what it throws is thrown, and nothing is changed.
   */
  change(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    compute: (current: StoredMember & HiddenText) => Written,
  ): Promise<Changed>
  /** `expected`: versions that may be removed; undefined for any. */
  remove(className: string, id: string, expected: readonly number[] | undefined): Promise<Removed>
}
