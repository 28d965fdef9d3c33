import { MOST_COUNTED, type Page, type Position, type Selection, type StoredMember } from '../store.ts'
import { keyOf } from './key-text.ts'

/**
 * A row of a page: the total, what is served, the place in the order of creation, and for each order the key that places
 * the member and the whole string where that is cut. A page without members is one row without any.
 */
export type Row = [
  total: number | null,
  id: string | null,
  version: number,
  body: string,
  holes: string,
  sequence: number,
  ...keys: (string | null)[],
]

export const PAGE_COLUMNS = 'w.id, w.version, w.body, w.holes, w.sequence'

/** `rows`: as they were walked, one more than the page has where there are more. */
export function toPage(rows: readonly Row[], total: number | undefined, { start, limit }: Selection): Page {
  const more = rows.length > limit
  const shown = more ? rows.slice(0, limit) : [...rows]
  if (start.at === 'before') shown.reverse()
  return pageOf(shown, total, more)
}

export function pageOf(rows: readonly Row[], total: number | undefined, more: boolean): Page {
  const [first, last] = [rows[0], rows.at(-1)]
  const edges =
    first === undefined || last === undefined ? undefined : { first: place(first), last: place(last) }
  return { members: rows.map(toMember), total, more, edges }
}

/** Without the one that says there are none. */
export const membersIn = (rows: readonly Row[]): readonly Row[] => (rows[0]?.[1] == null ? [] : rows)

/** `counted`: by the statement; null where the page itself tells, since it is the last one and was counted off to. */
export function totalIn(
  counted: number | null,
  rows: readonly Row[],
  { start, count }: Selection,
): number | undefined {
  const total = counted ?? (start.at === 'offset' ? start.offset : 0) + rows.length
  return count === 'bounded' && total > MOST_COUNTED ? undefined : total
}

const toMember = ([, id, version, body, holes]: Row): StoredMember => ({
  id: id as string,
  version,
  body,
  holes,
})

function place([, , , , , sequence, ...columns]: Row): Position {
  const keys: Position['keys'][number][] = []
  for (let index = 0; index < columns.length; index += 2) {
    const text = columns[index] ?? null
    keys.push(text === null ? null : keyOf(text, columns[index + 1] ?? null))
  }
  return { keys, sequence }
}
