import { toPage } from '../query/page.ts'
import { sql } from '../query/sql.ts'
import type { Page, Selection, Start } from '../store.ts'
import { numbered } from './dialect.ts'
import {
  countedIn,
  type Fit,
  fitParams,
  fits,
  isWhole,
  membersIn,
  PAGE_COLUMNS,
  type PageRow,
  shownOf,
  totalOf,
} from './pages.ts'
import type { Run } from './pool.ts'
import type { Tables } from './tables.ts'

/** A page of all members in the order of creation: by far the most frequent kind, so its statements are fixed. */
export type UnfilteredPages = (run: Run, selection: Selection) => Promise<Page>

export function createUnfilteredPages(tables: Tables): UnfilteredPages {
  const select = (fit: Fit, rest: string, direction: string): string => {
    const order = `w.sequence ${direction}`
    return numbered(
      sql(`SELECT ${PAGE_COLUMNS}, t.total FROM ${totalOf(tables)} t LEFT JOIN LATERAL (
         SELECT w.*, ${fits(fit, order)} AS fits
         FROM (SELECT id, version, body, holes, sequence FROM ${tables.members} ${rest}) w
       ) f ON true ORDER BY f.sequence ${direction}`),
    )
  }
  const prepare = (fit: Fit): Readonly<Record<Start['at'], string>> => ({
    // None is read that the page does not show: the total is of the same moment, and says whether there are more.
    offset: select(fit, 'ORDER BY sequence LIMIT ? OFFSET ?', 'ASC'),
    after: select(fit, 'WHERE sequence > ? ORDER BY sequence LIMIT ?', 'ASC'),
    before: select(fit, 'WHERE sequence < ? ORDER BY sequence DESC LIMIT ?', 'DESC'),
  })
  const statements = { alone: prepare('alone'), summed: prepare('summed') }

  function readRows(run: Run, selection: Selection, fit: Fit): Promise<PageRow[]> {
    const { start, limit } = selection
    const rest = start.at === 'offset' ? [limit, start.offset] : [sequenceOf(start), limit + 1]
    return run<PageRow>(statements[fit][start.at], [...fitParams(fit, selection), ...rest])
  }

  return async (run, selection) => {
    const { start } = selection
    const found = await readRows(run, selection, 'alone')
    const rows = isWhole(found, selection) ? found : await readRows(run, selection, 'summed')
    const total = countedIn(rows) ?? 0
    const page = toPage(shownOf(membersIn(rows), selection), total, selection, String)
    return start.at === 'offset' ? { ...page, more: start.offset + page.members.length < total } : page
  }
}

const sequenceOf = ({ position }: Exclude<Start, { at: 'offset' }>): number =>
  position === 'end' ? Number.MAX_SAFE_INTEGER : position.sequence
