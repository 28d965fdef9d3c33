import type { DatabaseSync } from 'node:sqlite'
import type { Awaitable } from '../../database/index.ts'
import type { Page } from '../member-store.ts'
import { columnOf, type Dialect } from '../query/dialect.ts'
import { isCounted, type StoredQuery, toQuery } from '../query/filters.ts'
import { isOfAccount, isUnfiltered, toPage } from '../query/page.ts'
import { indexPlan, isQuick } from '../query/plan.ts'
import { type Filter, isOfMany, type Selection } from '../selection.ts'
import { idsOf, isDriver } from './drivers.ts'
import { linkedOrderPath } from './linked-order.ts'
import {
  type AccessPath,
  countMatching,
  type LimitedReader,
  readRows,
  readTotal,
  TooManyRows,
  type UnfilteredRows,
} from './pages.ts'
import { countingPath, everyRow, indexPath, scanningPaths, selectivePath } from './paths.ts'
import type { SqliteTables } from './tables.ts'

export interface ListedClass {
  readonly dialect: Dialect<SqliteTables>
  readonly unfilteredRows: UnfilteredRows
}

/** If one filter has at most this many matches, the page is read on this thread. */
const FEW = 1_000
/** The row budget if a member has a row for each of its values. */
const ROWS_OF_MANY = 5_000

export type Search = (tables: SqliteTables, selection: Selection) => Awaitable<Page>

export type ListMembers = (cls: ListedClass, selection: Selection) => Awaitable<Page>

/** Runs reads that must be of one snapshot. */
export type InSnapshot = <T>(read: () => T) => T

/** Total and members are of one snapshot, whatever other processes write. */
export function createSnapshots(db: DatabaseSync): InSnapshot {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  return (read) => {
    begin.run()
    try {
      return read()
    } finally {
      commit.run()
    }
  }
}

/** Reads a page directly if an index limits the work, and by `search` otherwise. */
export function createListing(reader: LimitedReader, search: Search, inSnapshot: InSnapshot): ListMembers {
  return (cls, selection) => {
    if (isUnfiltered(selection) || isOfAccount(selection))
      return inSnapshot(() => unfilteredPage(cls, selection))
    const { dialect } = cls
    try {
      return inSnapshot(() => quickPage(dialect, selection)) ?? search(dialect.tables, selection)
    } catch (error) {
      if (error instanceof TooManyRows) return search(dialect.tables, selection)
      throw error
    }
  }

  function unfilteredPage({ unfilteredRows, dialect }: ListedClass, selection: Selection): Page {
    const { rows, more } = unfilteredRows(selection)
    const { start } = selection
    const total = readTotal(reader, dialect.tables, selection)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection, dialect.read)
  }

  /** Undefined where no index bounds the work. */
  function quickPage(dialect: Dialect<SqliteTables>, selection: Selection): Page | undefined {
    const query = resolveSteps(reader, dialect, toQuery(dialect, selection), FEW)
    const path = quickPath(dialect, query)
    return path && pageBy(path, dialect, query)
  }

  function quickPath(dialect: Dialect, query: StoredQuery): AccessPath | undefined {
    if (query.filters.some((filter) => isUnbounded(dialect, filter))) return undefined
    if (query.filters.length === 0 && query.order[0]?.through !== undefined)
      return linkedOrderPath(dialect, query, ROWS_OF_MANY)
    const plan = indexPlan(dialect, query)
    if (plan !== undefined && isQuick(plan, query)) return indexPath(dialect, query, plan)
    const isOfMany = plan?.sortFilter !== undefined && plan.others.length === 0 && query.count === 'bounded'
    return isOfMany
      ? indexPath(dialect, query, plan, ROWS_OF_MANY)
      : selectivePath(reader, dialect, query, FEW)
  }

  function pageBy(path: AccessPath, dialect: Dialect<SqliteTables>, query: StoredQuery): Page {
    return reader.limit(path.budget, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(reader, dialect, query, path)
      const total = isCounted(query)
        ? readTotal(reader, dialect.tables, query)
        : countMatching(reader, query, path, rows)
      return toPage(rows, total, query, dialect.read)
    })
  }
}

/**
 * `contains` may read megabytes, however few the members; FTS5 merges all words that begin alike before the first row; and a
 * step may lead to very many members or embedded values, unless it is a link of one value.
 */
function isUnbounded(dialect: Dialect, filter: Filter): boolean {
  if (filter.test === 'words') return filter.words.some(isOfMany)
  if (filter.test === 'any') return filter.filters.some((one) => isUnbounded(dialect, one))
  if (filter.test !== 'some' && filter.test !== 'none') return filter.test === 'contains'
  const { step, filters } = filter
  if (step.kind !== 'link' || columnOf(dialect, step.property).shape.many) return true
  const target = dialect.of(step.className)
  return target !== undefined && filters.some((one) => isUnbounded(target, one))
}

/** As many targets as one page merges. */
const MAX_TARGETS = 100

/**
 * Replaces filters on linked members by filters on the links, if few members match: these are answered as any other filter
 * is. `rows`: how many rows of other classes may be read for each.
 */
function resolveSteps(
  reader: LimitedReader,
  dialect: Dialect,
  query: StoredQuery,
  rows: number,
): StoredQuery {
  if (!query.filters.some(({ test }) => test === 'some')) return query
  return { ...query, filters: query.filters.map((filter) => resolveStep(reader, dialect, filter, rows)) }
}

function resolveStep(reader: LimitedReader, dialect: Dialect, filter: Filter, rows: number): Filter {
  if (filter.test !== 'some' || filter.step.kind !== 'link' || !isDriver(filter)) return filter
  const { property, className } = filter.step
  const target = dialect.of(className)
  if (target === undefined) return { property, test: 'in', keys: [] }
  const { text, params } = idsOf(target, filter.filters, everyRow)
  const statement = reader.statement(`${text} LIMIT ${MAX_TARGETS + 1}`)
  try {
    const found = reader.limit(rows, Number.POSITIVE_INFINITY, () => statement.all<[string]>(...params))
    return found.length > MAX_TARGETS ? filter : { property, test: 'in', keys: found.map(([id]) => id) }
  } catch (error) {
    if (error instanceof TooManyRows) return filter
    throw error
  }
}

/** Reading this many members in the order of an index takes as long as reading a million in the order of the table. */
const FEW_OF_A_SCAN = 20_000

/** Reads a page without a suitable index, in one snapshot; throws 503 after the deadline. */
export function search(
  reader: LimitedReader,
  dialect: Dialect<SqliteTables>,
  selection: Selection,
  deadline: number,
): Page {
  const query = resolveSteps(reader, dialect, toQuery(dialect, selection), FEW_OF_A_SCAN)
  /** Uses the first path whose row budget suffices. */
  function within<T>([path, ...others]: readonly AccessPath[], read: (path: AccessPath) => T): T {
    try {
      return reader.limit((path as AccessPath).budget, deadline, () => read(path as AccessPath))
    } catch (error) {
      if (error instanceof TooManyRows) return within(others, read)
      throw error
    }
  }

  const few = selectivePath(reader, dialect, query, FEW_OF_A_SCAN)
  const paths = few === undefined ? scanningPaths(dialect, query, FEW_OF_A_SCAN) : [few]
  const rows = within(paths, (path) => readRows(reader, dialect, query, path, true))
  const isCountedApart = few === undefined && query.count === 'exact'
  const counting = isCountedApart ? [countingPath(dialect, query)] : paths
  const total = isCounted(query)
    ? readTotal(reader, dialect.tables, query)
    : within(counting, (path) => countMatching(reader, query, path, rows))
  return toPage(rows, total, query, dialect.read)
}
