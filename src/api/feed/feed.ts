import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from '../../auth/index.ts'
import type { StreamPart } from '../../http/index.ts'
import {
  type Awaitable,
  type Change,
  type ChangePage,
  type ChangeRange,
  keyOfMember,
  type StoredMember,
  type UserRoles,
} from '../../store/index.ts'
import { apiProblem } from '../problems/index.ts'
import type { ResourceDependencies } from '../types.ts'
import { type LastChange, positionOf } from './ids.ts'
import { type Subscriber, Subscription } from './subscription.ts'

interface FeedDependencies extends Pick<ResourceDependencies, 'store' | 'clock' | 'streams' | 'replaced'> {
  /** How often a stream has a comment line: 15 s (live.md, The feed). */
  readonly heartbeatMs?: number
}

/** Changes as bytes, up to and including `reached`. */
export interface Encoded {
  /** Undefined where the stream shows none of them. */
  readonly part: StreamPart | undefined
  readonly reached: LastChange
  /**
   * How the stream goes on. `end`: it ends here, since the next change is of a class that this process does not know.
   * `swept`: it ends without an event, since the next change is no longer in the log.
   */
  readonly next: 'more' | 'end' | 'swept'
}

/** What the last poll has found, and what streams share until the next one. */
interface Latest {
  /** It has found the changes after `start`, up to `end`. */
  readonly start: LastChange
  readonly end: LastChange
  readonly owners: ReadonlySet<number | undefined>
  readonly encoded: Map<string, Awaitable<Encoded>>
  readonly members: Map<string, Promise<StoredMember | undefined>>
}

/** The interval of polls while there are streams: what other processes write is found in no other way. */
const POLL_MS = 250
/** How long changes are gathered into one write: with many streams, writes cost more than what is written. */
const GATHER_MS = 30
const PAGE = 1_000
/** How many changes a stream that is behind reads at once, before other requests get a turn. */
const CATCH_UP = 250
const REMEMBERED = 2_000
/** How many streams are written to before other requests get a turn. */
const SLICE = 10

const latestBehind = (start: LastChange, end = start, changes: readonly Change[] = []): Latest => ({
  start,
  end,
  owners: new Set(changes.map(({ owner }) => owner)),
  encoded: new Map(),
  members: new Map(),
})

export type Feed = ReturnType<typeof createFeed>

/** What all streams of a process share: one loop polls the log, and wakes all of them. */
export function createFeed(parts: FeedDependencies) {
  const { store, clock, streams: limits, replaced, heartbeatMs = 15_000 } = parts
  const { changes, auth, members } = store
  const subscriptions = new Set<Subscription>()
  /** The streams that have equal principals; computed again after one has come or gone. */
  let byPrincipal: readonly Subscription[][] | undefined
  let latest = latestBehind(undefined)
  /** All changes after the position, up to `latest.end`. */
  let recent: { readonly after: number; readonly changes: readonly Change[] } = { after: 0, changes: [] }
  let isFollowing = false
  let awaited = Promise.withResolvers<void>()
  const pollSoon = () => awaited.resolve()

  /** Runs while there are streams. */
  async function follow(): Promise<void> {
    const unwatch = changes.watch(pollSoon)
    const timer = setInterval(tick, POLL_MS).unref()
    while (subscriptions.size > 0) {
      const gathered = sleep(GATHER_MS, undefined, { ref: false })
      awaited = Promise.withResolvers()
      // While the store cannot be reached, nothing is sent.
      const hasMore = await poll().catch(() => false)
      if (hasMore) continue
      await gathered
      await awaited.promise
    }
    unwatch()
    clearInterval(timer)
    isFollowing = false
  }

  /** Says whether there are more changes already. */
  async function poll(): Promise<boolean> {
    const { end } = latest
    const page = await changes.after(positionOf(end), PAGE)
    const isUnknown = page.stop === 'unknown class'
    // Streams find the change that this process does not know, and end before it. Those that begin later go on from here.
    const reached = isUnknown ? await changes.last() : (page.end ?? end)
    // After the changes are read: access is checked as it is when they are sent (live.md, The feed).
    await endRevoked()
    latest = latestBehind(end, reached, page.changes)
    if (page.end === undefined && !isUnknown) return false
    // After a long standstill some may have been swept before they were read: a stream that needs them finds the gap.
    recent =
      isUnknown || page.isSwept ? { after: positionOf(reached), changes: [] } : withRecent(page.changes)
    await wakeAll()
    return page.stop === 'limit'
  }

  function withRecent(found: readonly Change[]): typeof recent {
    const all = [...recent.changes, ...found]
    const dropped = all.at(-1 - REMEMBERED)
    return { after: dropped?.position ?? recent.after, changes: all.slice(-REMEMBERED) }
  }

  let lastRead: Promise<unknown> = Promise.resolve()
  /**
   * From the log, up to what the last poll has seen. Of all streams that have much to read, one does so at a time, and each
   * in a turn of the event loop of its own.
   */
  function readLog(last: LastChange, ranges: readonly ChangeRange[] | undefined): Promise<ChangePage> {
    const reading = lastRead.then(async () => {
      await nextTurn()
      return readPage(last, ranges)
    })
    lastRead = reading.catch(() => {})
    return reading
  }

  async function readPage(last: LastChange, ranges: readonly ChangeRange[] | undefined): Promise<ChangePage> {
    const { end } = latest
    const page = await changes.after(positionOf(last), CATCH_UP, ranges)
    if (positionOf(page.end) <= positionOf(end)) return page
    const seen = page.changes.filter(({ position }) => position <= positionOf(end))
    return { ...page, changes: seen, end, stop: 'end of log' }
  }

  /** Ends streams whose token or user is gone or has other roles. Streams that begin meanwhile were just admitted. */
  async function endRevoked(): Promise<void> {
    byPrincipal ??= [...Map.groupBy(subscriptions, principalTextOf).values()]
    const checked = byPrincipal.flatMap((streams) => {
      const principal = streams[0]?.subscriber.principal
      return principal === undefined ? [] : [{ streams, principal }]
    })
    const idsBy = (idOf: (principal: Principal) => number | undefined): number[] => [
      ...new Set(checked.flatMap(({ principal }) => idOf(principal) ?? [])),
    ]
    const tokens = idsBy(({ token }) => token?.id)
    const users = idsBy(({ token, userId }) => (token === undefined ? userId : undefined))
    const ofTokens = tokens.length > 0 ? await auth.listRoles('tokens', tokens) : NONE
    const ofUsers = users.length > 0 ? await auth.listRoles('users', users) : NONE
    for (const { streams, principal } of checked) {
      const { token, userId } = principal
      const found = token === undefined ? ofUsers.get(userId) : ofTokens.get(token.id)
      if (!isSame(found, principal)) for (const subscription of streams) subscription.end()
    }
  }

  /** Other requests get a turn after every slice, and after the first stream: it encodes what the others share. */
  async function wakeAll(): Promise<void> {
    for (const [index, subscription] of [...subscriptions].entries()) {
      if (index < 2 || index % SLICE === 0) await nextTurn()
      subscription.wake()
    }
  }

  /** Expiry and heartbeats do not need the store. */
  function tick(): void {
    const now = clock.now()
    const heartbeatBefore = performance.now() - heartbeatMs
    for (const subscription of subscriptions) {
      if (subscription.isPast(now)) subscription.end()
      else if (subscription.heartbeatAt <= heartbeatBefore) {
        subscription.heartbeatAt = performance.now()
        subscription.isHeartbeatDue = true
        subscription.wake()
      }
    }
    pollSoon()
  }

  function unsubscribe(subscription: Subscription): void {
    subscriptions.delete(subscription)
    byPrincipal = undefined
    if (subscriptions.size === 0) pollSoon()
  }

  replaced?.addEventListener('abort', () => {
    for (const subscription of subscriptions) subscription.end()
  })
  const keyOf = ({ principal, address }: Subscriber): number | string => principal?.number ?? address

  return {
    get latest() {
      return latest
    },
    /**
     * 503 where there are too many streams. `end`: the last change in the log. A subscription whose stream has not begun
     * in this turn of the event loop is dropped.
     */
    subscribe(subscriber: Subscriber, end: LastChange): Subscription {
      const key = keyOf(subscriber)
      if (subscriptions.size >= limits.all) throw apiProblem('TooManyStreams', { retryAfterSeconds: 5 })
      if ([...subscriptions].filter((one) => keyOf(one.subscriber) === key).length >= limits.perUser)
        throw apiProblem('TooManyOwnStreams', { retryAfterSeconds: 5 })
      const subscription = new Subscription(subscriber, clock.now())
      subscriptions.add(subscription)
      byPrincipal = undefined
      setImmediate(() => subscription.isBegun || unsubscribe(subscription))
      if (!isFollowing) {
        isFollowing = true
        recent = { after: positionOf(end), changes: [] }
        latest = latestBehind(end)
        void follow()
      }
      return subscription
    },
    unsubscribe,
    /**
     * Changes after `last`, none that the last poll has not seen: from memory all of them, from the log a page of those in
     * the ranges.
     */
    since(last: LastChange, ranges: readonly ChangeRange[] | undefined): Awaitable<ChangePage> {
      const position = positionOf(last)
      if (position < recent.after) return readLog(last, ranges)
      const first = recent.changes.findIndex((change) => change.position > position)
      const found = first < 0 ? [] : recent.changes.slice(first)
      return { changes: found, end: latest.end, stop: 'end of log', isSwept: false }
    },
    /** The member as it is now; read once between two polls, for all streams. */
    find(change: Change): Promise<StoredMember | undefined> {
      const key = keyOfMember(change)
      const known = latest.members.get(key) ?? (async () => members.find(change.className, change.id))()
      latest.members.set(key, known)
      return known
    },
  }
}

const principalTextOf = ({ subscriber: { principal } }: Subscription): string =>
  `${principal?.token?.id} ${principal?.userId} ${principal?.number} ${principal?.roles}`

const NONE: ReadonlyMap<number, UserRoles> = new Map()
const isSame = (found: UserRoles | undefined, { number, roles }: Principal): boolean =>
  found?.number === number && found.roles.join() === roles.join()
