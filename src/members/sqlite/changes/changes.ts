import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../bounded-map.ts'
import { type ArrayStatement, arrays } from '../../../database/sqlite/connection.ts'
import type { FileWatch } from '../../../database/sqlite/file-watch.ts'
import {
  CHANGE_COLUMNS,
  type Change,
  type ChangeLog,
  type ChangeRange,
  type ChangeRow,
  plainPage,
  rangesPage,
  toChange,
  unknownPosition,
} from '../../changes.ts'
import type { ClassSchema } from '../../class-schema.ts'

/** How many ranges one statement merges; SQLite allows at most 500 terms. */
const MAX_MERGED = 100
/** How many statements are kept, by the shapes of their ranges. */
const MAX_STATEMENTS = 32

/** One process writes at a time, so positions are in the order of the commits. */
export function openChangeLog(
  db: DatabaseSync,
  file: FileWatch,
  shapes: readonly ClassSchema[],
): Omit<ChangeLog, 'watch' | 'sweep'> {
  const classNames = new Set(shapes.map(({ name }) => name))
  const allClasses = [...classNames].map((className) => ({ className }))
  const names = JSON.stringify([...classNames])
  const epoch = arrays(db, "SELECT value FROM settings WHERE name = 'epoch'")
  const last = arrays(db, `SELECT ${CHANGE_COLUMNS} FROM changes ORDER BY position DESC LIMIT 1`)
  const at = arrays(db, `SELECT ${CHANGE_COLUMNS} FROM changes WHERE position = ?`)
  const after = arrays(
    db,
    `SELECT ${CHANGE_COLUMNS} FROM changes WHERE position > ? ORDER BY position LIMIT +?`,
  )
  const next = arrays(db, `${rangeTerm({ className: '', id: '' })} ORDER BY position LIMIT 1`)
  const unknown = arrays(
    db,
    `SELECT ${CHANGE_COLUMNS} FROM changes
     WHERE position = (${unknownPosition('?1', 'SELECT value FROM json_each(?2)')})`,
  )
  const one = (statement: ArrayStatement, ...params: (string | number)[]): Change | undefined => {
    const row = statement.get<ChangeRow>(...params)
    return row && toChange(row)
  }
  const found = createFindRanges(db)

  function afterIn(position: number, limit: number, ranges: readonly ChangeRange[]) {
    const read = { last: one(last), found: found(position, limit, ranges), next: one(at, position + 1) }
    // Read after the others: if they have seen a change, this statement sees the API file under which it was written.
    const first = one(unknown, position, names)
    const beforeUnknown = first && one(at, first.position - 1)
    return rangesPage({ ...read, unknown: first, beforeUnknown }, position, limit)
  }

  return {
    epoch: () => file.read(() => (epoch.get() as [string])[0]),
    last: () => file.read(() => one(last)),
    find: (position) => file.read(() => one(at, position)),
    findNext: ({ className, id }, position) => file.read(() => one(next, className, id, position)),
    after: (position, limit, ranges) =>
      file.read(() => {
        if (ranges !== undefined) return afterIn(position, limit, ranges)
        const changes = after.all<ChangeRow>(position, limit).map(toChange)
        return plainPage(changes, { position, limit }, classNames) ?? afterIn(position, limit, allClasses)
      }),
  }
}

/** A query for the changes of a range, in the order of their positions. Its parameters are the values of the range. */
function rangeTerm({ id, owner, account }: ChangeRange): string {
  if (account !== undefined)
    return `SELECT ${CHANGE_COLUMNS.replace(/position|class/g, 'n.$&')}
      FROM change_accounts n CROSS JOIN changes c ON c.position = n.position
      WHERE n.class = ? AND n.account = ? AND n.position > ?`
  const index = id !== undefined ? 'member' : owner !== undefined ? 'owner' : 'class'
  const more = `${id === undefined ? '' : ' AND id = ?'}${owner === undefined ? '' : ' AND owner = ?'}`
  return `SELECT ${CHANGE_COLUMNS} FROM changes INDEXED BY changes_by_${index}
    WHERE class = ?${more} AND position > ?`
}

/** Reads only changes in the ranges: SQLite merges their index ranges, each of which is in order. */
function createFindRanges(db: DatabaseSync) {
  const statements = new BoundedMap<string, ArrayStatement>(MAX_STATEMENTS)

  function some(position: number, limit: number, ranges: readonly ChangeRange[]): ChangeRow[] {
    const text = `${ranges.map(rangeTerm).join(' UNION ALL ')} ORDER BY 1 LIMIT +?`
    const params = ranges.flatMap(({ className, id, owner, account }) => [
      className,
      ...[id, owner, account].filter((value) => value !== undefined),
      position,
    ])
    return statements.getOrInsertComputed(text, () => arrays(db, text)).all<ChangeRow>(...params, limit)
  }

  return (position: number, limit: number, ranges: readonly ChangeRange[]): Change[] => {
    const parts = Array.from({ length: Math.ceil(ranges.length / MAX_MERGED) }, (_, index) =>
      some(position, limit, ranges.slice(index * MAX_MERGED, (index + 1) * MAX_MERGED)),
    )
    const rows = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(([a], [b]) => a - b)
    return rows.slice(0, limit).map(toChange)
  }
}
