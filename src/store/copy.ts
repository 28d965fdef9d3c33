import { type CopiedClass, createDigest, type Digest, differences, membersTable, TABLES } from './dump.ts'
import { addClass, finishClass, finishNumbers, readRows, requireEmpty, writeRows } from './postgres/dump.ts'
import { listClasses } from './postgres/migrate.ts'
import { bringSchema, look, underLock } from './postgres/opening.ts'
import type { Transaction } from './postgres/pool.ts'
import type { Identity } from './postgres/schema.ts'
import { analyzeFilled } from './postgres/statistics.ts'
import { openSqliteContents, type SqliteContents } from './sqlite/dump.ts'
import { translate } from './sqlite/errors.ts'

/** Told how many rows have been written and read back, of how many. */
export type OnCopied = (done: number, total: number) => void

/**
 * Moves all that an embedded database holds to an empty PostgreSQL, in one transaction there, which is undone where what
 * can be read back is not what was read. Nothing is written to the file meanwhile. Returns what each table holds.
 */
export async function copyToPostgres(path: string, url: string, onCopied: OnCopied): Promise<Digest[]> {
  const copy = async (transaction: Transaction, found: Identity) => {
    await bringSchema(transaction, found, url)
    await requireEmpty(transaction.run, url)
    // Not before the target is ready: from here on the file is locked for writers.
    const contents = openContents(path)
    try {
      return await copyAll(transaction, contents, onCopied)
    } finally {
      contents.close()
    }
  }
  // With little patience: under the lock it is waited for as long as it takes.
  await look(url, async () => {}, SOURCE)
  return underLock(url, copy, SOURCE)
}

/** Where the address of the target was given. */
const SOURCE = '--to or HYDRANT_TO'

async function copyAll(
  transaction: Transaction,
  contents: SqliteContents,
  onCopied: OnCopied,
): Promise<Digest[]> {
  const { classes, count } = contents
  const tables = [...TABLES, ...classes.map(({ id }) => membersTable(id))]
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
  const wrong = differences(read, found)
  if (wrong.length === 0) return read.map((digest) => named(digest, classes))
  throw new Error(`The copy is not what was read: ${wrong.join('; ')}. Nothing was changed.`)
}

/** What is wrong with the file must not be taken for a fault of the target: it has neither code nor status. */
function openContents(path: string): SqliteContents {
  try {
    return openSqliteContents(path)
  } catch (error) {
    const told = translate(error)
    throw new Error(told instanceof Error ? told.message : String(told), { cause: error })
  }
}

/** Tables that number their rows, and give out no number twice. */
const NUMBERED = [
  ['users', 'number'],
  ['tokens', 'id'],
  ['attempts', 'id'],
] as const

async function write(
  transaction: Transaction,
  contents: SqliteContents,
  progress: (rows: number) => void,
): Promise<Digest[]> {
  const { run, script } = transaction
  const digests = [digestOf(contents.classes)]
  for (const table of TABLES) digests.push(await writeRows(run, table, contents.rows(table), progress))
  for (const [table, column] of NUMBERED) await finishNumbers(run, table, column, contents.lastNumber(table))
  for (const copied of contents.classes) {
    const table = membersTable(copied.id)
    await addClass(transaction, copied)
    digests.push(await writeRows(run, table, contents.rows(table), progress))
    await finishClass(transaction, copied)
  }
  await script(analyzeFilled(digests.map(({ table }) => table)))
  return digests
}

function digestOf(classes: readonly CopiedClass[]): Digest {
  const digest = createDigest('classes')
  for (const { id, name, total, version, sequence } of classes)
    digest.add([id, name, total, version, sequence])
  return digest.digest()
}

/** People know classes by their names. */
function named(digest: Digest, classes: readonly CopiedClass[]): Digest {
  const name = classes.find(({ id }) => membersTable(id).name === digest.table)?.name
  return name === undefined ? digest : { ...digest, table: `members of ${name}` }
}
