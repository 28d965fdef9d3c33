import type { DatabaseSync } from 'node:sqlite'
import { databaseProblem } from '../../database/index.ts'
import { arrays, CACHE_KIB, type Checkpointed, openExisting } from '../../database/sqlite/connection.ts'
import { translate } from '../../database/sqlite/errors.ts'
import { isCurrent, isNew, upgradeSchema } from '../../database/sqlite/schema.ts'
import type { ConvertedClass } from '../catch-up.ts'
import type { ClassSchema } from '../class-schema.ts'
import { createClassForms } from '../forms.ts'
import type { Migration, MigrationChange } from '../index.ts'
import { LAYOUT_SETTING, ownFormOf, readLayout, slotsFor } from '../layout.ts'
import { DEFAULTS_SETTING } from '../migration/defaults.ts'
import { requireCompatible } from '../migration/file-changes.ts'
import { migrate } from '../migration/migrate.ts'
import { type MigrationOptions, NOTHING_CHANGED } from '../migration/migration.ts'
import {
  ADDRESS_SETTING,
  changesWithoutMigration,
  isMigrated,
  type StoredClass,
  shapesText,
} from '../migration/plan.ts'
import { isShownAs, type MigrationStore, showClasses, showsClasses } from '../migration/statements.ts'
import { hasWholeColumn } from '../query/dialect.ts'
import type { StoredClasses } from './commands.ts'
import { createHistoryTable } from './history/history-rows.ts'
import { joinClass } from './join.ts'
import { createKeyRows } from './key-rows.ts'
import {
  countLinked,
  createKeyIndexes,
  createKeyTables,
  createMemberTable,
  dropKeyTables,
  historyTable,
  mergeWords,
  type SqliteTables,
  tablesOf,
} from './tables.ts'

export const listClasses = (db: DatabaseSync): StoredClass[] =>
  db
    .prepare(
      `SELECT id, name, total, version, fingerprint, shapes,
        (SELECT value FROM settings WHERE name = ${ADDRESS_SETTING}) AS address,
        (SELECT value FROM settings WHERE name = ${DEFAULTS_SETTING}) AS defaults,
        (SELECT value FROM settings WHERE name = ${LAYOUT_SETTING}) AS layout,
        'members_' || id AS members
      FROM classes ORDER BY id`,
    )
    .all()
    .map((row) => {
      const stored = row as unknown as StoredClass & { readonly layout: string | null }
      return { ...stored, layout: readLayout(stored.layout, stored.id), isShared: false }
    })

/** Members stay in their table, which is renamed at the end: only texts that have changed are written. */
export const createMigrationStore = (db: DatabaseSync, isDryRun: boolean): MigrationStore => ({
  isDryRun,
  run: <Row extends readonly unknown[]>(text: string, params: readonly (string | number)[] = []) =>
    arrays(db, text.replaceAll('$', '?')).all<Row>(...params),
  jsonRows: 'json_each($1)',
  linksAsJson: 'json_group_array(json_array(property, to_class, to_id))',
  keepRows: '',
  rowId: 'rowid',
  placeOf: 'instr',
  changeTables: [{ table: 'changes', key: 'position' }],
  listClasses: () => listClasses(db),
  hasTable: (name) => hasTable(db, name),
  hiddenNames: ['SELECT DISTINCT key', ', json_each(hidden)'],
  createTables({ number, shape }, former) {
    const { members } = tablesOf(former.id)
    const tables = tablesOf(number, shape)
    const place = isDryRun ? 'temp.' : ''
    const { keys, values, words, owned, linked } = tables
    const created = {
      ...tables,
      ...{ keys: place + keys, values: place + values, words: place + words },
      ...{ owned: place + owned, linked: place + linked },
    }
    db.exec(createKeyTables(created))
    const keyRows = createKeyRows(db, created)
    const update = isDryRun
      ? undefined
      : db.prepare(`UPDATE ${members} SET version = ?, body = ?, holes = ?, hidden = ? WHERE sequence = ?`)
    return {
      keys: created.keys,
      members,
      write(converted) {
        for (const { row, version, body, baseUrlOffsets, hidden, keys } of converted) {
          if (version !== row.version || hidden !== row.hidden)
            update?.run(version, body, baseUrlOffsets, hidden, row.sequence)
          keyRows.add(row.sequence, keys, { ...row, version, body, baseUrlOffsets })
        }
      },
    }
  },
  join: (joined) => joinClass(db, joined),
  clearKeys({ id, layout }, index) {
    const { keys, values } = tablesOf(id)
    const columns = layout?.slots[index] && hasWholeColumn(layout.slots[index]) ? ['k', 'x'] : ['k']
    const cleared = columns.map((name) => `${name}${index} = NULL`)
    db.exec(
      `UPDATE ${keys} SET ${cleared} WHERE k${index} IS NOT NULL; DELETE FROM ${values} WHERE property = ${index}`,
    )
  },
  finish(classes, replaced) {
    const add = db.prepare(
      'INSERT INTO classes (id, name, total, version, fingerprint, shapes) VALUES (?, ?, ?, ?, ?, ?)',
    )
    for (const { id } of replaced)
      db.exec(`${dropKeyTables(tablesOf(id))} DROP TABLE ${tablesOf(id).members};
        DROP TABLE IF EXISTS ${historyTable(id)};
        DELETE FROM owner_totals WHERE class_id = ${id};
        DELETE FROM account_totals WHERE class_id = ${id}`)
    for (const { shape, former, number, version } of classes) {
      const tables = tablesOf(number, shape)
      if (former === undefined) db.exec(createMemberTable(tables) + createKeyTables(tables))
      else {
        const before = tablesOf(former.id)
        db.exec(`${dropKeyTables(before)} ALTER TABLE ${before.members} RENAME TO ${tables.members};
          UPDATE owner_totals SET class_id = ${number} WHERE class_id = ${former.id};
          DELETE FROM account_totals WHERE class_id = ${former.id};
          ${countLinked(tables)}`)
      }
      db.exec(createKeyIndexes(tables))
      bringHistory(db, tables, former)
      add.run(number, shape.name, former?.total ?? 0, version, shape.fingerprint, shapesText(shape))
    }
  },
})

const MIGRATION_CACHE_KIB = 128 * 1_024

/** Runs in one transaction: a database with incompatible members stays as it was. */
export async function bringUpToDate(
  db: DatabaseSync,
  shapes: readonly ClassSchema[],
  { migrate: which = 'all', isCompatibleOnly = false, ...options }: MigrationOptions,
): Promise<readonly MigrationChange[]> {
  const store = createMigrationStore(db, false)
  const isShowing = showsClasses(shapes, which)
  const unchanged = (may: typeof which) => {
    const stored = listClasses(db)
    if (isCompatibleOnly) requireCompatible(stored, shapes)
    return changesWithoutMigration(stored, shapes, may)
  }
  if (isCurrent(db) && (!isShowing || (await isShownAs(store, shapes)))) {
    const changes = unchanged(which === 'none' ? 'none' : 'all')
    if (changes !== undefined) return changes
  }
  db.exec(`PRAGMA cache_size = -${MIGRATION_CACHE_KIB}; BEGIN IMMEDIATE`)
  try {
    // Another process may have migrated while this one waited for the lock.
    upgradeSchema(db)
    const changes = unchanged(which) ?? (await migrate(store, shapes, options)).changes
    if (isShowing) await showClasses(store, shapes)
    db.exec('COMMIT')
    return changes
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  }
}

/**
 * Entries stay in their table, also where the class has no history any more. Members may have been brought back while it had
 * none.
 */
function bringHistory(
  db: DatabaseSync,
  { classId, history, members }: SqliteTables,
  former: StoredClass | undefined,
): void {
  const table = historyTable(classId)
  if (former !== undefined && hasTable(db, historyTable(former.id)))
    db.exec(`ALTER TABLE ${historyTable(former.id)} RENAME TO ${table};
      UPDATE ${table} SET gone = NULL WHERE gone = 1 AND id IN (SELECT id FROM ${members})`)
  else if (history !== undefined) db.exec(createHistoryTable(table))
}

export const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined

/** The tables of the classes whose members are stored under these shapes. */
export function findTables(db: DatabaseSync, shapes: readonly ClassSchema[]): StoredClasses {
  const stored = listClasses(db)
  const tables = shapes.flatMap((shape) => {
    const found = stored.find((one) => isMigrated(one, shape))
    return found === undefined ? [] : [[shape.name, tablesFor(found, shape)] as const]
  })
  return { tables: new Map(tables), stored: new Map(stored.map(({ name, id }) => [name, id])) }
}

/** How the classes are stored whose rows have forms, by name. */
export const findForms = (
  db: DatabaseSync,
  shapes: readonly ClassSchema[],
): ReadonlyMap<string, ConvertedClass> =>
  new Map(
    listClasses(db).flatMap((stored): [string, ConvertedClass][] => {
      const shape = shapes.find((one) => isMigrated(stored, one))
      const { layout } = stored
      if (shape === undefined || layout?.hasForms !== true) return []
      const forms = createClassForms({ ...stored, layout }, shape, slotsFor(layout, shape) ?? [])
      return [[shape.name, { stored: { ...stored, layout }, shape, forms }]]
    }),
  )

function tablesFor({ id, layout }: StoredClass, shape: ClassSchema): SqliteTables {
  if (layout?.hasForms !== true) return tablesOf(id, shape)
  const tables = tablesOf(id, { ...shape, keys: slotsFor(layout, shape) ?? [] })
  return { ...tables, form: ownFormOf(layout, shape), isMixed: layout.isConverting === true }
}

/** Reads one snapshot and writes nothing. It neither waits for a server on the file nor makes it wait. */
export async function dryRunSqlite(path: string, shapes: readonly ClassSchema[]): Promise<Migration> {
  const db = openExisting(path)
  try {
    if (isNew(db)) return NOTHING_CHANGED
    db.exec('BEGIN')
    return await migrate(createMigrationStore(db, true), shapes)
  } catch (error) {
    throw translate(error)
  } finally {
    db.close()
  }
}

/** Runs `work` in one transaction: on a snapshot, or where it writes, while no other process does. */
export async function maintainSqlite<T>(
  path: string,
  access: 'read' | 'write',
  work: (store: MigrationStore) => Promise<T>,
): Promise<T> {
  const isReading = access === 'read'
  const db = openExisting(path, 'db', isReading)
  try {
    db.exec(isReading ? 'BEGIN' : 'BEGIN IMMEDIATE')
    const done = await work(createMigrationStore(db, isReading))
    db.exec('COMMIT')
    return done
  } catch (error) {
    throw translate(error)
  } finally {
    db.close()
  }
}

/**
 * Gives the space of what was removed back to the system, and overwrites it in the write-ahead log. The index of words keeps
 * those of removed members until it is merged.
 */
export function compactSqlite(path: string): void {
  const db = openExisting(path, 'db', false)
  try {
    for (const { id } of listClasses(db)) db.exec(mergeWords(tablesOf(id)))
    db.exec('VACUUM')
    const [isBusy] = arrays(db, 'PRAGMA wal_checkpoint(TRUNCATE)').get<Checkpointed>() ?? []
    // Another process reads without a pause, and would leave in the log what was removed.
    if (isBusy === 1) throw databaseProblem('DatabaseLocked', { retryAfterSeconds: 1 })
  } catch (error) {
    throw translate(error)
  } finally {
    db.close()
  }
}
