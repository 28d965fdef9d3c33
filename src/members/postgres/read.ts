import { setImmediate as immediate } from 'node:timers/promises'
import { arrayOf } from '../../database/postgres/arrays.ts'
import { isCanceled } from '../../database/postgres/errors.ts'
import type { Pool, RunSql } from '../../database/postgres/pool.ts'
import type { Key } from '../../vocabulary/index-keys.ts'
import { type StoredMember, toLinkPage } from '../member.ts'
import { type MemberStore, NO_MEMBERS, type Page } from '../member-store.ts'
import { type Dialect, fill, join, type QueryTables, type Sql, sql } from '../query/dialect.ts'
import { isCounted, offsetOf, type StoredQuery, sortColumns, toQuery } from '../query/filters.ts'
import { isUnfiltered, type PageMemberRow, type PageRows, sharesOf, toMember, toPage } from '../query/page.ts'
import { type IndexPlan, indexPlan, isQuick } from '../query/plan.ts'
import { createScans } from '../query/scans.ts'
import { MAX_COUNTED, type Selection } from '../selection.ts'
import { Totals } from '../totals.ts'
import { numbered, type PageSql, searchPage, singleIndexPage } from './pages.ts'
import { summarize } from './summary.ts'
import { dialectOf, isStorable, type PostgresTables } from './tables.ts'
import { totalOf } from './totals.ts'

/** A page that may read more rows of an index is read on the slow connections. */
const MAX_ROWS = 20_000
/** A larger offset is read on the slow connections. */
const MAX_OFFSET = 10_000

/**
 * Each result is one statement, and so one snapshot. `tablesOf`: the tables of a class, undefined if it has no members.
 */
export function createReads(
  { quick, slow }: Readonly<Record<'quick' | 'slow', Pick<Pool, 'run'>>>,
  scanMs: number,
  tablesOf: (className: string) => PostgresTables | undefined,
): Pick<MemberStore, 'find' | 'findWithHidden' | 'findAll' | 'findHeads' | 'linksTo' | 'list' | 'summarize'> {
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
      const [version, body, baseUrlOffsets, hidden, owner] = row
      return { id, version, body, baseUrlOffsets, hidden, owner: owner ?? undefined }
    },
    async findAll(className, ids, bytes, owner) {
      const tables = tablesOf(className)
      if (tables === undefined) return []
      const rows = await quick.run<PageMemberRow>(
        `SELECT id, version, body, holes, owner, sequence FROM (
           SELECT m.*, i.place, sum(octet_length(m.body)) OVER (ORDER BY i.place) - octet_length(m.body) AS before
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
      const page =
        isQuick && offsetOf(query) <= MAX_OFFSET
          ? await readPage(quick.run, statement, query, dialect.read)
          : await scans.run(() => readPage(slow.run, statement, query, dialect.read, 'sum'), selection.place)
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

/**
 * Members of a class that are looked up in one turn of the event loop are read by one statement at its end: the driver's
 * cost of a statement is more than that of a row.
 */
function createFind(run: RunSql): (members: string, id: string) => Promise<StoredMember | undefined> {
  const open = new Map<string, { readonly ids: Set<string>; readonly found: ReturnType<typeof findAll> }>()

  async function findAll(members: string, ids: ReadonlySet<string>): Promise<Map<string, StoredMember>> {
    await immediate()
    open.delete(members)
    const text = `SELECT id, version, body, holes, owner, sequence FROM ${members} WHERE id = ANY ($1::text[])`
    const rows = await run<PageMemberRow>(text, [arrayOf([...ids])])
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

export function statementFor(
  dialect: Dialect,
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

/**
 * A row of a page, with the total as its last column. A page without members is one row without an id; a member that does
 * not fit into the page is a row without text.
 */
type PageRow = [...PageMemberRow, total: number | null]

const PAGE_COLUMNS =
  'f.id, f.version, CASE WHEN f.fits THEN f.body END, CASE WHEN f.fits THEN f.holes END, f.owner, f.sequence'

/**
 * How to decide whether a member fits into a page. `share`: its length is at most an equal share, as in nearly every
 * page; `sum`: the lengths up to it are added up, which costs half as much again.
 */
export type SizeTest = 'share' | 'sum'

/** Whether a row of `w` fits. PostgreSQL knows the length of a text without reading the text. */
function fitsBudget(test: SizeTest, orderBy: string, asked: Pick<Selection, 'byteBudget' | 'limit'>): Sql {
  if (test === 'share')
    return sql('octet_length(w.body) <= ?::int AND octet_length(w.holes) <= ?::int', ...sharesOf(asked))
  const links = `CASE w.holes WHEN '' THEN 0
    ELSE 1 + octet_length(w.holes) - octet_length(replace(w.holes, ',', '')) END`
  const over = `OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING)`
  return sql(
    `(sum(octet_length(w.body) + ?::bigint * ${links}) ${over} <= ?::bigint OR row_number() ${over} = 1)`,
    ...[asked.byteBudget.link, asked.byteBudget.bytes],
  )
}

/** All members in the order of creation: by far the most frequent page. */
export function unfilteredPage(tables: QueryTables, selection: Selection, test: SizeTest): Sql {
  const { owner } = selection
  const way = selection.start.at === 'before' ? 'DESC' : 'ASC'
  return fill(
    `SELECT ${PAGE_COLUMNS}, t.total FROM $ t LEFT JOIN LATERAL (
       SELECT w.*, $ AS fits FROM (SELECT id, version, body, holes, owner, sequence FROM ${tables.members} $) w
     ) f ON true ORDER BY f.sequence ${way}`,
    totalOf(tables, selection),
    fitsBudget(test, `w.sequence ${way}`, selection),
    owner === undefined ? rowsOfAll(selection) : rowsOfOwner(selection, owner),
  )
}

function rowsOfAll({ start, limit }: Selection): Sql {
  if (start.at === 'offset') return sql('ORDER BY sequence LIMIT ? OFFSET ?', limit, start.offset)
  const [way, beyond] = start.at === 'before' ? ['DESC', '<'] : ['ASC', '>']
  return sql(`WHERE sequence ${beyond} ? ORDER BY sequence ${way} LIMIT ?`, sequenceOf(start), limit + 1)
}

/**
 * A range of the index by owner, in its order. With `owner = ?`, PostgreSQL might read the primary key in the order of
 * creation instead, and skip the members of all other owners, if it expects this owner to have most.
 */
function rowsOfOwner({ start, limit }: Selection, owner: number): Sql {
  if (start.at === 'offset')
    return sql(
      'WHERE owner >= ? AND owner <= ? ORDER BY owner, sequence LIMIT ? OFFSET ?',
      ...[owner, owner, limit, start.offset],
    )
  const [way, beyond, bound] = start.at === 'before' ? ['DESC', '<', '>='] : ['ASC', '>', '<=']
  return sql(
    `WHERE (owner, sequence) ${beyond} (?, ?) AND owner ${bound} ? ORDER BY owner ${way}, sequence ${way} LIMIT ?`,
    ...[owner, sequenceOf(start), owner, limit + 1],
  )
}

const sequenceOf = ({ position }: Exclude<Selection['start'], { at: 'offset' }>): number =>
  position === 'end' ? Number.MAX_SAFE_INTEGER : position.sequence

/** Rows and total in one statement, and so in one snapshot. */
export function pageOf(
  tables: QueryTables,
  asked: Pick<Selection, 'order' | 'byteBudget' | 'limit'>,
  test: SizeTest,
  { rows, orderBy, total, before = [] }: PageSql,
): Sql {
  const keys = sortColumns(asked.order).map(({ name }) => `, f.${name}`)
  const page = fill(
    `w AS MATERIALIZED (
       SELECT w.*, m.id, m.version, m.body, m.holes, m.owner
       FROM ($) w JOIN ${tables.members} m ON m.sequence = w.sequence
     )`,
    rows,
  )
  return fill(
    `WITH $ SELECT ${PAGE_COLUMNS}${keys.join('')}, t.total
     FROM $ t LEFT JOIN (SELECT w.*, $ AS fits FROM w) f ON true ORDER BY ${orderBy}`,
    join([...before, page], ', '),
    total,
    fitsBudget(test, orderBy, asked),
  )
}

type PageQuery = Pick<StoredQuery, 'start' | 'order' | 'limit' | 'count' | 'filters'>

/** `read`: reads a key from a column. `test`: the test to try first; `sum` if a second read would take long. */
export async function readPage(
  run: RunSql,
  statement: (test: SizeTest) => Sql,
  asked: PageQuery,
  read: (written: Key) => Key,
  test: SizeTest = 'share',
): Promise<Page> {
  const query = statement(test)
  const found = await run<PageRow>(numbered(query), query.params)
  const rows = found[0]?.[0] == null ? [] : found
  const isTruncated = rows.some(([, , body], index) => body === null && index < asked.limit)
  if (isTruncated && test === 'share') return readPage(run, statement, asked, read, 'sum')
  const counted = (found[0]?.at(-1) as number | null) ?? null
  return toPage(shownOf(rows, asked.limit), totalFor(counted, rows.length, asked), asked, read)
}

/** `rows`: one more than the page shows, if there are more. */
function shownOf(rows: readonly PageRow[], limit: number): PageRows {
  const cut = rows.findIndex(([, , body]) => body === null)
  const end = Math.min(limit, cut === -1 ? rows.length : cut)
  return { rows: rows.slice(0, end) as PageMemberRow[], more: rows.length > end }
}

/** `counted`: null if the page itself shows the total, because it is the last one, at an offset. */
function totalFor(counted: number | null, rows: number, asked: PageQuery): number | undefined {
  // A counter, which is exact beyond MAX_COUNTED.
  if (isCounted(asked)) return counted ?? undefined
  const total = counted ?? offsetOf(asked) + rows
  return asked.count === 'bounded' && total > MAX_COUNTED ? undefined : total
}
