import type { Dialect } from '../query/dialect.ts'
import { type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered } from '../query/page.ts'
import { indexPlan, isQuick } from '../query/plan.ts'
import { createScans } from '../query/scans.ts'
import type { Sql } from '../query/sql.ts'
import type { Page, Selection, StoredMember } from '../store.ts'
import type { Connections } from './connections.ts'
import { dialectOf } from './dialect.ts'
import { isCanceled } from './errors.ts'
import { type Fit, readPage } from './pages.ts'
import { searchPage } from './search.ts'
import { singleIndexPage } from './single-index.ts'
import type { Tables } from './tables.ts'
import { createUnfilteredPages, type UnfilteredPages } from './unfiltered.ts'

/** Members as they are stored; each answer is one statement, and so of one moment. */
export interface Reader {
  find(tables: Tables, id: string): Promise<StoredMember | undefined>
  /** 503 for a selection that takes longer than `scanMs`; it never holds up others. */
  list(tables: Tables, selection: Selection): Promise<Page>
}

/** So far is counted off from the beginning. */
const DEEPEST = 10_000

/** What a class is asked most often, made when it is first asked. */
interface Prepared {
  readonly find: string
  readonly unfiltered: UnfilteredPages
  readonly dialect: Dialect
}

export function createReader({ reads, scans: pool }: Connections, scanMs: number): Reader {
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
      const [row] = await reads.run<[string, number, string, string]>(prepare(tables).find, [id])
      return row && { id: row[0], version: row[1], body: row[2], holes: row[3] }
    },
    async list(tables, selection) {
      const { unfiltered, dialect } = prepare(tables)
      const isDeep = selection.start.at === 'offset' && selection.start.offset > DEEPEST
      if (isUnfiltered(selection))
        return isDeep ? scans.run(() => unfiltered(pool.run, selection)) : unfiltered(reads.run, selection)
      const query = toQuery(dialect, selection)
      const { statement, isQuick } = statementFor(dialect, query)
      return isQuick && !isDeep
        ? readPage(reads.run, statement, dialect, query)
        : scans.run(() => readPage(pool.run, statement, dialect, query, 'summed'))
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
        isQuick: isQuick(plan, query),
      }
    : { statement: (fit) => searchPage(dialect, query, fit), isQuick: false }
}
