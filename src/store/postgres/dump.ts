import { shownDatabase } from '../address.ts'
import {
  type Cell,
  type CopiedClass,
  createDigest,
  type Digest,
  TABLES,
  type TableOfContents,
} from '../dump.ts'
import { arrayOf } from './dialect.ts'
import { batchesOf } from './group-commit.ts'
import type { Run, Transaction } from './pool.ts'
import { countMembers, createIndexes, createSequences, createTables, tablesOf } from './tables.ts'

/** So many rows are in memory at once, or so many bytes of them. */
const BATCH = { count: 1_000, length: 8 * 1_024 * 1_024 }

/** What is copied must not mix with anything. */
export async function requireEmpty(run: Run, url: string): Promise<void> {
  const queries = [...TABLES.map(({ name }) => name), 'classes'].map(
    (name) => `SELECT '${name}', count(*) FROM ${name} ${conditionOf(name)}`,
  )
  const filled = (await run<[string, number]>(queries.join(' UNION ALL '))).filter(([, rows]) => rows > 0)
  if (filled.length === 0) return
  const found = filled.map(([name, rows]) => `${rows} in ${name}`).join(', ')
  throw new Error(
    `${shownDatabase(url)} is not empty (${found}); name an empty database, or another schema with ?search_path=<name>.`,
  )
}

/** Its number and name, and tables for its members; keys are made when these are migrated. */
export async function addClass({ run, script }: Transaction, { id, name }: CopiedClass): Promise<void> {
  const tables = tablesOf(id, [])
  await run("INSERT INTO classes (id, name, fingerprint, shapes) VALUES ($1, $2, 0, '')", [id, name])
  await script(createSequences(tables) + createTables(tables))
}

/** What a class needs when its members are there. Its numbers go on where they were. */
export async function finishClass({ run, script }: Transaction, copied: CopiedClass): Promise<void> {
  const tables = tablesOf(copied.id, [])
  await script(createIndexes(tables) + countMembers(tables))
  await goOn(run, tables.order, copied.sequence)
  await goOn(run, tables.versions, copied.version)
}

/** Of a column that numbers its rows. */
export async function finishNumbers(run: Run, table: string, column: string, last: number): Promise<void> {
  const [row] = await run<[string]>('SELECT pg_get_serial_sequence($1, $2)', [table, column])
  await goOn(run, row?.[0] ?? '', last)
}

/** Nothing that a sequence has given out is given out again. */
export async function goOn(run: Run, sequence: string, last: number): Promise<void> {
  await run('SELECT setval($1::regclass, greatest($2::bigint, 1), $2::bigint > 0)', [sequence, last])
}

/** Writes all rows of a table, and says what they were. */
export async function writeRows(
  run: Run,
  table: TableOfContents,
  rows: Iterable<readonly Cell[]>,
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

const sizeOf = (row: readonly Cell[]): number =>
  row.reduce<number>((sum, cell) => sum + String(cell).length, 0)

/** What all rows of a table are by now, in the same order. */
export async function readRows(
  { run, script }: Transaction,
  table: TableOfContents,
  onRows: (count: number) => void,
): Promise<Digest> {
  const digest = createDigest(table.name)
  const order = table.columns
    .slice(0, table.keyed)
    .map(({ name, type }) => (type === 'text' ? `${name} COLLATE "C"` : name))
  const select = (columns: string) =>
    `SELECT ${columns} FROM ${table.name} ${conditionOf(table.name)} ORDER BY ${order}`
  const bytes = table.columns.map(({ name, type }) => (type === 'text' ? `octet_length(${name})` : '8'))
  await script(`DECLARE sizes NO SCROLL CURSOR FOR ${select(bytes.join(' + '))};
    DECLARE rows NO SCROLL CURSOR FOR ${select(namesOf(table))}`)
  for (;;) {
    // How large they are first: what is fetched is in memory all at once.
    const sizes = await run<[number]>(`FETCH ${BATCH.count} FROM sizes`)
    if (sizes.length === 0) break
    for (const { length } of batchesOf(sizes, ([size]) => size, BATCH)) {
      for (const row of await run<Cell[]>(`FETCH ${length} FROM rows`)) digest.add(row)
      onRows(length)
    }
  }
  await script('CLOSE sizes; CLOSE rows')
  return digest.digest()
}

const namesOf = ({ columns }: TableOfContents): string => columns.map(({ name }) => name).join(', ')

/** The version of the schema, and the name of the database, are not of the contents. */
const conditionOf = (table: string): string =>
  table === 'settings' ? "WHERE name NOT IN ('schema_version', 'epoch')" : ''
