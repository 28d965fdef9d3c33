import { setTimeout as wait } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { ConnectionLost } from './errors.ts'

/**
 * Called with a new session before it has any settings; throws if it may not be used. `openAnother`: another session at
 * the same address.
 */
export type AdmitSession = (session: Sql, openAnother: () => Sql) => Promise<void>

export interface SessionsOptions {
  /** Maximum number of sessions, opened when they are needed. */
  readonly max: number
  readonly admit?: AdmitSession | undefined
}

/** One of PostgreSQL's sessions: a driver with one socket. */
interface Session {
  readonly sql: Sql
  /** Statements without a result. */
  pending: number
  /** Undefined once the session has its settings. */
  ready: Promise<void> | undefined
}

/** Parameters that PgBouncer passes on at the start of a connection. It refuses or drops all others. */
const AT_START: ReadonlySet<string> = new Set(['application_name', 'client_encoding', 'options'])

/** Whether PostgreSQL has refused a setting. */
export const isOfSetting = (error: unknown): boolean =>
  error instanceof Error && 'query' in error && String(error.query).startsWith('SELECT set_config(')

/**
 * Sessions of PostgreSQL with settings of their own, which are set by a statement before the first use. At the start of a
 * connection, as the driver would send them, PgBouncer refuses them. The driver has no place for a first statement of each
 * of its sockets, so that each session is a driver with one socket.
 */
export class Sessions {
  readonly #url: string
  readonly #settings: object
  readonly #options: SessionsOptions
  readonly #all: Session[] = []
  readonly #others: Sql[] = []
  #isOver = false

  /** `settings`: options of the driver, with the settings of PostgreSQL as `connection`. */
  constructor(url: string, settings: object, options: SessionsOptions) {
    this.#url = url
    this.#settings = settings
    this.#options = options
  }

  /** Sends a statement on an idle session; on a new one if there is none; else on the one with the fewest statements. */
  async send<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const session = this.#choose()
    session.pending += 1
    try {
      if (session.ready !== undefined) await session.ready
      if (this.#isOver) throw new ConnectionLost()
      return await statement(session.sql)
    } finally {
      session.pending -= 1
    }
  }

  /** Waits up to `timeoutMs` for pending statements. */
  async end(timeoutMs: number): Promise<void> {
    if (timeoutMs === 0) this.#isOver = true
    else await this.#untilOpened(timeoutMs)
    const timeout = timeoutMs / 1_000
    await Promise.all(
      [...this.#all.map(({ sql }) => sql), ...this.#others].map((sql) => sql.end({ timeout })),
    )
    this.#isOver = true
  }

  /** Statements that wait for a session are sent when it opens, and then waited for, too. */
  async #untilOpened(timeoutMs: number): Promise<void> {
    const opening = this.#all.flatMap(({ ready }) => ready ?? [])
    if (opening.length === 0) return
    await Promise.race([Promise.allSettled(opening), wait(timeoutMs, undefined, { ref: false })])
  }

  #choose(): Session {
    let chosen: Session | undefined
    for (const session of this.#all) {
      if (session.pending === 0) return session
      if (chosen === undefined || session.pending < chosen.pending) chosen = session
    }
    return chosen === undefined || this.#all.length < this.#options.max ? this.#open() : chosen
  }

  #open(): Session {
    const { sql, settings } = this.#connect()
    const session: Session = { sql, pending: 0, ready: this.#prepare(sql, settings) }
    session.ready?.then(
      () => {
        session.ready = undefined
      },
      // With its socket the whole connection is lost: the next one may be admitted.
      () => sql.end({ timeout: 0 }),
    )
    this.#all.push(session)
    return session
  }

  async #prepare(sql: Sql, settings: string): Promise<void> {
    await this.#options.admit?.(sql, () => {
      // When this session ends, the others do not.
      const other = this.#connect({ onclose: () => {} }).sql
      this.#others.push(other)
      return other
    })
    await sql.unsafe(settings).simple()
  }

  #connect(hooks = {}): { readonly sql: Sql; readonly settings: string } {
    const sql: Sql = postgres(this.#url, { ...this.#settings, ...hooks, max: 1 } as never)
    // The driver has added the settings in the address, and reads all of them again when it connects.
    const { connection } = sql.options as unknown as { connection: Record<string, unknown> }
    const later = Object.entries(connection).filter(([name, value]) => value && !AT_START.has(name))
    for (const [name] of later) delete connection[name]
    const settings = later.map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, false)`)
    return { sql, settings: `SELECT ${settings.join(', ')}` }
  }
}

const literal = (value: unknown): string =>
  `E'${String(value).replace(/['\\]/g, (character) => `\\${character}`)}'`
