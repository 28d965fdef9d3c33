/** What a command prints when it is done: a value for programs, or a text for people. */
export function say(json: boolean, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text)
}

/** The end of a command's help. */
export const example = (...lines: readonly string[]): string =>
  `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${line}`).join('\n')}`

/** Rows under headings, in columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`

export const duration = (milliseconds: number): string =>
  milliseconds % 60_000 === 0
    ? count(milliseconds / 60_000, 'minute')
    : count(Math.round(milliseconds / 1_000), 'second')
