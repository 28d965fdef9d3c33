import { postgresAddress } from '../../../database/index.ts'
import { explainOpening, SESSION, WORK_MS, withPool } from '../../../database/postgres/opening.ts'
import { createPool, type RunSql } from '../../../database/postgres/pool.ts'
import type { SourceColumn, SourceRow, TableSource } from '../schema.ts'
import { countRows, quotedName, type SqlDialect, selectBlank, selectMost, selectRows } from '../sql.ts'
import { readCatalog } from './catalog.ts'

/** One state of the database, in forms that do not depend on its settings; a row that a policy hides is an error. */
const PREPARE = `
  SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
  SET LOCAL search_path = pg_catalog; SET LOCAL row_security = off; SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'iso_8601'; SET LOCAL extra_float_digits = 1`

/** A server that does not answer is found out before the long transaction. */
const ANSWER_MS = 5_000

/** How many rows are fetched at once: fewer, if they are long. */
const FIRST = 10
const MOST = 2_000
const PORTION_CHARACTERS = 1024 * 1024

/** Opens a database of another program, reads one state of it, and never writes to it. `origin`: where the address was given. */
export async function withPostgresTables<T>(
  url: string,
  origin: string,
  work: (source: TableSource) => Promise<T>,
): Promise<T> {
  const schema = postgresAddress(url)?.parameters.get('search_path') ?? 'public'
  await withPool(url, ANSWER_MS, origin, ({ run }) => run('SELECT 1'))
  const pool = createPool(url, { connections: 1, limitMs: WORK_MS, session: SESSION, prepare: false })
  /** Errors of `work` that are not of this database stay as they are. */
  const explained = async <R>(run: () => Promise<R>): Promise<R> => {
    try {
      return await run()
    } catch (error) {
      throw explainOpening(error, url, origin)
    }
  }
  try {
    return await pool.transaction(async ({ run, script }) => {
      await explained(() => script(PREPARE))
      const read: RunSql = (text, params) => explained(() => run(text, params))
      return work(createSource(read, schema))
    })
  } finally {
    await pool.close()
  }
}

function createDialect(schema: string): SqlDialect {
  const text = (expression: string): string => `(${expression})::text`
  return {
    table: (name) => `${quotedName(schema)}.${quotedName(name)}`,
    value: readAsText,
    text,
    lists: (expressions) =>
      `json_agg(json_build_array(${expressions.map(text).join(', ')}) ORDER BY ${expressions.join(', ')})::text`,
  }
}

function readAsText(expression: string, { isList, type }: SourceColumn): string {
  if (isList) return `to_json(${expression})::text`
  // As text it would always have the length of its mask.
  if (type === 'inet') return `to_json(${expression}) #>> '{}'`
  // The text of money depends on the country.
  return type === 'money' ? `(${expression})::numeric::text` : `(${expression})::text`
}

function createSource(run: RunSql, schema: string): TableSource {
  const dialect = createDialect(schema)
  const numbers = async (text: string) => ((await run(text))[0] ?? []).map(Number)
  return {
    describe: () => readCatalog(run, schema),
    count: async (table) => (await numbers(countRows(table, dialect)))[0] ?? 0,
    async findBlank(table, columns) {
      if (columns.length === 0) return new Set()
      const found = await numbers(selectBlank(table, columns, dialect))
      return new Set(columns.filter((_, index) => found[index] === 1))
    },
    countMost: async (table, columns) => (await numbers(selectMost(table, columns, dialect)))[0] ?? 0,
    async *rows(query) {
      await run(`DECLARE rows NO SCROLL CURSOR FOR ${selectRows(query, dialect)}`)
      let size = FIRST
      for (;;) {
        const portion = (await run(`FETCH ${size} FROM rows`)) as SourceRow[]
        if (portion.length === 0) break
        yield portion
        const characters = portion.flat().reduce((sum: number, value) => sum + String(value).length, 0)
        size = characters > PORTION_CHARACTERS ? Math.max(1, size >> 1) : Math.min(MOST, size * 2)
      }
      await run('CLOSE rows')
    },
  }
}
