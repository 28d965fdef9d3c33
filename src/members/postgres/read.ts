import { arrayOf } from '../../database/postgres/arrays.ts'
import { isCanceled } from '../../database/postgres/errors.ts'
import { toLinkPage } from '../member.ts'
import { type MemberStore, NO_MEMBERS } from '../member-store.ts'
import type { Dialect, Sql } from '../query/dialect.ts'
import { offsetOf, type StoredQuery, toQuery } from '../query/filters.ts'
import { isUnfiltered, type PageMemberRow, toMember } from '../query/page.ts'
import { type IndexPlan, indexPlan, isQuick } from '../query/plan.ts'
import { createScans } from '../query/scans.ts'
import { Totals } from '../totals.ts'
import { createCachedFind } from './find.ts'
import { createPageBatches } from './page-batch.ts'
import { pageOf, type ReadPageRow, readPage, rowOf, type SizeTest, unfilteredPage } from './page-statement.ts'
import { searchPage, singleIndexPage } from './pages.ts'
import { createStates, type ReadingPool } from './states.ts'
import { summarize } from './summary.ts'
import { dialectOf, formerOf, isStorable, type PostgresTables } from './tables.ts'

/** A page that may read more rows of an index is read on the slow connections. */
const MAX_ROWS = 20_000
/** A larger offset is read on the slow connections. */
const MAX_OFFSET = 10_000

/**
 * Each result is one statement, and so one snapshot. `tablesOf`: the tables of a class, undefined if it has no members.
 */
export function createReads(
  { quick, slow }: Readonly<Record<'quick' | 'slow', ReadingPool>>,
  scanMs: number,
  tablesOf: (className: string) => PostgresTables | undefined,
): Pick<
  MemberStore,
  'state' | 'find' | 'findWithHidden' | 'findAll' | 'findHeads' | 'linksTo' | 'list' | 'summarize'
> {
  // PostgreSQL cancels a statement after the same time.
  const scans = createScans(scanMs, isCanceled)
  const stateOf = createStates(quick)
  const find = createCachedFind(quick, stateOf)
  const batched = createPageBatches(quick.run)

  return {
    state(className) {
      const tables = tablesOf(className)
      return tables && stateOf(tables.classId)
    },
    find(className, id) {
      const tables = tablesOf(className)
      return tables && isStorable(id) ? find(tables, id) : undefined
    },
    async findWithHidden(className, id) {
      const tables = tablesOf(className)
      if (tables === undefined || !isStorable(id)) return undefined
      const text = `SELECT id, version, body, holes, owner, sequence, ${formerOf(tables, 'm')}, hidden
        FROM ${tables.members} m WHERE id = $1`
      const [row] = await quick.run<PageMemberRow>(text, [id])
      return row && { ...toMember(row), hidden: row.at(-1) as string }
    },
    async findAll(className, ids, bytes, owner) {
      const tables = tablesOf(className)
      if (tables === undefined) return []
      const rows = await quick.run<PageMemberRow>(
        `SELECT id, version, body, holes, owner, sequence, former FROM (
           SELECT m.*, ${formerOf(tables, 'm')} AS former, i.place, sum(octet_length(m.body)) OVER (ORDER BY i.place) - octet_length(m.body) AS before
           FROM unnest($1::text[]) WITH ORDINALITY AS i (id, place) JOIN ${tables.members} m ON m.id = i.id
           WHERE $3::bigint IS NULL OR m.owner = $3::bigint
         ) f WHERE before <= $2::bigint ORDER BY place`,
        [arrayOf(ids), bytes, owner ?? null],
      )
      return rows.map(toMember)
    },
    async findHeads(className, ids) {
      const tables = tablesOf(className)
      if (tables === undefined) return []
      const text = `SELECT id, version, owner FROM ${tables.members} WHERE id = ANY ($1::text[])`
      const rows = await quick.run<[string, number, number | null]>(text, [arrayOf(ids)])
      return rows.map(([id, version, owner]) => ({ id, version, owner: owner ?? undefined }))
    },
    async linksTo(className, ids, limit, after) {
      const { fromClass = '', property = '', fromId = '' } = after ?? {}
      const params = [className, arrayOf(ids), limit, ...(after ? [fromClass, property, fromId] : [])]
      const rows = await quick.run<LinkRow>(after ? LINKS_AFTER : LINKS, params)
      const links = rows.map(([toId, fromClass, property, fromId]) => ({
        ...{ toId, fromClass, property, fromId },
      }))
      return toLinkPage(links, limit)
    },
    async list(className, selection) {
      const tables = tablesOf(className)
      if (tables === undefined) return NO_MEMBERS
      const dialect = dialectOf(tables, tablesOf)
      const query = toQuery(dialect, selection)
      const { statement, isQuick } = isUnfiltered(selection)
        ? { statement: (test: SizeTest) => unfilteredPage(tables, selection, test), isQuick: true }
        : statementFor(dialect, query)
      const isSmall = isQuick && offsetOf(query) <= MAX_OFFSET
      const readRow = rowOf(isSmall ? quick.run : slow.run, statement)
      const isBatched = isSmall && isUnfiltered(selection) && selection.owner === undefined
      const readFirst: ReadPageRow = (test) =>
        isBatched && test === 'share' ? batched(tables, selection) : readRow(test)
      const page = isSmall
        ? await readPage(readFirst, query, dialect.read)
        : await scans.run(() => readPage(readRow, query, dialect.read, 'sum'), selection.place)
      // An unfiltered page at an offset reads no row beyond itself: the total shows whether there are more.
      if (!isUnfiltered(selection) || query.start.at !== 'offset') return page
      return { ...page, more: query.start.offset + page.members.length < (page.total ?? 0) }
    },
    async summarize(className, query) {
      const tables = tablesOf(className)
      if (tables === undefined) return new Totals(query).rows()
      return scans.run(() => summarize(slow.run, dialectOf(tables, tablesOf), query), query.place)
    },
  }
}

type LinkRow = [toId: string, fromClass: string, property: string, fromId: string]

/** LATERAL, so that each id is a range of the primary key, read no further than the limit. */
const linksText = (isPassed: string): string => `
  SELECT l.to_id, l.from_class, l.property, l.from_id
  FROM unnest($2::text[]) WITH ORDINALITY AS i (id, place) CROSS JOIN LATERAL (
    SELECT * FROM links WHERE to_class = $1 AND to_id = i.id ${isPassed}
    ORDER BY from_class, property, from_id LIMIT $3
  ) AS l ORDER BY i.place, l.from_class, l.property, l.from_id LIMIT $3`

const LINKS = linksText('')
const LINKS_AFTER = linksText('AND (i.place > 1 OR (from_class, property, from_id) > ($4, $5, $6))')

export function statementFor(
  dialect: Dialect<PostgresTables>,
  query: StoredQuery,
): { readonly statement: (test: SizeTest) => Sql; readonly isQuick: boolean } {
  const plan = indexPlan(dialect, query)
  const isSingle = plan?.isSingle === true
  const parts = isSingle ? singleIndexPage(dialect, query, plan) : searchPage(dialect, query)
  return {
    statement: (test) => pageOf(dialect.tables, query, test, parts),
    isQuick: isSingle && isQuick(plan, query) && rowsRead(plan, query) <= MAX_ROWS,
  }
}

/** An upper bound: for each range, as many rows as the page may take from it. */
const rowsRead = ({ ranges }: IndexPlan, query: StoredQuery): number =>
  ranges.length * (offsetOf(query) + query.limit + 1)
