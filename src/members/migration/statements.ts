import type { Awaitable } from '../../database/index.ts'
import type { ClassSchema, Converted } from '../class-schema.ts'
import { FILE_SETTING, fileText } from '../described.ts'
import type { Link, StoredMember, WholeText } from '../member.ts'
import type { MigrationOptions } from './migration.ts'
import type { JoinedClass, StoredClass } from './plan.ts'

/**
 * The store, as a migration uses it within one transaction; no other process migrates meanwhile. Nothing that others read
 * changes before `finish`. A dry run ends there and is rolled back: it takes no lock that others wait for, and its new
 * tables are temporary.
 */
export interface MigrationStore {
  readonly isDryRun: boolean
  /** Rows as arrays; parameters are $1, $2 … */
  run<Row extends readonly unknown[]>(text: string, params?: readonly (string | number)[]): Awaitable<Row[]>
  /** In SQL: the JSON array $1 as rows of a column `value`. */
  readonly jsonRows: string
  /** In SQL: properties, classes and ids of all `links` as one JSON array of arrays. */
  readonly linksAsJson: string
  /** In SQL, at the end of a SELECT: protects its rows from removal until the transaction ends. */
  readonly keepRows: string
  /** In SQL: the name of a column that identifies a row of any table until it is changed. */
  readonly rowId: string
  /** In SQL: the name of a function that returns the place of its second text in its first one; 0 for none. */
  readonly placeOf: string
  /** The tables of the change log, each with the name of its primary key. */
  readonly changeTables: readonly ChangeTable[]
  listClasses(): Awaitable<readonly StoredClass[]>
  hasTable(name: string): Awaitable<boolean>
  /** In SQL: the distinct names of hidden values, from the column `hidden`; follows FROM and the name of a table. */
  readonly hiddenNames: readonly [select: string, from: string]
  /**
   * Locks writers of these classes out until the transaction ends; absent if no other process can write, or nothing is
   * written.
   */
  lockOutWriters?(classes: readonly StoredClass[]): Promise<void>
  /** Creates tables with the new number, without indexes. */
  createTables(cls: MigratedClass, former: StoredClass): Awaitable<NewTables>
  /** Lets hosts with the API file serve beside those with the former one: adds columns, and waits for no reader or writer long. */
  join(cls: JoinedClass): Awaitable<void>
  /** Removes all keys of a column (`KeySlot`), and the values of its property. */
  clearKeys(stored: StoredClass, index: number): Awaitable<void>
  /** Removes the words with this prefix from all members; absent where no words are kept for other API files. */
  clearWords?(stored: StoredClass, start: string): Promise<void>
  /** Replaces the former tables; the rows of `replaced` and former classes have been deleted. */
  finish(classes: readonly MigratedClass[], replaced: readonly StoredClass[]): Awaitable<void>
}

export interface ChangeTable {
  readonly table: string
  readonly key: string
}

/** In SQL: whether the mark of a class differs from the API file. Parameter: the names of its classes, as rows. */
const isShownOtherwise = (jsonRows: string): string =>
  `(shown = 1) <> (name IN (SELECT value ->> 0 FROM ${jsonRows}))`

type ShownClasses = Pick<MigrationStore, 'run' | 'jsonRows'>

const rowsOf = (shapes: readonly ClassSchema[]): string => JSON.stringify(shapes.map(({ name }) => [name]))

/** A process without an API file, such as a command that adds users, leaves the marks of the last file as they are. */
export const showsClasses = (shapes: readonly ClassSchema[], which: MigrationOptions['migrate']): boolean =>
  which === 'all' && shapes.length > 0

/** Whether the database was last opened with an API file that shows the same classes, and describes them in the same way. */
export async function isShownAs(
  { run, jsonRows }: ShownClasses,
  shapes: readonly ClassSchema[],
): Promise<boolean> {
  const [row] = await run(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM settings WHERE name = '${FILE_SETTING}' AND value = $2)
      AND NOT EXISTS (SELECT 1 FROM classes WHERE ${isShownOtherwise(jsonRows)})`,
    [rowsOf(shapes), fileText(shapes)],
  )
  return row !== undefined
}

/**
 * Marks the classes of the API file as shown: a process that does not know one of them has an older file (live.md).
 * Stores the file itself, so that `hydrant check` can name what a later one changes.
 */
export async function showClasses(store: ShownClasses, shapes: readonly ClassSchema[]): Promise<void> {
  const { run, jsonRows } = store
  await setSetting(store, FILE_SETTING, fileText(shapes))
  await run(`UPDATE classes SET shown = 1 - shown WHERE ${isShownOtherwise(jsonRows)}`, [rowsOf(shapes)])
}

/** A class that gets tables with another number, so that a process with the former API file cannot find them. */
export interface MigratedClass {
  readonly shape: ClassSchema
  /** Undefined if the class is new. */
  readonly former: StoredClass | undefined
  readonly number: number
  /** The last version that was issued. */
  version: number
}

export interface NewTables {
  /** The name of the table with the keys, in columns `k0`, `k1` …, and that of the table with the members' texts. */
  readonly keys: string
  readonly members: string
  write(members: readonly ConvertedMember[]): Awaitable<unknown>
}

export interface ConvertedMember extends Converted {
  readonly row: MemberRow
  /** Differs from the version of the row if the text has changed. */
  readonly version: number
}

export interface MemberRow extends StoredMember, WholeText {
  readonly sequence: number
  /** Undefined where rows have no forms. */
  readonly form: number | undefined
  readonly links: readonly Link[]
}

/** Maximum number of members or entries, and bytes, in memory at once; at least one, whatever its size. */
export const BATCH = 1_000
export const BATCH_BYTES = 8 * 1_024 * 1_024

type MemberColumns = [
  sequence: number,
  id: string,
  version: number,
  owner: number | null,
  body: string,
  baseUrlOffsets: string,
  hidden: string,
  links: string,
  form: number | null,
]

/** All members of a class, in the order of creation. */
export async function* batchesOf(
  store: MigrationStore,
  { members, name, layout }: StoredClass,
): AsyncGenerator<MemberRow[]> {
  // A dry run needs no owners, and an older database, which it does not upgrade, has no such column.
  const owner = store.isDryRun ? 'NULL' : 'owner'
  const text = `
    SELECT sequence, id, version, ${owner}, body, holes, hidden,
      (SELECT ${store.linksAsJson} FROM links WHERE from_class = $1 AND from_id = sized.id),
      ${layout?.hasForms ? 'form' : 'NULL'}
    FROM (
      SELECT *, sum(octet_length(body) + octet_length(hidden)) OVER (ORDER BY sequence) AS bytes
      FROM (SELECT * FROM ${members} WHERE sequence > $2 ORDER BY sequence LIMIT ${BATCH}) AS batch
    ) AS sized
    WHERE bytes - octet_length(body) - octet_length(hidden) < ${BATCH_BYTES} ORDER BY sequence`
  for (let last = 0; ; ) {
    const rows = await store.run<MemberColumns>(text, [name, last])
    if (rows.length === 0) return
    yield rows.map(([sequence, id, version, owner, body, baseUrlOffsets, hidden, json, form]) => {
      const links = JSON.parse(json) as [property: string, className: string, id: string][]
      return {
        ...{ sequence, id, version, body, baseUrlOffsets, hidden },
        ...{ owner: owner ?? undefined, form: form ?? undefined },
        links: links.map(([property, className, id]) => ({ property, className, id })),
      }
    })
    last = rows.at(-1)?.[0] ?? last
  }
}

/** A link as it is stored, in these columns. */
export type StoredLinkRow = readonly [string, string, string, property: string, string]

const LINK_COLUMNS = 'to_class, to_id, from_class, property, from_id'

export async function changeLinks(
  { run, jsonRows }: MigrationStore,
  removed: readonly StoredLinkRow[],
  added: readonly StoredLinkRow[],
): Promise<void> {
  const rows = `SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM ${jsonRows}`
  if (removed.length > 0)
    await run(`DELETE FROM links WHERE (${LINK_COLUMNS}) IN (${rows})`, [JSON.stringify(removed)])
  // Without the WHERE, SQLite would read ON CONFLICT as a join.
  if (added.length > 0)
    await run(`INSERT INTO links (${LINK_COLUMNS}) ${rows} WHERE true ON CONFLICT DO NOTHING`, [
      JSON.stringify(added),
    ])
}

export const setSetting = ({ run }: Pick<MigrationStore, 'run'>, name: string, value: string) =>
  run('INSERT INTO settings VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [
    name,
    value,
  ])

export const PURGED_VERSION = 'purged_version'

/** The last version that a class which was purged has issued: under its name, an ETag must not come back with other values. */
export async function purgedVersion({ run }: MigrationStore): Promise<number> {
  const [row] = await run<[number]>(
    `SELECT CAST(value AS bigint) FROM settings WHERE name = '${PURGED_VERSION}'`,
  )
  return row?.[0] ?? 0
}
