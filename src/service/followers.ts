import {
  type CallDependencies,
  createFollowerCalls,
  type FollowerReports,
  type RunningFollowers,
  startFollowers,
} from '../api/followers/index.ts'
import type { Feed, Follower } from '../api/index.ts'
import type { Store } from '../store/index.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'

interface FollowersDependencies {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  readonly metrics: Metrics | undefined
  readonly hookMs: number
  /** Called with an error of the store. */
  readonly onError: (error: unknown) => void
  readonly now: () => Promise<number>
}

/** Runs followers, with what happens to them in the log and in metrics. Undefined if there are none. */
export async function runFollowers(
  followers: readonly Follower[],
  callDependencies: CallDependencies,
  { store, feed, log, metrics, hookMs, onError, now }: FollowersDependencies,
): Promise<RunningFollowers | undefined> {
  if (followers.length === 0) return undefined
  const calls = createFollowerCalls(callDependencies)
  const reports = createReports(log, onError)
  const running = await startFollowers(followers, { store, feed, calls, hookMs, reports })
  metrics?.watchFollowers(async () => running.figures(await now()))
  return running
}

const createReports = (log: Log, onError: (error: unknown) => void): FollowerReports => ({
  onError,
  onFailure: (about, err) =>
    log.error({ ...about, err }, 'a follower has failed to handle a change, and will be called again'),
  onPaused: (follower, reason) =>
    log.error(
      { follower, reason },
      `a follower is paused; resume it with: hydrant follower resume ${follower}`,
    ),
  onLost: (follower, changes) =>
    log.error(
      { follower, changes },
      'a follower has lost changes: they were older than --follower-history before it could handle them',
    ),
})
