import { late } from '../query/scans.ts'
import type { Awaitable, Page, Selection } from '../store.ts'
import type { ClassStates } from './class-states.ts'
import { TooLate, TooManyRows, unguarded } from './meter.ts'
import { isPlain, type PlainRows } from './plain.ts'
import { driven, isFiltered, type Plan, straight } from './planning.ts'
import { countMatching, readRows, toPage } from './reading.ts'
import type { Scanner } from './scanner.ts'
import { type Reader, search, totalOf } from './search.ts'
import type { Tables } from './tables.ts'

export interface Listed {
  readonly name: string
  readonly tables: Tables
  readonly plainRows: PlainRows
}

/** From so few matches of one filter a page is put together at once. */
const FEW = 1_000
/** A writer that gets in between so often is not there: each try takes microseconds, each write milliseconds. */
const MOST_TRIES = 10

/**
 * Pages: at once where an index bounds the work, and on a scan thread otherwise. Without a scanner (a database in
 * memory belongs to one connection) the search is made here, and others wait for it until `scanMs` are over.
 */
export function createListing(
  reader: Reader,
  states: ClassStates,
  scanner: Scanner | undefined,
  scanMs: number,
): (cls: Listed, selection: Selection) => Awaitable<Page> {
  const { statements, meter } = reader

  return (cls, selection) => {
    if (isPlain(selection)) return inOneState(cls.name, (state) => plainPage(cls, selection, state))
    const plan = planFor(cls.tables, selection)
    if (plan === undefined) return scan(cls, selection)
    try {
      return inOneState(cls.name, (state) => pageBy(plan, cls, selection, state))
    } catch (error) {
      if (error instanceof TooManyRows) return scan(cls, selection)
      throw error
    }
  }

  /**
   * Total and members belong together: once more when another process has written in between, or since it was last
   * looked at. One look a page, behind it, is enough.
   */
  function inOneState(className: string, read: (state: number) => Page): Page {
    let state = states.lastSeen(className)
    for (let tries = 1; ; tries += 1) {
      const page = read(state)
      const now = states.of(className)
      if (now === state || tries === MOST_TRIES) return page
      state = now
    }
  }

  function plainPage(cls: Listed, selection: Selection, state: number): Page {
    const { rows, more } = cls.plainRows(selection)
    const { start } = selection
    const total = totalIn(cls, state)
    const isMore = start.at === 'offset' ? start.offset + rows.length < total : more
    return toPage({ rows, more: isMore }, total, selection)
  }

  /** Nothing where no index bounds the work; `contains` may have to look through megabytes, however few the members. */
  function planFor(tables: Tables, selection: Selection): Plan | undefined {
    if (selection.conditions.some(({ test }) => test === 'contains')) return undefined
    const isCounted = selection.count === 'exact' && isFiltered(selection)
    return (
      (isCounted ? undefined : straight(tables, selection)) ??
      driven(statements, tables, selection, FEW, unguarded)
    )
  }

  function pageBy(plan: Plan, cls: Listed, selection: Selection, state: number): Page {
    return meter.run(plan.rows, Number.POSITIVE_INFINITY, () => {
      const rows = readRows(statements, cls.tables, plan.walks(false), selection)
      const total = isFiltered(selection)
        ? countMatching(statements, () => plan.walks(true), selection, rows)
        : totalIn(cls, state)
      return toPage(rows, total, selection)
    })
  }

  function totalIn({ name, tables }: Listed, state: number): number {
    return states.recall(name, state, () => totalOf(statements, tables))
  }

  function scan({ name, tables }: Listed, selection: Selection): Awaitable<Page> {
    if (scanner !== undefined) return scanner.scan(tables, selection)
    try {
      return inOneState(name, () => search(reader, tables, selection, performance.now() + scanMs))
    } catch (error) {
      throw error instanceof TooLate ? late(scanMs) : error
    }
  }
}
