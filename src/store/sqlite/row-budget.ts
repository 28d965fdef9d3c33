import type { DatabaseSync } from 'node:sqlite'
import { type Sql, sql } from '../query/sql.ts'

/** More rows were looked at than were allowed: another way to the answer may be shorter. */
export class TooManyRows extends Error {}

/** The time is up. */
export class TooLate extends Error {}

export interface RowBudget {
  /** `rows`: how many may be looked at in what is guarded row by row; `deadline` in terms of `performance.now()`. */
  spend<T>(rows: number, deadline: number, work: () => T): T
}

/**
 * node:sqlite cannot interrupt a statement, but a function within it can throw. What may look at many rows has a guard
 * among its tests, as the first: SQLite asks it before it looks further at a row.
 */
export function createRowBudget(db: DatabaseSync): RowBudget {
  let left = Number.POSITIVE_INFINITY
  let end = Number.POSITIVE_INFINITY
  db.function('tick', () => {
    left -= 1
    if (left < 0) throw new TooManyRows()
    if (performance.now() >= end) throw new TooLate()
    return 1
  })
  return {
    spend(rows, deadline, work) {
      left = rows
      end = deadline
      return work()
    },
  }
}

/** What is asked first of each row; `sequence` names the row's number. */
export type Guard = (sequence: string) => readonly Sql[]

/** Calls from SQLite into JavaScript cost as much as reading a row. */
export const everyRow: Guard = () => [sql('tick()')]

/** Against the time alone, at no cost that could be measured. */
export const nowAndThen: Guard = (sequence) => [sql(`((${sequence} & 255) <> 0 OR tick())`)]

export const unguarded: Guard = () => []
