import { isUnavailable } from '../../database/index.ts'
import { limitTime } from '../../deadline.ts'
import type { Change } from '../../members/index.ts'
import { outsideHooks } from '../program/hooks.ts'
import { errorText, retryMs } from './failure.ts'
import { type Follower, type FollowerCalls, FollowerPaused } from './follower.ts'
import type { Waiting } from './progress.ts'

/** Messages for the operator. */
export interface FollowerReports {
  onFailure(about: FailedCall, error: unknown): void
  onPaused(follower: string, reason: string): void
  /** Changes were swept before they were handled. */
  onLost(follower: string, changes: number): void
  /** The store has failed; what has failed will be tried again. */
  onError(error: unknown): void
}

interface FailedCall {
  readonly follower: string
  /** The address of the member. */
  readonly member: string
  readonly event: string
  readonly attempts: number
  readonly retryMs: number
}

export interface AttemptDependencies {
  readonly calls: FollowerCalls
  /** How long an attempt may take, where the follower does not say. */
  readonly hookMs: number
  readonly reports: FollowerReports
}

/** An attempt that has failed. */
export interface FailedAttempt extends Pick<Waiting, 'attempts' | 'nextAt' | 'error'> {
  /** Whether the follower must not be called again until it is resumed. */
  readonly isPause: boolean
}

/** Calls a follower for a change. */
export interface FollowerAttempts {
  /**
   * Undefined if the call has succeeded. Throws if the store could not be reached, which does not count as an attempt.
   * `attempts`: how many there were before.
   */
  attempt(change: Change, attempts: number): Promise<FailedAttempt | undefined>
}

/** `now`: the time by the clock of the database. `givenUp`: aborted when running attempts are not awaited any more. */
export function createAttempts(
  follower: Follower,
  { calls, hookMs, reports }: AttemptDependencies,
  { now, givenUp }: { readonly now: () => number; readonly givenUp: AbortSignal },
): FollowerAttempts {
  const { name, limitMs = hookMs } = follower
  const late = () => new Error(`It has not ended within ${limitMs / 1_000} s.`)

  function failed(change: Change, error: unknown, before: number): FailedAttempt {
    const text = errorText(error)
    if (error instanceof FollowerPaused) {
      reports.onPaused(name, text)
      return { attempts: before, nextAt: now(), error: text, isPause: true }
    }
    const attempts = before + 1
    const waitMs = retryMs(attempts)
    reports.onFailure({ follower: name, ...calls.describe(change), attempts, retryMs: waitMs }, error)
    return { attempts, nextAt: now() + waitMs, error: text, isPause: false }
  }

  return {
    async attempt(change, before) {
      const deliver = async () => follower.deliver(calls.callFor(change))
      try {
        await limitTime(outsideHooks(deliver), limitMs, late, givenUp)
        return undefined
      } catch (error) {
        if (isUnavailable(error)) throw error
        return failed(change, error, before)
      }
    },
  }
}
