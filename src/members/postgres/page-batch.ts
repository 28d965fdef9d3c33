import { setImmediate as immediate } from 'node:timers/promises'
import { columnArrays } from '../../database/postgres/arrays.ts'
import type { RunSql } from '../../database/postgres/pool.ts'
import { sharesOf } from '../query/page.ts'
import type { Selection } from '../selection.ts'
import { beginningOf, fitsShares, memberText, type PageRow, rowsFrom } from './page-statement.ts'
import { formerOf, type PostgresTables } from './tables.ts'
import { totalOf } from './totals.ts'

/** Few, since the last page of a statement waits for the others, and statements run on several connections. */
const MAX_PAGES = 8

interface PageBatch {
  readonly asked: Selection[]
  readonly rows: Promise<readonly PageRow[]>
}

/**
 * Unfiltered pages of a class that are requested in one turn of the event loop are read by one statement at its end: a
 * statement costs the driver and the sockets about as much as making the page.
 */
export function createPageBatches(
  run: RunSql,
): (tables: PostgresTables, selection: Selection) => Promise<PageRow> {
  const open = new Map<string, PageBatch>()

  async function readAll(name: string, text: string, asked: readonly Selection[]): Promise<PageRow[]> {
    await immediate()
    if (open.get(name)?.asked === asked) open.delete(name)
    const rows = asked.map((selection) => {
      const [body, holes] = sharesOf(selection)
      return { ...beginningOf(selection), body, holes }
    })
    return run<PageRow>(text, columnArrays(rows, 'most', 'beginning', 'body', 'holes'))
  }

  return async (tables, selection) => {
    const { at } = selection.start
    const name = `${tables.members} ${tables.form?.own} ${at}`
    const known = open.get(name)
    if (known !== undefined && known.asked.length < MAX_PAGES) {
      const place = known.asked.push(selection) - 1
      return (await known.rows)[place] as PageRow
    }
    const asked = [selection]
    const rows = readAll(name, batchText(tables, at), asked)
    open.set(name, { asked, rows })
    return (await rows)[0] as PageRow
  }
}

/** Parameters: arrays of the rows that a page takes at most, where it begins, and the longest texts of a member. */
export const batchText = (tables: PostgresTables, at: Selection['start']['at']): string => {
  const rows = rowsFrom(at, { most: 'q.most', beginning: 'q.beginning' })
  return `SELECT t.total, p.members FROM ${totalOf(tables, { owner: undefined, filters: [] }).text} t
    CROSS JOIN unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[])
      WITH ORDINALITY AS q (most, beginning, body, holes, place)
    CROSS JOIN LATERAL (SELECT ${memberText([])} AS members FROM (
      SELECT w.*, ${fitsShares('q.body', 'q.holes')} AS fits
      FROM (SELECT id, version, body, holes, owner, sequence, ${formerOf(tables, 'm')} AS former
        FROM ${tables.members} m ${rows}) w
      ORDER BY w.sequence ${at === 'before' ? 'DESC' : 'ASC'}
    ) f) p ORDER BY q.place`
}
