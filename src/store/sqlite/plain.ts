import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Selection } from '../store.ts'
import type { Row } from './reading.ts'
import { arrays } from './statements.ts'
import type { Tables } from './tables.ts'

/** Rows of a page of all members in the order of creation; where it is counted off, none is read that it does not show. */
export type PlainRows = (selection: Selection) => Row[]

/** By far the most frequent kind of page: one statement, made at start, and no other table than that of the members. */
export function createPlainRows(db: DatabaseSync, { members }: Tables): PlainRows {
  const read = (rest: string): StatementSync =>
    arrays(db, `SELECT id, version, body, holes, sequence FROM ${members} ${rest}`)
  // The plus: SQLite plans anew for each value of a bare LIMIT ?, which costs a third of the query.
  const countedOff = read('ORDER BY sequence LIMIT +? OFFSET +?')
  const after = read('WHERE sequence > ? ORDER BY sequence LIMIT +?')
  const before = read('WHERE sequence < ? ORDER BY sequence DESC LIMIT +?')
  return ({ start, limit }) => {
    switch (start.at) {
      case 'offset':
        return countedOff.all(limit, start.offset) as unknown as Row[]
      case 'after':
        return after.all(start.position.sequence, limit + 1) as unknown as Row[]
      case 'before': {
        const end = start.position === 'end' ? Number.MAX_SAFE_INTEGER : start.position.sequence
        return before.all(end, limit + 1) as unknown as Row[]
      }
    }
  }
}

export const isPlain = ({ conditions, words, order }: Selection): boolean =>
  conditions.length === 0 && words.length === 0 && order.length === 0
