import { limitTime } from '../../deadline.ts'
import { closing, databaseProblem, outcomeUnknown } from '../index.ts'
import {
  type ConnectionOptions,
  createConnection,
  type Param,
  type PostgresConnection,
  type RunSql,
} from './connection.ts'
import { commitBefore } from './deadlines.ts'
import {
  busy,
  ConnectionLost,
  isRefused,
  isTooLate,
  isUnreachable,
  type Reachability,
  translate,
} from './errors.ts'
import { ReservedConnections } from './reserved.ts'

export type { Param, RunSql } from './connection.ts'

/** Runs statements; those that write have a deadline. */
export interface StatementRunner {
  readonly run: RunSql
  /**
   * The last parameter of the text is its deadline (`inTime`), which is added here. Throws OutcomeUnknown if the statement
   * was sent, but its result did not arrive.
   */
  readonly write: RunSql
}

export interface Transaction extends StatementRunner {
  /** Several statements without parameters. */
  script(text: string): Promise<void>
}

type TransactionWork<T> = (transaction: Transaction) => Promise<T>

export interface Pool extends StatementRunner {
  /**
   * Runs `work` on its own connection, and commits. An error of `work` rolls back, and is thrown again. Long transactions
   * have separate connections, so that short ones do not wait for them.
   */
  transaction<T>(work: TransactionWork<T>, length?: 'short' | 'long'): Promise<T>
  /** Changes when the connections are replaced: the next may be to a server that was restarted, or to another one. */
  generation(): number
  /** Waits for running statements; refuses later ones. */
  close(): Promise<void>
}

/** A pool for each kind of statement. */
export type Pools<Kind extends string> = Readonly<Record<Kind, Pool>>

export interface PoolOptions extends Pick<ConnectionOptions, 'pipeline' | 'session' | 'prepare' | 'admit'> {
  /** Maximum number of connections, opened when they are needed. */
  readonly connections: number
  /** Maximum number of further connections for transactions, and the same again for long ones; 1 by default. */
  readonly transactions?: number
  /** Whether our schema is known to exist. */
  readonly hasSchema?: boolean
  /** How long a result may take. Then the connections are closed, and their statements rejected. */
  readonly limitMs: number
  /** Notified of every result, and of every failure to get one. */
  readonly reachability?: Reachability | undefined
}

/** PostgreSQL's timeout comes first: a statement that only this process abandons would continue there, with its locks. */
export const MARGIN_MS = 250
/** A transaction that cannot begin within this time has found a server that is silent. */
const SILENT_MS = 400
/** The timeout of a statement in a long transaction, with many writes or for statistics. */
export const LONG_MS = 10_000

/** The state of a write, or of the commit of a transaction. */
interface Sending {
  isSent: boolean
  /** Whether the caller has its result or its error. */
  isOver: boolean
  /** The connection of the running transaction. */
  connection?: PostgresConnection | undefined
  /** Whether the transaction waits, or has waited long, for a free connection: that says nothing about the server. */
  isQueued?: boolean
}

interface TransactionLength {
  readonly connections: ReservedConnections
  /** How long a transaction may take. */
  readonly ms: number
  readonly begin: string
}

export const createPool = (url: string, options: PoolOptions): Pool => new PostgresPool(url, options)

/**
 * Connections for one kind of statement. After a failure of one, all are replaced: the server may be down, hang, or no
 * longer be a primary, and the driver does not tell which.
 */
class PostgresPool implements Pool {
  readonly #limitMs: number
  readonly #reachability: Reachability | undefined
  readonly #hasSchema: boolean
  readonly #open: () => PostgresConnection
  readonly #transactions: Readonly<Record<'short' | 'long', TransactionLength>>
  #current: PostgresConnection
  #generation = 0
  #isClosed = false

  constructor(url: string, options: PoolOptions) {
    const { connections, limitMs, reachability, transactions = 1, hasSchema = false, ...given } = options
    this.#limitMs = limitMs
    this.#reachability = reachability
    this.#hasSchema = hasSchema
    const shared = { ...given, hosts: { now: 0 } }
    this.#open = () => {
      const onClose = () => this.#replace(own, 0)
      const own = createConnection(url, { ...shared, sockets: connections, onClose })
      return own
    }
    this.#current = this.#open()
    const reserve = () =>
      new ReservedConnections(transactions, (onClose) => createConnection(url, { ...shared, onClose }))
    // Statements for bulk data may take longer anyway.
    const longMs = Math.max(LONG_MS, limitMs - MARGIN_MS)
    const beginLong = `BEGIN; SET LOCAL statement_timeout = ${longMs}`
    this.#transactions = {
      short: { connections: reserve(), ms: limitMs, begin: 'BEGIN' },
      long: { connections: reserve(), ms: longMs + MARGIN_MS, begin: beginLong },
    }
  }

  // Arrow functions, since callers take these methods out of the pool.

  readonly run: RunSql = (text, params) => this.#answerOf((used) => used.run(text, params))

  readonly write: RunSql = async <Row extends readonly unknown[]>(
    text: string,
    params: readonly Param[] = [],
  ): Promise<Row[]> => {
    const until = performance.now() + this.#limitMs
    const send = () =>
      tracked((sending) =>
        this.#answerOf(async (used) => {
          const deadline = await used.deadlineAt(until)
          if (sending.isOver) throw new ConnectionLost()
          sending.isSent = true
          return used.run<Row>(text, [...params, deadline])
        }),
      )
    try {
      return await send()
    } catch (error) {
      // PostgreSQL's clock was set, or this process hung while it read the clock: the clock is read again.
      if (!isTooLate(error) || performance.now() > until - this.#limitMs / 2) throw error
      return send()
    }
  }

  readonly transaction = async <T>(
    work: TransactionWork<T>,
    length: 'short' | 'long' = 'short',
  ): Promise<T> => {
    if (this.#isClosed) throw closing()
    const kind = this.#transactions[length]
    try {
      return await tracked((sending) => {
        const onTimeout = () => (sending.isQueued ? busy() : this.#timedOut())
        return limitTime(this.#transact(work, kind, sending), kind.ms, onTimeout)
      })
    } catch (error) {
      throw this.#reported(error)
    }
  }

  readonly generation = (): number => this.#generation

  readonly close = async (): Promise<void> => {
    if (this.#isClosed) return
    this.#isClosed = true
    const ends = Object.values(this.#transactions).map(({ connections, ms }) => connections.end(ms))
    await Promise.all([this.#current.end(this.#limitMs), ...ends])
  }

  /** `timeoutMs`: how long other statements on the former connection may still take. */
  #replace(former: PostgresConnection, timeoutMs: number): void {
    if (former !== this.#current || this.#isClosed) return
    this.#generation += 1
    this.#current = this.#open()
    former.end(timeoutMs).catch(() => {})
  }

  #reported(error: unknown): unknown {
    // Closing the pool ends connections too, which is not a failure.
    if (!this.#isClosed && isUnreachable(error)) this.#reachability?.lost(error)
    return translate(error)
  }

  #timedOut(): unknown {
    this.#reachability?.lost(new Error('it does not answer'))
    return databaseProblem('DatabaseNotAnswering', { retryAfterSeconds: 2 })
  }

  async #answerOf<T>(ask: (used: PostgresConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closing()
    const used = this.#current
    let isSilent = false
    try {
      const answer = await limitTime(ask(used), this.#limitMs, () => {
        isSilent = true
        return this.#timedOut()
      })
      this.#reachability?.answered()
      return answer
    } catch (error) {
      if (isSilent || isUnreachable(error)) this.#replace(used, isSilent ? 0 : this.#limitMs)
      throw this.#reported(error)
    }
  }

  async #transact<T>(work: TransactionWork<T>, kind: TransactionLength, sending: Sending): Promise<T> {
    const { connections, ms } = kind
    const until = performance.now() + ms
    sending.isQueued = true
    const own = await connections.acquire()
    sending.isQueued = performance.now() > until - ms + MARGIN_MS
    try {
      if (sending.isOver) throw new ConnectionLost()
      sending.connection = own
      const deadline = await this.#begin(own, kind, until)
      const write: RunSql = (text, params = []) => own.run(text, [...params, deadline])
      const result = await work({ run: own.run, write, script: own.script })
      if (sending.isOver) throw new ConnectionLost()
      sending.isSent = true
      await own.script(commitBefore(deadline, this.#hasSchema))
      return result
    } catch (error) {
      // If the rollback cannot be sent, PostgreSQL rolls back when the connection ends.
      await own.script('ROLLBACK').catch(() => own.end(0))
      throw error
    } finally {
      sending.connection = undefined
      connections.release(own)
    }
  }

  /**
   * Returns the deadline by PostgreSQL's clock. A long transaction may take its time, but if the server is silent from the
   * beginning, the wait is shorter.
   */
  async #begin(
    own: PostgresConnection,
    { connections, begin }: TransactionLength,
    until: number,
  ): Promise<number> {
    const started = performance.now()
    const begun = own.deadlineAt(until).then((at) => own.script(begin).then(() => at))
    try {
      return await limitTime(begun, this.#limitMs, () => {
        const error = this.#timedOut()
        // Otherwise waiting transactions would fail one after the other, the last of them much later.
        connections.refuse(error)
        own.end(0)
        return error
      })
    } catch (error) {
      // The driver has given up. A connection that is cut fails sooner, and the next one may be better.
      if (performance.now() - started > SILENT_MS) connections.refuse(error)
      throw error
    }
  }
}

/** A write without a result may have been carried out. After an error, a write that was not sent yet is never sent. */
async function tracked<T>(send: (sending: Sending) => Promise<T>): Promise<T> {
  const sending: Sending = { isSent: false, isOver: false }
  try {
    return await send(sending)
  } catch (error) {
    sending.isOver = true
    // After a timeout: the caller does not wait for the rest of its transaction.
    sending.connection?.end(0)
    throw sending.isSent && !isRefused(error) ? outcomeUnknown(error) : error
  }
}
