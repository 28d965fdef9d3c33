import type { Key } from '../../vocabulary/keys.ts'
import { MOST_COUNTED, type Page, type Position, type Selection, type StoredMember } from '../store.ts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'
import { isBackward, type Walk } from './walks.ts'

/** A member of a page: what is served, its place in the order of creation, and the keys that place it. */
export type Row = [
  id: string,
  version: number,
  body: string,
  holes: string,
  sequence: number,
  ...keys: (Key | null)[],
]

/** One walk after the other, until the page is full and it is known whether there is more. */
export function readRows(
  statements: Statements,
  { members }: Tables,
  walks: readonly Walk[],
  { limit, start }: Selection,
): Row[] {
  const rows: Row[] = []
  let skip = start.at === 'offset' ? start.offset : 0
  for (const walk of walks) {
    const { select, orderBy } = walk
    // Bodies are read for the page alone, in the order in which the rows come out of the walk.
    // The plus: SQLite plans anew for each value of a bare LIMIT ?, which costs a third of the query.
    const found = statements(
      `SELECT m.id, m.version, m.body, m.holes, w.* FROM (${select.text} ORDER BY ${orderBy} LIMIT +? OFFSET +?) w
       CROSS JOIN ${members} m ON m.sequence = w.sequence`,
    ).all(...select.params, limit + 1 - rows.length, skip) as unknown as Row[]
    rows.push(...found)
    if (rows.length > limit) break
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
  rows: readonly Row[],
): number | undefined {
  const most = selection.count === 'exact' ? Number.MAX_SAFE_INTEGER : MOST_COUNTED
  const total =
    totalSeen(rows, selection) ?? count(statements, walks(), Math.min(most + 1, Number.MAX_SAFE_INTEGER))
  return total > most ? undefined : total
}

/** What a page itself tells: it is the last one, and was counted off to. */
function totalSeen(rows: readonly Row[], { start, limit }: Selection): number | undefined {
  if (start.at !== 'offset' || rows.length > limit) return undefined
  return rows.length > 0 || start.offset === 0 ? start.offset + rows.length : undefined
}

/** `rows`: as they were walked, one more than the page has where there are more. */
export function toPage(rows: Row[], total: number | undefined, selection: Selection): Page {
  const more = rows.length > selection.limit
  if (more) rows.pop()
  if (isBackward(selection)) rows.reverse()
  return pageOf(rows, total, more)
}

export function pageOf(rows: readonly Row[], total: number | undefined, more: boolean): Page {
  const [first, last] = [rows[0], rows.at(-1)]
  const edges =
    first === undefined || last === undefined ? undefined : { first: place(first), last: place(last) }
  return { members: rows.map(toMember), total, more, edges }
}

export const toMember = ([id, version, body, holes]: Row): StoredMember => ({ id, version, body, holes })

const place = ([, , , , sequence, ...keys]: Row): Position => ({ keys, sequence })
