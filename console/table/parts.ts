/** A document with more rows than this is slow to build and to scroll. */
export const MOST_ROWS = 200

/** A page that is larger than what may be shown at once, part by part: nothing of it is lost. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

export function partOf(rows: number, part: number): Part {
  const start = part * MOST_ROWS
  const end = Math.min(rows, start + MOST_ROWS)
  return { start, end, isFirst: part === 0, isLast: end === rows }
}
