import type { Awaitable } from '../database/index.ts'
import type { MemberName } from './member.ts'

// How far followers have come in the change log (library.md, Followers).

/** A change that a follower has failed to handle: the later changes of the member wait behind it. */
export interface FollowerWait extends MemberName {
  readonly position: number
  readonly attempts: number
  /** When it is tried again, by the clock of the database. */
  readonly nextAt: number
  readonly error: string
}

/** A follower, as its holder finds it when it takes or renews the lease. */
export interface FollowerClaim {
  /** All changes up to this one were handled, or wait. */
  readonly position: number
  /** How often it was sent back: what its holder knows is out of date after that. */
  readonly rewinds: number
  /** How many changes were swept before they were handled. */
  readonly lost: number
  /** Why it is not called until it is resumed. */
  readonly paused: string | undefined
  /** The positions of waiting changes that must be passed over. */
  readonly skipped: readonly number[]
  /** The time by the database's clock. */
  readonly now: number
}

/** A holder, as it has claimed the follower. */
export interface FollowerHolder {
  readonly name: string
  readonly holder: string
  readonly rewinds: number
}

/** What a holder saves, all at once. */
export interface FollowerProgress {
  readonly position: number
  readonly lost: number
  /** The last error, if there is a new one. */
  readonly error?: { readonly text: string; readonly at: number } | undefined
  /** Set to pause the follower. */
  readonly paused?: string | undefined
  readonly waits: readonly FollowerWait[]
  /** Members that wait no longer. */
  readonly settled: readonly MemberName[]
}

/** A follower, for people. */
export interface FollowerSummary extends Pick<FollowerClaim, 'position' | 'lost' | 'paused'> {
  readonly name: string
  /** When it was first started. */
  readonly since: number
  /** When a program last had it. */
  readonly seenAt: number
  readonly isHeld: boolean
  readonly error: { readonly text: string; readonly at: number } | undefined
  readonly waiting: number
  /** The time of the first change after its position; undefined if there is none. */
  readonly nextAt: number | undefined
  /** The time by the database's clock. */
  readonly now: number
}

/** The number of waiting members at which a follower stops, until some of them succeed. */
export const MAX_WAITING = 1_000

/** The positions of followers. One process at a time holds a follower, by a lease. */
export interface FollowerStore {
  /** Adds a follower at the end of the log, unless it is there. */
  register(name: string): Promise<void>
  /** Takes the lease. Undefined if another holder has it. `holder`: different for each claim. */
  claim(name: string, holder: string, leaseMs: number): Promise<FollowerClaim | undefined>
  /** Undefined if another holder has taken the lease, after it had ended. */
  renew(name: string, holder: string, leaseMs: number): Promise<FollowerClaim | undefined>
  release(name: string, holder: string): Promise<void>
  /** Returns whether it was saved: not if the holder has lost the lease, or the follower was sent back. */
  save(by: FollowerHolder, progress: FollowerProgress): Promise<boolean>
  waits(name: string): Awaitable<readonly FollowerWait[]>
  /** The position of the first change that the log has; undefined if it has none. */
  firstPosition(): Awaitable<number | undefined>
  list(): Awaitable<readonly FollowerSummary[]>
  /** Has the first waiting change passed over, and returns it; undefined if none waits. */
  skip(name: string): Promise<FollowerWait | undefined>
  /** Returns whether the follower was paused. */
  resume(name: string): Promise<boolean>
  /** Sends the follower back to after a position. Returns whether it had come further. */
  rewind(name: string, position: number): Promise<boolean>
}

export type WaitRow = [
  className: string,
  id: string,
  position: number,
  attempts: number,
  nextAt: number,
  error: string,
]

export const WAIT_COLUMNS = 'class, id, position, attempts, next_at, error'

export const toWait = ([className, id, position, attempts, nextAt, error]: WaitRow): FollowerWait => ({
  ...{ className, id, position, attempts, nextAt, error },
})

export const toWaitRow = (wait: FollowerWait): WaitRow => {
  const { className, id, position, attempts, nextAt, error } = wait
  return [className, id, position, attempts, Math.round(nextAt), error]
}

export type FollowerRow = [
  name: string,
  position: number,
  since: number,
  seenAt: number,
  isHeld: number,
  paused: string | null,
  error: string | null,
  errorAt: number | null,
  lost: number,
  waiting: number,
  nextAt: number | null,
]

/** In SQL: all followers in the order of their names. `isHeld`: 1 while the lease lasts, otherwise 0. */
export const summaryText = (isHeld: string): string => `
  SELECT f.name, f.position, f.since, f.seen_at, ${isHeld}, f.paused, f.error, f.error_at, f.lost,
    (SELECT count(*) FROM follower_waits w WHERE w.follower = f.name),
    (SELECT c.at FROM changes c WHERE c.position > f.position ORDER BY c.position LIMIT 1)
  FROM followers f ORDER BY f.name`

export function toSummary(row: FollowerRow, now: number): FollowerSummary {
  const [name, position, since, seenAt, isHeld, paused, error, errorAt, lost, waiting, nextAt] = row
  return {
    ...{ name, position, since, seenAt, lost, waiting, now },
    isHeld: isHeld === 1,
    paused: paused ?? undefined,
    error: error === null ? undefined : { text: error, at: errorAt ?? 0 },
    nextAt: nextAt ?? undefined,
  }
}

/** In SQL: the first position that a follower needs which a program has had since `seen`; NULL if there is none. */
export const neededPosition = (seen: string): string => `
  SELECT min(needed) FROM (
    SELECT position + 1 AS needed FROM followers WHERE seen_at > ${seen}
    UNION ALL
    SELECT w.position FROM follower_waits w JOIN followers f ON f.name = w.follower WHERE f.seen_at > ${seen}
  ) AS of_followers`
