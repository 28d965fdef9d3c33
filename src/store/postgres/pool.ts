import { OutcomeUnknown, unavailable } from '../../errors.ts'
import { closing } from '../query/scans.ts'
import {
  type Connection,
  type ConnectionOptions,
  commitBefore,
  createConnection,
  createHostChoice,
  type Param,
  type Run,
} from './connection.ts'
import {
  ConnectionLost,
  isRefused,
  isTooLate,
  isUnreachable,
  type Reachability,
  translate,
} from './errors.ts'

export type { Param, Run } from './connection.ts'

/** Statements that change nothing, and those that do. */
export interface Writing {
  readonly run: Run
  /**
   * The text has one parameter more than it is given, the last: its deadline (`inTime`). Throws OutcomeUnknown where it
   * was sent and not answered.
   */
  readonly write: Run
}

export interface Transaction extends Writing {
  /** Several statements without parameters. */
  script(text: string): Promise<void>
}

export interface Pool extends Writing {
  /** All of it or nothing; the connection belongs to it until it ends. What `work` throws undoes it and is thrown. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Waits for what is running; what comes later is refused. */
  close(): Promise<void>
}

/** A pool for each kind of statement. */
export type Pools<Kind extends string> = Readonly<Record<Kind, Pool>>

export interface PoolOptions extends Pick<ConnectionOptions, 'pipeline' | 'session' | 'prepare'> {
  /** So many at most, opened when they are needed. */
  readonly connections: number
  /** So many more for transactions, one unless it says otherwise. */
  readonly transactions?: number
  /** Without an answer for so long, the connections are given up, and their statements are answered with 503. */
  readonly limitMs: number
  /** Told of every answer, and of what kept one from coming. */
  readonly reachability?: Reachability | undefined
}

/** A write, or the commit of a transaction. */
interface Sending {
  isSent: boolean
  /** Answered, by whatever. */
  isOver: boolean
  /** Of a transaction, while it is carried out. */
  connection?: Connection | undefined
}

/**
 * Connections for one kind of statement. After any fault of one, all are made anew: it may be lost, open and silent, or
 * lead to a server that is no primary any more; the driver does not tell which.
 */
export function createPool(url: string, options: PoolOptions): Pool {
  const { connections, limitMs, reachability, transactions = 1, ...given } = options
  const shared = { ...given, hosts: createHostChoice() }
  const onSilence = () => reachability?.lost(new Error('it does not answer'))
  let current = open()
  let closed = false

  function open(): Connection {
    const own = createConnection(url, { ...shared, sockets: connections, onClose: () => replace(own, 0) })
    return own
  }

  /** `patienceMs`: how long the other statements on the former one may take to be answered. */
  function replace(former: Connection, patienceMs: number): void {
    if (former !== current || closed) return
    current = open()
    former.end(patienceMs).catch(() => {})
  }

  /** What is thrown for it. */
  function fault(error: unknown): unknown {
    // Not while the pool is being closed, which ends connections too.
    if (!closed && isUnreachable(error)) reachability?.lost(error)
    return translate(error)
  }

  async function answerOf<T>(ask: (used: Connection) => Promise<T>): Promise<T> {
    if (closed) throw closing()
    const used = current
    try {
      const answer = await limitTime(ask(used), limitMs, () => {
        onSilence()
        replace(used, 0)
      })
      reachability?.answered()
      return answer
    } catch (error) {
      if (isUnreachable(error)) replace(used, limitMs)
      throw fault(error)
    }
  }

  const exclusive = createExclusive(transactions, (onClose) => createConnection(url, { ...shared, onClose }))

  async function transact<T>(work: (transaction: Transaction) => Promise<T>, sending: Sending): Promise<T> {
    const until = performance.now() + limitMs
    const own = await exclusive.take()
    try {
      if (sending.isOver) throw new ConnectionLost()
      sending.connection = own
      const deadline = await own.deadlineAt(until)
      await own.script('BEGIN')
      const write: Run = (text, params = []) => own.run(text, [...params, deadline])
      const result = await work({ run: own.run, write, script: own.script })
      if (sending.isOver) throw new ConnectionLost()
      sending.isSent = true
      await own.script(commitBefore(deadline))
      return result
    } catch (error) {
      // PostgreSQL undoes what is not committed when its connection ends.
      await own.script('ROLLBACK').catch(() => own.end(0))
      throw error
    } finally {
      sending.connection = undefined
      exclusive.cancel(own)
    }
  }

  return {
    run: <Row extends readonly unknown[]>(text: string, params?: readonly Param[]) =>
      answerOf((used) => used.run<Row>(text, params)),
    async write<Row extends readonly unknown[]>(text: string, params: readonly Param[] = []): Promise<Row[]> {
      const until = performance.now() + limitMs
      const send = () =>
        tracked((sending) =>
          answerOf(async (used) => {
            const deadline = await used.deadlineAt(until)
            if (sending.isOver) throw new ConnectionLost()
            sending.isSent = true
            return used.run<Row>(text, [...params, deadline])
          }),
        )
      try {
        return await send()
      } catch (error) {
        // By a clock that has been set, or was read while this process was held up: it is read anew.
        if (!isTooLate(error) || performance.now() > until - limitMs / 2) throw error
        return send()
      }
    },
    async transaction(work) {
      if (closed) throw closing()
      try {
        return await tracked((sending) => limitTime(transact(work, sending), limitMs, onSilence))
      } catch (error) {
        throw fault(error)
      }
    },
    async close() {
      if (closed) return
      closed = true
      await Promise.all([current, ...exclusive.all].map((connection) => connection.end(limitMs)))
    },
  }
}

/** What was sent and not answered may have been carried out; what was not sent by now is not sent any more. */
async function tracked<T>(send: (sending: Sending) => Promise<T>): Promise<T> {
  const sending: Sending = { isSent: false, isOver: false }
  try {
    return await send(sending)
  } catch (error) {
    sending.isOver = true
    // After silence: nothing waits for the rest of a transaction.
    sending.connection?.end(0)
    throw sending.isSent && !isRefused(error) ? new OutcomeUnknown(error) : error
  }
}

/**
 * Connections that belong to one transaction at a time each, so many at most. The driver has transactions too, but where a
 * connection is lost in the middle of one it writes the rollback to a socket that is gone, which ends the process; and its
 * `reserve` never answers without `fetch_types`.
 */
function createExclusive(most: number, open: (onClose: () => void) => Connection) {
  const all = new Set<Connection>()
  const free = new Set<Connection>()
  const waiting: (() => void)[] = []

  function openOne(): Connection {
    const own = open(() => {
      all.delete(own)
      free.delete(own)
      waiting.shift()?.()
    })
    all.add(own)
    return own
  }

  return {
    all,
    async take(): Promise<Connection> {
      while (free.size === 0 && all.size >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      const [own = openOne()] = free
      free.delete(own)
      return own
    },
    cancel(own: Connection): void {
      if (all.has(own)) free.add(own)
      waiting.shift()?.()
    },
  }
}

/** Rejects with 503 what has not been answered after `limitMs`, and calls `onSilence` then. */
async function limitTime<T>(answer: Promise<T>, limitMs: number, onSilence: () => void): Promise<T> {
  const silence = Promise.withResolvers<never>()
  let isAnswered = false
  // Not at once: where this process was held up itself, answers that have arrived are read between timers and immediates.
  const timer = setTimeout(() => setImmediate(giveUp), limitMs)

  function giveUp(): void {
    if (isAnswered) return
    silence.reject(unavailable('The database does not answer; try again shortly.', 2))
    onSilence()
  }

  try {
    return await Promise.race([answer, silence.promise])
  } finally {
    isAnswered = true
    clearTimeout(timer)
  }
}
