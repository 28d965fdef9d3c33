import { setTimeout as wait } from 'node:timers/promises'
import { databaseProblem, openingProblem, shownDatabase } from '../../database/index.ts'
import {
  addToSchema,
  ensureSchema,
  identify,
  inspect,
  WORK_MS,
  withOpeningLock,
  withPool,
} from '../../database/postgres/opening.ts'
import type { RunSql, Transaction } from '../../database/postgres/pool.ts'
import { SCHEMA_VERSION } from '../../database/postgres/schema.ts'
import type { ClassSchema } from '../class-schema.ts'
import type { Migration } from '../index.ts'
import { LAYOUT_SETTING, readLayout } from '../layout.ts'
import { DEFAULTS_SETTING } from '../migration/defaults.ts'
import { requireCompatible } from '../migration/file-changes.ts'
import { migrate } from '../migration/migrate.ts'
import type { MigrationOptions } from '../migration/migration.ts'
import { ADDRESS_SETTING, changesWithoutMigration, type StoredClass, shapesText } from '../migration/plan.ts'
import {
  type ConvertedMember,
  isShownAs,
  type MigratedClass,
  type MigrationStore,
  showClasses,
  showsClasses,
} from '../migration/statements.ts'
import { hasWholeColumn } from '../query/dialect.ts'
import { givenParams, givenTables, textColumns, VALUE_COLUMNS } from './class-statements.ts'
import { createHistoryIndexes, createHistoryTable } from './history/history-statements.ts'
import { joinClass } from './join.ts'
import { lockTables } from './locking.ts'
import {
  analyzeFilled,
  continueSequence,
  createIndexes,
  createSequences,
  createTables,
  dropTables,
  hasTable,
  historyTable,
  membersTable,
  type PostgresTables,
  tablesOf,
} from './tables.ts'
import { countMembers } from './totals.ts'

/** The last number that a sequence of a class has issued; 0 for none. */
const lastOf = (sequence: string): string => `coalesce((SELECT last_value FROM pg_sequences
  WHERE schemaname = current_schema() AND sequencename = '${sequence}_' || classes.id), 0)`

/** `sequence`: the last sequence number of a member that was issued. */
type NumberedClass = StoredClass & { readonly sequence: number }

export async function listClasses(run: RunSql): Promise<NumberedClass[]> {
  const rows = await run<
    [
      ...[number, string, number, shapes: string, address: string | null, defaults: string | null],
      ...[layout: string | null, total: number, number, sequence: number],
    ]
  >(`
    SELECT id, name, fingerprint, shapes, (SELECT value FROM settings WHERE name = ${ADDRESS_SETTING}),
      (SELECT value FROM settings WHERE name = ${DEFAULTS_SETTING}),
      (SELECT value FROM settings WHERE name = ${LAYOUT_SETTING}),
      (SELECT coalesce(sum(total), 0)::bigint FROM totals WHERE class_id = classes.id),
      ${lastOf('versions')}, ${lastOf('order')}
    FROM classes ORDER BY id`)
  return rows.map(([id, name, fingerprint, shapes, address, defaults, text, total, version, sequence]) => {
    const layout = readLayout(text, id)
    return {
      ...{ id, name, fingerprint, shapes, total, version, sequence, layout },
      ...{ address: address ?? undefined, defaults: defaults ?? undefined },
      members: membersTable(id, layout?.hasForms === true),
      isShared: true,
    }
  })
}

/** Returns the classes and the changes of the migration. Mostly there are none, which takes four round trips to find out. */
export async function bringUpToDate(
  url: string,
  shapes: readonly ClassSchema[],
  { migrate: which = 'all', isCompatibleOnly = false, ...options }: MigrationOptions,
) {
  const isShowing = showsClasses(shapes, which)
  const unchanged = async (run: RunSql, may: typeof which) => {
    const stored = await listClasses(run)
    if (isCompatibleOnly) requireCompatible(stored, shapes)
    const changes = changesWithoutMigration(stored, shapes, may)
    return changes && { stored, changes }
  }
  const current = await inspect(url, async (run, { version }) => {
    if (version < SCHEMA_VERSION) return undefined
    if (isShowing && !(await isShownAs({ run, jsonRows: JSON_ROWS }, shapes))) return undefined
    return unchanged(run, which === 'none' ? 'none' : 'all')
  })
  if (current !== undefined) return current
  await addToSchema(url)
  return withOpeningLock(url, async (transaction, found) => {
    await ensureSchema(transaction, found)
    const store = createMigrationStore(transaction, false)
    // Another process may have migrated while this one waited for the lock.
    const done = await unchanged(transaction.run, which)
    const { changes } = done ?? (await migrate(store, shapes, options))
    if (isShowing) await showClasses(store, shapes)
    return { stored: done?.stored ?? (await listClasses(transaction.run)), changes }
  })
}

/** Cast through text: the driver would encode a parameter of type json a second time. */
const JSON_ROWS = 'json_array_elements($1::text::json) AS list (value)'

/** Reads one snapshot and changes nothing. It neither waits for other processes nor makes them wait. */
export const dryRunPostgres = (url: string, shapes: readonly ClassSchema[]): Promise<Migration> =>
  withPool(url, WORK_MS, undefined, ({ transaction }) =>
    transaction(async (within) => {
      await within.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SAVEPOINT dry_run')
      const { version } = await identify(within.run, url)
      if (version === 0) throw openingProblem('NoTables', { database: shownDatabase(url) })
      const migration = await migrate(createMigrationStore(within, true), shapes)
      await within.script('ROLLBACK TO SAVEPOINT dry_run')
      return migration
    }),
  )

/** Runs `work` in one transaction: on a snapshot, or where it writes, under the lock of a migration. */
export const maintainPostgres = <T>(
  url: string,
  access: 'read' | 'write',
  work: (store: MigrationStore) => Promise<T>,
): Promise<T> =>
  access === 'write'
    ? withOpeningLock(url, (transaction) => work(createMigrationStore(transaction, false)))
    : withPool(url, WORK_MS, undefined, ({ transaction }) =>
        transaction(async (within) => {
          await within.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
          return work(createMigrationStore(within, true))
        }),
      )

/**
 * Gives the space of what was removed back to the system; each table is locked while it is written anew. The statistics,
 * which have samples of values, are taken again.
 */
export const compactPostgres = (url: string): Promise<void> =>
  withPool(url, WORK_MS, undefined, async ({ run, transaction }) => {
    const tables = ['links', 'new_changes', 'changes', 'change_accounts']
    for (const { id, members } of await listClasses(run)) {
      const { values, words } = tablesOf(id, [])
      tables.push(members, values, words)
      if (await hasTable(run, historyTable(id))) tables.push(historyTable(id))
    }
    await untilUnseen(run)
    for (const table of tables) await run(`VACUUM FULL ${table}`)
    await transaction(({ script }) => script(analyzeFilled(tables)))
  })

const LONGEST_TRANSACTION_MS = 30_000

/**
 * VACUUM keeps removed rows that another session of this database, such as a server, may still see. It also keeps those that
 * were removed after any transaction began that writes and is still open, even in another database: its own snapshot begins
 * with the oldest of them. Sessions that are not in a database yet count as well.
 */
async function untilUnseen(run: RunSql): Promise<void> {
  const [row] = await run<[string]>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text')
  const text = `SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AND NOT EXISTS (
    SELECT FROM pg_stat_activity WHERE (datname = current_database() OR datname IS NULL)
      AND pid <> pg_backend_pid() AND age(backend_xmin) > age($1::text::xid))`
  for (const end = performance.now() + LONGEST_TRANSACTION_MS; performance.now() < end; ) {
    const [isUnseen] = (await run<[boolean]>(text, [row?.[0] ?? '']))[0] ?? []
    if (isUnseen) return
    await wait(50)
  }
  throw databaseProblem('DatabaseLocked', { retryAfterSeconds: 1 })
}

/** Members are written into new tables; a process that serves the previous file can read until the transaction ends. */
export function createMigrationStore(transaction: Transaction, isDryRun: boolean): MigrationStore {
  const { run, script } = transaction
  return {
    isDryRun,
    run,
    jsonRows: JSON_ROWS,
    linksAsJson: "coalesce(json_agg(json_build_array(property, to_class, to_id)), '[]')::text",
    keepRows: isDryRun ? '' : 'FOR KEY SHARE',
    rowId: 'ctid',
    placeOf: 'strpos',
    // In this order: changes that another process is moving from the first to the second table are then found in the
    // second.
    changeTables: [
      { table: 'new_changes', key: 'number' },
      { table: 'changes', key: 'position' },
    ],
    listClasses: () => listClasses(run),
    hasTable: (name) => hasTable(run, name),
    hiddenNames: ['SELECT DISTINCT json_object_keys(hidden::json)', ''],
    ...(!isDryRun && {
      lockOutWriters(classes) {
        const tables = classes.map(({ members }) => members)
        return script(lockTables(tables, 'SHARE'))
      },
    }),
    async createTables({ number, shape }, former) {
      const tables = tablesOf(number, shape.keys)
      const place = isDryRun ? 'pg_temp.' : ''
      const [members, values, words] = [place + tables.members, place + tables.values, place + tables.words]
      // The sequence keeps its former name until the end.
      const created = { ...tables, members, values, words, order: tablesOf(former.id, []).order }
      await script(createTables(created))
      return { keys: members, members, write: (converted) => writeMembers(run, created, converted) }
    },
    join: (joined) => joinClass(transaction, joined),
    clearKeys: ({ id, members, layout }, index) => {
      const columns = layout?.slots[index] && hasWholeColumn(layout.slots[index]) ? ['k', 'x'] : ['k']
      const cleared = columns.map((name) => `${name}${index} = NULL`)
      return script(`UPDATE ${members} SET ${cleared} WHERE k${index} IS NOT NULL;
        DELETE FROM ${tablesOf(id, []).values} WHERE property = ${index}`)
    },
    async clearWords({ id, members }, start) {
      const params = [start]
      const isKept = 'NOT starts_with(word, $1::text)'
      await run(`DELETE FROM ${tablesOf(id, []).words} WHERE NOT (${isKept})`, params)
      await run(
        `UPDATE ${members} SET words = ARRAY(SELECT word FROM unnest(words) AS word WHERE ${isKept})
         WHERE EXISTS (SELECT FROM unnest(words) AS word WHERE NOT (${isKept}))`,
        params,
      )
    },
    finish: (classes, replaced) => finish(transaction, classes, replaced),
  }
}

async function writeMembers(
  run: RunSql,
  { members, values, words, shapes }: PostgresTables,
  converted: readonly ConvertedMember[],
): Promise<void> {
  const columns = ['sequence', 'version', 'owner', ...textColumns(shapes)]
  await run(
    `WITH ${givenTables(shapes)},
      added AS (INSERT INTO ${members} (${columns}) SELECT ${columns} FROM given),
      valued AS (
        INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
        SELECT ${VALUE_COLUMNS}, sequence FROM value JOIN given USING (place)
      )
    INSERT INTO ${words} (word, sequence) SELECT word, sequence FROM given, unnest(words) AS word`,
    givenParams(
      shapes,
      converted.map(({ row: { id, owner, sequence }, version, ...written }) => ({
        ...{ member: { ...written, id, owner }, sequence, version },
      })),
    ),
  )
}

/** Waits for readers of the former tables only when the new ones are ready. Sequences are kept: they never repeat a number. */
async function finish(
  { run, script }: Transaction,
  classes: readonly MigratedClass[],
  replaced: readonly StoredClass[],
): Promise<void> {
  for (const { shape, former, number } of classes) {
    const tables = tablesOf(number, shape.keys, shape)
    if (former === undefined) await script(createSequences(tables) + createTables(tables))
    await script(createIndexes(tables))
    await script(analyzeFilled([tables.members, tables.values, tables.words, 'links']))
  }
  const formerClasses = [...classes.flatMap(({ former }) => former ?? []), ...replaced]
  const outdated = formerClasses.map(({ id, members }) => ({ ...tablesOf(id, []), members }))
  const histories = new Set<string>()
  for (const { id } of formerClasses) {
    const history = historyTable(id)
    if (await hasTable(run, history)) histories.add(history)
  }
  if (outdated.length > 0) {
    const names = outdated.flatMap(({ members, values, words }) => [members, values, words])
    await script(lockTables([...names, ...histories], 'ACCESS EXCLUSIVE'))
    await script(outdated.map(dropTables).join('\n'))
  }
  for (const { id } of replaced) await script(`DROP TABLE IF EXISTS ${historyTable(id)}`)
  for (const { shape, former, number } of classes) {
    const [before, after] = [historyTable(former?.id ?? 0), historyTable(number)]
    // Entries stay in their table, also where the class has no history any more.
    if (histories.has(before)) await script(`ALTER TABLE ${before} RENAME TO ${after}`)
    else if (shape.history !== undefined)
      await script(createHistoryTable(after) + createHistoryIndexes(after))
  }
  for (const { id } of replaced) await script(`DROP SEQUENCE order_${id}, versions_${id}`)
  for (const { shape, former, number, version } of classes) {
    await run('INSERT INTO classes (id, name, fingerprint, shapes) VALUES ($1, $2, $3, $4)', [
      ...[number, shape.name, shape.fingerprint, shapesText(shape)],
    ])
    if (former !== undefined)
      await script(`ALTER SEQUENCE order_${former.id} RENAME TO order_${number};
        ALTER SEQUENCE versions_${former.id} RENAME TO versions_${number}`)
    await continueSequence(run, `versions_${number}`, version)
    if (former !== undefined) await script(countMembers(tablesOf(number, shape.keys)))
  }
}
