import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { atProperty, Problem, type ProblemData } from '../problem.ts'
import { type Class, findNameProblem } from '../vocabulary/index.ts'
import { asText, cellReaderFor, type ReadCell } from './csv-cell.ts'
import { findProperty } from './name-lookup.ts'
import { LINE_FEED, type MemberText, type Split, splitRecords, type UnreadableItem } from './ndjson.ts'
import { DataError, importProblem } from './problems.ts'

const [QUOTE, COMMA] = [0x22, 0x2c]

/** CSV with a header (RFC 4180): each record becomes a member of `cls`, as a line of NDJSON. */
export const createSplitCsv = (cls: Class): Split =>
  async function* (chunks) {
    for await (const rows of readTable(chunks, (cells) => readHeader(cells, cls)))
      yield rows.map((one) => {
        if ('problem' in one) return one
        return { ...one.record, text: JSON.stringify({ '@type': cls.name, ...one.row }) }
      })
  }

type CsvRow = { readonly record: MemberText; readonly row: JsonObject }

/** The rows after the header, or the problem of a line. Throws a DataError if the header is wrong. */
async function* readTable(
  chunks: AsyncIterable<Buffer>,
  readHeader: (cells: readonly string[]) => CsvColumn[],
): AsyncGenerator<(CsvRow | UnreadableItem)[]> {
  let columns: CsvColumn[] | undefined
  for await (const records of splitRecords(chunks, createFindEnd())) {
    const all: (CsvRow | UnreadableItem)[] = []
    for (const record of records) {
      try {
        if ('problem' in record) throw record.problem
        if (record.text.trim() === '') continue
        const cells = readCells(record.text)
        if (columns === undefined) columns = readHeader(cells)
        else all.push({ record, row: readRow(cells, columns) })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (columns === undefined) throw new DataError(record.line, error)
        all.push({ line: record.line, problem: error })
      }
    }
    yield all
  }
}

/** A line feed within quotes belongs to its cell. */
export function createFindEnd() {
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  return (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'closed'
      } else if (byte === QUOTE && state !== 'plain') state = 'quoted'
      else if (byte === COMMA || byte === LINE_FEED) state = 'start'
      else state = 'plain'
      if (byte === LINE_FEED && state === 'start') return at
    }
    return -1
  }
}

/** The cells of one record. Throws if quotes do not match. */
export function readCells(record: string): string[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  const cells: string[] = []
  for (let at = 0; ; at++) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    cells.push(cell)
    at = end
    if (at >= text.length) return cells
    if (text[at] !== ',') throw importProblem('TextAfterQuote')
  }
}

/** A cell, and the offset after it. */
type CsvCell = { readonly cell: string; readonly end: number }

function readPlain(text: string, at: number): CsvCell {
  const comma = text.indexOf(',', at)
  const end = comma < 0 ? text.length : comma
  const cell = text.slice(at, end)
  if (cell.includes('"')) throw importProblem('QuoteInCell')
  return { cell, end }
}

function readQuoted(text: string, at: number): CsvCell {
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

/** A column: the path of its property, and how a cell becomes JSON. */
interface CsvColumn {
  readonly path: readonly string[]
  readonly read: ReadCell
}

/**
 * Rows as objects of texts, without a class; `declare` gets the header first, as an object of nulls. Throws at the first
 * error.
 */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  declare: (header: JsonObject) => void,
): AsyncGenerator<JsonObject> {
  let hasHeader = false
  const table = readTable(chunks, (cells) => {
    const names = readNames(cells)
    const paths = names.map((name) => pathIn(name, names))
    const header: JsonObject = Object.create(null)
    for (const path of paths) setAtPath(header, path, null)
    declare(header)
    hasHeader = true
    return paths.map((path) => ({ path, read: asText }))
  })
  for await (const rows of table) {
    for (const one of rows) {
      if ('problem' in one) throw new DataError(one.line, one.problem)
      yield one.row
    }
  }
  if (!hasHeader) throw importProblem('NoHeader')
}

/** `address.city` is a path into `address`, unless `address` is itself a column. */
function pathIn(name: string, names: readonly string[]): string[] {
  const path = name.split('.')
  const isWithin = path.every((part, index) => {
    return findNameProblem(part) === undefined && !names.includes(path.slice(0, index).join('.'))
  })
  return isWithin ? path : [name]
}

const readHeader = (cells: readonly string[], cls: Class): CsvColumn[] =>
  readNames(cells).map(
    (name) =>
      findColumn(name, cls) ?? (name === 'id' ? { path: ['id'], read: asText } : refuseColumn(name, cls)),
  )

function readNames(cells: readonly string[]): string[] {
  const [only = ''] = cells
  const other =
    cells.length === 1 ? [';', '\t', '|'].find((character) => only.includes(character)) : undefined
  if (other !== undefined) throw importProblem('WrongDelimiter', { delimiter: other })
  return cells.map((cell, index) => {
    const name = cell.trim()
    if (name === '') throw importProblem('UnnamedColumn', { column: index + 1 })
    return name
  })
}

/** Finds a property by name, by title, or within an embedded value: `address.city`, `title.en`. */
function findColumn(name: string, cls: Class): CsvColumn | undefined {
  const property = findProperty(cls, name)
  if (property !== undefined) return { path: [property.name], read: cellReaderFor(property.range) }
  const dot = name.indexOf('.')
  const outer = dot < 0 ? undefined : findProperty(cls, name.slice(0, dot))
  if (outer === undefined) return undefined
  const [range, rest] = [outer.range, name.slice(dot + 1)]
  if (range.kind === 'datatype')
    return range.datatype === 'langString' ? { path: [outer.name, rest], read: asText } : undefined
  const inner = range.kind === 'embedded' ? findColumn(rest, range.cls) : undefined
  return inner && { path: [outer.name, ...inner.path], read: inner.read }
}

function refuseColumn(name: string, { name: className, properties }: Class): never {
  const column = name.slice(0, 100)
  const known = properties.map((property) => property.name)
  throw importProblem('UnknownColumn', { className, column, known }, { at: { property: column } })
}

/** Empty cells are left out; columns with the same name become a list. */
function readRow(cells: readonly string[], columns: readonly CsvColumn[]): JsonObject {
  if (cells.length !== columns.length)
    throw importProblem('WrongCellCount', { count: cells.length, expected: columns.length })
  const row: JsonObject = Object.create(null)
  const violations: ProblemData[] = []
  columns.forEach(({ path, read }, index) => {
    const cell = cells[index] ?? ''
    if (cell === '') return
    const found = read(cell)
    if ('value' in found) setAtPath(row, path, found.value)
    else violations.push(atProperty(found.problem, path.join('/')))
  })
  if (violations.length > 0) throw new Problem('ValidationFailed', {}, { violations })
  return row
}

function setAtPath(into: JsonObject, path: readonly string[], value: JsonValue, depth = 0): void {
  const name = path[depth] ?? ''
  if (depth === path.length - 1) {
    into[name] = name in into ? [into[name] ?? [], value].flat() : value
    return
  }
  into[name] ??= Object.create(null)
  const within = into[name] as JsonValue
  if (!isObject(within)) {
    throw importProblem('ValueAndPart', { value: path.slice(0, depth + 1).join('.'), part: path.join('.') })
  }
  setAtPath(within, path, value, depth + 1)
}
