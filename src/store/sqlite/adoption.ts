import type { DatabaseSync } from 'node:sqlite'
import { type ChangeTally, classChanges, createChangeTally } from '../migration/changes.ts'
import { isAdopted, type Renaming, renamings, type StoredClass, shapesText } from '../migration/classes.ts'
import { type AdoptionChange, type ClassShape, type Misfit, MisfitError, MOST_MISFITS } from '../store.ts'
import { listClasses } from './classes.ts'
import { duplicatesIn } from './duplicates.ts'
import { fit, membersOf } from './fitting.ts'
import { createKeyRows } from './key-rows.ts'
import { createLinkRows, type LinkRows } from './links.ts'
import { arrays } from './statements.ts'
import { createKeyIndexes, createKeyTables, createMemberTable, dropKeyTables, tablesOf } from './tables.ts'

export type OnAdopt = (className: string, total: number) => void

/**
 * Brings what is stored under the present API file: classes that are new or have another name, and members that were
 * written under another file. Within a transaction, which a MisfitError must end. Returns what that has changed.
 */
export function adopt(db: DatabaseSync, shapes: readonly ClassShape[], onAdopt: OnAdopt): AdoptionChange[] {
  const before = listClasses(db)
  const renamed = renamings(before, shapes)
  const changes = classChanges(before, renamed, shapes)
  for (const renaming of renamed) rename(db, renaming)
  renumber(db, shapes)
  addClasses(db, shapes)
  const stored = new Map(listClasses(db).map((one) => [one.name, one]))
  const links = createLinkRows(db, (name) => stored.get(name)?.id)
  const misfits: Misfit[] = []
  for (const shape of shapes) {
    const found = stored.get(shape.name) as StoredClass
    if (isAdopted(found, shape) || misfits.length >= MOST_MISFITS) continue
    if (found.total > 0) onAdopt(shape.name, found.total)
    const tally = createChangeTally(shape)
    misfits.push(...adoptClass(db, found, shape, links, tally, MOST_MISFITS - misfits.length))
    changes.push(...tally.changes())
  }
  if (misfits.length > 0) throw new MisfitError(misfits)
  return changes
}

/** The name may be that of a class without members, which goes: its versions must not be given out again. */
function rename(db: DatabaseSync, { from, to }: Renaming): void {
  const replaced = db.prepare('SELECT id, version FROM classes WHERE name = ?').get(to)
  if (replaced !== undefined) {
    const tables = tablesOf(Number(replaced.id), [])
    db.exec(`${dropKeyTables(tables)} DROP TABLE ${tables.members}`)
    db.prepare('DELETE FROM classes WHERE name = ?').run(to)
  }
  db.prepare('UPDATE classes SET name = ?, version = max(version, ?) WHERE name = ?').run(
    to,
    replaced?.version ?? 0,
    from,
  )
  db.prepare('UPDATE links SET from_class = ? WHERE from_class = ?').run(to, from)
  db.prepare('UPDATE links SET to_class = ? WHERE to_class = ?').run(to, from)
}

/**
 * A class whose members will be stored in another way gets another number, and its tables with it: a process that was
 * started with the former API file finds them no more, and can neither misread them nor write among them.
 */
function renumber(db: DatabaseSync, shapes: readonly ClassShape[]): void {
  const stored = new Map(listClasses(db).map((one) => [one.name, one]))
  for (const shape of shapes) {
    const found = stored.get(shape.name)
    if (found === undefined || isAdopted(found, shape)) continue
    const [former, tables] = [tablesOf(found.id, []), tablesOf(nextNumber(db), [])]
    db.exec(`${dropKeyTables(former)} ALTER TABLE ${former.members} RENAME TO ${tables.members}`)
    db.prepare('UPDATE classes SET id = ? WHERE id = ?').run(tables.classId, found.id)
  }
}

function addClasses(db: DatabaseSync, shapes: readonly ClassShape[]): void {
  const isKnown = db.prepare('SELECT 1 FROM classes WHERE name = ?')
  const add = db.prepare('INSERT INTO classes (id, name, total, version) VALUES (?, ?, 0, 0)')
  for (const { name } of shapes) {
    if (isKnown.get(name) !== undefined) continue
    const tables = tablesOf(nextNumber(db), [])
    add.run(tables.classId, name)
    db.exec(createMemberTable(tables))
  }
}

/** Never one that a class had before. */
const nextNumber = (db: DatabaseSync): number =>
  Number(
    db
      .prepare(`INSERT INTO settings VALUES ('class_number', (SELECT coalesce(max(id), 0) + 1 FROM classes))
        ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value`)
      .get()?.value,
  )

function adoptClass(
  db: DatabaseSync,
  stored: StoredClass,
  shape: ClassShape,
  links: LinkRows,
  tally: ChangeTally,
  most: number,
): Misfit[] {
  const tables = tablesOf(stored.id, shape.keys)
  db.exec(createKeyTables(tables))
  const keyRows = createKeyRows(db, tables)
  const update = arrays(
    db,
    `UPDATE ${tables.members} SET version = ?, body = ?, holes = ?, hidden = ? WHERE sequence = ?`,
  )
  let latest = stored.version

  const known = { hasTarget: links.hasTarget, of: (id: string) => links.of(shape.name, id) }
  const misfits = fit(membersOf(db, tables.members), shape, known, most, (row, written) => {
    const [sequence, id, version, body, holes, hidden] = row
    const isSame = written.body === body && written.holes === holes
    if (!isSame) latest += 1
    if (!isSame || written.hidden !== hidden) {
      update.run(isSame ? version : latest, written.body, written.holes, written.hidden, sequence)
    }
    tally.count(written)
    links.replace(shape.name, id, written.links)
    keyRows.add(sequence, written.keys)
  })
  if (misfits.length >= most) return misfits

  db.exec(createKeyIndexes(tables))
  db.prepare('UPDATE classes SET version = ?, fingerprint = ?, shapes = ? WHERE id = ?').run(
    latest,
    shape.fingerprint,
    shapesText(shape),
    stored.id,
  )
  return [...misfits, ...duplicatesIn(db, shape, tables, most - misfits.length)]
}
