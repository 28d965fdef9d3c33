import { shownDatabase } from '../database/index.ts'
import { arrayOf } from '../database/postgres/arrays.ts'
import { messageOf } from '../database/postgres/errors.ts'
import { ensureSchema, inspect, type SchemaIdentity, withOpeningLock } from '../database/postgres/opening.ts'
import type { RunSql, Transaction } from '../database/postgres/pool.ts'
import { translate } from '../database/sqlite/errors.ts'
import { UNKNOWN_FINGERPRINT } from '../members/index.ts'
import { batchesOf } from '../members/postgres/class-statements.ts'
import { createHistoryIndexes, createHistoryTable } from '../members/postgres/history/history-statements.ts'
import { listClasses } from '../members/postgres/migrate.ts'
import {
  analyzeFilled,
  continueSequence,
  createIndexes,
  createSequences,
  createTables,
  tablesOf,
} from '../members/postgres/tables.ts'
import { countMembers } from '../members/postgres/totals.ts'
import { Problem } from '../problem.ts'
import {
  type CopiedCell,
  type CopiedClass,
  type CopiedTable,
  createDigest,
  type Digest,
  findDifferences,
  TABLES,
  tablesOfClass,
} from './dump.ts'
import { copyProblem } from './problems.ts'
import { openSqliteContents, type SqliteContents } from './sqlite-contents.ts'

/** Called with the number of rows written and read back so far, and the total. */
export type OnCopied = (done: number, total: number) => void

/**
 * Copies a SQLite database to an empty PostgreSQL, in one transaction, which is rolled back if the rows that are read back
 * differ. The file is locked for writers meanwhile. Returns a digest of each table.
 */
export async function copyToPostgres(path: string, url: string, onCopied: OnCopied): Promise<Digest[]> {
  const copy = async (transaction: Transaction, found: SchemaIdentity) => {
    await ensureSchema(transaction, found)
    await requireEmpty(transaction.run, url)
    // After the target is ready: from here on the file is locked for writers.
    const contents = openContents(path)
    try {
      return await copyAll(transaction, contents, onCopied)
    } finally {
      contents.close()
    }
  }
  // First with a short timeout: the wait for the lock has none.
  await inspect(url, async () => {}, SOURCE)
  return withOpeningLock(url, copy, SOURCE)
}

/** The source of the target's address. */
const SOURCE = '--to or HYDRANT_TO'

async function copyAll(
  transaction: Transaction,
  contents: SqliteContents,
  onCopied: OnCopied,
): Promise<Digest[]> {
  const { classes, count } = contents
  const ofClasses = classes.map(tablesOfClass)
  const tables = [...TABLES, ...ofClasses.flatMap(({ members, history }) => [members, history ?? []].flat())]
  // Every row is written once, and read back once.
  const total = 2 * tables.reduce((sum, table) => sum + count(table), 0)
  let done = 0
  const progress = (rows: number) => {
    done += rows
    onCopied(done, total)
  }
  const read = await write(transaction, contents, progress)
  const found = [digestOf(await listClasses(transaction.run))]
  for (const table of tables) found.push(await readRows(transaction, table, progress))
  const differences = findDifferences(read, found)
  if (differences.length === 0) return read.map((digest) => named(digest, classes))
  throw copyProblem('CopyDiffers', { differences })
}

/**
 * Removes the cause of problems of the file, and the code of other errors, so that they are not taken for errors of the
 * target.
 */
function openContents(path: string): SqliteContents {
  try {
    return openSqliteContents(path)
  } catch (error) {
    const translated = translate(error)
    if (!(translated instanceof Problem)) throw new Error(messageOf(translated), { cause: error })
    const { code, values, at } = translated
    throw new Problem(code, values, { at })
  }
}

/** Columns that number rows, and use no number twice. */
const NUMBERED = [
  ['users', 'number'],
  ['tokens', 'id'],
  ['attempts', 'id'],
] as const

async function write(
  { run, script }: Transaction,
  contents: SqliteContents,
  progress: (rows: number) => void,
): Promise<Digest[]> {
  const digests = [digestOf(contents.classes)]
  for (const table of TABLES) digests.push(await writeRows(run, table, contents.rows(table), progress))
  for (const [table, column] of NUMBERED) {
    const [row] = await run<[string]>('SELECT pg_get_serial_sequence($1, $2)', [table, column])
    await continueSequence(run, row?.[0] ?? '', contents.lastNumber(table))
  }
  for (const cls of contents.classes) {
    const { id, name, sequence, version } = cls
    // Without keys, which are computed when the members are migrated.
    const tables = tablesOf(id, [])
    const insert = "INSERT INTO classes (id, name, fingerprint, shapes) VALUES ($1, $2, $3, '')"
    await run(insert, [id, name, UNKNOWN_FINGERPRINT])
    await script(createSequences(tables) + createTables(tables))
    const { members, history } = tablesOfClass(cls)
    digests.push(await writeRows(run, members, contents.rows(members), progress))
    await script(createIndexes(tables) + countMembers(tables))
    await continueSequence(run, tables.order, sequence)
    await continueSequence(run, tables.versions, version)
    if (history === undefined) continue
    await script(createHistoryTable(history.name))
    digests.push(await writeRows(run, history, contents.rows(history), progress))
    await script(createHistoryIndexes(history.name))
  }
  await script(analyzeFilled(digests.map(({ table }) => table)))
  return digests
}

function digestOf(classes: readonly Omit<CopiedClass, 'hasHistory'>[]): Digest {
  const digest = createDigest('classes')
  for (const { id, name, total, version, sequence } of classes)
    digest.add([id, name, total, version, sequence])
  return digest.digest()
}

/** A digest with the name of the class instead of that of its table. */
function named(digest: Digest, classes: readonly CopiedClass[]): Digest {
  for (const cls of classes) {
    const { members, history } = tablesOfClass(cls)
    if (digest.table === members.name) return { ...digest, table: `members of ${cls.name}` }
    if (digest.table === history?.name) return { ...digest, table: `history of ${cls.name}` }
  }
  return digest
}

/** Maximum rows and bytes in memory at once. */
const BATCH = { count: 1_000, length: 8 * 1_024 * 1_024 }

async function requireEmpty(run: RunSql, url: string): Promise<void> {
  const queries = [...TABLES.map(({ name }) => name), 'classes'].map(
    (name) => `SELECT '${name}', count(*) FROM ${name} ${conditionOf(name)}`,
  )
  const found = await run<[string, number]>(queries.join(' UNION ALL '))
  const tables = found.flatMap(([table, rows]) => (rows > 0 ? [{ table, rows }] : []))
  if (tables.length > 0) throw copyProblem('TargetNotEmpty', { database: shownDatabase(url), tables })
}

/** Writes all rows of a table. Returns their digest. */
async function writeRows(
  run: RunSql,
  table: CopiedTable,
  rows: Iterable<readonly CopiedCell[]>,
  onRows: (count: number) => void,
): Promise<Digest> {
  const digest = createDigest(table.name)
  const insert = `INSERT INTO ${table.name} (${namesOf(table)})
    SELECT * FROM unnest(${table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`)})`
  for (const batch of batchesOf(rows, sizeOf, BATCH)) {
    for (const row of batch) digest.add(row)
    await run(
      insert,
      table.columns.map((_, index) => arrayOf(batch.map((row) => row[index] ?? null))),
    )
    onRows(batch.length)
  }
  return digest.digest()
}

const sizeOf = (row: readonly CopiedCell[]): number =>
  row.reduce<number>((sum, cell) => sum + String(cell).length, 0)

/** Reads all rows of a table back, in the same order. Returns their digest. */
async function readRows(
  { run, script }: Transaction,
  table: CopiedTable,
  onRows: (count: number) => void,
): Promise<Digest> {
  const digest = createDigest(table.name)
  const order = table.columns
    .slice(0, table.keyLength)
    .map(({ name, type }) => (type === 'text' ? `${name} COLLATE "C"` : name))
  const select = (columns: string) =>
    `SELECT ${columns} FROM ${table.name} ${conditionOf(table.name)} ORDER BY ${order}`
  const bytes = table.columns.map(({ name, type }) => (type === 'text' ? `octet_length(${name})` : '8'))
  await script(`DECLARE sizes NO SCROLL CURSOR FOR ${select(bytes.join(' + '))};
    DECLARE rows NO SCROLL CURSOR FOR ${select(namesOf(table))}`)
  for (;;) {
    // Reads the sizes first: all rows of a FETCH are in memory at once.
    const sizes = await run<[number]>(`FETCH ${BATCH.count} FROM sizes`)
    if (sizes.length === 0) break
    for (const { length } of batchesOf(sizes, ([size]) => size, BATCH)) {
      for (const row of await run<CopiedCell[]>(`FETCH ${length} FROM rows`)) digest.add(row)
      onRows(length)
    }
  }
  await script('CLOSE sizes; CLOSE rows')
  return digest.digest()
}

const namesOf = ({ columns }: CopiedTable): string => columns.map(({ name }) => name).join(', ')

/** The settings of the schema, the epoch and the generation of users are not copied. */
const conditionOf = (table: string): string =>
  table === 'settings'
    ? "WHERE name NOT IN ('schema_version', 'postgres_schema', 'epoch', 'users_generation')"
    : ''
