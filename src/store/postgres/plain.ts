import type { Page, Selection } from '../store.ts'
import { membersIn, PAGE_COLUMNS, pageOf, type Row, toPage } from './pages.ts'
import type { Run } from './pool.ts'
import type { Tables } from './tables.ts'

/** A page of all members in the order of creation: by far the most frequent kind, so its statements are fixed. */
export type PlainPages = (run: Run, selection: Selection) => Promise<Page>

export function createPlainPages(tables: Tables): PlainPages {
  const read = (rest: string, direction: string): string =>
    `SELECT t.total, ${PAGE_COLUMNS} FROM ${allMembers(tables)} t LEFT JOIN LATERAL (
       SELECT id, version, body, holes, sequence FROM ${tables.members} ${rest}
     ) w ON true ORDER BY w.sequence ${direction}`
  const countedOff = read('ORDER BY sequence LIMIT $1 OFFSET $2', 'ASC')
  const after = read('WHERE sequence > $1 ORDER BY sequence LIMIT $2', 'ASC')
  const before = read('WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2', 'DESC')

  function readRows(run: Run, { start, limit }: Selection): Promise<Row[]> {
    switch (start.at) {
      case 'offset':
        // None is read that the page does not show: the total is of the same moment, and says whether there are more.
        return run<Row>(countedOff, [limit, start.offset])
      case 'after':
        return run<Row>(after, [start.position.sequence, limit + 1])
      case 'before': {
        const end = start.position === 'end' ? Number.MAX_SAFE_INTEGER : start.position.sequence
        return run<Row>(before, [end, limit + 1])
      }
    }
  }

  return async (run, selection) => {
    const { start } = selection
    const found = await readRows(run, selection)
    const total = found[0]?.[0] ?? 0
    const rows = membersIn(found)
    if (start.at !== 'offset') return toPage(rows, total, selection)
    return pageOf(rows, total, start.offset + rows.length < total)
  }
}

/** How many members there are, as a table of one row. */
export const allMembers = ({ classId }: Tables): string =>
  `(SELECT coalesce(sum(total), 0)::bigint AS total FROM totals WHERE class_id = ${classId})`

export const isPlain = ({ conditions, words, order }: Selection): boolean =>
  conditions.length === 0 && words.length === 0 && order.length === 0
