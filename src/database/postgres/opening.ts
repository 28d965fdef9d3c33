import postgres from 'postgres'
import { Problem } from '../../problem.ts'
import {
  isPlainSchema,
  openingProblem,
  type PostgresReason,
  type PostgresRight,
  postgresAddress,
  schemaOf,
  shownDatabase,
} from '../index.ts'
import type { SessionSettings } from './connection.ts'
import { codeOf, messageOf, READ_ONLY, rootOf } from './errors.ts'
import { createPool, type Pool, type RunSql, type Transaction } from './pool.ts'
import { requireOwnSessions } from './pooler.ts'
import { OLDEST_VERSION, SCHEMA_SETTINGS, SCHEMA_VERSION, TABLE_NAMES, upgradeSchema } from './schema.ts'
import { type AdmitSession, isOfSetting } from './sessions.ts'

/** The timeout of quick statements: a command must fail soon if no server answers at the address. */
const INSPECT_MS = 5_000
/** The timeout of a migration, which reads all members, and of waiting for another process that migrates. */
export const WORK_MS = 24 * 3_600_000

/** For work that may take long, such as a migration: indexes are built over all rows at once. */
export const SESSION: SessionSettings = {
  maintenance_work_mem: '256MB',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Runs `work` on one connection, which is closed afterwards. `source`: where the address was given. */
export async function withPool<T>(
  url: string,
  limitMs: number,
  source: string | undefined,
  work: (pool: Pool) => Promise<T>,
  admit?: AdmitSession,
) {
  const session = limitMs === WORK_MS ? SESSION : {}
  const pool = createPool(url, { connections: 1, limitMs, session, ...(admit && { admit }) })
  try {
    return await work(pool)
  } catch (error) {
    throw explainOpening(error, url, source)
  } finally {
    await pool.close()
  }
}

/** Reads the schema, without a lock. Every other use of an address comes after this one, which also looks for poolers. */
export const inspect = <T>(
  url: string,
  work: (run: RunSql, found: SchemaIdentity) => Promise<T>,
  source?: string,
) => {
  const read = async ({ run }: Pool) => work(run, await identify(run, url))
  return withPool(url, INSPECT_MS, source, read, requireOwnSessions(url))
}

/** Runs `work` in one transaction, under a lock that one process at a time holds. */
export const withOpeningLock = <T>(
  url: string,
  work: (transaction: Transaction, found: SchemaIdentity) => Promise<T>,
  source?: string,
): Promise<T> =>
  withPool(url, WORK_MS, source, ({ transaction }) =>
    transaction(async (within) => {
      await within.run(LOCK)
      return work(within, await identify(within.run, url))
    }),
  )

/** If ten hosts start at once, one creates the tables, and the others find them. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))"

/** Creates or upgrades the tables that every database has. */
export async function ensureSchema(
  transaction: Transaction,
  { schema, hasSchema, version }: SchemaIdentity,
): Promise<void> {
  // Only if it is missing: a user who may not create schemas can use an existing one.
  if (!hasSchema) await transaction.script(`CREATE SCHEMA "${schema}"`)
  if (version < SCHEMA_VERSION) await upgradeSchema(transaction, version)
}

/** Does so in a transaction of its own, if nothing else has to be upgraded with it. */
export async function ensureCurrentSchema(url: string): Promise<void> {
  const isCurrent = await inspect(url, async (_, { version }) => version >= SCHEMA_VERSION)
  if (!isCurrent) await withOpeningLock(url, ensureSchema)
}

/**
 * Adds to the schema of a version whose hosts go on, in a transaction of its own: the locks would last as long as the
 * migration that follows. An older schema is upgraded together with its members.
 */
export async function addToSchema(url: string): Promise<void> {
  const isShared = await inspect(url, async (_, { version }) => version >= OLDEST_VERSION)
  if (isShared) await ensureCurrentSchema(url)
}

export const hasHydrantTables = (url: string): Promise<boolean> =>
  inspect(url, async (_, { version }) => version > 0)

/** What exists at an address, before anything is changed there. */
export interface SchemaIdentity {
  /** The schema of PostgreSQL that everything is in. */
  readonly schema: string
  readonly hasSchema: boolean
  /** The version of Hydrant's tables in it, which may be newer than this one; 0 if there are none. */
  readonly version: number
}

/** Reads only the catalogs: our tables need not exist. */
const IDENTIFY = `
  SELECT current_setting('server_encoding'), current_setting('search_path'), current_setting('synchronous_commit'),
    EXISTS (SELECT FROM pg_namespace WHERE nspname = current_setting('search_path')),
    (SELECT coalesce(string_agg(relname, ',' ORDER BY relname), '') FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = current_setting('search_path') AND relname IN (${TABLE_NAMES.map((name) => `'${name}'`)})),
    2 = (SELECT count(*) FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid AND relname = 'settings' AND relkind = 'r'
      JOIN pg_namespace n ON n.oid = relnamespace AND nspname = current_setting('search_path')
      WHERE attname IN ('name', 'value') AND NOT attisdropped)`

/** Throws for a schema that this version of Hydrant must not touch. Only reads. */
export async function identify(run: RunSql, url: string): Promise<SchemaIdentity> {
  const [row] = (await run(IDENTIFY)) as [[string, string, string, boolean, string, boolean]]
  const [encoding, schema, synchronousCommit, hasSchema, taken, isOurs] = row
  const database = shownDatabase(url)
  if (encoding !== 'UTF8') throw openingProblem('WrongEncoding', { database, encoding })
  if (!isPlainSchema(schema)) throw openingProblem('WrongSearchPath', { database, schema })
  if (synchronousCommit === 'off') throw openingProblem('AsynchronousCommit', { database })
  if (isOurs) return { schema, hasSchema, version: await findVersion(run, database, schema) }
  if (taken !== '') throw openingProblem('ForeignTables', { database, schema, tables: taken.split(',') })
  return { schema, hasSchema, version: 0 }
}

/** Throws if this Hydrant is older than all that may open the database, or if the schema is another program's. */
async function findVersion(run: RunSql, database: string, schema: string): Promise<number> {
  const { oldest, version } = SCHEMA_SETTINGS
  const text = 'SELECT name::text, value::text FROM settings WHERE name::text IN ($1, $2)'
  const found = new Map(await run<[string, string]>(text, [oldest, version]))
  const least = found.get(oldest) ?? ''
  if (!/^[1-9]\d*$/.test(least))
    throw openingProblem('ForeignTables', { database, schema, tables: ['settings'] })
  if (Number(least) > SCHEMA_VERSION)
    throw openingProblem('NewerSchema', { database, version: Number(least), known: SCHEMA_VERSION })
  return Number(found.get(version) ?? least)
}

/** The reason why PostgreSQL cannot be used; other errors are returned as they are. */
export function explainOpening(error: unknown, url: string, source = 'HYDRANT_DB'): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  const { database: databaseName = '', credentials = '' } = postgresAddress(url) ?? {}
  const root = rootOf(error)
  // The message in one line. It may name users, never passwords.
  const said = messageOf(root).replace(/\s+/g, ' ').replace(/\.$/, '')
  const hasUser = !/^(?::|$)/.test(credentials)
  const failure = {
    ...{ reason, said, databaseName, source },
    schema: schemaOf(url),
    // The user that the driver chooses: from the variables of PostgreSQL's own programs, else the user of this process.
    triedUser: hasUser ? undefined : String(postgres(url).options.user),
    right: reason === 'lacking right' ? missingRight(root, said, databaseName) : undefined,
  }
  return openingProblem('PostgresNotOpened', { database: shownDatabase(url), ...failure }, { cause: error })
}

/**
 * Keyed by code: of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), the driver and Node.js
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
const REASONS: Readonly<Record<string, PostgresReason>> = {
  ECONNREFUSED: 'nothing listens',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  CONNECT_TIMEOUT: 'no answer',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no answer',
  ENETUNREACH: 'no answer',
  ECONNRESET: 'connection reset',
  CONNECTION_CLOSED: 'connection closed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown authority',
  '28P01': 'wrong password',
  '28000': 'user rejected',
  '3D000': 'no database',
  '3F000': 'no right to the schema',
  '42501': 'lacking right',
  53300: 'no connection left',
  '57P03': 'starting or stopping',
  [READ_ONLY]: 'standby',
}

/** Problems without a cause that mean that the server is silent. */
const SILENT = ['DatabaseNotAnswering', 'DatabaseBusy']

function reasonOf(error: unknown): PostgresReason | undefined {
  const code = codeOf(error)
  if (code !== undefined) return Object.hasOwn(REASONS, code) ? REASONS[code] : 'other'
  return error instanceof Problem && SILENT.includes(error.code) ? 'no answer' : undefined
}

/**
 * PostgreSQL has one code for all rights, and names the missing right only in its message, in the language of the
 * server. If that is not English, the right to create a schema is likely.
 */
function missingRight(root: unknown, said: string, databaseName: string): PostgresRight {
  // An error before any statement, with which PostgreSQL ends the connection.
  const isConnecting = root instanceof Error && 'severity' in root && root.severity === 'FATAL'
  if (isConnecting && said.includes(databaseName)) return 'connect'
  if (isConnecting || isOfSetting(root)) return 'parameter'
  if (/\bschema\b/.test(said)) return 'schema'
  return /\b(?:table|relation|sequence)\b/.test(said) ? 'tables' : 'create'
}
