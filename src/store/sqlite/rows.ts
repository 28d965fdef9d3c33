import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Key } from '../../vocabulary/keys.ts'
import { type Row, type Rows, sharesOf } from '../query/page.ts'
import type { Selection } from '../store.ts'
import { arrays } from './connection.ts'
import type { Tables } from './tables.ts'

/** How the rows of a page are read: without what is long, or whole. */
export interface Reading {
  readonly kind: 'short' | 'whole'
  /** What the columns that may be long are bound to: the body and the holes. */
  readonly bounds: readonly number[]
  readonly all: (statement: StatementSync, params: readonly (Key | null)[]) => Row[]
  /** Whether the page has room for no more. */
  readonly isFull: () => boolean
}

type PageSize = Pick<Selection, 'limit' | 'room'>

/** What is read of `m`, and of keys `w.o0` … SQLite knows the length of a text without reading it. */
export function columnsOf(kind: Reading['kind'], keys: number): string {
  const read = (column: string) =>
    kind === 'whole' ? column : `CASE WHEN octet_length(${column}) <= ? THEN ${column} END`
  const further = Array.from({ length: keys }, (_, index) => `, w.o${index}`)
  return `m.id, m.version, ${read('m.body')}, ${read('m.holes')}, m.sequence${further.join('')}`
}

/** The rows of a page on which no member has more than its share; undefined for another one. */
export function readShort(size: PageSize, readRows: (reading: Reading) => Row[]): Rows | undefined {
  const { limit } = size
  const rows = readRows({ kind: 'short', bounds: sharesOf(size), all, isFull: () => false })
  for (let index = 0; index < rows.length && index < limit; index += 1) {
    const row = rows[index] as Row
    if (row[2] === null || row[3] === null) return undefined
  }
  return shown(rows, limit, false)
}

const all: Reading['all'] = (statement, params) => statement.all(...params) as unknown as Row[]

/** The rows of any page, one by one, as far as it has room (hypermedia.md, Paging); that takes a third longer. */
export function readWhole({ limit, room }: PageSize, readRows: (reading: Reading) => Row[]): Rows {
  let taken = 0
  let bytes = 0
  let isCut = false
  const oneByOne: Reading['all'] = (statement, params) => {
    const rows: Row[] = []
    try {
      for (const found of statement.iterate(...params)) {
        const row = found as unknown as Row
        bytes += bytesOf(row, room.link)
        isCut = taken > 0 && bytes > room.bytes
        if (isCut) break
        taken += 1
        rows.push(row)
      }
    } catch (error) {
      reset(statement, params)
      throw error
    }
    return rows
  }
  return shown(readRows({ kind: 'whole', bounds: [], all: oneByOne, isFull: () => isCut }), limit, isCut)
}

/** What is served of a member, but for its address and its type. */
const bytesOf = ([, , body, holes]: Row, link: number): number =>
  Buffer.byteLength(body) + (holes === '' ? 0 : link * holes.split(',').length)

/**
 * node:sqlite does not reset a statement whose iteration has thrown, and its next iteration would throw the same, but for
 * its class: to SQLite, resetting a statement that has failed fails too.
 */
function reset(statement: StatementSync, params: readonly (Key | null)[]): void {
  try {
    statement.iterate(...params)
  } catch {
    // It is reset now.
  }
}

/** Where one more was read than the page has, there are more. */
function shown(rows: Row[], limit: number, isCut: boolean): Rows {
  const isLonger = rows.length > limit
  if (isLonger) rows.pop()
  return { rows, more: isLonger || isCut }
}

/** Rows of a page of all members in the order of creation; where it is counted off, none is read that it does not show. */
export type UnfilteredRows = (selection: Selection) => Rows

/** By far the most frequent kind of page: one statement, made at start, and no other table than that of the members. */
export function createUnfilteredRows(db: DatabaseSync, { members }: Tables): UnfilteredRows {
  const prepare = (kind: Reading['kind']) => {
    const select = (rest: string) => arrays(db, `SELECT ${columnsOf(kind, 0)} FROM ${members} m ${rest}`)
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
