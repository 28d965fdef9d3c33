import { count } from '../text.ts'

/** Rows under headings, in columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(String))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
  return padded.map((line) => line.join('  ').trimEnd()).join('\n')
}

export const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** `role editor`, `roles editor, author`. */
export const roleList = (roles: readonly string[]): string =>
  `role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`

export const duration = (milliseconds: number): string =>
  milliseconds % 60_000 === 0
    ? count(milliseconds / 60_000, 'minute')
    : count(Math.round(milliseconds / 1_000), 'second')
