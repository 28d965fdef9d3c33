import type { Key } from '../../vocabulary/index-keys.ts'
import type { StoredMember } from '../member.ts'
import type { Page } from '../member-store.ts'
import type { Position, Selection } from '../selection.ts'
import { accountIn, isBackward, offsetOf, sortColumns } from './filters.ts'

/**
 * A member of a page: its served text, its sequence number, and the keys that order it. A store may add further columns.
 */
export type PageMemberRow = [
  id: string,
  version: number,
  body: string,
  baseUrlOffsets: string,
  owner: number | null,
  sequence: number,
  former: string | null,
  ...keys: (Key | null)[],
]

/** The rows that a page shows, in the order in which they were read, and whether there are more beyond them. */
export interface PageRows {
  readonly rows: PageMemberRow[]
  readonly more: boolean
}

export const toMember = (row: PageMemberRow): StoredMember => {
  const [id, version, body, baseUrlOffsets, owner, , former] = row
  const member = { id, version, body, baseUrlOffsets, owner: owner ?? undefined }
  return former == null ? member : { ...member, former }
}

/** `read`: reads a key from its column. */
export function toPage(
  { rows, more }: PageRows,
  total: number | undefined,
  selection: Pick<Selection, 'start' | 'order'>,
  read: (written: Key) => Key,
): Page {
  if (isBackward(selection)) rows.reverse()
  const columns = sortColumns(selection.order)
  const positionOf = ([, , , , , sequence, , ...keys]: PageMemberRow): Position => ({
    keys: columns.map(({ isTie }, index) => {
      const written = keys[index] ?? null
      return written === null || isTie ? written : read(written)
    }),
    sequence,
  })
  const [first, last] = [rows[0], rows.at(-1)]
  const edges = first && last && { first: positionOf(first), last: positionOf(last) }
  return { members: rows.map(toMember), total, more, edges }
}

/** The total, if the page itself shows it, because it is the last one, at an offset. */
export function totalSeen({ rows, more }: PageRows, selection: Pick<Selection, 'start'>): number | undefined {
  if (selection.start.at !== 'offset' || more) return undefined
  const offset = offsetOf(selection)
  return rows.length > 0 || offset === 0 ? offset + rows.length : undefined
}

/** Those that link to an account, in the order of creation. */
export const isOfAccount = (selection: Selection): boolean =>
  accountIn(selection) !== undefined &&
  isUnfiltered({ ...selection, filters: [] }) &&
  selection.owner === undefined

/** All members, or those of one owner, in the order of creation. */
export const isUnfiltered = ({ filters, words, order }: Selection): boolean =>
  filters.length === 0 && words.length === 0 && order.length === 0

/**
 * An equal share of the byte budget for each member of a page, for its text and its offsets. If no member has more, as in
 * nearly every page, sizes need not be added up. An offset takes at least one byte.
 */
export function sharesOf({
  byteBudget,
  limit,
}: Pick<Selection, 'byteBudget' | 'limit'>): [body: number, baseUrlOffsets: number] {
  const half = Math.floor(byteBudget.bytes / limit / 2)
  return [half, Math.floor(half / Math.max(1, byteBudget.link))]
}
