import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'

/** So many are kept; which ones are needed depends on what is asked for. */
const KEPT = 256
/** Longer ones ask for many values at once; each would be kept for itself, and they take the most memory. */
const LONGEST_KEPT = 4_096

export type Statements = (sql: string) => StatementSync

/** Rows as arrays: half the price of objects on a page of twenty. */
export function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** Statements for SQL that is put together: prepared once for each text. */
export function createStatements(db: DatabaseSync): Statements {
  const kept = new BoundedMap<string, StatementSync>(KEPT)
  return (sql) => {
    const known = kept.get(sql)
    if (known !== undefined) return known
    const statement = arrays(db, sql)
    if (sql.length > LONGEST_KEPT) return statement
    kept.set(sql, statement)
    return statement
  }
}
