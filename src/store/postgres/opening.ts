import { shownDatabase } from '../address.ts'
import { migrate } from '../migration/migrate.ts'
import { changesWithoutMigration, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, Migration, MigrationChange, StoreOptions } from '../store.ts'
import { createMigrationStore, listClasses } from './migrate.ts'
import { explainOpening } from './opening-errors.ts'
import { createPool, type Pool, type Run, type Transaction } from './pool.ts'
import { type Identity, identify, requireKnownVersion, SCHEMA_VERSION, upgradeSchema } from './schema.ts'

/** For everything that is quick: an address where nobody answers must not hold up who waits for the command. */
const LOOK_MS = 5_000
/** Going through all members takes as long as it takes, and another process that does so is waited for. */
const WORK_MS = 24 * 3_600_000

/** Works on one connection that is closed afterwards. `session`: settings of PostgreSQL for it. */
async function withPool<T>(
  url: string,
  limitMs: number,
  work: (pool: Pool) => Promise<T>,
  session: Readonly<Record<string, string>> = {},
): Promise<T> {
  const pool = createPool(url, { connections: 1, pipeline: 10, limitMs, session })
  try {
    return await work(pool)
  } finally {
    await pool.close()
  }
}

/** Looks at what is there, without a lock. */
export const look = <T>(url: string, work: (run: Run, found: Identity) => Promise<T>): Promise<T> =>
  withPool(url, LOOK_MS, async ({ run }) => work(run, await identify(run, url)))

/** Where there is nothing of Hydrant's, the schema is made with it; all or nothing. One at a time. */
export const underLock = <T>(
  url: string,
  work: (transaction: Transaction, found: Identity) => Promise<T>,
): Promise<T> =>
  withPool(
    url,
    WORK_MS,
    ({ transaction }) =>
      transaction(async (within) => {
        await within.run(LOCK)
        return work(within, await identify(within.run, url))
      }),
    // Indexes are made of all rows at once.
    { maintenance_work_mem: '256MB', statement_timeout: '0', idle_in_transaction_session_timeout: '0' },
  )

/** Ten hosts may start at once: one makes the tables, the others find them. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))"

export interface UpToDate {
  readonly stored: readonly StoredClass[]
  /** What bringing it there has changed. */
  readonly changes: readonly MigrationChange[]
}

/** At most starts there is nothing to do, which two round trips tell. */
export async function bringUpToDate(
  url: string,
  shapes: readonly ClassShape[],
  options: StoreOptions,
): Promise<UpToDate> {
  const stored = await look(url, (run, found) => currentClasses(run, found, url))
  if (stored !== undefined) {
    const changes = changesWithoutMigration(stored, shapes, options.migrate === 'none' ? 'none' : 'all')
    if (changes !== undefined) return { stored, changes }
  }
  return underLock(url, (transaction, found) => bring(transaction, found, url, shapes, options))
}

/** Undefined where the schema is not there, or not the present one. */
async function currentClasses(run: Run, found: Identity, url: string): Promise<StoredClass[] | undefined> {
  if (!found.isOurs) return undefined
  const [version, classes] = await Promise.allSettled([
    requireKnownVersion(run, url, found.schema),
    listClasses(run),
  ])
  if (version.status === 'rejected') throw version.reason
  if (version.value !== SCHEMA_VERSION) return undefined
  if (classes.status === 'rejected') throw classes.reason
  return classes.value
}

async function bring(
  transaction: Transaction,
  found: Identity,
  url: string,
  shapes: readonly ClassShape[],
  { migrate: which = 'all', onMigrate }: StoreOptions,
): Promise<UpToDate> {
  const { run } = transaction
  await bringSchema(transaction, found, url)
  // Another process may have been faster while this one waited for the lock: both see what is left to be done.
  const stored = await listClasses(run)
  const without = changesWithoutMigration(stored, shapes, which)
  if (without !== undefined) return { stored, changes: without }
  const { changes } = await migrate(createMigrationStore(transaction, false), shapes, onMigrate)
  return { stored: await listClasses(run), changes }
}

/** The tables that every database has, as this version of Hydrant knows them. */
export async function bringSchema(
  { run, script }: Transaction,
  { schema, hasSchema, isOurs }: Identity,
  url: string,
): Promise<void> {
  // Only where it is missing: who may not create schemas can use one that was made for him.
  if (!hasSchema) await script(`CREATE SCHEMA "${schema}"`)
  const version = isOurs ? await requireKnownVersion(run, url, schema) : 0
  if (version < SCHEMA_VERSION) await upgradeSchema(run, script)
}

/** Whether there is something of Hydrant's. */
export async function isPostgresThere(url: string): Promise<boolean> {
  try {
    return await look(url, async (_, { isOurs }) => isOurs)
  } catch (error) {
    throw explainOpening(error, url)
  }
}

/** Reads one state of the database and changes nothing in it; other processes neither wait for it nor are waited for. */
export async function dryRunPostgres(url: string, shapes: readonly ClassShape[]): Promise<Migration> {
  try {
    return await withPool(url, WORK_MS, ({ transaction }) =>
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
  } catch (error) {
    throw explainOpening(error, url)
  }
}
