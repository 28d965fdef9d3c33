import { MOST_COUNTED, type Page, type Position, type Selection } from '../store.ts'
import { COLUMNS, type Reading, type Row, type Rows, readShort, readWhole, toMember } from './rows.ts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'
import { isBackward, type Walk } from './walks.ts'

/** One walk after the other, until the page is full and it is known whether there is more. */
export function readRows(
  statements: Statements,
  tables: Tables,
  walks: readonly Walk[],
  selection: Selection,
): Rows {
  return (
    readShort(selection, (reading) => walkRows(statements, tables, walks, selection, reading)) ??
    scanRows(statements, tables, walks, selection)
  )
}

/** The same, in one go whatever the members have: for walks that take long. */
export const scanRows = (
  statements: Statements,
  tables: Tables,
  walks: readonly Walk[],
  selection: Selection,
): Rows => readWhole(selection, (reading) => walkRows(statements, tables, walks, selection, reading))

function walkRows(
  statements: Statements,
  { members }: Tables,
  walks: readonly Walk[],
  { limit, start, order }: Selection,
  { kind, bounds, all, isFull }: Reading,
): Row[] {
  const columns = COLUMNS[kind](order.length)
  const rows: Row[] = []
  let skip = start.at === 'offset' ? start.offset : 0
  for (const walk of walks) {
    const { select, orderBy } = walk
    // Bodies are read for the page alone, in the order in which the rows come out of the walk.
    // The plus: SQLite plans anew for each value of a bare LIMIT ?, which costs a third of the query.
    const statement = statements(
      `SELECT ${columns} FROM (${select.text} ORDER BY ${orderBy} LIMIT +? OFFSET +?) w
       CROSS JOIN ${members} m ON m.sequence = w.sequence`,
    )
    const found = all(statement, [...bounds, ...select.params, limit + 1 - rows.length, skip])
    rows.push(...found)
    if (rows.length > limit || isFull()) break
    if (skip > 0) skip = found.length > 0 ? 0 : skip - count(statements, [walk], skip)
  }
  return rows
}

/** How many there are, counted up to `most`. */
export function count(statements: Statements, walks: readonly Walk[], most: number): number {
  let counted = 0
  for (const { select, orderBy } of walks) {
    if (counted >= most) break
    const ordered = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`
    const [found] = statements(`SELECT count(*) FROM (${select.text}${ordered} LIMIT +?)`).get(
      ...select.params,
      most - counted,
    ) as unknown as [number]
    counted += found
  }
  return counted
}

/** All that match; undefined where there are more than are counted. */
export function countMatching(
  statements: Statements,
  walks: () => readonly Walk[],
  selection: Selection,
  page: Rows,
): number | undefined {
  const most = selection.count === 'exact' ? Number.MAX_SAFE_INTEGER : MOST_COUNTED
  const total =
    totalSeen(page, selection) ?? count(statements, walks(), Math.min(most + 1, Number.MAX_SAFE_INTEGER))
  return total > most ? undefined : total
}

/** What a page itself tells: it is the last one, and was counted off to. */
function totalSeen({ rows, more }: Rows, { start }: Selection): number | undefined {
  if (start.at !== 'offset' || more) return undefined
  return rows.length > 0 || start.offset === 0 ? start.offset + rows.length : undefined
}

export function toPage({ rows, more }: Rows, total: number | undefined, selection: Selection): Page {
  if (isBackward(selection)) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const edges =
    first === undefined || last === undefined ? undefined : { first: place(first), last: place(last) }
  return { members: rows.map(toMember), total, more, edges }
}

const place = ([, , , , sequence, ...keys]: Row): Position => ({ keys, sequence })
