import type { Dialect } from '../query/dialect.ts'
import { type Sql, sql } from '../query/dialect.ts'
import { offsetOf, type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, toPage } from '../query/page.ts'
import { type IndexPlan, indexPlan, isQuick } from '../query/plan.ts'
import { createScans } from '../query/scans.ts'
import type { Page, Selection, Start, StoredMember } from '../store.ts'
import type { Connections } from './connections.ts'
import { dialectOf, numbered } from './dialect.ts'
import { isCanceled } from './errors.ts'
import {
  countedIn,
  type Fit,
  fitParams,
  fits,
  isWhole,
  membersIn,
  PAGE_COLUMNS,
  type PageRow,
  readPage,
  shownOf,
  totalOf,
} from './pages.ts'
import type { Run } from './pool.ts'
import { searchPage, singleIndexPage } from './statements.ts'
import type { Tables } from './tables.ts'

/** Members as they are stored; each answer is one statement, and so of one moment. */
export interface Reader {
  find(tables: Tables, id: string): Promise<StoredMember | undefined>
  /** 503 for a selection that takes longer than `scanMs`; it never holds up others. */
  list(tables: Tables, selection: Selection): Promise<Page>
}

/** From so many rows of an index on, a page is read where it does not stand before others. */
const MOST_ROWS = 20_000
/** So far is counted off from the beginning. */
const DEEPEST = 10_000

/** What a class is asked most often, made when it is first asked. */
interface Prepared {
  readonly find: string
  readonly unfiltered: UnfilteredPages
  readonly dialect: Dialect
}

export function createReader({ quick, slow }: Connections, scanMs: number): Reader {
  const known = new WeakMap<Tables, Prepared>()
  // PostgreSQL ends a statement after the same time.
  const scans = createScans(scanMs, isCanceled)

  function prepare(tables: Tables): Prepared {
    const found = known.get(tables)
    if (found !== undefined) return found
    const made = {
      find: `SELECT id, version, body, holes FROM ${tables.members} WHERE id = $1`,
      unfiltered: createUnfilteredPages(tables),
      dialect: dialectOf(tables),
    }
    known.set(tables, made)
    return made
  }

  return {
    async find(tables, id) {
      // No member has it, and PostgreSQL takes none.
      if (id.includes('\0')) return undefined
      const [row] = await quick.run<[string, number, string, string]>(prepare(tables).find, [id])
      return row && { id: row[0], version: row[1], body: row[2], holes: row[3] }
    },
    async list(tables, selection) {
      const { unfiltered, dialect } = prepare(tables)
      const isDeep = selection.start.at === 'offset' && selection.start.offset > DEEPEST
      if (isUnfiltered(selection))
        return isDeep ? scans.run(() => unfiltered(slow.run, selection)) : unfiltered(quick.run, selection)
      const query = toQuery(dialect, selection)
      const { statement, isQuick } = statementFor(dialect, query)
      return isQuick && !isDeep
        ? readPage(quick.run, statement, dialect, query)
        : scans.run(() => readPage(slow.run, statement, dialect, query, 'summed'))
    },
  }
}

export function statementFor(
  dialect: Dialect,
  query: Query,
): { readonly statement: (fit: Fit) => Sql; readonly isQuick: boolean } {
  const plan = indexPlan(dialect, query)
  return plan?.isSingle
    ? {
        statement: (fit) => singleIndexPage(dialect, query, plan, fit),
        isQuick: isQuick(plan, query) && rowsRead(plan, query) <= MOST_ROWS,
      }
    : { statement: (fit) => searchPage(dialect, query, fit), isQuick: false }
}

/** At most: as many of each range as the page may take from it. */
const rowsRead = ({ ranges }: IndexPlan, query: Query): number =>
  ranges.length * (offsetOf(query) + query.limit + 1)

/** A page of all members in the order of creation: by far the most frequent kind, so its statements are fixed. */
type UnfilteredPages = (run: Run, selection: Selection) => Promise<Page>

function createUnfilteredPages(tables: Tables): UnfilteredPages {
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
