import { isPostgres, sqlitePath } from '../../database/index.ts'
import type { TableSource } from './schema.ts'

/** Opens the database at an address for reading alone. `origin`: where the address was given. */
export async function withTables<T>(
  url: string,
  origin: string,
  work: (source: TableSource) => Promise<T>,
): Promise<T> {
  if (isPostgres(url)) return (await import('./postgres/source.ts')).withPostgresTables(url, origin, work)
  return (await import('./sqlite/source.ts')).withSqliteTables(sqlitePath(url), work)
}
