import { sharesOf } from '../query/room.ts'
import { MOST_COUNTED, type Page, type Position, type Selection, type StoredMember } from '../store.ts'
import { keyOf } from './key-text.ts'

/**
 * A row of a page: the total, what is served, the place in the order of creation, and for each order the key that places
 * the member. A page without members is one row without any; what it has no room for is a row without text.
 */
export type Row = [
  total: number | null,
  id: string | null,
  version: number,
  body: string | null,
  holes: string,
  sequence: number,
  ...keys: (string | null)[],
]

/** Of `f`, rows of a page that say of themselves whether it has room for them. */
export const PAGE_COLUMNS = `f.id, f.version, ${ifFits('f.body')}, ${ifFits('f.holes')}, f.sequence`

function ifFits(column: string): string {
  return `CASE WHEN f.fits THEN ${column} END`
}

/**
 * Whether the page has room for a row of `w`: `alone`, where no member has more than its share; `summed`, whatever they
 * have, which takes longer. PostgreSQL knows the length of a text without reading it.
 */
export type Fit = 'alone' | 'summed'

export const fits = (fit: Fit, orderBy: string): string => (fit === 'alone' ? IS_SHORT : isWithin(orderBy))

/** Of `fits`. */
export const fitParams = (fit: Fit, selection: Pick<Selection, 'room' | 'limit'>): [number, number] =>
  fit === 'alone' ? sharesOf(selection) : [selection.room.link, selection.room.bytes]

const IS_SHORT = 'octet_length(w.body) <= ?::int AND octet_length(w.holes) <= ?::int'

function isWithin(orderBy: string): string {
  const links = `CASE w.holes WHEN '' THEN 0 ELSE 1 + length(w.holes) - length(replace(w.holes, ',', '')) END`
  const over = `OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING)`
  return `(sum(octet_length(w.body) + ?::bigint * ${links}) ${over} <= ?::bigint OR row_number() ${over} = 1)`
}

/** Whether there is no row on the page whose text is missing, so that it can be shown as it is. */
export const isWhole = (rows: readonly Row[], { limit }: Selection): boolean =>
  rows.every(([, id, , body], index) => id === null || body !== null || index >= limit)

/** `rows`: as they were walked, one more than the page has where there are more. */
export function toPage(rows: readonly Row[], total: number | undefined, { start, limit }: Selection): Page {
  const cut = rows.findIndex(([, , , body]) => body === null)
  const end = Math.min(limit, cut === -1 ? rows.length : cut)
  const shown = rows.slice(0, end)
  if (start.at === 'before') shown.reverse()
  const [first, last] = [shown[0], shown.at(-1)]
  const edges =
    first === undefined || last === undefined ? undefined : { first: place(first), last: place(last) }
  return { members: shown.map(toMember), total, more: rows.length > end, edges }
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
  body: body as string,
  holes,
})

const place = ([, , , , , sequence, ...keys]: Row): Position => ({
  keys: keys.map((text) => (text === null ? null : keyOf(text))),
  sequence,
})
