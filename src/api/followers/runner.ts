import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../database/index.ts'
import type { Follower } from './follower.ts'
import { type HeldDependencies, HeldFollower } from './held-follower.ts'

/** How long a process has a follower without renewing its lease; after that another one may take it. */
const LEASE_MS = 6_000
const RENEW_MS = 2_000
/** How often a process tries to take a follower of another one, so that one of them has it within 10 s (library.md). */
const CLAIM_MS = 1_000
/** How long a process leaves a follower to others that have the API file for its next change. */
const OTHER_FILE_MS = 10_000
/** How long a process that stops waits for calls: as long as for requests (command-line.md). */
const STOP_MS = 10_000

/** A follower that this process has, for metrics. */
export interface FollowerFigures {
  readonly name: string
  /** The age of the first change after its position; 0 if there is none. */
  readonly delayMs: number
  readonly waiting: number
  readonly lost: number
  readonly isPaused: boolean
}

export interface RunningFollowers {
  /** The figures of the followers that this process has now. */
  figures(now: number): Promise<readonly FollowerFigures[]>
  /** Waits up to 10 s for the calls that run, and lets others take over at once. */
  stop(): Promise<void>
}

/** Runs followers, each while no other process does. Resolves when all of them have their positions in the log. */
export async function startFollowers(
  followers: readonly Follower[],
  dependencies: HeldDependencies,
): Promise<RunningFollowers> {
  const { store, reports } = dependencies
  const stopped = new AbortController()
  const held = new Map<string, HeldFollower>()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopped.signal }).catch(() => {})
  for (const { name } of followers) await store.followers.register(name)

  /** Undefined if another process has the follower. */
  async function ask(method: 'claim' | 'renew', name: string, holder: string) {
    const sentAt = performance.now()
    const claim = await store.followers[method](name, holder, LEASE_MS)
    return claim && { claim, sentAt, ms: LEASE_MS }
  }

  /** Holds a follower until another process has it, or it has to be left to others. Returns how long to wait then. */
  async function hold(follower: Follower): Promise<number> {
    const { name } = follower
    const holder = randomUUID()
    const lease = await ask('claim', name, holder)
    if (lease === undefined) return CLAIM_MS
    const own = new HeldFollower(follower, holder, lease, dependencies)
    held.set(name, own)
    let waitMs = CLAIM_MS
    try {
      await own.start()
      while (!stopped.signal.aborted) {
        const end = await Promise.race([own.ended, pause(RENEW_MS)])
        if (end !== undefined) {
          waitMs = end === 'lost' ? 0 : OTHER_FILE_MS
          break
        }
        if (!(await renew(own, name, holder))) break
      }
    } finally {
      held.delete(name)
      await stop(own, name, holder)
      await store.followers.release(name, holder)
    }
    return waitMs
  }

  /** The lease is kept until the last call has ended: otherwise another process would repeat that call. */
  async function stop(own: HeldFollower, name: string, holder: string): Promise<void> {
    const renewing = setInterval(() => void renew(own, name, holder), RENEW_MS)
    await own.stop(stopped.signal.aborted ? STOP_MS : Number.POSITIVE_INFINITY)
    clearInterval(renewing)
  }

  /** Returns whether this process still has the follower. */
  async function renew(own: HeldFollower, name: string, holder: string): Promise<boolean> {
    try {
      const lease = await ask('renew', name, holder)
      if (lease === undefined) return false
      own.renew(lease)
      return true
    } catch {
      // The store reports that it cannot be reached. Without it there are no changes to handle.
      return true
    }
  }

  async function follow(follower: Follower): Promise<void> {
    while (!stopped.signal.aborted) {
      const waitMs = await hold(follower).catch((error: unknown) => {
        // The store itself reports that it cannot be reached.
        if (!isUnavailable(error)) reports.onError(error)
        return CLAIM_MS
      })
      await pause(waitMs)
    }
  }

  const running = followers.map(follow)
  return {
    figures: (now) =>
      Promise.all(
        [...held].map(async ([name, own]) => {
          const { position, ...state } = own.state
          const next = await store.changes.find(position + 1)
          return { name, ...state, delayMs: next === undefined ? 0 : Math.max(0, now - next.at) }
        }),
      ),
    async stop() {
      stopped.abort()
      await Promise.all(running)
    },
  }
}
