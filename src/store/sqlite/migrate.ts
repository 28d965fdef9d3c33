import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Duplicate, duplicatesText } from '../migration/incompatible.ts'
import {
  type FinishedClass,
  type MemberLink,
  type MemberRow,
  type MigrationStatements,
  migrate,
} from '../migration/migrate.ts'
import { type StoredClass, shapesText } from '../migration/plan.ts'
import type { ClassShape, Migration } from '../store.ts'
import { translate } from './errors.ts'
import { createKeyRows } from './key-rows.ts'
import { isNew, requireOurs } from './schema.ts'
import { arrays } from './statements.ts'
import {
  createKeyIndexes,
  createKeyTables,
  createMemberTable,
  dropKeyTables,
  type Tables,
  tablesOf,
} from './tables.ts'

/** So many members are in memory at once, or so many characters of them. */
const BATCH = 1_000
const BATCH_LENGTH = 8 * 1_024 * 1_024
/** How long a dry run waits for a lock of another process. */
const PATIENCE_MS = 5_000

export const listClasses = (db: DatabaseSync): StoredClass[] =>
  db
    .prepare('SELECT id, name, total, version, fingerprint, shapes FROM classes')
    .all() as unknown as StoredClass[]

/** The members stay in their table, which `finish` renames: only texts that have changed are written. */
export function createMigrationStatements(db: DatabaseSync, isDryRun: boolean): MigrationStatements {
  const newTables = ({ number, shape }: FinishedClass): Tables => {
    const tables = tablesOf(number, shape.keys)
    const temporary = {
      keys: `temp.${tables.keys}`,
      values: `temp.${tables.values}`,
      words: `temp.${tables.words}`,
    }
    return isDryRun ? { ...tables, ...temporary } : tables
  }

  return {
    isDryRun,
    listClasses: () => listClasses(db),
    lastNumber() {
      const last =
        "max((SELECT coalesce(max(id), 0) FROM classes), coalesce((SELECT value FROM settings WHERE name = 'class_number'), 0))"
      return (arrays(db, `SELECT ${last}`).get() as unknown as [number])[0]
    },
    *batches(former) {
      const read = db.prepare(
        `SELECT sequence, id, version, body, holes, hidden, (
           SELECT json_group_array(json_array(property, to_class, to_id)) FROM links WHERE from_class = ? AND from_id = id
         ) AS links
         FROM ${tablesOf(former.id, []).members} WHERE sequence > ? ORDER BY sequence LIMIT ${BATCH}`,
      )
      for (let last = 0; ; ) {
        const rows: MemberRow[] = []
        let length = 0
        for (const row of read.iterate(former.name, last) as unknown as Iterable<MemberRow>) {
          rows.push(row)
          length += row.body.length + row.hidden.length
          if (length >= BATCH_LENGTH) break
        }
        if (rows.length === 0) return
        last = rows.at(-1)?.sequence ?? last
        yield rows
      }
    },
    listIds: ({ id }, ids) =>
      arrays(db, `SELECT id FROM members_${id} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids))
        .map((row) => (row as unknown as [string])[0]),
    createTables(cls) {
      const tables = newTables(cls)
      db.exec(createKeyTables(tables))
      const keyRows = createKeyRows(db, tables)
      const { members } = tablesOf(cls.former.id, [])
      const update = isDryRun
        ? undefined
        : db.prepare(`UPDATE ${members} SET version = ?, body = ?, holes = ?, hidden = ? WHERE sequence = ?`)
      return (converted) => {
        for (const { row, version, body, holes, hidden, keys } of converted) {
          if (version !== row.version || hidden !== row.hidden)
            update?.run(version, body, holes, hidden, row.sequence)
          keyRows.add(row.sequence, keys)
        }
      }
    },
    changeLinks(className, removed, added) {
      const columns = '(to_class, to_id, from_class, property, from_id)'
      const remove = db.prepare(`DELETE FROM links WHERE ${columns} = (?, ?, ?, ?, ?)`)
      const add = db.prepare(`INSERT INTO links ${columns} VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
      const cells = ({ from, link }: MemberLink) =>
        [link.className, link.id, className, link.property, from] as const
      for (const link of removed) remove.run(...cells(link))
      for (const link of added) add.run(...cells(link))
    },
    listDuplicates(cls, key, most) {
      const text = duplicatesText(newTables(cls).keys, tablesOf(cls.former.id, []).members, `k${key}`, most)
      return arrays(db, text)
        .all()
        .map((row): Duplicate => {
          const [firstId, id, body] = row as unknown as [string, string, string]
          return { firstId, id, body }
        })
    },
    finish({ renamings, replaced }, classes) {
      const formers = classes.flatMap(({ former }) => former ?? [])
      for (const { id } of [...formers, ...replaced]) {
        db.exec(dropKeyTables(tablesOf(id, [])))
        db.prepare('DELETE FROM classes WHERE id = ?').run(id)
      }
      for (const { id } of replaced) db.exec(`DROP TABLE ${tablesOf(id, []).members}`)
      for (const { from, to } of renamings) {
        db.prepare('UPDATE links SET from_class = ? WHERE from_class = ?').run(to, from)
        db.prepare('UPDATE links SET to_class = ? WHERE to_class = ?').run(to, from)
      }
      for (const { shape, former, number, version } of classes) {
        const tables = tablesOf(number, shape.keys)
        if (former === undefined) db.exec(createMemberTable(tables) + createKeyTables(tables))
        else db.exec(`ALTER TABLE ${tablesOf(former.id, []).members} RENAME TO ${tables.members}`)
        db.exec(createKeyIndexes(tables))
        db.prepare(
          'INSERT INTO classes (id, name, total, version, fingerprint, shapes) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(number, shape.name, former?.total ?? 0, version, shape.fingerprint, shapesText(shape))
        db.prepare(
          "INSERT INTO settings VALUES ('class_number', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        ).run(BigInt(number))
      }
    },
  }
}

/** Reads one state of the file and writes nothing to it; a server on it neither waits for this nor is waited for. */
export async function dryRunSqlite(path: string, shapes: readonly ClassShape[]): Promise<Migration> {
  if (!existsSync(path)) throw new Error(`There is no database ${path}.`)
  const db = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS })
  try {
    requireOurs(db, path)
    if (isNew(db)) return { incompatible: [], changes: [], migrated: [] }
    db.exec('BEGIN')
    return await migrate(createMigrationStatements(db, true), shapes)
  } catch (error) {
    throw translate(error)
  } finally {
    db.close()
  }
}
