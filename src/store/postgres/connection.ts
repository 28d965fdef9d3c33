import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { ConnectionLost, isOfPostgres, isTooLate } from './errors.ts'

export type Param = string | number | boolean | null

/** One prepared statement, whose rows come as arrays. What goes wrong is an HttpError where it is the database's fault. */
export type Run = <Row extends readonly unknown[] = unknown[]>(
  text: string,
  params?: readonly Param[],
) => Promise<Row[]>

/** Settings of PostgreSQL for each connection. */
export type Session = Readonly<Record<string, string>>

export interface ConnectionOptions {
  /** How many, opened when they are needed. */
  readonly sockets?: number
  /** How many statements are under way on one socket before the first is answered. */
  readonly pipeline?: number
  readonly session?: Session
  /** False where texts are of endless variety, since prepared ones stay on the connection; costs a round trip each. */
  readonly prepare?: boolean
  /** Shared with connections that follow this one, or stand beside it. */
  readonly hosts?: HostChoice
  /** When it is over. */
  readonly onClose?: () => void
}

/**
 * One socket or several, which are all over with the first that is lost, and everything that is under way on them. The
 * driver would open the lost one anew and go on: with rows left over from the answer that was cut off, with statements of
 * a transaction outside of it, and, where there are several addresses, with an empty answer to what was lost.
 */
export interface Connection {
  readonly run: Run
  /** Several statements without parameters. */
  script(text: string): Promise<void>
  /** What PostgreSQL's clock will show at a moment of `performance.now()`, at the latest. */
  deadlineAt(moment: number): Promise<number>
  /** Waits so long for what is under way, then rejects it. */
  end(patienceMs: number): Promise<void>
}

const PIPELINE = 100
const CONNECT_SECONDS = 1
const KEEP_ALIVE_SECONDS = 10
/** Soon, since a request that waits is answered after a second anyway. */
const reconnectSeconds = (retries: number): number => Math.min(0.05 * 2 ** retries, 0.5)

/** bigint: all of ours are exact as numbers. */
const INT8 = 20

export function createConnection(url: string, options: ConnectionOptions): Connection {
  const { sockets: max = 1, pipeline = PIPELINE, prepare = true, hosts = createHostChoice() } = options
  const sockets = createSockets(hosts)
  /** How to reject each statement that is under way. */
  const underWay = new Set<(error: unknown) => void>()
  let isOver = false

  function lose(): void {
    if (isOver) return
    isOver = true
    for (const reject of underWay) reject(new ConnectionLost())
    underWay.clear()
    sockets.destroyAll()
    sql.end({ timeout: 0 }).catch(() => {})
    options.onClose?.()
  }

  /** After a loss the driver's own answer may be nothing, or belong to another statement. */
  function untilLost<T>(send: () => PromiseLike<T>): Promise<T> {
    if (isOver) return Promise.reject(new ConnectionLost())
    return new Promise((resolve, reject) => {
      underWay.add(reject)
      send().then(
        (value) => {
          if (underWay.delete(reject)) resolve(value)
        },
        (error: unknown) => {
          if (isTooLate(error)) clock.forget()
          if (underWay.delete(reject)) reject(isOfPostgres(error) ? error : new ConnectionLost(error))
        },
      )
    })
  }

  const settings = {
    max,
    max_pipeline: pipeline,
    connect_timeout: CONNECT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // By itself the driver ends them after half an hour, also between two statements of a transaction.
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
    // The driver has an array of its own kind.
    return Array.from(rows) as Row[]
  }
  const clock = createDatabaseClock(run)
  return {
    run,
    deadlineAt: clock.at,
    async script(text) {
      await untilLost(() => sql.unsafe(text).simple())
    },
    async end(patienceMs) {
      if (patienceMs === 0) return lose()
      await sql.end({ timeout: patienceMs / 1_000 })
      sockets.destroyAll()
    },
  }
}

/**
 * To the driver, `read-write` means a server whose transactions are not read-only by default, which a standby says of
 * itself as well; `primary` asks whether it is one.
 */
const wantsPrimary = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url)

/** How long a reading is good: by then both clocks differ by some milliseconds, unless one of them was set. */
const CLOCK_READ_MS = 10_000

/** PostgreSQL's own clock in milliseconds since 1970, as far as it is known here: rather less than more. */
function createDatabaseClock(run: (text: string) => Promise<unknown[][]>) {
  /** How far it is ahead of ours. */
  let ahead: Promise<number> | undefined
  let readAt = 0

  async function read(): Promise<number> {
    const [row] = await run('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000')
    // The clock was read before the answer came: a deadline computed from it is early by that, never late.
    return Number(row?.[0]) - performance.now()
  }

  /** For when the clock has been set, or this machine has slept: it is read anew. */
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

/**
 * A condition that is true, or raises TOO_LATE where PostgreSQL's clock is past the parameter: a write that was given up
 * here, and lies in a socket or in a process that stands still, must not happen afterwards. It is evaluated once, when the
 * statement begins; `statement_timeout` bounds the rest.
 */
export const inTime = (place: number): string => `(SELECT ${isBefore(`$${place}::float8`)})`

/** Commits, or undoes all of it where it is too late. */
export const commitBefore = (deadline: number): string => `SELECT ${isBefore(String(deadline))}; COMMIT`

/** Divides by zero: nothing else in our statements divides, and a code of our own would need a function. */
const isBefore = (deadline: string): string =>
  `1 / (clock_timestamp() < to_timestamp(${deadline} / 1000))::int = 1`

/** Which of several addresses is used. */
export interface HostChoice {
  now: number
}

export const createHostChoice = (): HostChoice => ({ now: 0 })

/** As the driver has read them from the URL. */
interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system; false where there is none. */
  readonly path: string | false
}

const LONGEST_PAUSE_MS = 500

/** The sockets of a driver, which would let go of one that it gives up only when the other end does so too. */
function createSockets(hosts: HostChoice) {
  const open = new Map<Socket, () => void>()
  let ended = 0
  let isOver = false

  return {
    /** Writes wait until it is connected, so that the driver need not. */
    async open({ host, port, path }: Addresses): Promise<Socket> {
      const { length } = host
      // The driver tries again at once where it is let in and thrown out, for as long as a statement waits.
      if (ended > length) await wait(Math.min(25 * 2 ** (ended - length), LONGEST_PAUSE_MS))
      if (isOver) throw new ConnectionLost()
      const at = hosts.now
      const socket = path ? connect(path) : connect(port[at] as number, host[at])
      const end = () => {
        if (!open.delete(socket)) return
        ended += 1
        // An address whose connection has ended may be that of a former primary: the next one.
        if (hosts.now === at) hosts.now = (at + 1) % length
      }
      open.set(socket, end)
      socket.once('close', end)
      // For TLS: the driver asks for a certificate by `host`, and Node.js has no option for the name that it checks a
      // certificate against where that is an IP address; it takes `_host`.
      return Object.assign(socket, { host: host[at], _host: host[at] })
    },
    /** At once, whatever the other end does; and none is opened any more. */
    destroyAll(): void {
      isOver = true
      for (const [socket, end] of open) {
        socket.destroy()
        end()
      }
    },
  }
}
