import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Awaitable } from '../../src/database/index.ts'
import type { ClassSchema } from '../../src/members/index.ts'
import { type Ended, temporaryFolder } from './folders.ts'
import { emptyPostgres, newPostgres, onPostgres } from './postgres.ts'
import { inSoak } from './soak.ts'

/** What the services of this process keep their data in. */
let kind: 'SQLite' | 'PostgreSQL' = 'SQLite'

/** For the suites that run a second time (test/together/). */
export function usePostgres(): void {
  kind = 'PostgreSQL'
}

/**
 * Until every process has heard that a token has ended: at once on one file, "within one second on every other host"
 * (authentication.md, Token).
 */
export async function heardEverywhere(): Promise<void> {
  if (kind === 'PostgreSQL') await wait(1_000)
}

const IN_MEMORY = 'sqlite::memory:'

/**
 * For a store whose database nothing else opens. In memory it needs no thread that writes, whose start takes more of the
 * processors than most tests.
 */
export const ownDatabase = (t: Ended): string =>
  kind === 'PostgreSQL' || inSoak(true, false) ? newDatabase(t) : IN_MEMORY

/** The same for a store of these classes, which may have been one of an earlier test. */
export const emptyDatabase = (t: Ended, shapes: readonly ClassSchema[]): Awaitable<string> =>
  kind === 'PostgreSQL' ? emptyPostgres(t, shapes) : ownDatabase(t)

/** The address of a database that is not there yet, for several services, and for what a file and its threads do. */
export function newDatabase(t: Ended): string {
  return kind === 'PostgreSQL' ? newPostgres(t) : `sqlite:${join(temporaryFolder(t), 'test.db')}`
}

/** Files that one store at a time has open. */
const kept = new Set<string>()
export const isKept = (db: string): boolean => kept.has(db)

/** For services that follow each other: each writes to the file itself, as for bulk data, without the thread. */
export function keptDatabase(t: TestContext): string {
  const db = newDatabase(t)
  if (kind === 'SQLite' && inSoak(false, true)) kept.add(db)
  return db
}

/** Refuses a database in memory, where another connection would find nothing. */
export function shared(db: string): string {
  if (db === IN_MEMORY) throw new Error('Only its service sees a database in memory: use newDatabase.')
  return db
}

const pathOf = (url: string): string => shared(url).replace(/^sqlite:/, '')

/** Every table of a database with the number of its rows, seen through a connection of its own. */
export async function countRows(db: string): Promise<Record<string, number>> {
  if (!db.startsWith('sqlite:')) return countInPostgres(db)
  const connection = new DatabaseSync(pathOf(db), { readOnly: true })
  try {
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        Number(connection.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows),
      ]),
    )
  } finally {
    connection.close()
  }
}

async function countInPostgres(db: string): Promise<Record<string, number>> {
  const tables = await onPostgres(
    db,
    'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()',
  )
  const counts = tables.map(([name]) => `SELECT '${name}', count(*)::int FROM ${name}`)
  return Object.fromEntries(await onPostgres(db, counts.join(' UNION ALL ')))
}

/** Statements as somebody else makes them, past Hydrant. */
export async function execute(
  db: string,
  text: { readonly sqlite: string; readonly postgres: string },
): Promise<void> {
  if (!db.startsWith('sqlite:')) {
    await onPostgres(db, text.postgres)
    return
  }
  const connection = new DatabaseSync(pathOf(db), { timeout: 5_000 })
  try {
    connection.exec(text.sqlite)
  } finally {
    connection.close()
  }
}

/** All that somebody holds who has stolen the database. */
export async function stolen(db: string): Promise<string> {
  if (db.startsWith('sqlite:')) {
    return ['', '-wal']
      .map((suffix) => pathOf(db) + suffix)
      .map((path) => readIfThere(path))
      .join('')
  }
  const tables = Object.keys(await countInPostgres(db))
  const rows = await Promise.all(tables.map((name) => onPostgres(db, `SELECT t::text FROM ${name} t`)))
  return rows.flat(2).join('\n')
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path).toString('latin1')
  } catch (error) {
    // The log is gone when it has been carried over.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
