import type { ChangeLog } from '../../members/index.ts'
import type { FailedAttempt, FollowerAttempts } from './attempts.ts'
import { retryMs } from './failure.ts'
import type { OpenChanges, Waiting } from './progress.ts'

interface RetryDependencies extends FollowerAttempts {
  readonly progress: OpenChanges
  readonly changes: ChangeLog
  readonly classes: readonly string[]
  /** The time by the database's clock. */
  readonly now: () => number
  readonly mayRun: () => boolean
  readonly onFailure: (failure: FailedAttempt) => void
  /** The change that a member waits for was swept. */
  readonly onLost: () => void
}

/** The pause after a search without a result, since each search looks at all waiting members. */
const SEARCH_MS = 50

/** A time further ahead than any wait is from before the clock was set back. */
const isTime = ({ nextAt, attempts }: Waiting, time: number): boolean =>
  nextAt <= time || nextAt > time + retryMs(attempts)

/** Retries the changes that members wait for, then their later changes that were read. */
export class Retries {
  readonly #dependencies: RetryDependencies
  readonly #skipped = new Set<number>()
  #searchAt = 0

  constructor(dependencies: RetryDependencies) {
    this.#dependencies = dependencies
  }

  /** The changes at these positions are passed over. */
  skip(positions: readonly number[]): void {
    if (positions.length === 0) return
    for (const position of positions) this.#skipped.add(position)
    const { progress, now } = this.#dependencies
    for (const waiting of progress.waiting.values())
      if (this.#skipped.has(waiting.position)) waiting.nextAt = now()
    this.#searchAt = 0
  }

  /** A member whose time has come; undefined if there is none. */
  next(): Waiting | undefined {
    const { progress, classes, now } = this.#dependencies
    if (progress.waiting.size === 0 || performance.now() < this.#searchAt) return undefined
    const time = now()
    for (const waiting of progress.waiting.values()) {
      const isDue = !waiting.isRunning && isTime(waiting, time) && progress.isRead(waiting)
      // Another program, on another host, may follow classes that this one does not: it tries their members again.
      if (isDue && (classes.includes(waiting.className) || this.#skipped.has(waiting.position)))
        return waiting
    }
    this.#searchAt = performance.now() + SEARCH_MS
    return undefined
  }

  async run(waiting: Waiting): Promise<void> {
    waiting.isRunning = true
    try {
      while (this.#dependencies.mayRun()) if (await this.#tryOnce(waiting)) return
    } finally {
      waiting.isRunning = false
    }
  }

  /** Returns whether nothing is left to do now: the change has failed again, or the member no longer waits. */
  async #tryOnce(waiting: Waiting): Promise<boolean> {
    const { progress, changes, classes, attempt, onFailure, onLost } = this.#dependencies
    const isSkipped = this.#skipped.delete(waiting.position)
    const change = isSkipped ? undefined : await changes.find(waiting.position)
    if (change === undefined && !isSkipped) onLost()
    // Otherwise the member was purged.
    if (change?.className === waiting.className) {
      const failure = await attempt(change, waiting.attempts)
      if (failure !== undefined) {
        const { attempts, nextAt, error } = failure
        progress.waitsFor(waiting, { position: change.position, attempts, nextAt, error })
        onFailure(failure)
        this.skip([...this.#skipped])
        return true
      }
    }
    return (await this.#goOn(waiting)) || !classes.includes(waiting.className)
  }

  /** Goes on to the next change of the member that was read. Returns whether there is none: it no longer waits. */
  async #goOn(waiting: Waiting): Promise<boolean> {
    const { progress, changes, now } = this.#dependencies
    for (;;) {
      const { position, lastRead } = waiting
      const next = lastRead > position ? await changes.findNext(waiting, position) : undefined
      // More of its changes were read meanwhile.
      if (waiting.lastRead !== lastRead) continue
      // Nothing is awaited from here on: otherwise a change that is read now would be left out.
      if (next === undefined || next.position > lastRead) {
        progress.settled(waiting)
        return true
      }
      const { error } = waiting
      progress.waitsFor(waiting, { position: next.position, attempts: 0, nextAt: now(), error })
      return false
    }
  }
}
