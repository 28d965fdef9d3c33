/** A document with more rows than this is slow to build and to scroll. */
export const MOST_ROWS = 200

/** Rows of a page that is larger than what may be shown at once: part by part, nothing of it is lost. */
export interface Part {
  readonly number: number
  /** Of the last part. */
  readonly lastNumber: number
  readonly start: number
  readonly end: number
}

export function partOf(rows: number, number: number): Part {
  const start = number * MOST_ROWS
  return {
    number,
    lastNumber: Math.max(0, Math.ceil(rows / MOST_ROWS) - 1),
    start,
    end: Math.min(rows, start + MOST_ROWS),
  }
}
