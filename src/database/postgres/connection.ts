import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { ConnectionLost, isOfPostgres, isTooLate } from './errors.ts'

export type Param = string | number | boolean | null

/** One prepared statement, whose rows come as arrays. It throws a Problem where the database is the cause (errors.ts). */
export type RunSql = <Row extends readonly unknown[] = unknown[]>(
  text: string,
  params?: readonly Param[],
) => Promise<Row[]>

/** Settings of PostgreSQL for each connection. */
export type SessionSettings = Readonly<Record<string, string>>

export interface ConnectionOptions {
  /** How many at most, opened when they are needed. */
  readonly sockets?: number
  /** How many statements are sent on one socket before the first is answered. */
  readonly pipeline?: number
  readonly session?: SessionSettings
  /** False where the texts vary without bound, since the server keeps prepared statements; costs a round trip each. */
  readonly prepare?: boolean
  /** The index of the address that is used, of several; shared with the connections that replace this one. */
  readonly hosts?: { now: number }
  readonly onClose?: () => void
}

/**
 * One socket or several. When one is lost, all are closed, and every statement that waits for an answer is rejected. The
 * driver would reconnect and go on: with rows left over from the answer that was cut off, with statements of a transaction
 * outside of it, and, where there are several addresses, with an empty answer to what was lost.
 */
export interface PostgresConnection {
  readonly run: RunSql
  /** Several statements without parameters. */
  script(text: string): Promise<void>
  /** A moment of `performance.now()` by PostgreSQL's clock; rather earlier than later. */
  deadlineAt(moment: number): Promise<number>
  /** Waits up to `timeoutMs` for pending statements, then rejects them. */
  end(timeoutMs: number): Promise<void>
}

const PIPELINE = 100
const CONNECT_SECONDS = 1
const KEEP_ALIVE_SECONDS = 10
/** Short, since a waiting request is answered after a second anyway. */
const reconnectSeconds = (retries: number): number => Math.min(0.05 * 2 ** retries, 0.5)

/** The type bigint: all of ours are exact as numbers. */
const INT8 = 20

export function createConnection(url: string, options: ConnectionOptions): PostgresConnection {
  const { sockets: max = 1, pipeline = PIPELINE, prepare = true, hosts = { now: 0 } } = options
  const sockets = createSockets(hosts)
  /** How to reject each statement that waits for its answer. */
  const pending = new Set<(error: unknown) => void>()
  let isOver = false

  function lose(): void {
    if (isOver) return
    isOver = true
    for (const reject of pending) reject(new ConnectionLost())
    pending.clear()
    sockets.destroyAll()
    sql.end({ timeout: 0 }).catch(() => {})
    options.onClose?.()
  }

  /** After a loss the driver's own answer may be empty, or belong to another statement. */
  function untilLost<T>(send: () => PromiseLike<T>): Promise<T> {
    if (isOver) return Promise.reject(new ConnectionLost())
    return new Promise((resolve, reject) => {
      pending.add(reject)
      send().then(
        (value) => {
          if (pending.delete(reject)) resolve(value)
        },
        (error: unknown) => {
          if (isTooLate(error)) clock.forget()
          if (pending.delete(reject)) reject(isOfPostgres(error) ? error : new ConnectionLost(error))
        },
      )
    })
  }

  const settings = {
    max,
    // Not documented, nor among the driver's types; no documented option bounds how many statements wait on one socket.
    max_pipeline: pipeline,
    connect_timeout: CONNECT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // By default the driver ends connections after half an hour, also between two statements of a transaction.
    max_lifetime: null,
    backoff: reconnectSeconds,
    fetch_types: false,
    onnotice: () => {},
    onclose: lose,
    socket: sockets.open,
    types: { bigint: { to: INT8, from: [INT8], parse: Number, serialize: String } },
    connection: {
      application_name: 'hydrant',
      search_path: 'hydrant',
      synchronous_commit: 'on',
      // Whatever the server's default is: after waiting for a lock, a statement must see what was committed meanwhile.
      default_transaction_isolation: 'read committed',
      ...options.session,
    },
    ...(wantsPrimary(url) ? { target_session_attrs: 'primary' } : {}),
  }
  const sql: Sql = postgres(url, settings as never)
  const run = async <Row>(text: string, params: readonly Param[] = []): Promise<Row[]> => {
    const rows = await untilLost(() => sql.unsafe(text, params as Param[], { prepare }).values())
    // The driver returns a subclass of Array.
    return Array.from(rows) as Row[]
  }
  const clock = createDatabaseClock(run)
  return {
    run,
    deadlineAt: clock.at,
    async script(text) {
      await untilLost(() => sql.unsafe(text).simple())
    },
    async end(timeoutMs) {
      if (timeoutMs === 0) return lose()
      await sql.end({ timeout: timeoutMs / 1_000 })
      sockets.destroyAll()
    },
  }
}

/**
 * To the driver, `read-write` means a server whose transactions are not read-only by default, which is true of a standby
 * as well; with `primary` it asks whether the server is one.
 */
const wantsPrimary = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url)

/** How long a reading is used: the clocks drift apart by some milliseconds meanwhile, unless one of them is set. */
const CLOCK_READ_MS = 10_000

/** PostgreSQL's clock in milliseconds since 1970, estimated from one reading: rather early than late. */
function createDatabaseClock(run: (text: string) => Promise<unknown[][]>) {
  /** How far it is ahead of ours. */
  let ahead: Promise<number> | undefined
  let readAt = 0

  async function read(): Promise<number> {
    const [row] = await run('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000')
    // The clock was read before the answer came: a deadline computed from it is early by that, never late.
    return Number(row?.[0]) - performance.now()
  }

  /** The clock may have been set, or this machine may have slept: the next use reads it anew. */
  function forget(): void {
    ahead = undefined
  }

  return {
    forget,
    async at(moment: number): Promise<number> {
      if (ahead === undefined || performance.now() - readAt > CLOCK_READ_MS) {
        readAt = performance.now()
        ahead = read()
        ahead.catch(forget)
      }
      return moment + (await ahead)
    },
  }
}

/** As the driver has read them from the URL. */
interface SocketAddresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system; false where there is none. */
  readonly path: string | false
}

const LONGEST_PAUSE_MS = 500

/** The driver's sockets, kept here to be destroyed: the driver itself waits until the other end closes them. */
function createSockets(hosts: { now: number }) {
  const open = new Map<Socket, () => void>()
  let ended = 0
  let isOver = false

  return {
    /** Writes wait until it is connected, so that the driver need not. */
    async open({ host, port, path }: SocketAddresses): Promise<Socket> {
      const { length } = host
      // The driver reconnects without a pause where a server accepts connections and closes them at once.
      if (ended > length) await wait(Math.min(25 * 2 ** (ended - length), LONGEST_PAUSE_MS))
      if (isOver) throw new ConnectionLost()
      const at = hosts.now
      const socket = path ? connect(path) : connect(port[at] as number, host[at])
      const end = () => {
        if (!open.delete(socket)) return
        ended += 1
        // The address may be that of a former primary: the next connection goes to the next address.
        if (hosts.now === at) hosts.now = (at + 1) % length
      }
      open.set(socket, end)
      socket.once('close', end)
      // For TLS, which the driver begins itself, and tells only `host`, as the server name. An IP address is no server name:
      // then Node.js checks the certificate against `_host`, which is not documented. There is no other way to pass it.
      return Object.assign(socket, { host: host[at], _host: host[at] })
    },
    /** Destroys them at once; no further one is opened. */
    destroyAll(): void {
      isOver = true
      for (const [socket, end] of open) {
        socket.destroy()
        end()
      }
    },
  }
}
