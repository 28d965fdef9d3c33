import { closing } from '../query/scans.ts'
import { createDriver, type Driver, type Param, type Run, type Session } from './driver.ts'
import { isUnreachable, translate } from './errors.ts'
import type { Reachability } from './reachability.ts'
import { createTurn } from './sockets.ts'
import { createTransactions, type Transaction } from './transactions.ts'
import { createWatch } from './watch.ts'

export type { Param, Run } from './driver.ts'
export type { Transaction } from './transactions.ts'

export interface Pool {
  readonly run: Run
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

  return {
    async run<Row extends readonly unknown[]>(text: string, params?: readonly Param[]): Promise<Row[]> {
      if (closed) throw closing()
      const used = current
      try {
        const rows = await watch(used.run<Row>(text, params))
        reachability?.answered()
        return rows
      } catch (error) {
        if (isUnreachable(error)) replace(used, limitMs)
        throw fault(error)
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
