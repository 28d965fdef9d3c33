import { setImmediate as immediate } from 'node:timers/promises'
import { and, byCreation, type Dialect, type QueryTables, type Sql, sql } from '../query/dialect.ts'
import { offsetOf, type Query, toQuery } from '../query/filters.ts'
import { isUnfiltered, type Row, toMember } from '../query/page.ts'
import { type IndexPlan, indexPlan, isQuick } from '../query/plan.ts'
import { createScans } from '../query/scans.ts'
import type { MemberStore, Page, StoredMember } from '../store.ts'
import { isCanceled } from './errors.ts'
import { searchPage, singleIndexPage } from './page-statements.ts'
import { type RoomTest, readPage, unfilteredPage } from './pages.ts'
import type { Pools, Run } from './pool.ts'
import { arrayOf, isStorable, keyOf, keyText, type Tables } from './tables.ts'

/** A page that may read more rows of an index is read on the slow connections. */
const MAX_ROWS = 20_000
/** A larger offset is read on the slow connections. */
const MAX_OFFSET = 10_000

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

/**
 * Each answer is one statement, and so one snapshot. `tablesOf`: the tables of a class, undefined where it has no members.
 */
export function createReads(
  { quick, slow }: Pools<'quick' | 'slow'>,
  scanMs: number,
  tablesOf: (className: string) => Tables | undefined,
): Pick<MemberStore, 'find' | 'findWithHidden' | 'findAll' | 'list'> {
  // PostgreSQL cancels a statement after the same time.
  const scans = createScans(scanMs, isCanceled)
  const find = createFind(quick.run)

  return {
    find(className, id) {
      const tables = tablesOf(className)
      return tables && isStorable(id) ? find(tables.members, id) : undefined
    },
    async findWithHidden(className, id) {
      const tables = tablesOf(className)
      if (tables === undefined || !isStorable(id)) return undefined
      const text = `SELECT version, body, holes, hidden, owner FROM ${tables.members} WHERE id = $1`
      const [row] = await quick.run<[number, string, string, string, number | null]>(text, [id])
      if (row === undefined) return undefined
      const [version, body, holes, hidden, owner] = row
      return { id, version, body, holes, hidden, owner: owner ?? undefined }
    },
    async findAll(className, ids, bytes, owner) {
      const tables = tablesOf(className)
      if (tables === undefined) return []
      const rows = await quick.run<Row>(
        `SELECT id, version, body, holes, owner, sequence FROM (
           SELECT m.*, i.place, sum(octet_length(m.body)) OVER (ORDER BY i.place) - octet_length(m.body) AS before
           FROM unnest($1::text[]) WITH ORDINALITY AS i (id, place) JOIN ${tables.members} m ON m.id = i.id
           WHERE $3::bigint IS NULL OR m.owner = $3::bigint
         ) f WHERE before <= $2::bigint ORDER BY place`,
        [arrayOf(ids), bytes, owner ?? null],
      )
      return rows.map(toMember)
    },
    async list(className, selection) {
      const tables = tablesOf(className)
      if (tables === undefined) return NO_MEMBERS
      const dialect = dialectOf(tables)
      const query = toQuery(dialect, selection)
      const { statement, isQuick } = isUnfiltered(selection)
        ? { statement: (test: RoomTest) => unfilteredPage(tables, selection, test), isQuick: true }
        : statementFor(dialect, query)
      const page =
        isQuick && offsetOf(query) <= MAX_OFFSET
          ? await readPage(quick.run, statement, query, dialect.read)
          : await scans.run(() => readPage(slow.run, statement, query, dialect.read, 'sum'))
      // An unfiltered page at an offset reads no row beyond itself: the total tells whether there are more.
      if (!isUnfiltered(selection) || query.start.at !== 'offset') return page
      return { ...page, more: query.start.offset + page.members.length < (page.total ?? 0) }
    },
  }
}

/**
 * Members of a class that are looked up in one turn of the event loop are read by one statement at its end: the driver's
 * cost of a statement is more than that of a row.
 */
function createFind(run: Run): (members: string, id: string) => Promise<StoredMember | undefined> {
  const open = new Map<string, { readonly ids: Set<string>; readonly found: Promise<Found> }>()

  async function findAll(members: string, ids: ReadonlySet<string>): Promise<Found> {
    await immediate()
    open.delete(members)
    const text = `SELECT id, version, body, holes, owner, sequence FROM ${members} WHERE id = ANY ($1::text[])`
    const rows = await run<Row>(text, [arrayOf([...ids])])
    return new Map(rows.map((row) => [row[0], toMember(row)]))
  }

  return async (members, id) => {
    const known = open.get(members)
    const ids = known?.ids ?? new Set()
    ids.add(id)
    const found = known?.found ?? findAll(members, ids)
    if (known === undefined) open.set(members, { ids, found })
    return (await found).get(id)
  }
}

type Found = ReadonlyMap<string, StoredMember>

export function statementFor(
  dialect: Dialect,
  query: Query,
): { readonly statement: (test: RoomTest) => Sql; readonly isQuick: boolean } {
  const plan = indexPlan(dialect, query)
  return plan?.isSingle
    ? {
        statement: (test) => singleIndexPage(dialect, query, plan, test),
        isQuick: isQuick(plan, query) && rowsRead(plan, query) <= MAX_ROWS,
      }
    : { statement: (test) => searchPage(dialect, query, test), isQuick: false }
}

/** An upper bound: of each range, as many as the page may take from it. */
const rowsRead = ({ ranges }: IndexPlan, query: Query): number =>
  ranges.length * (offsetOf(query) + query.limit + 1)

/** PostgreSQL chooses, by its statistics, which filter's index is read: each is written so that its index can be used. */
export const dialectOf = (tables: QueryTables): Dialect => ({
  tables,
  write: keyText,
  read: (written) => keyOf(String(written)),
  text: (column) => `substr(${column}, 2)`,
  find: 'strpos',
  isOneOf: (column, keys) => sql(`${column} = ANY (?::text[])`, arrayOf(keys.map(String))),
  unindexed: (column) => column,
  position: '(?, ?)',
  valuesOfMember: (alias) => `${tables.values} ${alias}`,
  hasWords: (words) =>
    and(
      words.map((word) =>
        sql(`k.sequence IN (SELECT w.sequence FROM ${tables.words} w WHERE w.word = ?)`, word),
      ),
    ),
  withWords: ([word = '']) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.sequence',
    key: undefined,
    fixed: [sql('w.word = ?', word)],
  }),
  mostWords: 1,
  ofOwner: (owner) => ({ ...byCreation(tables), fixed: [sql('k.owner = ?', owner)] }),
})
