// What the bench says: tables, targets, and their places in the documents.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Cell = string | number

export interface Table {
  /** By which a document names the place that the table goes to. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Target {
  readonly workload: string
  readonly measured: number
  readonly target: number
  /** Where less is better. */
  readonly most?: boolean
}

export interface Report {
  readonly tables: readonly Table[]
  readonly targets: readonly Target[]
}

export const DOCS = join(import.meta.dirname, '..', 'docs')

export function targetTable(targets: readonly Target[]): Table {
  const rows = targets.map(({ workload, measured, target, most = false }) => {
    const isMet = most ? measured <= target : measured >= target
    const bound = `${most ? 'at most' : 'at least'} ${format(target)}`
    return [workload, measured, bound, Number.isNaN(measured) ? 'not measured' : isMet ? 'yes' : 'no']
  })
  return { name: 'targets', columns: ['workload', 'measured', 'target', 'met'], rows }
}

export function toMarkdown({ columns, rows }: Table): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = `|${columns.map(() => '---').join('|')}|`
  return [toLine(columns), rule, ...rows.map((row) => toLine(row.map(format)))].join('\n')
}

/** Three digits that count; a figure that could not be measured is a dash. */
function format(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (Number.isNaN(cell)) return '–'
  const digits = cell >= 100 ? 0 : cell >= 10 ? 1 : 2
  return cell.toLocaleString('en', {
    maximumFractionDigits: digits,
    minimumFractionDigits: cell < 10 ? digits : 0,
  })
}

/**
 * Puts texts into the documents, each between `<!-- bench: its name -->` and `<!-- /bench -->`; other places stay, and so do
 * targets that were not measured this time.
 */
export function writeDocs(texts: ReadonlyMap<string, string>, targets: readonly Target[]): void {
  for (const file of ['performance.md', 'performance-notes.md', 'scaling.md']) {
    const text = readFileSync(join(DOCS, file), 'utf8').replace(
      /(<!-- bench: (\S+) -->\n)([\s\S]*?)(<!-- \/bench -->)/g,
      (whole, start, name, former, end) => {
        const now = name === 'targets' ? withTargets(former.trim(), targets) : texts.get(name)
        return now === undefined ? whole : `${start}\n${now}\n\n${end}`
      },
    )
    writeFileSync(join(DOCS, file), text)
  }
}

/** A table of targets with the rows of these in the places of their former ones, and those that are new at its end. */
function withTargets(former: string, targets: readonly Target[]): string {
  const byWorkload = (table: string) =>
    new Map(table.split('\n').map((line) => [line.split(' | ')[0] ?? '', line]))
  const now = byWorkload(toMarkdown(targetTable(targets)))
  return [...new Map([...byWorkload(former), ...now]).values()].join('\n')
}
