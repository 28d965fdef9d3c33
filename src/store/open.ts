import { existsSync } from 'node:fs'
import { isPostgres, requireSqlitePath } from '../database/index.ts'
import type { ClassSchema, Migration } from '../members/index.ts'
import type { MigrationStore } from '../members/migration/purge.ts'
import type { OnCopied } from './copy.ts'
import type { Digest } from './dump.ts'
import type { Store, StoreOptions } from './index.ts'

// Each engine is imported when it is first used, so that a command without a database starts faster.

/** `sqlite:<path>`, `sqlite::memory:` or `postgres://…`. `shapes`: the classes of its members; none if only users matter. */
export async function openStore(
  url: string,
  shapes: readonly ClassSchema[] = [],
  options: StoreOptions = {},
): Promise<Store> {
  if (!isPostgres(url)) {
    const { openSqliteStore } = await import('./sqlite.ts')
    return openSqliteStore(requireSqlitePath(url), shapes, options)
  }
  const { openPostgresStore } = await import('./postgres.ts')
  return openPostgresStore(url, shapes, options)
}

/**
 * The migration that opening the store with these shapes would make, rolled back. A server on the database is not blocked.
 * Throws if there is no database.
 */
export async function dryRun(url: string, shapes: readonly ClassSchema[]): Promise<Migration> {
  if (!isPostgres(url)) {
    const { dryRunSqlite } = await import('../members/sqlite/migrate.ts')
    return dryRunSqlite(requireSqlitePath(url), shapes)
  }
  const { dryRunPostgres } = await import('../members/postgres/migrate.ts')
  return dryRunPostgres(url, shapes)
}

/** For PostgreSQL: whether Hydrant's tables exist. */
export async function databaseExists(url: string): Promise<boolean> {
  if (!isPostgres(url)) return existsSync(requireSqlitePath(url))
  const { hasHydrantTables } = await import('../database/postgres/opening.ts')
  return hasHydrantTables(url)
}

/** Copies one snapshot of the SQLite database at `url` to a file that does not exist yet. */
export async function backUp(url: string, file: string): Promise<void> {
  const { backUpSqlite } = await import('../database/sqlite/backup.ts')
  backUpSqlite(requireSqlitePath(url), file)
}

/** Replaces the SQLite database at `url` by a backup; the database is kept under the name `aside`. */
export async function restoreBackup(backup: string, url: string, aside: string | undefined): Promise<void> {
  const { restoreSqlite } = await import('../database/sqlite/backup.ts')
  restoreSqlite(backup, requireSqlitePath(url), aside)
}

/** Copies the SQLite database at `from` to an empty PostgreSQL at `to`, users included. Returns a digest of each table. */
export async function copyStore(from: string, to: string, onCopied: OnCopied): Promise<Digest[]> {
  const { copyToPostgres } = await import('./copy.ts')
  return copyToPostgres(requireSqlitePath(from), to, onCopied)
}

/** Runs `work` on the stored classes, in one transaction; a server is not held up where it only reads. */
export async function maintain<T>(
  url: string,
  access: 'read' | 'write',
  work: (store: MigrationStore) => Promise<T>,
): Promise<T> {
  if (!isPostgres(url)) {
    const { maintainSqlite } = await import('../members/sqlite/migrate.ts')
    return maintainSqlite(requireSqlitePath(url), access, work)
  }
  const { maintainPostgres } = await import('../members/postgres/migrate.ts')
  return maintainPostgres(url, access, work)
}

/** Gives the space of what was removed back to the system. */
export async function compact(url: string): Promise<void> {
  if (!isPostgres(url)) {
    const { compactSqlite } = await import('../members/sqlite/migrate.ts')
    compactSqlite(requireSqlitePath(url))
    return
  }
  const { compactPostgres } = await import('../members/postgres/migrate.ts')
  await compactPostgres(url)
}
