import type { DatabaseSync } from 'node:sqlite'
import { arrays } from '../../database/sqlite/connection.ts'
import type { TablesByClass } from './tables.ts'

/** FTS5 merges segments within the commit that brings their number on the first level to this (its option `crisismerge`). */
const MERGED_AT = 16
/** And whenever so many pages have been written (`WORK_UNIT` in fts5_index.c). */
const PAGES_BETWEEN_MERGES = 64

/**
 * Says before a write of a class whether its commit may merge the index of words. Most merges are short, but every 16th of
 * them merges the next level as well: with 65,536 commits, one takes 130 ms. Commits of other processes are not counted, so
 * that they may bring a merge forward.
 */
export function createMergeWatch(db: DatabaseSync, tables: TablesByClass): (className: string) => boolean {
  /** How many commits of a class come before the next look at its index. */
  const left = new Map<string, number>()

  /** Half of what is left, since a commit can write two pages, and can move a segment to the first level besides. */
  function countLeft(className: string): number {
    const words = tables.get(className)?.words
    if (words === undefined) return 0
    const [structure] = arrays(db, `SELECT block FROM ${words}_data WHERE id = ${STRUCTURE_ID}`).get() ?? []
    if (!(structure instanceof Uint8Array)) return 0
    const { pages, segments } = readStructure(structure)
    const pagesLeft = PAGES_BETWEEN_MERGES - 1 - (pages % PAGES_BETWEEN_MERGES)
    return Math.min(MERGED_AT - 1 - segments, pagesLeft) >> 1
  }

  return (className) => {
    const known = left.get(className) ?? 0
    try {
      const count = known > 0 ? known : countLeft(className)
      left.set(className, count - 1)
      return count <= 0
    } catch {
      // The table cannot be read. No write has begun: the write thread tries, and reports what is wrong.
      return true
    }
  }
}

// FTS5 has no function that tells how many segments there are. This is the beginning of the "structure record" that is
// described in fts5_index.c of SQLite; a record of another form at worst sends more writes to the write thread.
const STRUCTURE_ID = 10
/** A configuration cookie. */
const COOKIE_BYTES = 4
/** The mark of the second version of the record, which tables with `contentless_delete` have. */
const SECOND_VERSION = 0xff000001

/** How many pages were written to the index, and how many segments its first level has. */
function readStructure(structure: Uint8Array): { readonly pages: number; readonly segments: number } {
  const view = new DataView(structure.buffer, structure.byteOffset, structure.byteLength)
  const hasMark = view.byteLength >= 2 * COOKIE_BYTES && view.getUint32(COOKIE_BYTES) === SECOND_VERSION
  let at = hasMark ? 2 * COOKIE_BYTES : COOKIE_BYTES
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
  const levels = readNumber()
  // The number of segments of all levels.
  readNumber()
  const pages = readNumber()
  if (levels === 0) return { pages, segments: 0 }
  // How many segments of the level are being merged.
  readNumber()
  return { pages, segments: readNumber() }
}
