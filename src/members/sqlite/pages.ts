import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { type ArrayStatement, arrays } from '../../database/sqlite/connection.ts'
import type { Key } from '../../vocabulary/index-keys.ts'
import { hasAccountLinks } from '../../vocabulary/keys.ts'
import { limited, type OrderedRows } from '../query/compile.ts'
import { columnOf, type Dialect, fill, type Sql, sql } from '../query/dialect.ts'
import { accountIn, offsetOf, type StoredQuery, sortColumns } from '../query/filters.ts'
import { type PageMemberRow, type PageRows, sharesOf, totalSeen } from '../query/page.ts'
import { scanTimeout } from '../query/scans.ts'
import { MAX_COUNTED, type Selection } from '../selection.ts'
import { formerOf, type SqliteTables } from './tables.ts'

/** The row budget is used up: another access path may be shorter. */
export class TooManyRows extends Error {}

/** Prepares statements whose text depends on the query, and limits their work. */
export interface LimitedReader {
  /** Prepared once for each text. */
  statement(sql: string): ArrayStatement
  /** `rows`: how often `tick()` may be called in `work`; `deadline` in terms of `performance.now()`. */
  limit<T>(rows: number, deadline: number, work: () => T): T
}

/** How many prepared statements are cached. */
const MAX_CACHED = 256
/** Longer texts have many values: they are rarely the same twice, and take the most memory. */
const LONGEST_CACHED = 4_096

/** A connection has one function `tick()`, and so one reader. */
const readers = new WeakMap<DatabaseSync, LimitedReader>()

/**
 * node:sqlite cannot interrupt a statement, but a function within it can throw: `tick()`, called for rows (read.ts).
 * `scanMs`: the time limit, for the message.
 */
export function readerOf(db: DatabaseSync, scanMs: number): LimitedReader {
  const known = readers.get(db) ?? createReader(db, scanMs)
  readers.set(db, known)
  return known
}

function createReader(db: DatabaseSync, scanMs: number): LimitedReader {
  const cached = new BoundedMap<string, ArrayStatement>(MAX_CACHED)
  let left = Number.POSITIVE_INFINITY
  let end = Number.POSITIVE_INFINITY
  db.function('tick', () => {
    left -= 1
    if (left < 0) throw new TooManyRows()
    if (performance.now() >= end) throw scanTimeout(scanMs)
    return 1
  })
  return {
    statement(sql) {
      const known = cached.get(sql)
      if (known !== undefined) return known
      const statement = arrays(db, sql)
      if (sql.length <= LONGEST_CACHED) cached.set(sql, statement)
      return statement
    },
    limit(rows, deadline, work) {
      const before = [left, end] as const
      ;[left, end] = [rows, deadline]
      try {
        return work()
      } finally {
        ;[left, end] = before
      }
    },
  }
}

type PageSize = Pick<Selection, 'limit' | 'byteBudget'>
type Params = readonly (Key | null)[]

/** How the rows of a page are read. */
interface PageReading {
  all(statement: ArrayStatement, params: Params): PageMemberRow[]
  /** Whether no further member fits into the page. */
  isFull(): boolean
}

/**
 * The first two parameters are the maximum lengths of the two texts: a longer text is read as null. SQLite knows the
 * length of a text without reading the text.
 */
const bodyOf = (row: string): string => `CASE WHEN octet_length(${row}.body) <= ?1 THEN ${row}.body END`
const offsetsOf = (row: string): string => `CASE WHEN octet_length(${row}.holes) <= ?2 THEN ${row}.holes END`
const memberColumns = (tables: SqliteTables): string =>
  `m.id, m.version, ${bodyOf('m')}, ${offsetsOf('m')}, m.owner, m.sequence, ${formerOf(tables, 'm')}`
/** Reads the copy of a member if there is one, from a row of an owner or of an account. */
const COPIED = `ifnull(o.id, m.id), ifnull(o.version, m.version),
  CASE WHEN o.body IS NULL THEN ${bodyOf('m')} ELSE ${bodyOf('o')} END,
  CASE WHEN o.body IS NULL THEN ${offsetsOf('m')} ELSE ${offsetsOf('o')} END, o.owner, o.sequence, NULL`

/**
 * The rows of a page, as far as they fit (hypermedia.md, Paging). Nearly always no member has more than its share, and
 * all are read at once. `isLong`: a search, which would take long to run twice.
 */
function readPage(
  size: PageSize,
  readRows: (reading: PageReading) => PageMemberRow[],
  isLong = false,
): PageRows {
  const { limit } = size
  const [body, baseUrlOffsets] = sharesOf(size)
  const atOnce: PageReading = {
    all: (statement, params) => statement.all<PageMemberRow>(body, baseUrlOffsets, ...params),
    isFull: () => false,
  }
  const isWhole = (row: PageMemberRow, index: number) =>
    index >= limit || (row[2] !== null && row[3] !== null)
  const found = isLong ? undefined : readRows(atOnce)
  if (found?.every(isWhole)) return shown(found, limit, false)
  const reading = oneByOne(size)
  return shown(readRows(reading), limit, reading.isFull())
}

/** Removes the row beyond the page, if there is one. */
function shown(rows: PageMemberRow[], limit: number, isTruncated: boolean): PageRows {
  const isLonger = rows.length > limit
  if (isLonger) rows.pop()
  return { rows, more: isLonger || isTruncated }
}

const UNBOUNDED = Number.MAX_SAFE_INTEGER

/** Adds up the sizes of the members, which takes a third longer. */
function oneByOne({ byteBudget }: PageSize): PageReading {
  let taken = 0
  let bytes = 0
  let isFull = false
  return {
    all(statement, params) {
      const rows: PageMemberRow[] = []
      try {
        for (const row of statement.iterate<PageMemberRow>(UNBOUNDED, UNBOUNDED, ...params)) {
          bytes += bytesOf(row, byteBudget.link)
          isFull = taken > 0 && bytes > byteBudget.bytes
          if (isFull) break
          taken += 1
          rows.push(row)
        }
      } catch (error) {
        reset(statement, params)
        throw error
      }
      return rows
    },
    isFull: () => isFull,
  }
}

/** The size of a member as it is served, without its address and its type. */
const bytesOf = ([, , body, baseUrlOffsets]: PageMemberRow, link: number): number =>
  Buffer.byteLength(body) + (baseUrlOffsets === '' ? 0 : link * baseUrlOffsets.split(',').length)

/**
 * node:sqlite does not reset a statement whose iteration has thrown, and its next iteration would throw the same error,
 * without its class: in SQLite, resetting a failed statement returns its error again.
 */
function reset(statement: ArrayStatement, params: Params): void {
  try {
    statement.iterate(UNBOUNDED, UNBOUNDED, ...params)
  } catch {
    // The statement is reset now.
  }
}

export type UnfilteredRows = (selection: Selection) => PageRows

/**
 * Pages of all members, of one owner's, or of those that link to an account, in the order of creation, by far the most
 * frequent kinds: one statement, prepared at start. A page at an offset reads no row beyond itself.
 */
export function createUnfilteredRows(db: DatabaseSync, tables: SqliteTables): UnfilteredRows {
  const { members, owned, linked, shapes } = tables
  const MEMBER = memberColumns(tables)
  const prepare = (row: 'm' | 'o', columns: string, from: string) => {
    const select = (rest: string) => arrays(db, `SELECT ${columns} FROM ${from} ${rest}`)
    return {
      // The plus: SQLite plans again for each value of a bare LIMIT ?, which costs a third of the query.
      offset: select(`ORDER BY ${row}.sequence LIMIT +? OFFSET +?`),
      after: select(`AND ${row}.sequence > ? ORDER BY ${row}.sequence LIMIT +?`),
      before: select(`AND ${row}.sequence < ? ORDER BY ${row}.sequence DESC LIMIT +?`),
    }
  }
  // SQLite looks for no member with the number null. A copy does not say which form it has.
  const isCopied = 'CASE WHEN o.body IS NULL THEN o.sequence END'
  const prepareCopied = (table: string, test: string) =>
    !tables.isMixed
      ? prepare('o', COPIED, `${table} o LEFT JOIN ${members} m ON m.sequence = ${isCopied} WHERE ${test}`)
      : prepare('o', MEMBER, `${table} o CROSS JOIN ${members} m ON m.sequence = o.sequence WHERE ${test}`)
  const ofAll = prepare('m', MEMBER, `${members} m WHERE true`)
  const ofOwner = prepareCopied(owned, 'o.owner = ?')
  const ofAccount = hasAccountLinks(shapes)
    ? prepareCopied(linked, 'o.property = ? AND o.account = ?')
    : undefined

  function statementsFor(selection: Selection): [ReturnType<typeof prepare>, Params] {
    const { owner } = selection
    const account = accountIn(selection)
    if (account !== undefined && ofAccount !== undefined)
      return [ofAccount, [columnOf({ tables }, account.property).index, account.account]]
    return owner === undefined ? [ofAll, []] : [ofOwner, [owner]]
  }

  return (selection) =>
    readPage(selection, ({ all }) => {
      const { start, limit } = selection
      const [statements, first] = statementsFor(selection)
      if (start.at === 'offset') return all(statements.offset, [...first, limit, start.offset])
      const end = start.position === 'end' ? Number.MAX_SAFE_INTEGER : start.position.sequence
      return all(statements[start.at], [...first, end, limit + 1])
    })
}

/** The index from which the members of a query are read, and the order. */
export interface AccessPath {
  /** How many rows may be read before another path is taken. */
  readonly budget: number
  /** The members from the beginning of the page, read one query after the other until it is full. */
  readonly rows: readonly OrderedRows[]
  /** All matching members, each once. */
  readonly matching: () => Sql
}

/** The rows of a page by an access path. */
export function readRows(
  reader: LimitedReader,
  { tables }: Dialect<SqliteTables>,
  query: StoredQuery,
  path: AccessPath,
  isLong = false,
): PageRows {
  const { limit, order } = query
  const columns = [memberColumns(tables), ...sortColumns(order).map(({ name }) => `w.${name}`)].join(', ')
  const read = ({ all, isFull }: PageReading): PageMemberRow[] => {
    const rows: PageMemberRow[] = []
    let skip = offsetOf(query)
    for (const ordered of path.rows) {
      const { text, params } = limited(ordered, limit + 1 - rows.length, skip)
      // Bodies are read only for the page, in the order of the rows of the query.
      const statement = reader.statement(
        `SELECT ${columns} FROM (${text}) w CROSS JOIN ${tables.members} m ON m.sequence = w.sequence`,
      )
      const found = all(statement, params)
      rows.push(...found)
      if (rows.length > limit || isFull()) break
      if (skip > 0) skip = found.length > 0 ? 0 : skip - count(reader, limited(ordered, skip))
    }
    return rows
  }
  return readPage(query, read, isLong)
}

/** The number of matches; undefined if there are more than are counted. */
export function countMatching(
  reader: LimitedReader,
  query: StoredQuery,
  path: AccessPath,
  page: PageRows,
): number | undefined {
  const most = query.count === 'exact' ? Number.MAX_SAFE_INTEGER - 1 : MAX_COUNTED
  const total = totalSeen(page, query) ?? countUpTo(reader, most + 1, path.matching())
  return total > most ? undefined : total
}

export const countUpTo = (reader: LimitedReader, most: number, rows: Sql): number =>
  count(reader, fill('$ LIMIT $', rows, sql('CAST(? AS bigint)', most)))

export const count = (reader: LimitedReader, { text, params }: Sql): number =>
  Number(reader.statement(`SELECT count(*) FROM (${text})`).get(...params)?.[0])

/** The total of all members, of one owner's, or of those that link to an account: a counter, which every write updates. */
export function readTotal(
  reader: LimitedReader,
  tables: SqliteTables,
  query: Pick<Selection, 'owner' | 'filters'>,
): number {
  const { classId } = tables
  const { owner } = query
  const account = accountIn(query)
  const total = (from: string, ...params: (number | string)[]) =>
    Number(reader.statement(`SELECT total FROM ${from}`).get(...params)?.[0] ?? 0)
  if (account !== undefined)
    return total(
      'account_totals WHERE class_id = ? AND property = ? AND account = ?',
      ...[classId, columnOf({ tables }, account.property).index, account.account],
    )
  return owner === undefined
    ? total('classes WHERE id = ?', classId)
    : total('owner_totals WHERE class_id = ? AND owner = ?', classId, owner)
}
