type RawRow = readonly string[]

/** Rows of cells as they are written: quotes tell an empty text from a missing value. */
export function readCsv(text: string): readonly RawRow[] {
  const rows: RawRow[] = []
  let row: string[] = []
  let start = 0
  let isQuoted = false
  const endCell = (end: number): void => {
    row.push(text.slice(start, end))
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    // A quote within a text is doubled, so it ends and begins again.
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted || (character !== ',' && character !== '\n')) continue
    endCell(character === '\n' && text[at - 1] === '\r' ? at - 1 : at)
    start = at + 1
    if (character === ',') continue
    rows.push(row)
    row = []
  }
  if (start < text.length || row.length > 0) {
    endCell(text.length)
    rows.push(row)
  }
  return rows
}

/**
 * One table of several pages, each with a header. A page has as many columns for a list as its longest one needs, so the
 * columns of pages may differ.
 */
export function joinCsv(pages: readonly (readonly RawRow[])[]): string {
  const columns = pages.map(([header = []]) => numbered(header))
  const all = columns.reduce(merged, [])
  const shared = all.filter((column) => columns.every((own) => own.includes(column)))
  const rows = pages.flatMap(([, ...rest], page) => {
    const places = all.map((column) => columns[page]?.indexOf(column) ?? -1)
    return rest.map((row) => places.map((place) => row[place] ?? ''))
  })
  // A page without values of a language has a column without a language instead.
  const kept = all.map((column, index) => shared.includes(column) || rows.some((row) => row[index] !== ''))
  const written = [all.map(nameIn), ...rows].map((row) => row.filter((_, index) => kept[index]).join(','))
  return `${written.join('\r\n')}\r\n`
}

/** Columns with the same name are told apart by their number: `genres 0`, `genres 1`. */
const numbered = (header: RawRow): readonly string[] =>
  header.map((name, index) => `${name} ${header.slice(0, index).filter((one) => one === name).length}`)

const nameIn = (column: string): string => column.slice(0, column.lastIndexOf(' '))

/** New columns come behind the column that they follow on their page. */
function merged(all: readonly string[], columns: readonly string[]): readonly string[] {
  const result = [...all]
  for (const [index, column] of columns.entries()) {
    if (result.includes(column)) continue
    const before = columns[index - 1]
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, column)
  }
  return result
}
