import { createDriver, type Driver, type Run, type Session } from './connection.ts'
import { commitBefore } from './deadlines.ts'
import { ConnectionLost, isRefused, OutcomeUnknown } from './errors.ts'
import type { Turn as AddressTurn } from './sockets.ts'
import { createWatch } from './watch.ts'

export interface Transaction {
  readonly run: Run
  /** The same, of a text that has its deadline as the last parameter: the transaction's. */
  readonly write: Run
  /** Several statements without parameters. */
  script(text: string): Promise<void>
}

export interface Transactions {
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  close(patienceMs: number): Promise<void>
}

export interface TransactionOptions {
  /** So many at once; others wait. */
  readonly connections: number
  /** Without an answer for so long, a transaction is given up; PostgreSQL undoes it when its connection is gone. */
  readonly limitMs: number
  readonly session?: Session
  readonly turn: AddressTurn
  readonly onSilence: () => void
}

/** A connection for one transaction at a time. */
interface Lane {
  readonly driver: Driver
  /** It was closed: what is sent now would be sent on a new one, outside of the transaction. */
  isBroken: boolean
}

/** Of one who asked for a transaction. */
interface Turn {
  /** While it is carried out. */
  lane: Lane | undefined
  /** From then on it may have been carried out, unless PostgreSQL says otherwise. */
  isCommitting: boolean
  /** Answered, by whatever. */
  isOver: boolean
}

/**
 * Transactions on connections of their own. The driver has transactions too, but where a connection is lost in the
 * middle of one it writes the rollback to a socket that is gone, which ends the process.
 */
export function createTransactions(url: string, options: TransactionOptions): Transactions {
  const idle: Lane[] = []
  const waiting: (() => void)[] = []
  const lanes = new Set<Lane>()
  const watch = createWatch(options.limitMs, options.onSilence)

  function open(): Lane {
    const lane: Lane = {
      isBroken: false,
      driver: createDriver(url, {
        connections: 1,
        pipeline: 100,
        session: options.session,
        turn: options.turn,
        onClose: () => {
          lane.isBroken = true
        },
      }),
    }
    lanes.add(lane)
    return lane
  }

  async function take(): Promise<Lane> {
    for (;;) {
      const lane = idle.pop()
      if (lane !== undefined && !lane.isBroken) return lane
      if (lane !== undefined) discard(lane)
      else if (lanes.size < options.connections) return open()
      else await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  function discard(lane: Lane): void {
    lanes.delete(lane)
    lane.driver.end(0).catch(() => {})
  }

  function giveBack(lane: Lane, isClean: boolean): void {
    if (isClean && !lane.isBroken) idle.push(lane)
    else discard(lane)
    waiting.shift()?.()
  }

  return {
    async run(work) {
      const turn: Turn = { lane: undefined, isCommitting: false, isOver: false }
      try {
        return await watch(carryOut(work, turn))
      } catch (error) {
        throw turn.isCommitting && !isRefused(error) ? new OutcomeUnknown(error) : error
      } finally {
        // Where nothing was heard for too long, nobody waits for the rest: that connection is given up.
        turn.isOver = true
        if (turn.lane !== undefined) discard(turn.lane)
      }
    },
    async close(patienceMs) {
      await Promise.all([...lanes].map(({ driver }) => driver.end(patienceMs)))
    },
  }

  async function carryOut<T>(work: (transaction: Transaction) => Promise<T>, turn: Turn): Promise<T> {
    const until = performance.now() + options.limitMs
    const lane = await take()
    let isClean = turn.isOver
    try {
      if (turn.isOver) throw new ConnectionLost()
      turn.lane = lane
      const deadline = await lane.driver.deadlineAt(until)
      const own = within(lane, deadline)
      await own.script('BEGIN')
      const result = await work(own)
      if (turn.isOver) throw new ConnectionLost()
      turn.isCommitting = true
      await own.script(commitBefore(deadline))
      isClean = true
      return result
    } catch (error) {
      isClean ||= await undo(lane)
      throw error
    } finally {
      turn.lane = undefined
      giveBack(lane, isClean)
    }
  }

  /** Whether the connection can be used again. */
  async function undo(lane: Lane): Promise<boolean> {
    if (lane.isBroken) return false
    try {
      await lane.driver.script('ROLLBACK')
      return !lane.isBroken
    } catch {
      // Whatever it is: PostgreSQL undoes what is not committed when the connection is closed.
      return false
    }
  }
}

function within(lane: Lane, deadline: number): Transaction {
  const run: Run = (text, params) =>
    lane.isBroken ? Promise.reject(new ConnectionLost()) : lane.driver.run(text, params)
  return {
    run,
    write: (text, params = []) => run(text, [...params, deadline]),
    script: (text) => (lane.isBroken ? Promise.reject(new ConnectionLost()) : lane.driver.script(text)),
  }
}
