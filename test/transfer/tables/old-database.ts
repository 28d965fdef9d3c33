import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { proposeForDatabase, readTables, withTables, writeProposal } from '../../../src/transfer/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { modelOf, temporaryFolder } from '../../support/service.ts'
import { type Imported, openBulk } from '../transfer.ts'

export const ENGINES = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof ENGINES)[number]

/** A database of another program, made by its own statements. */
export async function oldDatabase(t: TestContext, engine: Engine, sql: string): Promise<string> {
  if (engine === 'SQLite') {
    const path = join(temporaryFolder(t), 'old.db')
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    db.exec(sql)
    db.close()
    return `sqlite:${path}`
  }
  const url = newPostgres(t)
  const schema = new URL(url).searchParams.get('search_path')
  await onPostgres(url, `CREATE SCHEMA ${schema}`)
  await onPostgres(url, sql)
  return url
}

export const propose = (url: string): Promise<string> =>
  withTables(url, 'a test', async (source) =>
    writeProposal(await proposeForDatabase(source, 'the old database', 'old')),
  )

/** Without the head. */
export const classesOf = (api: string): string => api.slice(api.indexOf('classes:'))

/** Imports what a database has under an API file, by default the one that is proposed for it. */
export async function importOld(t: TestContext, url: string, api?: string) {
  const proposed = api ?? (await propose(url))
  const bulk = await openBulk(t, proposed, 'sqlite::memory:')
  const again = (): Promise<Imported & { readonly unread: readonly string[] }> =>
    withTables(url, 'a test', async (source) => {
      const reading = await readTables(source, modelOf(proposed))
      const unread = reading.unread.map(({ table, column }) =>
        column === undefined ? table : `${table}.${column}`,
      )
      return { ...(await bulk.import(reading.items(), { file: 'old' })), unread }
    })
  return { api: proposed, bulk, imported: await again(), again }
}
