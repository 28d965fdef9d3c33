import postgres from 'postgres'
import { HttpError } from '../../errors.ts'
import { postgresAddress, schemaOf, shownDatabase } from '../address.ts'
import { migrate } from '../migration/migrate.ts'
import { changesWithoutMigration, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, Migration, MigrationChange, StoreOptions } from '../store.ts'
import type { Session } from './connection.ts'
import { codeOf, messageOf, rootOf } from './errors.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { createPool, type Pool, type Run, type Transaction } from './pool.ts'
import { type Identity, identify, requireKnownVersion, SCHEMA_VERSION, upgradeSchema } from './schema.ts'

/** For everything that is quick: an address where nobody answers must not hold up who waits for the command. */
const LOOK_MS = 5_000
/** Going through all members takes as long as it takes, and another process that does so is waited for. */
const WORK_MS = 24 * 3_600_000

/** For a migration: indexes are made of all rows at once. */
const SESSION: Session = {
  maintenance_work_mem: '256MB',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Works on one connection that is closed afterwards. `source`: where the address was given. */
async function withPool<T>(
  url: string,
  limitMs: number,
  source: string | undefined,
  work: (pool: Pool) => Promise<T>,
) {
  const pool = createPool(url, { connections: 1, limitMs, session: limitMs === WORK_MS ? SESSION : {} })
  try {
    return await work(pool)
  } catch (error) {
    throw explainOpening(error, url, source)
  } finally {
    await pool.close()
  }
}

/** Looks at what is there, without a lock. */
export const look = <T>(url: string, work: (run: Run, found: Identity) => Promise<T>, source?: string) =>
  withPool(url, LOOK_MS, source, async ({ run }) => work(run, await identify(run, url)))

/** Where there is nothing of Hydrant's, the schema is made with it; all or nothing. One at a time. */
export const underLock = <T>(
  url: string,
  work: (transaction: Transaction, found: Identity) => Promise<T>,
  source?: string,
): Promise<T> =>
  withPool(url, WORK_MS, source, ({ transaction }) =>
    transaction(async (within) => {
      await within.run(LOCK)
      return work(within, await identify(within.run, url))
    }),
  )

/** Ten hosts may start at once: one makes the tables, the others find them. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))"

export interface UpToDate {
  readonly stored: readonly StoredClass[]
  /** What bringing it there has changed. */
  readonly changes: readonly MigrationChange[]
}

/** At most starts there is nothing to do, which three round trips tell. */
export async function bringUpToDate(
  url: string,
  shapes: readonly ClassShape[],
  { migrate: which = 'all', onMigrate }: StoreOptions,
): Promise<UpToDate> {
  const unchanged = async (run: Run, may: typeof which): Promise<UpToDate | undefined> => {
    const stored = await listClasses(run)
    const changes = changesWithoutMigration(stored, shapes, may)
    return changes && { stored, changes }
  }
  const current = await look(url, async (run, { isOurs, schema }) =>
    isOurs && (await requireKnownVersion(run, url, schema)) === SCHEMA_VERSION
      ? unchanged(run, which === 'none' ? 'none' : 'all')
      : undefined,
  )
  if (current !== undefined) return current
  return underLock(url, async (transaction, found) => {
    await bringSchema(transaction, found, url)
    // Another process may have been faster while this one waited for the lock: both see what is left to be done.
    const done = await unchanged(transaction.run, which)
    if (done !== undefined) return done
    const { changes } = await migrate(createMigrationStore(transaction, false), shapes, onMigrate)
    return { stored: await listClasses(transaction.run), changes }
  })
}

/** The tables that every database has, as this version of Hydrant knows them. */
export async function bringSchema(
  transaction: Transaction,
  { schema, hasSchema, isOurs }: Identity,
  url: string,
): Promise<void> {
  // Only where it is missing: a user who may not create schemas can use one that was made before.
  if (!hasSchema) await transaction.script(`CREATE SCHEMA "${schema}"`)
  const version = isOurs ? await requireKnownVersion(transaction.run, url, schema) : 0
  if (version < SCHEMA_VERSION) await upgradeSchema(transaction, version)
}

/** Whether there is something of Hydrant's. */
export const isPostgresThere = (url: string): Promise<boolean> => look(url, async (_, { isOurs }) => isOurs)

/** Reads one state of the database and changes nothing in it; other processes neither wait for it nor are waited for. */
export const dryRunPostgres = (url: string, shapes: readonly ClassShape[]): Promise<Migration> =>
  withPool(url, WORK_MS, undefined, ({ transaction }) =>
    transaction(async (within) => {
      await within.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SAVEPOINT dry_run')
      const { isOurs, schema } = await identify(within.run, url)
      if (!isOurs) throw new Error(`There is no database of Hydrant's at ${shownDatabase(url)}.`)
      await requireKnownVersion(within.run, url, schema)
      const migration = await migrate(createMigrationStore(within, true), shapes)
      await within.script('ROLLBACK TO SAVEPOINT dry_run')
      return migration
    }),
  )

interface Context {
  readonly database: string
  readonly schema: string
  /** What PostgreSQL, the driver or node has said, in one line. It names users, never passwords. */
  readonly said: string
  /** Where the address was given. */
  readonly source: string
  /** The user that was tried where the address names none. */
  readonly otherUser: string | undefined
  /** Before anything was asked for: while the connection was made. */
  readonly isEntering: boolean
}

type Reason = (context: Context) => string

const UNANSWERED: Reason = () =>
  'it does not answer; see whether host and port are right, and whether a firewall is in between'
const NO_HOST: Reason = () => 'there is no such host; put the address right'
const UNKNOWN_AUTHORITY: Reason = ({ said }) =>
  `its certificate is of an authority that is not known here (${said}); ` +
  'name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS'

/** By the codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), the driver and node. */
const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: () => 'nothing listens there; start PostgreSQL, or put the address right',
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  CONNECT_TIMEOUT: UNANSWERED,
  ETIMEDOUT: UNANSWERED,
  EHOSTUNREACH: UNANSWERED,
  ENETUNREACH: UNANSWERED,
  ECONNRESET: () =>
    'the connection was closed at once; see whether PostgreSQL listens there, and with TLS where sslmode asks for it',
  CONNECTION_CLOSED: () => 'the connection was closed; see the log of PostgreSQL for the reason',
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  '28P01': ({ said, ...context }) => `the user or the password is wrong (${said}); ${putUserRight(context)}`,
  '28000': ({ said, ...context }) =>
    `the user is not let in (${said}); ${putUserRight(context)}, or in pg_hba.conf`,
  '3D000': ({ database }) => `there is no database ${database}; make it with: createdb ${database}`,
  '3F000': ({ schema }) => `the user may not use the schema ${schema}; give the right: ${inSchema(schema)}`,
  '42501': (context) => `the user lacks a right (${context.said}); ${giveRight(context)}`,
  '53300': () => 'it has no connection left; raise max_connections, or start fewer processes',
  '57P03': () => 'it is starting up or shutting down; try again shortly',
  '25006': () =>
    'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write',
}

const putUserRight = ({ otherUser, source }: Pick<Context, 'otherUser' | 'source'>): string =>
  otherUser === undefined
    ? `put it right in ${source}`
    : `the address names no user, so "${otherUser}" was tried; name one in ${source}, postgres://user:password@host/database`

/** What the right is for is in the language of the server; where it cannot be told, the one to make a schema is likely. */
function giveRight({ said, database, schema, isEntering }: Context): string {
  if (isEntering && said.includes(database)) return `give it: GRANT CONNECT ON DATABASE ${database} TO …`
  if (isEntering) return 'give it, or leave out of the address what it is for'
  if (/\bschema\b/.test(said)) return `give it: ${inSchema(schema)}`
  if (/\b(?:table|relation|sequence)\b/.test(said))
    return 'name the user that has made the tables, or another schema with ?search_path=<name>'
  return `give it, such as: GRANT CREATE ON DATABASE ${database} TO …`
}

const inSchema = (schema: string): string => `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`

/**
 * One line for the terminal: what is wrong, where, and what to do. Other errors are given back as they are.
 * `source`: where the address was given.
 */
function explainOpening(error: unknown, url: string, source = 'HYDRANT_DB'): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  const { database = '', credentials = '' } = postgresAddress(url) ?? {}
  const root = rootOf(error)
  const told = reason({
    database,
    schema: schemaOf(url),
    said: messageOf(root).replace(/\s+/g, ' ').replace(/\.$/, ''),
    source,
    otherUser: /^(?::|$)/.test(credentials) ? userTried(url) : undefined,
    // PostgreSQL ends the connection with it.
    isEntering: root instanceof Error && 'severity' in root && root.severity === 'FATAL',
  })
  return new Error(`The database ${shownDatabase(url)} cannot be opened: ${told}.`, { cause: error })
}

/** As the driver chooses it: from the variables that PostgreSQL's own programs know, else the user of this process. */
const userTried = (url: string): string => postgres(url).options.user

function reasonOf(error: unknown): Reason | undefined {
  const code = codeOf(error)
  if (code === undefined) return error instanceof HttpError && error.status === 503 ? UNANSWERED : undefined
  return REASONS[code] ?? (({ said }) => said)
}
