// The records of CSV (RFC 4180) and their cells, also with the other characters that spreadsheets write between cells.
import { BYTE_ORDER_MARK, LINE_FEED } from '../ndjson.ts'
import { peek } from '../peek.ts'
import { importProblem } from '../problems.ts'

const QUOTE = 0x22

/** Spreadsheets write `;` where people write a comma in numbers; tabs are what they put on the clipboard. */
export const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** A header has fewer bytes; a file without line feeds must not be held in memory. */
const LONGEST_HEADER = 256 * 1024

/** The data with the character that is most frequent in its header, outside of quotes. */
export async function findDelimiter(
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly delimiter: Delimiter; readonly chunks: AsyncIterable<Buffer> }> {
  const header = createHeaderCount()
  const { all } = await peek(chunks, (length, chunk) => header.add(chunk) || length >= LONGEST_HEADER)
  return { delimiter: header.delimiter(), chunks: all }
}

function createHeaderCount() {
  const counts = new Map<number, number>(DELIMITERS.map((one) => [one.charCodeAt(0), 0]))
  let isQuoted = false
  let isBlank = true
  let start = ''
  return {
    /** Whether the header ends in this chunk. */
    add(chunk: Buffer): boolean {
      for (const byte of chunk) {
        if (byte === LINE_FEED && !isQuoted && !isBlank) return true
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (!isQuoted) counts.set(byte, (counts.get(byte) ?? 0) + 1)
        isBlank &&= byte <= 0x20 || BYTE_ORDER_MARK.includes(byte)
        if (!isBlank && start.length < LONGEST_SEPARATOR) start += String.fromCharCode(byte)
      }
      return false
    },
    delimiter(): Delimiter {
      const count = (one: Delimiter) => counts.get(one.charCodeAt(0)) ?? 0
      return readSeparator(start) ?? DELIMITERS.reduce((most, one) => (count(one) > count(most) ? one : most))
    },
  }
}

/** Some spreadsheets write `sep=;` as a line before the header, and read it themselves. */
export const readSeparator = (line: string): Delimiter | undefined =>
  /^sep=.\s?$/i.test(line) ? DELIMITERS.find((one) => one === line.charAt('sep='.length)) : undefined

const LONGEST_SEPARATOR = 'sep=;\n'.length

/** A line feed within quotes belongs to its cell. */
export function createFindEnd(delimiter: Delimiter = ',') {
  const separator = delimiter.charCodeAt(0)
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  return (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'closed'
      } else if (byte === QUOTE && state !== 'plain') state = 'quoted'
      else if (byte === separator || byte === LINE_FEED) state = 'start'
      else state = 'plain'
      if (byte === LINE_FEED && state === 'start') return at
    }
    return -1
  }
}

/** A cell of a record. One with quotes may be an empty text. */
export interface CsvCell {
  readonly text: string
  readonly isQuoted: boolean
}

/** The cells of one record. Throws if quotes do not match. */
export function readCells(record: string, delimiter: Delimiter = ','): CsvCell[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  const cells: CsvCell[] = []
  for (let at = 0; ; at++) {
    const isQuoted = text[at] === '"'
    const { cell, end } = isQuoted ? readQuoted(text, at) : readPlain(text, at, delimiter)
    cells.push({ text: cell, isQuoted })
    at = end
    if (at >= text.length) return cells
    if (text[at] !== delimiter) throw importProblem('TextAfterQuote')
  }
}

/** The text of a cell, and the offset after it. */
type FoundCell = { readonly cell: string; readonly end: number }

function readPlain(text: string, at: number, delimiter: Delimiter): FoundCell {
  const next = text.indexOf(delimiter, at)
  const end = next < 0 ? text.length : next
  const cell = text.slice(at, end)
  if (cell.includes('"')) throw importProblem('QuoteInCell')
  return { cell, end }
}

function readQuoted(text: string, at: number): FoundCell {
  let cell = ''
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) throw importProblem('OpenQuote')
    cell += text.slice(from, close)
    if (text[close + 1] !== '"') return { cell, end: close + 1 }
    // A doubled quote stands for one quote, and the cell continues.
    cell += '"'
    from = close + 2
  }
}
