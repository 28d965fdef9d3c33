import type { Key } from '../../vocabulary/keys.ts'
import type { Page, Position, Selection, StoredMember } from '../store.ts'
import { isBackward, offsetOf } from './filters.ts'

/**
 * A member of a page: what is served, its place in the order of creation, and the keys that place it. Further columns
 * are a store's own.
 */
export type Row = [
  id: string,
  version: number,
  body: string,
  holes: string,
  owner: number | null,
  sequence: number,
  ...keys: (Key | null)[],
]

/** The rows that a page shows, in the order in which they were read, and whether there are more beyond them. */
export interface Rows {
  readonly rows: Row[]
  readonly more: boolean
}

export const toMember = ([id, version, body, holes, owner]: Row): StoredMember => ({
  id,
  version,
  body,
  holes,
  owner: owner ?? undefined,
})

/** `read`: a key from what stands in a column. */
export function toPage(
  { rows, more }: Rows,
  total: number | undefined,
  selection: Pick<Selection, 'start' | 'order'>,
  read: (written: Key) => Key,
): Page {
  if (isBackward(selection)) rows.reverse()
  const readKey = (written: Key | null = null) => (written === null ? null : read(written))
  const positionOf = ([, , , , , sequence, ...keys]: Row): Position => ({
    keys: selection.order.map((_, index) => readKey(keys[index])),
    sequence,
  })
  const [first, last] = [rows[0], rows.at(-1)]
  const edges = first && last && { first: positionOf(first), last: positionOf(last) }
  return { members: rows.map(toMember), total, more, edges }
}

/** What a page itself tells of the total: it is the last one, and was counted off to. */
export function totalSeen({ rows, more }: Rows, selection: Pick<Selection, 'start'>): number | undefined {
  if (selection.start.at !== 'offset' || more) return undefined
  const offset = offsetOf(selection)
  return rows.length > 0 || offset === 0 ? offset + rows.length : undefined
}

/** All members, or those of one owner, in the order of creation. */
export const isUnfiltered = ({ filters, words, order }: Selection): boolean =>
  filters.length === 0 && words.length === 0 && order.length === 0

/**
 * So many bytes the text of each member of a page may have, and so many its holes, without a look at the others. Where
 * none has more, which is nearly every page, nothing is added up. A hole has one byte at least.
 */
export function sharesOf({ room, limit }: Pick<Selection, 'room' | 'limit'>): [body: number, holes: number] {
  const half = Math.floor(room.bytes / limit / 2)
  return [half, Math.floor(half / Math.max(1, room.link))]
}
