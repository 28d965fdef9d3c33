/**
 * How many members are added in one transaction. SQLite has one writer at a time: while a batch is added, a server on
 * the same database waits, so a batch is kept short by the time that the last one took.
 */
export interface BatchSize {
  /** Whether so many members of so many characters are enough. */
  isFull(members: number, characters: number): boolean
  took(members: number, milliseconds: number): void
}

const LEAST = 50
const MOST = 2_000
const LONGEST_MS = 100
/** Members may have a megabyte each. */
const MOST_CHARACTERS = 4 * 1024 * 1024

export function createBatchSize(): BatchSize {
  let size = LEAST * 4
  return {
    isFull: (members, characters) => members >= size || characters >= MOST_CHARACTERS,
    took(members, milliseconds) {
      const fitting = (members * LONGEST_MS) / Math.max(1, milliseconds)
      size = Math.round(Math.min(MOST, Math.max(LEAST, Math.min(fitting, size * 2))))
    },
  }
}
