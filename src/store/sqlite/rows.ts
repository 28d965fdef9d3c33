import type { StatementSync } from 'node:sqlite'
import type { Key } from '../../vocabulary/keys.ts'
import { bytesOf, sharesOf } from '../query/room.ts'
import type { Selection, StoredMember } from '../store.ts'

/** A member of a page: what is served, its place in the order of creation, and the keys that place it. */
export type Row = [
  id: string,
  version: number,
  body: string,
  holes: string,
  sequence: number,
  ...keys: (Key | null)[],
]

export const toMember = ([id, version, body, holes]: Row): StoredMember => ({ id, version, body, holes })

/** The rows that a page shows, in the order in which they were walked, and whether there are more beyond them. */
export interface Rows {
  readonly rows: Row[]
  readonly more: boolean
}

/** How the rows of a page are read: without what is long, or whole. */
export interface Reading {
  readonly kind: 'short' | 'whole'
  /** What the columns that may be long are bound to: the body and the holes. */
  readonly bounds: readonly number[]
  readonly all: (statement: StatementSync, params: readonly (Key | null)[]) => Row[]
  /** Whether the page has room for no more. */
  readonly isFull: () => boolean
}

/** What is read of `m`, and of so many keys `w.o0` …. SQLite knows the length of a text without reading it. */
export const COLUMNS: Readonly<Record<Reading['kind'], (keys: number) => string>> = {
  short: columnsOf((column) => `CASE WHEN octet_length(${column}) <= ? THEN ${column} END`),
  whole: columnsOf((column) => column),
}

function columnsOf(read: (column: string) => string): (keys: number) => string {
  const texts = [`m.id, m.version, ${read('m.body')}, ${read('m.holes')}, m.sequence`]
  return (keys) => {
    for (let more = texts.length; more <= keys; more += 1) texts.push(`${texts[more - 1]}, w.o${more - 1}`)
    return texts[keys] as string
  }
}

/** The rows of a page on which no member has more than its share; undefined for another one. */
export function readShort(selection: Selection, readRows: (reading: Reading) => Row[]): Rows | undefined {
  const { limit } = selection
  const rows = readRows({ kind: 'short', bounds: sharesOf(selection), all, isFull: () => false })
  for (let index = 0; index < rows.length && index < limit; index += 1) {
    const row = rows[index] as Row
    if (row[2] === null || row[3] === null) return undefined
  }
  return shown(rows, limit, false)
}

const all: Reading['all'] = (statement, params) => statement.all(...params) as unknown as Row[]

/** The rows of any page, one by one, as far as it has room (hypermedia.md, Paging); that takes a third longer. */
export function readWhole({ limit, room }: Selection, readRows: (reading: Reading) => Row[]): Rows {
  let taken = 0
  let bytes = 0
  let isCut = false
  const oneByOne: Reading['all'] = (statement, params) => {
    const rows: Row[] = []
    try {
      for (const found of statement.iterate(...params)) {
        const row = found as unknown as Row
        bytes += bytesOf(toMember(row), room.link)
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
