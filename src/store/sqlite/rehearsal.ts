import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Indexed, Keys } from '../../vocabulary/keys.ts'
import { classChanges, createChangeTally } from '../migration/changes.ts'
import {
  byPresentName,
  isAdopted,
  renamings,
  type StoredClass,
  toTakeOver,
  withNames,
} from '../migration/classes.ts'
import { type ClassShape, type Misfit, MOST_MISFITS, type Rehearsal } from '../store.ts'
import { listClasses } from './classes.ts'
import { duplicatesIn } from './duplicates.ts'
import { reading } from './errors.ts'
import { fit, membersOf } from './fitting.ts'
import { createLinkRows } from './links.ts'
import { isNew, requireOurs } from './schema.ts'
import { arrays } from './statements.ts'
import { createKeysTable, keyColumns, type Tables, tablesOf } from './tables.ts'

/** How long a lock of another process is waited for. */
const PATIENCE_MS = 5_000

/**
 * Members that an API file would refuse, the first ten, or what it would change. Reads one state of the file and writes nothing to it, nor holds
 * up who serves it: what must be compared across members is collected in temporary tables.
 */
export function rehearseAdoption(path: string, shapes: readonly ClassShape[]): Rehearsal {
  if (!existsSync(path)) throw new Error(`There is no database ${path}.`)
  const db = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS })
  try {
    return reading(() => {
      requireOurs(db, path)
      if (isNew(db)) return { misfits: [], changes: [], takenOver: [] }
      db.exec('BEGIN')
      return rehearseAll(db, shapes)
    })
  } finally {
    db.close()
  }
}

function rehearseAll(db: DatabaseSync, shapes: readonly ClassShape[]): Rehearsal {
  const stored = listClasses(db)
  const renamed = renamings(stored, shapes)
  const changes = classChanges(stored, renamed, shapes)
  const names = new Map(renamed.map(({ from, to }) => [from, to]))
  const byName = byPresentName(stored, names)
  const { hasTarget, of } = createLinkRows(db, (name) => byName.get(name)?.id)
  const misfits: Misfit[] = []
  for (const shape of shapes) {
    const found = byName.get(shape.name)
    if (found === undefined || isAdopted(found, shape)) continue
    const most = MOST_MISFITS - misfits.length
    const tally = createChangeTally(shape)
    const { tables, put } = collectUnique(db, found, shape)
    const known = { hasTarget, of: (id: string) => withNames(of(found.name, id), names) }
    const unfit = fit(membersOf(db, tables.members), shape, known, most, ([sequence], adopted) => {
      tally.count(adopted)
      put(sequence, adopted.keys)
    })
    misfits.push(...unfit, ...duplicatesIn(db, shape, tables, most - unfit.length))
    if (misfits.length >= MOST_MISFITS) break
    changes.push(...tally.changes())
  }
  return misfits.length > 0
    ? { misfits, changes: [], takenOver: [] }
    : { misfits, changes, takenOver: toTakeOver(stored, shapes) }
}

/** A temporary table of the values that must be unique, and nothing else. */
function collectUnique(db: DatabaseSync, { id }: StoredClass, { keys }: ClassShape) {
  const columns = keys.flatMap(({ unique }, index) => (unique ? [index] : []))
  const shapes = keys.filter(({ unique }) => unique).map((shape) => ({ ...shape, long: false }))
  const tables: Tables = { ...tablesOf(id, shapes), keys: `temp.keys_${id}` }
  db.exec(createKeysTable(tables))
  const add = arrays(db, `INSERT INTO ${tables.keys} VALUES (${['?', ...keyColumns(shapes).map(() => '?')]})`)
  return {
    tables,
    put: (sequence: number, { values }: Keys) =>
      add.run(sequence, ...columns.map((index) => (values[index] as Indexed | null)?.key ?? null)),
  }
}
