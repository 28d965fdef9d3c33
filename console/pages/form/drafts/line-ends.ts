const END = /\r\n|\r|\n/g

/**
 * A browser makes every line end of what somebody edits a line feed (HTML §4.10.11, "API value"). Before and after what
 * was changed, lines end as they did; new ones end as the first one does.
 */
export function withLineEnds(typed: string, original: string): string {
  if (typed.includes('\r') || !original.includes('\r')) return typed
  const ends = original.match(END) ?? []
  const was = original.split(END)
  const lines = typed.split(END)
  const shift = was.length - lines.length
  const before = sameFrom(lines, was)
  const after = sameFrom(lines.toReversed(), was.toReversed())
  const endOf = (index: number): string | undefined => {
    if (shift === 0 || index < before) return ends[index]
    return lines.length - index <= after ? ends[index + shift] : undefined
  }
  return lines
    .map((line, index) => (index < lines.length - 1 ? line + (endOf(index) ?? ends[0]) : line))
    .join('')
}

/** How many lines are the same from the first one on. */
function sameFrom(lines: readonly string[], others: readonly string[]): number {
  const first = lines.findIndex((line, index) => line !== others[index])
  return first < 0 ? lines.length : first
}
