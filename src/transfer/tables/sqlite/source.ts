import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { openingProblem } from '../../../database/index.ts'
import { arrays } from '../../../database/sqlite/connection.ts'
import { isDamaged, isNoDatabase, isUnopenable, translate } from '../../../database/sqlite/errors.ts'
import type { SourceRow, SourceValue, TableSource } from '../schema.ts'
import { countRows, quotedName, type SqlDialect, selectBlank, selectMost, selectRows } from '../sql.ts'
import { readCatalog } from './catalog.ts'

/** How long to wait for a program that writes. */
const TIMEOUT_MS = 5_000

/** A portion ends after this many rows, or characters. */
const PORTION = 500
const PORTION_CHARACTERS = 1024 * 1024

/** A key is the same text in both tables, whatever it is stored as. */
const keyText = (value: string): string =>
  `CASE typeof(${value}) WHEN 'blob' THEN lower(hex(${value})) ELSE CAST(${value} AS TEXT) END`

const DIALECT: SqlDialect = {
  table: quotedName,
  value: (expression) => expression,
  text: keyText,
  lists(expressions) {
    const texts = expressions.map(keyText).join(', ')
    return `json_group_array(json_array(${texts}) ORDER BY ${expressions.join(', ')})`
  },
}

/** Opens a database of another program, reads one state of it, and never writes to it. */
export async function withSqliteTables<T>(
  path: string,
  work: (source: TableSource) => Promise<T>,
): Promise<T> {
  const db = openForReading(path)
  try {
    return await work(createSource(db))
  } finally {
    db.close()
  }
}

function openForReading(path: string): DatabaseSync {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw openingProblem('DatabaseNotFound', { path, source: 'data' })
  if (stats.isDirectory()) throw openingProblem('DatabaseIsFolder', { path, source: 'data' })
  try {
    return begin(path)
  } catch (error) {
    // A database with a log needs a file beside it; in a folder that is read-only, nobody writes, and it needs none.
    const isInUse = ['-wal', '-journal'].some((ending) => existsSync(path + ending))
    if (!isUnopenable(error) || isInUse) throw explain(error, path)
  }
  try {
    return begin(new URL(`${pathToFileURL(path)}?immutable=1`))
  } catch (error) {
    throw explain(error, path)
  }
}

/** Functions in the schema of a file that somebody else has made are not trusted. */
function begin(path: string | URL): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS })
  try {
    db.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function explain(error: unknown, path: string): unknown {
  if (isNoDatabase(error)) return openingProblem('NotSqlite', { path, source: 'data' }, { cause: error })
  if (!isDamaged(error)) return translate(error)
  const { message: damage } = error as Error
  return openingProblem('DamagedDatabase', { path, source: 'data', damage }, { cause: error })
}

function createSource(db: DatabaseSync): TableSource {
  const first = (sql: string) => arrays(db, sql).get<number[]>() ?? []
  return {
    describe: async () => readCatalog(db),
    count: async (table) => first(countRows(table, DIALECT))[0] ?? 0,
    async findBlank(table, columns) {
      if (columns.length === 0) return new Set()
      const found = first(selectBlank(table, columns, DIALECT))
      return new Set(columns.filter((_, index) => found[index] === 1))
    },
    countMost: async (table, columns) => first(selectMost(table, columns, DIALECT))[0] ?? 0,
    async *rows(query) {
      const statement = db.prepare(selectRows(query, DIALECT))
      statement.setReturnArrays(true)
      // A number keeps all of its digits.
      statement.setReadBigInts(true)
      let portion: SourceRow[] = []
      let characters = 0
      for (const row of statement.iterate() as unknown as Iterable<SourceValue[]>) {
        portion.push(row)
        for (const value of row) if (typeof value === 'string') characters += value.length
        if (portion.length < PORTION && characters < PORTION_CHARACTERS) continue
        yield portion
        portion = []
        characters = 0
      }
      yield portion
    },
  }
}
