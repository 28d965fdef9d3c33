import type { Awaitable } from '../../database/index.ts'
import { HttpError, unavailable } from '../../errors.ts'
import { createLocks } from '../../locks.ts'

/** How long batches work in one turn of the event loop, all of them together. */
const SLICE_MS = 5
/** After a slice that one operation has made as long as this, batches rest: a request takes several turns of the event loop. */
const LONG_SLICE_MS = 20
const REST_MS = 20
/** How long a batch waits for earlier ones of the same user. */
const MAX_WAIT_MS = 30_000
/** How many batches of one user are prepared at once, where they wait for a database: others are not in memory yet. */
const LANES = 4

/** The work of one batch on the main thread, which it shares with other requests and other batches. */
export interface Work {
  /** Prepares something after earlier batches of the same user, so that a few of them are in memory, and not all. */
  inLine<T>(task: () => Promise<T>): Promise<T>
  /** Prepares something that others wait for: the batch has locks. */
  atOnce<T>(task: () => Promise<T>): Promise<T>
  /** Lets later batches of the same user begin: this one waits for code of a program, which may send a batch itself. */
  leaveLine(): void
  /** Awaited between operations. 413 where the budget is used up. */
  pause(): Promise<void> | undefined
  /** Lets other batches work until there is an answer. That time does not count. */
  waitFor<T>(answer: Awaitable<T>): Awaitable<T>
}

/** The budget is that of the largest batch: so much for each operation, or for as many bytes. */
const BUDGET = { ms: 10, bytes: 8 * 1024 }

/**
 * Users take turns, slice by slice; of the batches of one user, one works until it is prepared or waits. `now`: milliseconds
 * of a clock that never runs backwards.
 */
export function createTurns(
  { operations, bytes }: { readonly operations: number; readonly bytes: number },
  now: () => number = () => performance.now(),
): (user: string) => Work {
  const workMs = BUDGET.ms * Math.max(operations, bytes / BUDGET.bytes)
  const thread = createThread(now)
  const withLocks = createLocks({ ms: MAX_WAIT_MS, onTimeout: tooMany })
  let arrivals = 0

  return (user) => {
    let spent = 0
    /** When it began to work; undefined while it waits. */
    let since: number | undefined
    let answersAwaited = 0
    let leaving = Promise.withResolvers<void>()

    async function start(place: 'first' | 'last'): Promise<void> {
      await thread.acquire(user, place)
      since = now()
    }

    function stop(): void {
      if (since === undefined) return
      spent += now() - since
      since = undefined
      thread.release()
    }

    async function yieldTurn(): Promise<void> {
      stop()
      await start('first')
    }

    async function atOnce<T>(task: () => Promise<T>): Promise<T> {
      await start('last')
      try {
        return await task()
      } finally {
        stop()
      }
    }

    return {
      async inLine<T>(task: () => Promise<T>): Promise<T> {
        const left = Promise.withResolvers<void>()
        leaving = left
        let result: Promise<T> | undefined
        await withLocks({ exclusive: [`${user} ${arrivals++ % LANES}`], shared: [] }, () => {
          result = atOnce(task)
          return Promise.race([result, left.promise])
        })
        return result as Promise<T>
      },
      atOnce,
      leaveLine: () => leaving.resolve(),
      pause() {
        if (spent + now() - (since ?? now()) > workMs) throw tooMuchWork()
        return thread.isSliceOver() ? yieldTurn() : undefined
      },
      waitFor<T>(answer: Awaitable<T>): Awaitable<T> {
        if (!(answer instanceof Promise) || (since === undefined && answersAwaited === 0)) return answer
        if (answersAwaited++ === 0) stop()
        return answer.finally(() => (--answersAwaited === 0 ? start('first') : undefined))
      },
    }
  }
}

/** A mutex that users acquire in turn, and nobody once the batches have had their slice of this turn of the event loop. */
function createThread(now: () => number) {
  /** By user; the one whose turn it is comes first. */
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
    /** `place`: among those of the same user. One that goes on has had its turn, and so has its user. */
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

const tooMuchWork = (): HttpError =>
  new HttpError(
    413,
    'The operations of this batch are too much work together; send those that were not carried out in several ' +
      'batches, with bodies in the terms of this API.',
  )

const tooMany = (): HttpError =>
  unavailable('Other batches of yours are still being prepared; try again when they are answered.', 2)
