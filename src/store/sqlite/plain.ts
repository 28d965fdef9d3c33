import type { DatabaseSync } from 'node:sqlite'
import type { Selection } from '../store.ts'
import { COLUMNS, type Reading, type Row, type Rows, readShort, readWhole } from './rows.ts'
import { arrays } from './statements.ts'
import type { Tables } from './tables.ts'

/** Rows of a page of all members in the order of creation; where it is counted off, none is read that it does not show. */
export type PlainRows = (selection: Selection) => Rows

/** By far the most frequent kind of page: one statement, made at start, and no other table than that of the members. */
export function createPlainRows(db: DatabaseSync, { members }: Tables): PlainRows {
  const prepare = (kind: Reading['kind']) => {
    const select = (rest: string) => arrays(db, `SELECT ${COLUMNS[kind](0)} FROM ${members} m ${rest}`)
    return {
      // The plus: SQLite plans anew for each value of a bare LIMIT ?, which costs a third of the query.
      offset: select('ORDER BY sequence LIMIT +? OFFSET +?'),
      after: select('WHERE sequence > ? ORDER BY sequence LIMIT +?'),
      before: select('WHERE sequence < ? ORDER BY sequence DESC LIMIT +?'),
    }
  }
  const statements = { short: prepare('short'), whole: prepare('whole') }
  return (selection) => {
    const { start, limit } = selection
    const readRows = ({ kind, bounds, all }: Reading): Row[] => {
      const statement = statements[kind][start.at]
      if (start.at === 'offset') return all(statement, [...bounds, limit, start.offset])
      const end = start.position === 'end' ? Number.MAX_SAFE_INTEGER : start.position.sequence
      return all(statement, [...bounds, end, limit + 1])
    }
    return readShort(selection, readRows) ?? readWhole(selection, readRows)
  }
}

export const isPlain = ({ filters, words, order }: Selection): boolean =>
  filters.length === 0 && words.length === 0 && order.length === 0
