import type { DatabaseSync } from 'node:sqlite'
import { type ArrayStatement, arrays } from '../../database/sqlite/connection.ts'
import type { TablesByClass } from './tables.ts'

/** After this many pages FTS5 merges levels of an index within a commit: with hundreds of pages, that takes 100 ms. */
const PAGES_BETWEEN_MERGES = 64
/** A small member has words for two pages at most. */
const PAGES_OF_COMMIT = 2
/** These take 4 ms at most: a write on another thread costs less than that, but nearly all merges are as short. */
const PAGES_OF_SHORT_MERGE = 24
/** A level with so many segments is merged into one segment of the next level. */
const SEGMENTS_OF_MERGE = 4
/** A level of which so many entries are removed may be merged, however few segments it has. */
const WORN_SHARE = 0.1

/** Whether the next commit that writes words of a class may take long, since it merges levels of their index. */
export function createMergeWatch(db: DatabaseSync, tables: TablesByClass): (className: string) => boolean {
  const statements = new Map<string, ArrayStatement>()
  /** How many commits of a class may follow before one may merge; those of other threads are not counted. */
  const left = new Map<string, number>()

  function structureOf(className: string): unknown {
    const words = tables.get(className)?.words
    if (words === undefined) return undefined
    const statement =
      statements.get(className) ?? arrays(db, `SELECT block FROM ${words}_data WHERE id = ${STRUCTURE_ID}`)
    statements.set(className, statement)
    return statement.get()?.[0]
  }

  function look(className: string): boolean {
    const structure = structureOf(className)
    if (!(structure instanceof Uint8Array)) return false
    const { commitsBefore, pages } = readMerge(new StructureRecord(structure))
    left.set(className, commitsBefore)
    return commitsBefore === 0 && pages > PAGES_OF_SHORT_MERGE
  }

  return (className) => {
    const commits = (left.get(className) ?? 0) - 1
    if (commits <= 0) return look(className)
    left.set(className, commits)
    return false
  }
}

// FTS5 has no function that tells when it merges. This is the "structure record" that is described in fts5_index.c of
// SQLite; if the record had another form, merges would run where they ran before.
const STRUCTURE_ID = 10
/** A configuration cookie, and the mark of the second version of the record, which all of our tables have. */
const HEAD_BYTES = 8

/** How many commits surely come before a merge, and how many pages it would merge now. */
function readMerge(record: StructureRecord): { commitsBefore: number; pages: number } {
  const levels = record.readNumber()
  record.skip(1)
  const left = PAGES_BETWEEN_MERGES - (record.readNumber() % PAGES_BETWEEN_MERGES)
  let pages = 0
  /** Whether the level gets another segment: the first one from the commit, each other from the merge below. */
  let isFed = true
  for (let level = 0; level < levels && !record.isAtEnd(); level += 1) {
    const { isBeingMerged, isWorn, segments, ...own } = record.readLevel()
    isFed = isBeingMerged || segments + (isFed ? 1 : 0) >= SEGMENTS_OF_MERGE
    if (isFed || isWorn) pages += own.pages
  }
  return { commitsBefore: Math.ceil(left / PAGES_OF_COMMIT) - 1, pages }
}

class StructureRecord {
  readonly #bytes: Uint8Array
  #at = HEAD_BYTES

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Numbers have seven bits in each byte, the highest first. */
  readNumber(): number {
    let value = 0
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0
      this.#at += 1
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }

  skip(numbers: number): void {
    for (let one = 0; one < numbers; one += 1) this.readNumber()
  }

  readLevel() {
    const isBeingMerged = this.readNumber() > 0
    const segments = this.readNumber()
    let [pages, removed, entries] = [0, 0, 0]
    for (let one = 0; one < segments && !this.isAtEnd(); one += 1) {
      this.skip(1)
      pages += 1 - this.readNumber() + this.readNumber()
      // Its origin, in two numbers, and its pages of removed entries.
      this.skip(3)
      removed += this.readNumber()
      entries += this.readNumber()
    }
    return { isBeingMerged, isWorn: removed >= entries * WORN_SHARE, segments, pages }
  }
}
