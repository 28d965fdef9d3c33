import { fileReason } from '../errors.ts'
import { count } from '../text.ts'
import type { Io } from './invocation.ts'

export { fileReason } from '../errors.ts'
export { amount, count, quoted } from '../text.ts'

/** Rows under headings, in columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return [headings, ...rows].map((row) => line(row).join('  ').trimEnd()).join('\n')
}

export const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** `role editor`, `roles editor, author`. */
export const roleList = (roles: readonly string[]): string =>
  `role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`

export const duration = (milliseconds: number): string =>
  milliseconds % 60_000 === 0
    ? count(milliseconds / 60_000, 'minute')
    : count(Math.round(milliseconds / 1_000), 'second')

/** Why a file cannot be read or written, for the person who has named it. */
export function explainFile(error: unknown, path: string): unknown {
  const reason = fileReason(error)
  return reason === undefined ? error : new Error(`${path}: ${reason}.`)
}

/** How far a long command has come, for a person at a terminal; on standard error, since what is printed is data. */
export interface Progress {
  /** `total`: where it has become another one. */
  update(value: number, text: string, total?: number): void
  /** Prints a line above the bar. */
  print(line: string): void
  stop(): void
}

/** `total`: undefined where nobody can know it. Without a terminal there is no bar. */
export async function openProgress({ stderr }: Io, total: number | undefined): Promise<Progress> {
  if (!stderr.isTTY) return { update() {}, print: (line) => stderr.write(`${line}\n`), stop() {} }
  const { SingleBar } = (await import('cli-progress')).default
  const bar = new SingleBar({
    format: total === undefined ? '{text}' : '{bar} {percentage}% {text}',
    barsize: 30,
    clearOnComplete: true,
    // The terminal's own settings stay as they are: whatever ends the process, nothing must be put right again.
    linewrap: true,
    gracefulExit: false,
  })
  let shown = { value: 0, total: total ?? 0, text: '' }
  const start = () => bar.start(shown.total, shown.value, { text: shown.text })
  start()
  return {
    update(value, text, newTotal = shown.total) {
      shown = { value, total: newTotal, text }
      bar.setTotal(newTotal)
      bar.update(value, { text })
    },
    // The bar remembers its line: it is taken away, and drawn anew below.
    print(line) {
      bar.stop()
      stderr.write(`${line}\n`)
      start()
    },
    stop: () => bar.stop(),
  }
}
