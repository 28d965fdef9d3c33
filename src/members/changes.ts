import type { Awaitable } from '../database/index.ts'
import { neededPosition } from './followers.ts'
import type { MemberName } from './member.ts'

/** The index of a kind is its number in the log. */
export const CHANGE_KINDS = ['create', 'update', 'delete'] as const

/** What the followed links of a member led to, by property (`ClassSchema.followed`). */
export type Followed = ReadonlyMap<string, BeforeAndAfter>

/**
 * What one link led to before a change, and after it. Accounts stand by the numbers of their users, which are never given
 * again, and members of any other class by their ids.
 */
export interface BeforeAndAfter {
  readonly before: readonly FollowedTarget[]
  readonly after: readonly FollowedTarget[]
}

export type FollowedTarget = number | string

/** A committed change of a member (live.md, The feed). */
export interface Change {
  /** Positions begin at 1 and have no gaps; the changes of one member are in the order of their commits. */
  readonly position: number
  /** The class may no longer be in the API file. */
  readonly className: string
  readonly id: string
  readonly kind: (typeof CHANGE_KINDS)[number]
  /** The version of the member after the change; meaningless if the member was removed. */
  readonly version: number
  /** The owner of the member, as in StoredMember. */
  readonly owner: number | undefined
  /** The number of the user who made the change; undefined where no user did. */
  readonly actor: number | undefined
  readonly at: number
  /** Absent if the class had no followed links when the change was written. */
  readonly followed?: Followed
}

/** Changes of a class; of one member in it, of the members of one owner, or both; or those that named one account. */
export interface ChangeRange {
  readonly className: string
  readonly id?: string
  readonly owner?: number
  /**
   * The number of a user who does not own the member, and whose account its followed links named before the change, or
   * after it. Never together with `id` or `owner`.
   */
  readonly account?: number
}

/** A page of the log. */
export interface ChangePage {
  /** Oldest first. */
  readonly changes: readonly Change[]
  /** `changes` has all requested changes up to this one; undefined if there is none after the position. */
  readonly end: Change | undefined
  /**
   * `unknown class`: the page ends before a change of a class that this store does not know, but which is in the API file
   * with which the database was last opened. Another process has that file, so this one cannot handle the change.
   */
  readonly stop: 'limit' | 'end of log' | 'unknown class'
  /** Whether changes after the position were swept before they were read. */
  readonly isSwept: boolean
}

/** How much of the log is kept: the maximum age and number of changes. */
export interface LogLimits {
  readonly ageMs: number
  readonly count: number
  /** The maximum age of changes that a follower has not passed, however many they are; 0 by default. */
  readonly followedMs?: number
}

/** Changes of members, each logged in its own transaction. A migration is not logged. */
export interface ChangeLog {
  /** Identifies this database; one that is restored from a backup or copied has another epoch. */
  epoch(): Awaitable<string>
  /** Undefined before the first change. The last change is never swept. */
  last(): Awaitable<Change | undefined>
  /** Undefined if the change was swept, or has not happened. */
  find(position: number): Awaitable<Change | undefined>
  /** The first change of a member after a position, among all that were committed before the call. */
  findNext(name: MemberName, position: number): Awaitable<Change | undefined>
  /**
   * Up to `limit` changes after a position. Every change committed before the call is among them, or follows them.
   * `ranges`: the requested ranges, which do not overlap; by default all classes that the store was opened with.
   */
  after(position: number, limit: number, ranges?: readonly ChangeRange[]): Awaitable<ChangePage>
  /** Calls `onWrite` after every write of this process. Returns a function to stop. */
  watch(onWrite: () => void): () => void
  /** Removes up to `limit` of the oldest changes that need not be kept. Returns whether there may be more. */
  sweep(now: number, history: LogLimits, limit: number): Promise<boolean>
}

export type ChangeRow = [
  position: number,
  className: string,
  id: string,
  kind: number,
  version: number,
  owner: number | null,
  actor: number | null,
  at: number,
  followed: string | null,
]

export const CHANGE_COLUMNS = 'position, class, id, kind, version, owner, actor, at, followed'

export const toChange = (row: ChangeRow): Change => {
  const [position, className, id, kind, version, owner, actor, at, followed] = row
  const change = {
    ...{ position, className, id, version, at },
    kind: CHANGE_KINDS[kind] as Change['kind'],
    owner: owner ?? undefined,
    actor: actor ?? undefined,
  }
  return followed === null ? change : { ...change, followed: readFollowed(followed) }
}

/** The targets of a link before and after a change; one list where they are the same. */
export type FollowedPair = readonly [before: readonly FollowedTarget[], after?: readonly FollowedTarget[]]

/** As a store writes it: JSON, an object with a pair for each property. */
const readFollowed = (text: string): Followed =>
  new Map(
    Object.entries(JSON.parse(text) as Record<string, FollowedPair>).map(
      ([property, [before, after = before]]) => [property, { before, after }],
    ),
  )

/** A page of changes of all classes; undefined if one is of a class that is not among `classNames`. */
export function plainPage(
  changes: readonly Change[],
  { position, limit }: { readonly position: number; readonly limit: number },
  classNames: ReadonlySet<string>,
): ChangePage | undefined {
  if (!changes.every(({ className }) => classNames.has(className))) return undefined
  return {
    changes,
    end: changes.at(-1),
    stop: changes.length < limit ? 'end of log' : 'limit',
    isSwept: changes.length > 0 && changes[0]?.position !== position + 1,
  }
}

/** The rows that a store has read for a page of some ranges. */
export interface RangesRead {
  /** Up to the limit, in the order of their positions. */
  readonly found: readonly Change[]
  /** The last change of the log, read before `found` or together with it. */
  readonly last: Change | undefined
  /** The change after the position; read after `found` or together with it, as the rest. */
  readonly next: Change | undefined
  /** The first change after the position of an unknown class, and the one before it. */
  readonly unknown: Change | undefined
  readonly beforeUnknown: Change | undefined
}

export function rangesPage(
  { found, last, next, unknown, beforeUnknown }: RangesRead,
  position: number,
  limit: number,
): ChangePage {
  const most = unknown?.position ?? Number.POSITIVE_INFINITY
  const changes = found.filter((one) => one.position < most)
  const isSwept = next === undefined && (last?.position ?? 0) > position
  const ended = changes.at(-1)
  if (changes.length === limit) return { changes, end: ended, stop: 'limit', isSwept }
  if (unknown !== undefined) return { changes, end: beforeUnknown, stop: 'unknown class', isSwept }
  // Changes that were committed after `last` was read may be among those that were found.
  const end = (ended?.position ?? 0) > (last?.position ?? 0) ? ended : last
  return { changes, end, stop: 'end of log', isSwept }
}

/**
 * In SQL: the position of the first change after `position` of a class that is shown, but not among `names`, a query. NULL
 * if there is none.
 */
export const unknownPosition = (position: string, names: string): string => `
  SELECT min((SELECT c.position FROM changes c WHERE c.class = k.name AND c.position > ${position}
    ORDER BY c.class, c.position LIMIT 1))
  FROM classes k WHERE k.shown = 1 AND k.name NOT IN (${names})`

/** Placeholders of a sweep. */
interface SweepLimits {
  readonly oldest: string
  readonly newest: string
  readonly count: string
  readonly limit: string
  readonly oldestFollowed: string
  readonly from?: string
}

/**
 * Deletes those of the `limit` oldest changes that precede the first one to keep, so that the log has no gap; never the
 * last change, which marks the end of the log; nor those later than `oldestFollowed` that a follower needs. `oldest` and
 * `count`: placeholders of the limits. `from`: the first position, or a lower one. A change later than `newest` was made while a clock was ahead: it is older than the changes
 * after it, and is deleted with them (authentication.md, Time).
 */
export const sweepText = ({
  oldest,
  newest,
  count,
  limit,
  oldestFollowed,
  from = '0',
}: SweepLimits): string => `
  WITH first AS (SELECT position, at FROM changes WHERE position >= ${from} ORDER BY position LIMIT ${limit}),
    last AS (SELECT max(position) AS position FROM changes),
    timed AS (SELECT position, at FROM changes WHERE position >= ${from} AND at <= ${newest}
      ORDER BY position LIMIT 1),
    kept AS (SELECT min(position) AS position FROM first
      WHERE at > ${oldest} AND at <= ${newest} AND position > (SELECT position FROM last) - ${count}),
    followed AS (SELECT min(position) AS position FROM first
      WHERE at > ${oldestFollowed} AND position >= (${neededPosition(oldestFollowed)}))
  DELETE FROM changes WHERE position >= ${from} AND position < coalesce((SELECT position FROM followed), (SELECT position FROM last)) AND position <= (
    SELECT max(position) FROM first
    WHERE position <= (SELECT position FROM last) - ${count}
      OR (at <= ${oldest} AND position < coalesce((SELECT position FROM kept), (SELECT position FROM last)))
      OR position < (SELECT position FROM timed WHERE at <= ${oldest}))`

const WRITES = ['add', 'addAll', 'change', 'remove', 'writeAll', 'writeAllLocked'] as const

type WatchedWrites = { readonly [Name in (typeof WRITES)[number]]: (...args: never) => Promise<unknown> }

/** Notifies watchers after each write, even if its outcome is not known. */
export function watchedWrites<T extends WatchedWrites>(members: T) {
  const watchers = new Set<() => void>()
  const notify = () => {
    for (const onWrite of watchers) onWrite()
  }
  const watched = WRITES.map((name) => {
    const write = members[name]
    const writeAndNotify: WatchedWrites[typeof name] = (...args) =>
      watchers.size === 0 ? write(...args) : write(...args).finally(notify)
    return [name, writeAndNotify] as const
  })
  return {
    members: { ...members, ...Object.fromEntries(watched) } as T,
    watch(onWrite: () => void): () => void {
      watchers.add(onWrite)
      return () => watchers.delete(onWrite)
    },
  }
}
