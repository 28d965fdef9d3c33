import type { Sql } from 'postgres'
import { Problem } from '../../problem.ts'
import { primaryAddress } from '../index.ts'
import { ConnectionLost, isOfPostgres, isTooLate } from './errors.ts'
import { type AdmitSession, Sessions } from './sessions.ts'
import { DriverSockets } from './sockets.ts'

export type Param = string | number | boolean | null

/** Runs a prepared statement; rows are arrays. Throws a Problem if the database is the cause of an error (errors.ts). */
export type RunSql = <Row extends readonly unknown[] = unknown[]>(
  text: string,
  params?: readonly Param[],
) => Promise<Row[]>

/** Settings of PostgreSQL for each connection. */
export type SessionSettings = Readonly<Record<string, string>>

export interface ConnectionOptions {
  /** Maximum number of sockets, opened when they are needed. */
  readonly sockets?: number
  /** How many statements may be pending on one socket. */
  readonly pipeline?: number
  readonly session?: SessionSettings
  /** False for statements whose texts vary without limit, since the server keeps prepared statements. Costs a round trip each. */
  readonly prepare?: boolean
  /** The index of the current address, if there are several; shared with the connections that replace this one. */
  readonly hosts?: { now: number }
  /** Called for each session before its first use. */
  readonly admit?: AdmitSession
  readonly onClose?: () => void
}

/**
 * One socket or several. When one is lost, all are closed, and every pending statement is rejected. The driver itself
 * would reconnect and continue: with rows left over from the result that was cut off, with statements of a transaction
 * outside of it, and, if there are several addresses, with an empty result for the lost statement.
 */
export interface PostgresConnection {
  readonly run: RunSql
  /** Several statements without parameters. */
  script(text: string): Promise<void>
  /** Converts a time of `performance.now()` to PostgreSQL's clock; may be early, but never late. */
  deadlineAt(moment: number): Promise<number>
  /** Waits up to `timeoutMs` for pending statements, then rejects them. */
  end(timeoutMs: number): Promise<void>
}

const PIPELINE = 100
const CONNECT_SECONDS = 1
const KEEP_ALIVE_SECONDS = 10
/** Short, since a waiting request is answered after a second anyway. */
const reconnectSeconds = (retries: number): number => Math.min(0.05 * 2 ** retries, 0.5)

/** The type bigint. All of our values are exact as numbers. */
const INT8 = 20

export const createConnection = (url: string, options: ConnectionOptions): PostgresConnection =>
  new DriverConnection(url, options)

class DriverConnection implements PostgresConnection {
  readonly #options: ConnectionOptions
  readonly #sockets: DriverSockets
  readonly #sessions: Sessions
  readonly #clock: DatabaseClock
  /** How to reject each pending statement. */
  readonly #pending = new Set<(error: unknown) => void>()
  #isOver = false

  constructor(url: string, options: ConnectionOptions) {
    this.#options = options
    this.#sockets = new DriverSockets(options.hosts ?? { now: 0 })
    const { sockets: max = 1, admit } = options
    const hooks = { onclose: () => this.#lose(), socket: this.#sockets.open }
    const settings = { ...driverSettings(url, options), ...hooks }
    this.#sessions = new Sessions(primaryAddress(url), settings, { max, admit })
    this.#clock = new DatabaseClock(this.run)
  }

  // Arrow functions, since transactions pass these methods on.

  readonly run = async <Row>(text: string, params: readonly Param[] = []): Promise<Row[]> => {
    const { prepare = true } = this.#options
    const rows = await this.#untilLost((sql) => sql.unsafe(text, params as Param[], { prepare }).values())
    // The driver returns a subclass of Array.
    return Array.from(rows) as Row[]
  }

  readonly script = async (text: string): Promise<void> => {
    await this.#untilLost((sql) => sql.unsafe(text).simple())
  }

  deadlineAt(moment: number): Promise<number> {
    return this.#clock.at(moment)
  }

  async end(timeoutMs: number): Promise<void> {
    if (timeoutMs === 0) return this.#lose()
    await this.#sessions.end(timeoutMs)
    this.#sockets.destroyAll()
  }

  #lose(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const reject of this.#pending) reject(new ConnectionLost())
    this.#pending.clear()
    this.#sockets.destroyAll()
    this.#sessions.end(0).catch(() => {})
    this.#options.onClose?.()
  }

  /** After a lost connection the driver's result may be empty, or belong to another statement. */
  #untilLost<T>(send: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(new ConnectionLost())
    return new Promise((resolve, reject) => {
      this.#pending.add(reject)
      this.#sessions.send(send).then(
        (value) => {
          if (this.#pending.delete(reject)) resolve(value)
        },
        (error: unknown) => {
          if (isTooLate(error)) this.#clock.forget()
          if (this.#pending.delete(reject)) reject(isKnown(error) ? error : new ConnectionLost(error))
        },
      )
    })
  }
}

const isKnown = (error: unknown): boolean => isOfPostgres(error) || error instanceof Problem

const driverSettings = (url: string, { pipeline = PIPELINE, session }: ConnectionOptions) => ({
  // Neither documented nor in the driver's types; no documented option limits the pending statements of a socket.
  max_pipeline: pipeline,
  connect_timeout: CONNECT_SECONDS,
  keep_alive: KEEP_ALIVE_SECONDS,
  // By default the driver ends connections after half an hour, even between two statements of a transaction.
  max_lifetime: null,
  backoff: reconnectSeconds,
  fetch_types: false,
  onnotice: () => {},
  types: { bigint: { to: INT8, from: [INT8], parse: Number, serialize: String } },
  connection: {
    application_name: 'hydrant',
    search_path: 'hydrant',
    synchronous_commit: 'on',
    // Whatever the server's default is: after waiting for a lock, a statement must see what was committed meanwhile.
    default_transaction_isolation: 'read committed',
    ...session,
  },
  ...(wantsPrimary(url) ? { target_session_attrs: 'primary' } : {}),
})

/**
 * To the driver, `read-write` means a server whose transactions are not read-only by default, which is true of a standby
 * as well; with `primary` it checks whether the server is a primary.
 */
const wantsPrimary = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url)

/** How long a reading is used: the clocks drift apart by some milliseconds meanwhile, unless one of them is set. */
const CLOCK_READ_MS = 10_000

/** PostgreSQL's clock in milliseconds since 1970, estimated from one reading: may be early, but never late. */
class DatabaseClock {
  readonly #run: (text: string) => Promise<unknown[][]>
  /** How far PostgreSQL's clock is ahead of ours. */
  #ahead: Promise<number> | undefined
  #readAt = 0

  constructor(run: (text: string) => Promise<unknown[][]>) {
    this.#run = run
  }

  /** The clock may have been set, or this machine may have slept: the next use reads it again. */
  forget(): void {
    this.#ahead = undefined
  }

  async at(moment: number): Promise<number> {
    if (this.#ahead === undefined || performance.now() - this.#readAt > CLOCK_READ_MS) {
      this.#readAt = performance.now()
      this.#ahead = this.#read()
      this.#ahead.catch(() => this.forget())
    }
    return moment + (await this.#ahead)
  }

  async #read(): Promise<number> {
    const [row] = await this.#run('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000')
    // The clock was read before its result arrived, so a deadline computed from it is early by that time, never late.
    return Number(row?.[0]) - performance.now()
  }
}
