import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../database/index.ts'
import {
  type Change,
  type ChangeLog,
  type ChangePage,
  type ChangeRange,
  keyOfMember,
  type StoredMember,
} from '../../members/index.ts'
import type { Store } from '../../store/index.ts'
import type { LastChange } from './ids.ts'
import { createLogTail, type LatestPoll } from './log-tail.ts'
import type { Subscriber, Subscription } from './subscription.ts'
import { createSubscriptions, type SubscriptionsDependencies } from './subscriptions.ts'

interface FeedDependencies extends Pick<SubscriptionsDependencies, 'clock'> {
  readonly store: Pick<Store, 'changes' | 'auth' | 'members'>
  /** Maximum number of streams. */
  readonly streams: SubscriptionsDependencies['limits']
  /** Aborted when another app replaces this one. */
  readonly replaced?: AbortSignal
  /** How often a stream has a comment line: 15 s (live.md, The feed). */
  readonly heartbeatMs?: number
}

/** The poll of the log that all streams and followers of a process share. */
export interface Feed {
  readonly latest: LatestPoll
  /**
   * Throws 503 if there are too many streams. `end`: the last change in the log. A subscription whose stream has not begun
   * in this turn of the event loop is dropped.
   */
  subscribe(subscriber: Subscriber, end: LastChange): Subscription
  unsubscribe(subscription: Subscription): void
  /** Calls `onChanges` after each poll that has found changes after `end`, the last one in the log. Returns a function to stop. */
  watch(onChanges: () => void, end: LastChange): () => void
  /** See LogTail. */
  since(last: LastChange, ranges: readonly ChangeRange[] | undefined): Awaitable<ChangePage>
  /** The member as it is now; read once between two polls, for all streams. */
  find(change: Change): Promise<StoredMember | undefined>
}

/** The interval of polls while there are streams or followers: only a poll finds the changes of other processes. */
const POLL_MS = 250
/** How long changes are collected into one write: with many streams, the number of writes costs more than their size. */
const GATHER_MS = 30

/** One loop polls the log for all streams and followers, and wakes them. */
export function createFeed(dependencies: FeedDependencies): Feed {
  const { store, clock, streams: limits, replaced, heartbeatMs = 15_000 } = dependencies
  const { changes, auth, members } = store
  const tail = createLogTail(changes)
  const subscriptions = createSubscriptions({ auth, clock, limits, heartbeatMs })
  const watchers = new Set<() => void>()
  const polling = createPolling(changes, { poll, tick: subscriptions.tick, isNeeded })

  function isNeeded(): boolean {
    return subscriptions.count() + watchers.size > 0
  }

  function start(end: LastChange): void {
    if (polling.isRunning()) return
    tail.startAt(end)
    polling.start()
  }

  async function poll(): Promise<boolean> {
    const polled = await tail.read()
    // Only after the changes are read: the access rights at the time of sending count (live.md, The feed).
    await subscriptions.endRevoked()
    if (!tail.show(polled)) return false
    for (const onChanges of watchers) onChanges()
    await subscriptions.wakeAll()
    return polled.page.stop === 'limit'
  }

  function unsubscribe(subscription: Subscription): void {
    subscriptions.remove(subscription)
    if (!isNeeded()) polling.pollSoon()
  }

  replaced?.addEventListener('abort', () => subscriptions.endAll())

  return {
    get latest() {
      return tail.latest()
    },
    subscribe(subscriber, end) {
      const subscription = subscriptions.add(subscriber)
      setImmediate(() => subscription.isBegun || unsubscribe(subscription))
      start(end)
      return subscription
    },
    unsubscribe,
    watch(onChanges, end) {
      watchers.add(onChanges)
      start(end)
      return () => {
        watchers.delete(onChanges)
        if (!isNeeded()) polling.pollSoon()
      }
    },
    since: tail.since,
    find(change) {
      const known = tail.latest().members
      const key = keyOfMember(change)
      const found = known.get(key) ?? (async () => members.find(change.className, change.id))()
      known.set(key, found)
      return found
    },
  }
}

interface Polling {
  /** Returns whether there are more changes already. */
  poll(): Promise<boolean>
  /** Called at intervals. */
  tick(): void
  isNeeded(): boolean
}

/** Polls while that is needed: at intervals, and soon after a write of this process. */
function createPolling(changes: ChangeLog, { poll, tick, isNeeded }: Polling) {
  let isRunning = false
  let awaited = Promise.withResolvers<void>()
  const pollSoon = () => awaited.resolve()

  async function run(): Promise<void> {
    const unwatch = changes.watch(pollSoon)
    const timer = setInterval(() => {
      tick()
      pollSoon()
    }, POLL_MS).unref()
    while (isNeeded()) {
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
    isRunning = false
  }

  return {
    pollSoon,
    isRunning: () => isRunning,
    start() {
      isRunning = true
      void run()
    },
  }
}
