import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Cell, CopiedClass, TableOfContents } from '../dump.ts'
import { arrays } from './connection.ts'
import { isBusy } from './errors.ts'
import { listClasses } from './migrate.ts'
import { isNew, requireOurs } from './schema.ts'

/** How long a lock of another process is waited for. */
const PATIENCE_MS = 5_000

/** All that a file holds, in one state: it is locked for writers until it is closed. */
export interface SqliteContents {
  readonly classes: readonly CopiedClass[]
  rows(table: TableOfContents): Iterable<Cell[]>
  count(table: TableOfContents): number
  /** The last number that a table has given out, also where its row is gone. */
  lastNumber(table: string): number
  close(): void
}

export function openSqliteContents(path: string): SqliteContents {
  if (!existsSync(path)) throw new Error(`There is no database ${path}; name it with --from sqlite:<path>.`)
  const db = new DatabaseSync(path, { timeout: PATIENCE_MS })
  try {
    requireOurs(db, path)
    if (isNew(db)) throw new Error(`There is nothing in ${path} yet.`)
    hold(db, path)
  } catch (error) {
    db.close()
    throw error
  }

  const lastNumber = (table: string) =>
    Number(db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)
  return {
    classes: listClasses(db)
      .map(({ id, name, total, version }) => ({
        id,
        name,
        total,
        version,
        sequence: lastNumber(`members_${id}`),
      }))
      .toSorted((left, right) => left.id - right.id),
    *rows(table) {
      const columns = table.columns.map(({ name }) => expressionOf(table, name))
      const statement = arrays(
        db,
        `SELECT ${columns} FROM ${table.name} ${conditionOf(table)} ORDER BY ${keyOf(table)}`,
      )
      yield* statement.iterate() as unknown as Iterable<Cell[]>
    },
    count: (table) =>
      Number(db.prepare(`SELECT count(*) AS rows FROM ${table.name} ${conditionOf(table)}`).get()?.rows),
    lastNumber,
    close: () => db.close(),
  }
}

/** A server goes on reading; what it is to write waits, and is refused: nothing that it acknowledges is missed. */
function hold(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    throw isBusy(error)
      ? new Error(`Another process keeps writing to ${path}; stop it, or try again.`, { cause: error })
      : error
  }
}

const keyOf = ({ columns, keyed }: TableOfContents): string =>
  columns
    .slice(0, keyed)
    .map(({ name }) => name)
    .join(', ')

/** How often tokens have ended is what processes on this file tell each other. */
const conditionOf = ({ name }: TableOfContents): string =>
  name === 'settings' ? "WHERE name <> 'token_generation'" : ''

/** Settings are of any type here: the secret is bytes, and a time that Node.js has bound may be a REAL. All numbers are whole. */
const SETTING = `CASE typeof(value)
  WHEN 'blob' THEN lower(hex(value))
  WHEN 'real' THEN CAST(CAST(value AS INTEGER) AS TEXT)
  ELSE CAST(value AS TEXT) END`

const expressionOf = ({ name }: TableOfContents, column: string): string =>
  name === 'settings' && column === 'value' ? SETTING : column
