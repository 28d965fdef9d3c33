import postgres from 'postgres'
import { HttpError } from '../../errors.ts'
import { isPlainSchema, postgresAddress, schemaOf, shownDatabase } from '../index.ts'
import type { SessionSettings } from './connection.ts'
import { codeOf, messageOf, READ_ONLY, rootOf } from './errors.ts'
import { createPool, type Pool, type RunSql, type Transaction } from './pool.ts'
import { SCHEMA_VERSION, TABLE_NAMES, upgradeSchema } from './schema.ts'

/** The timeout of quick statements: a command must fail soon at an address where no server answers. */
const INSPECT_MS = 5_000
/** The timeout of a migration, which reads all members, and of waiting for another process that migrates. */
export const WORK_MS = 24 * 3_600_000

/** For a migration: indexes are built over all rows at once. */
const SESSION: SessionSettings = {
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
export const inspect = <T>(
  url: string,
  work: (run: RunSql, found: SchemaIdentity) => Promise<T>,
  source?: string,
) => withPool(url, INSPECT_MS, source, async ({ run }) => work(run, await identify(run, url)))

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

/** Of ten hosts that start at once, one creates the tables, and the others find them. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))"

/** Creates or upgrades the tables that every database has. */
export async function ensureSchema(
  transaction: Transaction,
  { schema, hasSchema, version }: SchemaIdentity,
): Promise<void> {
  // Only where it is missing: a user who may not create schemas can use one that exists.
  if (!hasSchema) await transaction.script(`CREATE SCHEMA "${schema}"`)
  if (version < SCHEMA_VERSION) await upgradeSchema(transaction, version)
}

/** The same at once, where nothing else is to be upgraded with it. */
export async function ensureCurrentSchema(url: string): Promise<void> {
  const isCurrent = await inspect(url, async (_, { version }) => version === SCHEMA_VERSION)
  if (!isCurrent) await withOpeningLock(url, ensureSchema)
}

export const hasHydrantTables = (url: string): Promise<boolean> =>
  inspect(url, async (_, { version }) => version > 0)

/** What is found at an address, before anything is changed there. */
export interface SchemaIdentity {
  /** The schema of PostgreSQL that everything is in. */
  readonly schema: string
  readonly hasSchema: boolean
  /** Of Hydrant's tables in it; 0 where there are none. */
  readonly version: number
}

/** From the catalogs alone: none of our tables need be there. */
const IDENTIFY = `
  SELECT current_setting('server_encoding'), current_setting('search_path'), current_setting('synchronous_commit'),
    EXISTS (SELECT FROM pg_namespace WHERE nspname = current_setting('search_path')),
    (SELECT coalesce(string_agg(relname, ',' ORDER BY relname), '') FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = current_setting('search_path') AND relname IN (${TABLE_NAMES.map((name) => `'${name}'`)})),
    2 = (SELECT count(*) FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid AND relname = 'settings' AND relkind = 'r'
      JOIN pg_namespace n ON n.oid = relnamespace AND nspname = current_setting('search_path')
      WHERE attname IN ('name', 'value') AND NOT attisdropped)`

/** Throws for what this version of Hydrant must not touch. Only reads. */
export async function identify(run: RunSql, url: string): Promise<SchemaIdentity> {
  const [row] = (await run(IDENTIFY)) as [[string, string, string, boolean, string, boolean]]
  const [encoding, schema, synchronousCommit, hasSchema, taken, isOurs] = row
  const name = shownDatabase(url)
  if (encoding !== 'UTF8') {
    throw new Error(
      `${name} keeps text as ${encoding}, which cannot hold every character; ` +
        'name a database that was made with ENCODING UTF8. Nothing was changed.',
    )
  }
  if (!isPlainSchema(schema)) {
    throw new Error(
      `The search_path of ${name} is ${JSON.stringify(schema)}; ` +
        'give one name of small letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
    )
  }
  if (synchronousCommit === 'off') {
    throw new Error(
      `${name} is to be used with synchronous_commit=off, which can lose writes that were acknowledged; ` +
        'leave that out of the address. Nothing was changed.',
    )
  }
  if (isOurs) return { schema, hasSchema, version: await findVersion(run, name, schema) }
  if (taken !== '') throw notOurs(name, schema, taken)
  return { schema, hasSchema, version: 0 }
}

/** Throws where it is of a newer Hydrant, or of another program after all. */
async function findVersion(run: RunSql, name: string, schema: string): Promise<number> {
  const [row] = await run<[string]>("SELECT value::text FROM settings WHERE name::text = 'schema_version'")
  if (row === undefined || !/^[1-9]\d*$/.test(row[0])) throw notOurs(name, schema, 'settings')
  const version = Number(row[0])
  if (version <= SCHEMA_VERSION) return version
  throw new Error(
    `${name} was written by a newer Hydrant (schema ${version}; this one knows ${SCHEMA_VERSION}). ` +
      'Use that version or a newer one; nothing was changed.',
  )
}

const notOurs = (name: string, schema: string, taken: string) =>
  new Error(
    `The schema "${schema}" of ${name} has tables that are not Hydrant's (${taken.replaceAll(',', ', ')}); ` +
      'name another one, such as ?search_path=hydrant. Nothing was changed.',
  )

const UNANSWERED =
  'it does not answer; see whether host and port are right, and whether a firewall is in between'

const UNKNOWN_AUTHORITY =
  'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY'

/**
 * One line for the terminal: what is wrong, where, and what to do. Other errors are given back as they are.
 * `source`: where the address was given.
 */
function explainOpening(error: unknown, url: string, source = 'HYDRANT_DB'): unknown {
  const reason = reasonOf(error, url, source)
  if (reason === undefined) return error
  return new Error(`The database ${shownDatabase(url)} cannot be opened: ${reason}.`, { cause: error })
}

/**
 * By the codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), the driver and Node.js
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
function reasonOf(error: unknown, url: string, source: string): string | undefined {
  const code = codeOf(error)
  if (code === undefined) return error instanceof HttpError && error.status === 503 ? UNANSWERED : undefined
  const { database = '', credentials = '' } = postgresAddress(url) ?? {}
  const schema = schemaOf(url)
  const grantInSchema = `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`
  const root = rootOf(error)
  // In one line. It names users, never passwords.
  const said = messageOf(root).replace(/\s+/g, ' ').replace(/\.$/, '')

  const hasUser = !/^(?::|$)/.test(credentials)
  const putUserRight = hasUser
    ? `put it right in ${source}`
    : // As the driver chooses it: from the variables that PostgreSQL's own programs know, else the user of this process.
      `the address names no user, so "${postgres(url).options.user}" was tried; name one in ${source}, postgres://user:password@host/database`

  /** PostgreSQL names the missing right in its language; where that is not English, the right to create a schema is likely. */
  function giveRight(): string {
    // Before any statement: PostgreSQL ends the connection with it.
    const isConnecting = root instanceof Error && 'severity' in root && root.severity === 'FATAL'
    if (isConnecting && said.includes(database)) return `give it: GRANT CONNECT ON DATABASE ${database} TO …`
    if (isConnecting) return 'give it, or leave out of the address what it is for'
    if (/\bschema\b/.test(said)) return `give it: ${grantInSchema}`
    if (/\b(?:table|relation|sequence)\b/.test(said))
      return 'name the user that has made the tables, or another schema with ?search_path=<name>'
    return `give it, such as: GRANT CREATE ON DATABASE ${database} TO …`
  }

  const reasons = {
    ECONNREFUSED: 'nothing listens there; start PostgreSQL, or put the address right',
    'ENOTFOUND EAI_AGAIN': 'there is no such host; put the address right',
    'CONNECT_TIMEOUT ETIMEDOUT EHOSTUNREACH ENETUNREACH': UNANSWERED,
    ECONNRESET:
      'the connection was closed at once; see whether PostgreSQL listens there, and with TLS where sslmode asks for it',
    CONNECTION_CLOSED: 'the connection was closed; see the log of PostgreSQL for the reason',
    [UNKNOWN_AUTHORITY]: `its certificate is of an authority that is not known here (${said}); name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS`,
    '28P01': `the user or the password is wrong (${said}); ${putUserRight}`,
    '28000': `the user is not let in (${said}); ${putUserRight}, or in pg_hba.conf`,
    '3D000': `there is no database ${database}; make it with: createdb ${database}`,
    '3F000': `the user may not use the schema ${schema}; give the right: ${grantInSchema}`,
    '42501': `the user lacks a right (${said}); ${giveRight()}`,
    53300: 'it has no connection left; raise max_connections, or start fewer processes',
    '57P03': 'it is starting up or shutting down; try again shortly',
    [READ_ONLY]:
      'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write',
  }
  return Object.entries(reasons).find(([codes]) => codes.split(' ').includes(code))?.[1] ?? said
}
