import { isPlainSchema, shownDatabase } from '../address.ts'
import { migrate } from '../migration/migrate.ts'
import { changesWithoutMigration, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, Migration, MigrationChange, StoreOptions } from '../store.ts'
import type { Session } from './connection.ts'
import { explainOpening } from './errors.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { createPool, type Pool, type Run, type Transaction } from './pool.ts'
import { SCHEMA_VERSION, TABLE_NAMES, upgradeSchema } from './schema.ts'

/** The timeout of quick statements: a command must fail soon at an address where no server answers. */
const INSPECT_MS = 5_000
/** The timeout of a migration, which reads all members, and of waiting for another process that migrates. */
const WORK_MS = 24 * 3_600_000

/** For a migration: indexes are built over all rows at once. */
const SESSION: Session = {
  maintenance_work_mem: '256MB',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Runs `work` on one connection, which is closed afterwards. `source`: where the address was given. */
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
export const inspect = <T>(url: string, work: (run: Run, found: Identity) => Promise<T>, source?: string) =>
  withPool(url, INSPECT_MS, source, async ({ run }) => work(run, await identify(run, url)))

/** Runs `work` in one transaction, under a lock that one process at a time holds. */
export const withOpeningLock = <T>(
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

/** Of ten hosts that start at once, one creates the tables, and the others find them. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))"

export interface UpToDate {
  readonly stored: readonly StoredClass[]
  /** What the migration has changed. */
  readonly changes: readonly MigrationChange[]
}

/** Mostly there is nothing to do, which takes three round trips to find out. */
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
  const current = await inspect(url, async (run, { version }) =>
    version === SCHEMA_VERSION ? unchanged(run, which === 'none' ? 'none' : 'all') : undefined,
  )
  if (current !== undefined) return current
  return withOpeningLock(url, async (transaction, found) => {
    await ensureSchema(transaction, found)
    // Another process may have migrated while this one waited for the lock.
    const done = await unchanged(transaction.run, which)
    if (done !== undefined) return done
    const { changes } = await migrate(createMigrationStore(transaction, false), shapes, onMigrate)
    return { stored: await listClasses(transaction.run), changes }
  })
}

/** Creates or upgrades the tables that every database has. */
export async function ensureSchema(
  transaction: Transaction,
  { schema, hasSchema, version }: Identity,
): Promise<void> {
  // Only where it is missing: a user who may not create schemas can use one that exists.
  if (!hasSchema) await transaction.script(`CREATE SCHEMA "${schema}"`)
  if (version < SCHEMA_VERSION) await upgradeSchema(transaction, version)
}

export const hasHydrantTables = (url: string): Promise<boolean> =>
  inspect(url, async (_, { version }) => version > 0)

/** Reads one snapshot and changes nothing; other processes neither wait for it nor are waited for. */
export const dryRunPostgres = (url: string, shapes: readonly ClassShape[]): Promise<Migration> =>
  withPool(url, WORK_MS, undefined, ({ transaction }) =>
    transaction(async (within) => {
      await within.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SAVEPOINT dry_run')
      const { version } = await identify(within.run, url)
      if (version === 0) throw new Error(`There is no database of Hydrant's at ${shownDatabase(url)}.`)
      const migration = await migrate(createMigrationStore(within, true), shapes)
      await within.script('ROLLBACK TO SAVEPOINT dry_run')
      return migration
    }),
  )

/** What is found at an address, before anything is changed there. */
export interface Identity {
  /** The schema of PostgreSQL that everything is in. */
  readonly schema: string
  readonly hasSchema: boolean
  /** Of Hydrant's tables in it; 0 where there are none. */
  readonly version: number
}

type Row = [
  encoding: string,
  searchPath: string,
  synchronousCommit: string,
  hasSchema: boolean,
  taken: string,
  hasSettings: boolean,
]

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
async function identify(run: Run, url: string): Promise<Identity> {
  const [row] = await run<Row>(IDENTIFY)
  const [encoding, schema, synchronousCommit, hasSchema, taken, isOurs] = row as Row
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
async function findVersion(run: Run, name: string, schema: string): Promise<number> {
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
