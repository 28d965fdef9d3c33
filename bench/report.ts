// What the bench says: tables for people, JSON for programs, and both documents and plots with --write.
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

const DOCS = join(import.meta.dirname, '..', 'docs')

export function targetTable(targets: readonly Target[]): Table {
  const rows = targets.map(({ workload, measured, target, most = false }) => {
    const isMet = most ? measured <= target : measured >= target
    const bound = `${most ? 'at most' : 'at least'} ${format(target)}`
    return [workload, measured, bound, Number.isNaN(measured) ? 'not measured' : isMet ? 'yes' : 'no']
  })
  return { name: 'targets', columns: ['workload', 'measured', 'target', 'met'], rows }
}

export function toMarkdown({ columns, rows }: Table): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(format))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
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

/** Puts each table between `<!-- bench: its name -->` and `<!-- /bench -->` of the documents. */
export function writeTables(tables: readonly Table[], machine: string): void {
  for (const file of ['performance.md', 'scaling.md']) {
    const path = join(DOCS, file)
    let text = readFileSync(path, 'utf8')
    for (const table of tables) {
      const start = `<!-- bench: ${table.name} -->\n`
      const at = text.indexOf(start)
      if (at < 0) continue
      const end = text.indexOf('<!-- /bench -->', at)
      text = `${text.slice(0, at)}${start}\n${machine}\n\n${toMarkdown(table)}\n\n${text.slice(end)}`
    }
    writeFileSync(path, text)
  }
}

export const writeImage = (name: string, svg: string): void => writeFileSync(join(DOCS, 'images', name), svg)
