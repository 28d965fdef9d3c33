import postgres, { type Sql } from 'postgres'
import { createDatabaseClock, READ_CLOCK } from './deadlines.ts'
import { ConnectionLost, isOfPostgres, isTooLate } from './errors.ts'
import { createSockets, createTurn, type Turn } from './sockets.ts'

export type Param = string | number | boolean | null

/** One prepared statement, whose rows come as arrays. What goes wrong is an HttpError where it is the database's fault. */
export type Run = <Row extends readonly unknown[] = unknown[]>(
  text: string,
  params?: readonly Param[],
) => Promise<Row[]>

/** Settings of PostgreSQL for each connection. */
export type Session = Readonly<Record<string, string>>

export interface DriverOptions {
  /** Opened when they are needed. */
  readonly connections: number
  /** How many statements are under way on one connection before the first is answered. */
  readonly pipeline: number
  readonly session?: Session | undefined
  /** False where texts are of endless variety: what is prepared stays on the connection. Each costs a round trip more. */
  readonly prepare?: boolean
  /** The first one of a new turn unless it is given. */
  readonly turn?: Turn | undefined
  /** When it is over. */
  readonly onClose?: () => void
  /** Of whatever channel its one connection listens to. */
  readonly onNotify?: () => void
}

/**
 * Connections that are all over with the first that is lost, and everything that is under way on them. The driver would
 * make the lost one anew, and go on where it was: with rows left over from the answer that was cut off, with statements
 * of a transaction outside of it, and, where there are several addresses, with an empty answer to what was lost.
 */
export interface Driver {
  readonly run: Run
  /** Several statements without parameters. */
  script(text: string): Promise<void>
  /** What PostgreSQL's clock will show at a moment of `performance.now()`, at the latest. */
  deadlineAt(moment: number): Promise<number>
  /** Waits so long for what is under way, then rejects it. */
  end(patienceMs: number): Promise<void>
}

const CONNECT_SECONDS = 1
const KEEP_ALIVE_SECONDS = 10
/** Soon again: whoever waits for an answer is told after a second anyway. */
const reconnectSeconds = (retries: number): number => Math.min(0.05 * 2 ** retries, 0.5)

/** bigint: all of ours are exact as numbers. */
const INT8 = 20

export function createDriver(url: string, options: DriverOptions): Driver {
  const sockets = createSockets(options.turn ?? createTurn())
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

  /** What the driver itself would answer after that may be nothing, or what belongs to another statement. */
  function untilLost<T>(send: () => PromiseLike<T>): Promise<T> {
    if (isOver) return Promise.reject(new ConnectionLost())
    return new Promise((resolve, reject) => {
      const settle = (tell: () => void) => {
        if (underWay.delete(reject)) tell()
      }
      underWay.add(reject)
      send().then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => {
          if (isTooLate(error)) clock.forget()
          settle(() => reject(isOfPostgres(error) ? error : new ConnectionLost(error)))
        },
      )
    })
  }

  const settings = {
    max: options.connections,
    max_pipeline: options.pipeline,
    connect_timeout: CONNECT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // By itself it ends them after half an hour, also between two statements of a transaction.
    max_lifetime: null,
    backoff: reconnectSeconds,
    fetch_types: false,
    onnotice: () => {},
    onclose: lose,
    onnotify: options.onNotify,
    socket: sockets.open,
    types: { bigint: { to: INT8, from: [INT8], parse: Number, serialize: String } },
    connection: {
      application_name: 'hydrant',
      search_path: 'hydrant',
      synchronous_commit: 'on',
      // Whatever the server's default is: who has waited for a lock must see what was committed meanwhile.
      default_transaction_isolation: 'read committed',
      ...options.session,
    },
    ...(wantsPrimary(url) ? { target_session_attrs: 'primary' } : {}),
  }
  const sql: Sql = postgres(url, settings as never)
  const run = async <Row>(text: string, params: readonly Param[] = []): Promise<Row[]> => {
    const rows = await untilLost(() =>
      sql.unsafe(text, params as Param[], { prepare: options.prepare ?? true }).values(),
    )
    // The driver has an array of its own kind.
    return Array.from(rows) as Row[]
  }
  const clock = createDatabaseClock(async () => Number((await run<[number]>(READ_CLOCK))[0]?.[0]))
  return {
    run,
    deadlineAt: clock.at,
    async script(text) {
      await untilLost(() => sql.unsafe(text).simple())
    },
    async end(patienceMs) {
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
