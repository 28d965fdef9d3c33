import type { Awaitable } from './auth-store.ts'

/** Their indexes are the numbers in the log. */
export const CHANGE_KINDS = ['create', 'update', 'delete'] as const

/** A committed change of a member (live.md, The feed). */
export interface Change {
  /** From 1 on and without gaps; the changes of one member have the order of their commits. */
  readonly position: number
  /** The API file may not have the class any more. */
  readonly className: string
  readonly id: string
  readonly kind: (typeof CHANGE_KINDS)[number]
  /** The version of the member since then; without meaning where it was removed. */
  readonly version: number
  /** Of the member, as in StoredMember. */
  readonly owner: number | undefined
  readonly at: number
}

/** How much of the log is kept: the greatest age and number of changes. */
export interface History {
  readonly ageMs: number
  readonly count: number
}

/** Changes of members, each logged in its own transaction. A migration is not logged. */
export interface ChangeLog {
  /** Identifies this database; one that is restored from a backup or copied has another epoch. */
  epoch(): Awaitable<string>
  /** Undefined before the first change. The last change is never swept. */
  last(): Awaitable<Change | undefined>
  /** Changes after a position, oldest first. All that were committed before the call are among them, or follow them. */
  after(position: number, limit: number): Awaitable<readonly Change[]>
  /** Calls `onWrite` after every write of this process. Returns how to stop. */
  watch(onWrite: () => void): () => void
  /** Removes up to `limit` of the oldest changes that are not kept. True when there may be more. */
  sweep(now: number, history: History, limit: number): Promise<boolean>
}

export type ChangeRow = [
  position: number,
  className: string,
  id: string,
  kind: number,
  version: number,
  owner: number | null,
  at: number,
]

export const CHANGE_COLUMNS = 'position, class, id, kind, version, owner, at'

export const toChange = ([position, className, id, kind, version, owner, at]: ChangeRow): Change => ({
  ...{ position, className, id, version, at },
  kind: CHANGE_KINDS[kind] as Change['kind'],
  owner: owner ?? undefined,
})

/**
 * Deletes, of the `limit` oldest changes, those before the first that is kept, so that the log has no gap; never the last
 * of all, which marks the end of the log. `oldest` and `count`: what is kept, as placeholders of the statement.
 */
export const sweepText = (oldest: string, count: string, limit: string): string => `
  WITH first AS (SELECT position, at FROM changes ORDER BY position LIMIT ${limit}),
    last AS (SELECT max(position) AS position FROM changes)
  DELETE FROM changes WHERE position <= (SELECT max(position) FROM first)
    AND position < coalesce(
      (SELECT min(position) FROM first
        WHERE at > ${oldest} AND position > (SELECT position FROM last) - ${count}),
      (SELECT position FROM last))`

const WRITES = ['add', 'addAll', 'change', 'remove', 'writeAll', 'writeAllLocked'] as const

type Writes = { readonly [Name in (typeof WRITES)[number]]: (...args: never) => Promise<unknown> }

/** Notifies watchers after each write, also where its outcome is not known. */
export function watchedWrites<T extends Writes>(members: T) {
  const watchers = new Set<() => void>()
  const notify = () => {
    for (const onWrite of watchers) onWrite()
  }
  const watched = WRITES.map((name) => {
    const write = members[name]
    const writeAndNotify: Writes[typeof name] = (...args) =>
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
