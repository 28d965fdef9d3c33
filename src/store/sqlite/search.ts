import type { Page, Selection } from '../store.ts'
import { type Meter, nowAndThen, TooManyRows } from './meter.ts'
import { counting, driven, isFiltered, type Plan, scanning } from './planning.ts'
import { countMatching, scanRows, toPage } from './reading.ts'
import type { Rows } from './rows.ts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'

/** From an index at random, so many members are read in the time in which all of a million are read in a row. */
const FEW = 20_000

/** What is read in one snapshot of the database, with which it is read. */
export interface Reader {
  readonly statements: Statements
  readonly meter: Meter
}

/** The answer to a selection that no index may have; throws TooLate past the deadline. */
export function search(
  { statements, meter }: Reader,
  tables: Tables,
  selection: Selection,
  deadline: number,
): Page {
  const within = <T>(plans: readonly Plan[], read: (plan: Plan) => T): T => {
    for (const plan of plans.slice(0, -1)) {
      try {
        return meter.run(plan.rows, deadline, () => read(plan))
      } catch (error) {
        if (!(error instanceof TooManyRows)) throw error
      }
    }
    return meter.run(Number.POSITIVE_INFINITY, deadline, () => read(plans.at(-1) as Plan))
  }

  const few = driven(statements, tables, selection, FEW, nowAndThen)
  const plans = few === undefined ? scanning(tables, selection, FEW) : [few]
  const readPage = (plan: Plan) => scanRows(statements, tables, plan.walks(false), selection)
  const total = (plan: Plan, rows: Rows) => countMatching(statements, () => plan.walks(true), selection, rows)

  if (!isFiltered(selection)) return toPage(within(plans, readPage), totalOf(statements, tables), selection)
  if (few === undefined && selection.count === 'exact') {
    const rows = within(plans, readPage)
    return toPage(
      rows,
      within([counting(tables, selection)], (plan) => total(plan, rows)),
      selection,
    )
  }
  return within(plans, (plan) => {
    const rows = readPage(plan)
    return toPage(rows, total(plan, rows), selection)
  })
}

/** Exact without counting: every write keeps it. */
export const totalOf = (statements: Statements, { classId }: Tables): number =>
  (statements('SELECT total FROM classes WHERE id = ?').get(classId) as unknown as [number])[0]
