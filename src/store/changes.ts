import type { Awaitable } from './auth-store.ts'

/** In the order of the numbers that stand for them in the log. */
export const CHANGE_KINDS = ['create', 'update', 'delete'] as const

/** A committed change of a member, as the feed tells it (live.md, The feed). */
export interface Change {
  /** From 1 on and without gaps; the changes of one member have the order of their commits. */
  readonly position: number
  /** Perhaps none that the API file has. */
  readonly className: string
  readonly id: string
  readonly kind: (typeof CHANGE_KINDS)[number]
  /** That the member has since; of no meaning where it was removed. */
  readonly version: number
  /** Of the member, as in StoredMember. */
  readonly owner: number | undefined
  readonly at: number
}

/** How much of the log is kept: changes that are no older, and no more of them. */
export interface History {
  readonly ageMs: number
  readonly count: number
}

/** The changes of members, written in the transaction of each. A migration is none. */
export interface ChangeLog {
  /** Names this database: another one has another, and so has one that was restored from a backup or copied. */
  epoch(): Awaitable<string>
  /** Undefined before the first one. The last one is always kept. */
  last(): Awaitable<Change | undefined>
  /** Those behind a position, oldest first. All that was committed before the call is among them, or behind them. */
  after(position: number, limit: number): Awaitable<readonly Change[]>
  /** Told behind every write of this process. Returns how to end it. */
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
 * Of the `limit` oldest, those before the first one that is kept, so that the log has no gap; and never the last one of
 * all, which says where the log ends. `oldest` and `count`: what is kept, as the statement spells its parameters.
 */
export const sweepText = (oldest: string, count: string, limit: string): string => `
  WITH first AS (SELECT position, at FROM changes ORDER BY position LIMIT ${limit}),
    last AS (SELECT max(position) AS position FROM changes)
  DELETE FROM changes WHERE position <= (SELECT max(position) FROM first)
    AND position < coalesce(
      (SELECT min(position) FROM first
        WHERE at > ${oldest} AND position > (SELECT position FROM last) - ${count}),
      (SELECT position FROM last))`

const WRITES = ['add', 'addAll', 'change', 'remove', 'writeAll'] as const

type Writes = { readonly [Name in (typeof WRITES)[number]]: (...args: never) => Promise<unknown> }

/** The members, and watchers are told behind each write, also where its outcome is not known. */
export function watchedWrites<T extends Writes>(members: T) {
  const watching = new Set<() => void>()
  const tell = () => {
    for (const onWrite of watching) onWrite()
  }
  const told = WRITES.map((name) => {
    const write = members[name]
    const watched: Writes[typeof name] = (...args) =>
      watching.size === 0 ? write(...args) : write(...args).finally(tell)
    return [name, watched] as const
  })
  return {
    members: { ...members, ...Object.fromEntries(told) } as T,
    watch(onWrite: () => void): () => void {
      watching.add(onWrite)
      return () => watching.delete(onWrite)
    },
  }
}
