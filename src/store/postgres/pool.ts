import { closing } from '../query/scans.ts'
import { createDriver, type Driver, type Param, type Run, type Session } from './connection.ts'
import { ConnectionLost, isRefused, isTooLate, isUnreachable, OutcomeUnknown, translate } from './errors.ts'
import type { Reachability } from './reachability.ts'
import { createTurn } from './sockets.ts'
import { createTransactions, type Transaction } from './transactions.ts'
import { createWatch } from './watch.ts'

export type { Param, Run } from './connection.ts'
export type { Transaction } from './transactions.ts'

/** Statements that change nothing, and those that do. */
export interface Writing {
  readonly run: Run
  /**
   * The text has one parameter more than it is given, the last: until when it may be carried out (`inTime`). Throws
   * OutcomeUnknown where it was sent and not answered.
   */
  readonly write: Run
}

export interface Pool extends Writing {
  /** All of it or nothing; the connection belongs to it until it ends. What `work` throws undoes it and is thrown. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Waits for what is running; what comes later is refused. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** So many at most, opened when they are needed. */
  readonly connections: number
  /** So many more for transactions, one unless it says otherwise. */
  readonly transactions?: number
  /** How many statements are under way on one connection before the first is answered. */
  readonly pipeline: number
  /** Without an answer for so long, the connections are given up, and their statements are answered with 503. */
  readonly limitMs: number
  readonly session?: Session
  /** As of the driver. */
  readonly prepare?: boolean
  /** Told of every answer, and of what kept one from coming. */
  readonly reachability?: Reachability | undefined
}

/** Of a write. */
interface Sending {
  isSent: boolean
  /** Answered, by whatever. */
  isOver: boolean
}

/**
 * Connections for one kind of statement. After whatever goes wrong with one of them, all are made anew: one may be lost,
 * open and silent, or lead to a server that is no primary any more; the driver does not tell which.
 */
export function createPool(url: string, options: PoolOptions): Pool {
  const { limitMs, reachability } = options
  const turn = createTurn()
  const onSilence = () => reachability?.lost(new Error('it does not answer'))
  const watch = createWatch(limitMs, () => {
    onSilence()
    replace(current, 0)
  })
  const connections = options.transactions ?? 1
  const transactions = createTransactions(url, { ...options, turn, connections, onSilence })
  let current = open()
  let closed = false

  function open(): Driver {
    const own = createDriver(url, { ...options, turn, onClose: () => replace(own, 0) })
    return own
  }

  /** `patienceMs`: how long the others of the former ones may take to be answered. */
  function replace(former: Driver, patienceMs: number): void {
    // Somebody else has, meanwhile.
    if (former !== current || closed) return
    current = open()
    former.end(patienceMs).catch(() => {})
  }

  /** What is thrown for it. */
  function fault(error: unknown): unknown {
    // Not while it is being closed, which ends connections too.
    if (!closed && isUnreachable(error)) reachability?.lost(error)
    return translate(error)
  }

  async function answerOf<T>(ask: (used: Driver) => Promise<T>): Promise<T> {
    if (closed) throw closing()
    const used = current
    try {
      const answer = await watch(ask(used))
      reachability?.answered()
      return answer
    } catch (error) {
      if (isUnreachable(error)) replace(used, limitMs)
      throw fault(error)
    }
  }

  async function sendBefore<Row extends readonly unknown[]>(
    until: number,
    text: string,
    params: readonly Param[],
  ): Promise<Row[]> {
    const sending: Sending = { isSent: false, isOver: false }
    try {
      return await answerOf(async (used) => {
        const deadline = await used.deadlineAt(until)
        // Whoever asked has been told to try again.
        if (sending.isOver) throw new ConnectionLost()
        sending.isSent = true
        return used.run<Row>(text, [...params, deadline])
      })
    } catch (error) {
      sending.isOver = true
      throw sending.isSent && !isRefused(error) ? new OutcomeUnknown(error) : error
    }
  }

  return {
    run: <Row extends readonly unknown[]>(text: string, params?: readonly Param[]) =>
      answerOf((used) => used.run<Row>(text, params)),
    async write<Row extends readonly unknown[]>(text: string, params: readonly Param[] = []): Promise<Row[]> {
      const until = performance.now() + limitMs
      try {
        return await sendBefore<Row>(until, text, params)
      } catch (error) {
        // By a clock that has been set, or was read while this process was held up: it is read anew.
        if (!isTooLate(error) || performance.now() > until - limitMs / 2) throw error
        return sendBefore<Row>(until, text, params)
      }
    },
    async transaction(work) {
      if (closed) throw closing()
      try {
        return await transactions.run(work)
      } catch (error) {
        throw fault(error)
      }
    },
    async close() {
      if (closed) return
      closed = true
      await Promise.all([current.end(limitMs), transactions.close(limitMs)])
    },
  }
}
