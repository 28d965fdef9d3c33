import type { Awaitable } from '../../database/index.ts'
import { createLocks } from '../../locks.ts'
import { apiProblem } from '../problems/index.ts'

/** How long batches work in one turn of the event loop, all of them together. */
const SLICE_MS = 5
/** If one operation has made a slice this long, batches pause: a request takes several turns of the event loop. */
const LONG_SLICE_MS = 20
const REST_MS = 20
/** How long a batch waits for earlier ones of the same user. */
const MAX_WAIT_MS = 30_000
/** How many batches of one user are prepared at once, to use the time they wait for the database. The rest are not in memory. */
const LANES = 4

/** The work of one batch on the main thread, which it shares with other requests and other batches. */
export interface Work {
  /** Runs the task after earlier batches of the same user, so that only a few of them are in memory. */
  inLine<T>(task: () => Promise<T>): Promise<T>
  /** Runs the task at once, because the batch has locks that others wait for. */
  atOnce<T>(task: () => Promise<T>): Promise<T>
  /** Lets later batches of the same user begin: this one waits for a hook, which may send a batch itself. */
  leaveLine(): void
  /** Awaited between operations. Throws if the budget is used up. */
  pause(): Promise<void> | undefined
  /** Lets other batches work until the answer is there. That time does not count towards the budget. */
  waitFor<T>(answer: Awaitable<T>): Awaitable<T>
}

/** Every batch has the budget of the largest one: 10 ms for each operation or for each 8 KiB, whichever gives more. */
const BUDGET = { ms: 10, bytes: 8 * 1024 }

/**
 * Users take turns, slice by slice; of the batches of one user, one works until it is prepared or waits. `now`:
 * milliseconds of a clock that never runs backwards.
 */
export function createTurns(
  { operations, bytes }: { readonly operations: number; readonly bytes: number },
  now: () => number = () => performance.now(),
): (user: string) => Work {
  const workMs = BUDGET.ms * Math.max(operations, bytes / BUDGET.bytes)
  const thread = createThread(now)
  const withLocks = createLocks({
    ms: MAX_WAIT_MS,
    onTimeout: () => apiProblem('TooManyBatches', { retryAfterSeconds: 2 }),
  })
  let arrivals = 0
  const inLane = <T>(user: string, task: () => Promise<T>): Promise<T> =>
    withLocks({ exclusive: [`${user} ${arrivals++ % LANES}`], shared: [] }, task)
  return (user) => new BatchWork(user, { workMs, thread, inLane, now })
}

interface WorkDependencies {
  /** The budget of the batch. */
  readonly workMs: number
  readonly thread: SharedThread
  /** Runs a task after those of earlier batches of the same user in the same lane. */
  readonly inLane: <T>(user: string, task: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

class BatchWork implements Work {
  readonly #user: string
  readonly #dependencies: WorkDependencies
  #spentMs = 0
  /** When it began to work; undefined while it waits. */
  #since: number | undefined
  #answersAwaited = 0
  #leaving = Promise.withResolvers<void>()

  constructor(user: string, dependencies: WorkDependencies) {
    this.#user = user
    this.#dependencies = dependencies
  }

  async inLine<T>(task: () => Promise<T>): Promise<T> {
    const left = Promise.withResolvers<void>()
    this.#leaving = left
    let result: Promise<T> | undefined
    await this.#dependencies.inLane<unknown>(this.#user, () => {
      result = this.atOnce(task)
      return Promise.race([result, left.promise])
    })
    return result as Promise<T>
  }

  async atOnce<T>(task: () => Promise<T>): Promise<T> {
    await this.#start('last')
    try {
      return await task()
    } finally {
      this.#stop()
    }
  }

  leaveLine(): void {
    this.#leaving.resolve()
  }

  readonly pause = (): Promise<void> | undefined => {
    const { workMs, thread, now } = this.#dependencies
    if (this.#spentMs + now() - (this.#since ?? now()) > workMs) throw apiProblem('BatchTooMuchWork')
    return thread.isSliceOver() ? this.#yieldTurn() : undefined
  }

  readonly waitFor = <T>(answer: Awaitable<T>): Awaitable<T> => {
    const isIdle = this.#since === undefined && this.#answersAwaited === 0
    if (!(answer instanceof Promise) || isIdle) return answer
    if (this.#answersAwaited++ === 0) this.#stop()
    return answer.finally(() => (--this.#answersAwaited === 0 ? this.#start('first') : undefined))
  }

  async #start(place: 'first' | 'last'): Promise<void> {
    const { thread, now } = this.#dependencies
    await thread.acquire(this.#user, place)
    this.#since = now()
  }

  #stop(): void {
    if (this.#since === undefined) return
    const { thread, now } = this.#dependencies
    this.#spentMs += now() - this.#since
    this.#since = undefined
    thread.release()
  }

  async #yieldTurn(): Promise<void> {
    this.#stop()
    await this.#start('first')
  }
}

/** The main thread, as batches share it. */
interface SharedThread {
  isSliceOver(): boolean
  /** `place`: among the batches of the same user. */
  acquire(user: string, place: 'first' | 'last'): Promise<void>
  release(): void
}

/** A mutex that users acquire in turn, until batches have used up their slice of this turn of the event loop. */
function createThread(now: () => number): SharedThread {
  /** Keyed by user; the first user is next. */
  const waiting = new Map<string, (() => void)[]>()
  let isHeld = false
  /** When batches began to work in this turn of the event loop. */
  let begun: number | undefined
  let isLong = false

  function beginTurn(): number {
    isLong = false
    setImmediate(() => (isLong ? setTimeout(endTurn, REST_MS) : endTurn()))
    return now()
  }

  function endTurn(): void {
    begun = undefined
    grantNext()
  }

  function isSliceOver(): boolean {
    begun ??= beginTurn()
    const ms = now() - begun
    if (ms >= LONG_SLICE_MS) isLong = true
    return ms >= SLICE_MS
  }

  function grantNext(): void {
    if (isHeld || waiting.size === 0 || isSliceOver()) return
    isHeld = true
    const [[user, line] = ['', []]] = waiting
    const grant = line.shift()
    waiting.delete(user)
    if (line.length > 0) waiting.set(user, line)
    grant?.()
  }

  return {
    isSliceOver,
    acquire(user: string, place: 'first' | 'last'): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const line = waiting.get(user) ?? []
      if (place === 'first') {
        line.unshift(resolve)
        waiting.delete(user)
      } else line.push(resolve)
      waiting.set(user, line)
      grantNext()
      return promise
    },
    release(): void {
      isHeld = false
      grantNext()
    },
  }
}
