import { DatabaseSync } from 'node:sqlite'
import { isPostgres } from '../../src/database/index.ts'
import { onPostgres } from './postgres.ts'
import { pathOf } from './stores.ts'

/** All that a database says, whatever its pages look like. */
export const contentOf = async (url: string): Promise<unknown> =>
  isPostgres(url) ? postgresContent(url) : sqliteContent(pathOf(url))

function sqliteContent(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const schema = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
    const tables = schema
      .filter(({ sql }) => /^CREATE TABLE/.test(String(sql)))
      .map(({ name }) => String(name))
    return { schema, rows: tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]) }
  } finally {
    db.close()
  }
}

/** Without the numbers that sequences will give out next: those are never taken back. */
async function postgresContent(url: string): Promise<unknown> {
  const schema = await onPostgres(
    url,
    `SELECT relname, relkind::text FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace ORDER BY relname`,
  )
  const tables = schema.flatMap(([name, kind]) => (kind === 'r' ? [String(name)] : []))
  const rows = await Promise.all(
    tables.map(async (table) => [
      table,
      await onPostgres(url, `SELECT row::text FROM ${table} AS row ORDER BY 1`),
    ]),
  )
  return { schema: [...schema], rows }
}
