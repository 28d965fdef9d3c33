import type { DatabaseSync } from 'node:sqlite'
import { type ArrayStatement, arrays } from '../../database/sqlite/connection.ts'
import type { TablesByClass } from './tables.ts'

/** After this many pages FTS5 merges whole levels of an index within a commit: with 32,768 commits, one takes 75 ms. */
const PAGES_BETWEEN_MERGES = 64
/** A small member has words for two pages at most. */
const PAGES_OF_COMMIT = 2

/** Whether the next commit that writes words of a class may merge levels of their index. */
export function createMergeWatch(db: DatabaseSync, tables: TablesByClass): (className: string) => boolean {
  const statements = new Map<string, ArrayStatement>()

  function structureOf(className: string): unknown {
    const words = tables.get(className)?.words
    if (words === undefined) return undefined
    const statement =
      statements.get(className) ?? arrays(db, `SELECT block FROM ${words}_data WHERE id = ${STRUCTURE_ID}`)
    statements.set(className, statement)
    return statement.get()?.[0]
  }

  return (className) => {
    const structure = structureOf(className)
    if (!(structure instanceof Uint8Array)) return false
    return (pagesWritten(structure) % PAGES_BETWEEN_MERGES) + PAGES_OF_COMMIT >= PAGES_BETWEEN_MERGES
  }
}

// FTS5 has no function that tells when it merges. This is the beginning of the "structure record" that is described in
// fts5_index.c of SQLite; if the record had another form, merges would run where they ran before.
const STRUCTURE_ID = 10
/** A configuration cookie, and the mark of the second version of the record, which all of our tables have. */
const HEAD_BYTES = 8

/** The third number of the record, after those of levels and segments. */
function pagesWritten(structure: Uint8Array): number {
  let at = HEAD_BYTES
  /** Numbers have seven bits in each byte, the highest first. */
  function readNumber(): number {
    let value = 0
    for (;;) {
      const byte = structure[at] ?? 0
      at += 1
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  readNumber()
  readNumber()
  return readNumber()
}
