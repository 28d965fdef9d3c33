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

export type { Param, RunSql } from './connection.ts'

/** Runs statements; those that write have a deadline. */
export interface StatementRunner {
  readonly run: RunSql
  /**
   * The last parameter of the text is its deadline (`inTime`), which is added here. Throws OutcomeUnknown where the
   * statement was sent and not answered.
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
   * Runs `work` on a connection of its own, and commits. What `work` throws rolls back, and is thrown. Long ones have
   * connections of their own, so that short ones do not wait for them.
   */
  transaction<T>(work: TransactionWork<T>, length?: 'short' | 'long'): Promise<T>
  /** Waits for running statements; refuses later ones. */
  close(): Promise<void>
}

/** A pool for each kind of statement. */
export type Pools<Kind extends string> = Readonly<Record<Kind, Pool>>

export interface PoolOptions extends Pick<ConnectionOptions, 'pipeline' | 'session' | 'prepare'> {
  /** How many at most, opened when they are needed. */
  readonly connections: number
  /** How many more at most for transactions, and again for long ones; 1 by default. */
  readonly transactions?: number
  /** Whether our schema is known to be there. */
  readonly hasSchema?: boolean
  /** How long an answer may take. Then the connections are closed, and their statements rejected. */
  readonly limitMs: number
  /** Called for every answer, and for every failure to get one. */
  readonly reachability?: Reachability | undefined
}

/** PostgreSQL's timeout comes first: a statement that only this process gives up would go on there, with its locks. */
export const MARGIN_MS = 250
/** The timeout of a statement in a long transaction: of many writes, or for statistics. */
const LONG_MS = 10_000

/** The state of a write, or of the commit of a transaction. */
interface Sending {
  isSent: boolean
  /** The caller has its answer or its error. */
  isOver: boolean
  /** Of a running transaction. */
  connection?: PostgresConnection | undefined
  /** The transaction waits for those that have the connections, or has waited for long: that says nothing about the server. */
  isQueued?: boolean
}

/**
 * Connections for one kind of statement. After any failure of one, all are replaced: the server may be gone, hang, or be
 * no primary any more, and the driver does not tell which.
 */
export function createPool(url: string, options: PoolOptions): Pool {
  const { connections, limitMs, reachability, transactions = 1, hasSchema = false, ...given } = options
  const shared = { ...given, hosts: { now: 0 } }
  let current = open()
  let closed = false

  function open(): PostgresConnection {
    const own = createConnection(url, { ...shared, sockets: connections, onClose: () => replace(own, 0) })
    return own
  }

  /** `timeoutMs`: how long other statements on the former connection may still take. */
  function replace(former: PostgresConnection, timeoutMs: number): void {
    if (former !== current || closed) return
    current = open()
    former.end(timeoutMs).catch(() => {})
  }

  function reported(error: unknown): unknown {
    // Closing the pool ends connections too, which is no failure.
    if (!closed && isUnreachable(error)) reachability?.lost(error)
    return translate(error)
  }

  function timedOut(): unknown {
    reachability?.lost(new Error('it does not answer'))
    return databaseProblem('DatabaseNotAnswering', { retryAfterSeconds: 2 })
  }

  async function answerOf<T>(ask: (used: PostgresConnection) => Promise<T>): Promise<T> {
    if (closed) throw closing()
    const used = current
    let isSilent = false
    try {
      const answer = await limitTime(ask(used), limitMs, () => {
        isSilent = true
        return timedOut()
      })
      reachability?.answered()
      return answer
    } catch (error) {
      if (isSilent || isUnreachable(error)) replace(used, isSilent ? 0 : limitMs)
      throw reported(error)
    }
  }

  const reserve = () =>
    createReserved(transactions, (onClose) => createConnection(url, { ...shared, onClose }))
  // Statements for bulk data may take longer anyway.
  const longMs = Math.max(LONG_MS, limitMs - MARGIN_MS)
  const transactional = {
    short: { ...reserve(), ms: limitMs, begin: 'BEGIN' },
    long: { ...reserve(), ms: longMs + MARGIN_MS, begin: `BEGIN; SET LOCAL statement_timeout = ${longMs}` },
  }

  async function transact<T>(
    work: TransactionWork<T>,
    length: 'short' | 'long',
    sending: Sending,
  ): Promise<T> {
    const { acquire, release, refuse, ms, begin } = transactional[length]
    const until = performance.now() + ms
    sending.isQueued = true
    const own = await acquire()
    sending.isQueued = performance.now() > until - ms + MARGIN_MS
    try {
      if (sending.isOver) throw new ConnectionLost()
      sending.connection = own
      // A long transaction may take its time, but a server that is silent from its beginning on is not waited for so long.
      const begun = own.deadlineAt(until).then((at) => own.script(begin).then(() => at))
      const deadline = await limitTime(begun, limitMs, () => {
        const error = timedOut()
        // Those who wait would fail one after the other, the last of them much later.
        refuse(error)
        own.end(0)
        return error
      })
      const write: RunSql = (text, params = []) => own.run(text, [...params, deadline])
      const result = await work({ run: own.run, write, script: own.script })
      if (sending.isOver) throw new ConnectionLost()
      sending.isSent = true
      await own.script(commitBefore(deadline, hasSchema))
      return result
    } catch (error) {
      // Where the rollback cannot be sent, PostgreSQL makes it when the connection ends.
      await own.script('ROLLBACK').catch(() => own.end(0))
      throw error
    } finally {
      sending.connection = undefined
      release(own)
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
        // PostgreSQL's clock was set, or this process hung while it read the clock: the clock is read anew.
        if (!isTooLate(error) || performance.now() > until - limitMs / 2) throw error
        return send()
      }
    },
    async transaction(work, length = 'short') {
      if (closed) throw closing()
      const { ms } = transactional[length]
      try {
        return await tracked((sending) => {
          const onTimeout = () => (sending.isQueued ? busy() : timedOut())
          return limitTime(transact(work, length, sending), ms, onTimeout)
        })
      } catch (error) {
        throw reported(error)
      }
    },
    async close() {
      if (closed) return
      closed = true
      const ends = Object.values(transactional).flatMap(({ all, ms }) => [...all].map((one) => one.end(ms)))
      await Promise.all([current.end(limitMs), ...ends])
    },
  }
}

/** A write that was sent and not answered may have been carried out; one that was not sent is not sent after an error. */
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

/**
 * Connections that one transaction at a time reserves. The driver has transactions too, but where a connection is lost in
 * the middle of one it writes the rollback to a destroyed socket, which ends the process; and its `reserve` never answers
 * without `fetch_types`.
 */
function createReserved(most: number, open: (onClose: () => void) => PostgresConnection) {
  const all = new Set<PostgresConnection>()
  const free = new Set<PostgresConnection>()
  const waiting: PromiseWithResolvers<void>[] = []

  function openOne(): PostgresConnection {
    const own = open(() => {
      all.delete(own)
      free.delete(own)
      waiting.shift()?.resolve()
    })
    all.add(own)
    return own
  }

  return {
    all,
    async acquire(): Promise<PostgresConnection> {
      while (free.size === 0 && all.size >= most) {
        const turn = Promise.withResolvers<void>()
        waiting.push(turn)
        await turn.promise
      }
      const [own = openOne()] = free
      free.delete(own)
      return own
    },
    release(own: PostgresConnection): void {
      if (all.has(own)) free.add(own)
      waiting.shift()?.resolve()
    },
    /** Rejects all that wait. */
    refuse(error: unknown): void {
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}
