import { unguarded } from '../api/index.ts'
import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { atProperty, Problem, type ProblemData } from '../problem.ts'
import { type Class, findNameProblem, isText, type Range } from '../vocabulary/index.ts'
import { asText, cellReaderFor, type ReadCell } from './csv-cell.ts'
import { findProperty } from './name-lookup.ts'
import { LINE_FEED, type MemberText, type Split, splitRecords, type UnreadableItem } from './ndjson.ts'
import { DataError, importProblem } from './problems.ts'

const [QUOTE, COMMA] = [0x22, 0x2c]

/**
 * CSV with a header (RFC 4180): each record becomes a member of `cls`, as a line of NDJSON. `spreadsheet`: texts have
 * guards against formulas, which are taken off.
 */
export const createSplitCsv = (cls: Class, spreadsheet = false): Split =>
  async function* (chunks) {
    const unguard = spreadsheet ? withoutGuard : undefined
    for await (const rows of readTable(chunks, (cells) => readHeader(cells, cls), unguard))
      yield rows.map((one) => {
        if ('problem' in one) return one
        return { ...one.record, text: JSON.stringify({ '@type': cls.name, ...one.row }) }
      })
  }

type CsvRow = { readonly record: MemberText; readonly row: JsonObject }

/** The rows after the header, or the problem of a line. Throws a DataError if the header is wrong. */
async function* readTable(
  chunks: AsyncIterable<Buffer>,
  readHeader: (cells: readonly CsvCell[]) => CsvColumn[],
  unguard: (cell: CsvCell) => CsvCell = (cell) => cell,
): AsyncGenerator<(CsvRow | UnreadableItem)[]> {
  let columns: CsvColumn[] | undefined
  for await (const records of splitRecords(chunks, createFindEnd())) {
    const all: (CsvRow | UnreadableItem)[] = []
    for (const record of records) {
      try {
        if ('problem' in record) throw record.problem
        if (record.text.trim() === '') continue
        const cells = readCells(record.text).map(unguard)
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

/** A cell of a record. One with quotes may be an empty text. */
interface CsvCell {
  readonly text: string
  readonly isQuoted: boolean
}

const withoutGuard = ({ text, isQuoted }: CsvCell): CsvCell => ({ text: unguarded(text), isQuoted })

/** The cells of one record. Throws if quotes do not match. */
export function readCells(record: string): CsvCell[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  const cells: CsvCell[] = []
  for (let at = 0; ; at++) {
    const isQuoted = text[at] === '"'
    const { cell, end } = isQuoted ? readQuoted(text, at) : readPlain(text, at)
    cells.push({ text: cell, isQuoted })
    at = end
    if (at >= text.length) return cells
    if (text[at] !== ',') throw importProblem('TextAfterQuote')
  }
}

/** The text of a cell, and the offset after it. */
type FoundCell = { readonly cell: string; readonly end: number }

function readPlain(text: string, at: number): FoundCell {
  const comma = text.indexOf(',', at)
  const end = comma < 0 ? text.length : comma
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

/** A column: the path of its property, and how a cell becomes JSON. */
interface CsvColumn {
  readonly path: readonly string[]
  readonly read: ReadCell
  /** The value of an empty cell in quotes, which for texts is an empty text; undefined for none. */
  readonly emptyText: '' | null | undefined
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
    // Null is a value of any type, or none: the type is not known yet.
    return paths.map((path) => ({ path, read: asText, emptyText: null }))
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

/** Columns that are not properties: the address, and the id. */
const IDENTITIES = ['@id', 'id']

function readHeader(cells: readonly CsvCell[], cls: Class): CsvColumn[] {
  const names = readNames(cells)
  return names.map((name) => {
    const found = findColumn(name, cls)
    // In our exports "@id" is the address, even if it is the title of a property, which then has its own column.
    const isAddress = name === '@id' && found?.path.every((part) => names.includes(part))
    if (found !== undefined && !isAddress) return found
    if (!IDENTITIES.includes(name)) refuseColumn(name, cls)
    return { path: [name], read: asText, emptyText: undefined }
  })
}

function readNames(cells: readonly CsvCell[]): string[] {
  const [first] = cells
  const other =
    cells.length === 1 ? [';', '\t', '|'].find((character) => first?.text.includes(character)) : undefined
  if (other !== undefined) throw importProblem('WrongDelimiter', { delimiter: other })
  return cells.map(({ text }, index) => {
    const name = text.trim()
    if (name === '') throw importProblem('UnnamedColumn', { column: index + 1 })
    return name
  })
}

/** Finds a property by name, by title, or within an embedded value: `address.city`, `title.en`. Names come before titles. */
const findColumn = (name: string, cls: Class): CsvColumn | undefined =>
  findColumnBy(findByName, name, cls) ?? findColumnBy(findProperty, name, cls)

type FindProperty = typeof findProperty

const findByName: FindProperty = ({ properties }, name) => properties.find((one) => one.name === name)

function findColumnBy(find: FindProperty, name: string, cls: Class): CsvColumn | undefined {
  const property = find(cls, name)
  if (property !== undefined) return columnFor([property.name], property.range)
  const dot = name.indexOf('.')
  const outer = dot < 0 ? undefined : find(cls, name.slice(0, dot))
  if (outer === undefined) return undefined
  const [range, rest] = [outer.range, name.slice(dot + 1)]
  if (range.kind === 'datatype')
    return range.datatype === 'langString' ? columnFor([outer.name, rest], range) : undefined
  const inner = range.kind === 'embedded' ? findColumnBy(find, rest, range.cls) : undefined
  return inner && { ...inner, path: [outer.name, ...inner.path] }
}

const columnFor = (path: readonly string[], range: Range): CsvColumn => ({
  path,
  read: cellReaderFor(range),
  emptyText: isText({ range }) ? '' : undefined,
})

function refuseColumn(name: string, { name: className, properties }: Class): never {
  const column = name.slice(0, 100)
  const known = properties.map((property) => property.name)
  throw importProblem('UnknownColumn', { className, column, known }, { at: { property: column } })
}

/** Empty cells are left out, except for empty texts; columns with the same name become a list. */
function readRow(cells: readonly CsvCell[], columns: readonly CsvColumn[]): JsonObject {
  if (cells.length !== columns.length)
    throw importProblem('WrongCellCount', { count: cells.length, expected: columns.length })
  const row: JsonObject = Object.create(null)
  const violations: ProblemData[] = []
  columns.forEach(({ path, read, emptyText }, index) => {
    const { text, isQuoted } = cells[index] as CsvCell
    if (text === '') {
      if (isQuoted && emptyText !== undefined) setAtPath(row, path, emptyText)
      return
    }
    const found = read(text)
    if ('value' in found) setAtPath(row, path, found.value)
    else violations.push(atProperty(found.problem, path.join('/')))
  })
  if (violations.length > 0) throw new Problem('ValidationFailed', {}, { violations })
  return row
}

function setAtPath(into: JsonObject, path: readonly string[], value: JsonValue, depth = 0): void {
  const name = path[depth] ?? ''
  if (depth === path.length - 1) {
    into[name] = name in into ? [into[name] as JsonValue, value].flat() : value
    return
  }
  into[name] ??= Object.create(null)
  const within = into[name] as JsonValue
  if (!isObject(within)) {
    throw importProblem('ValueAndPart', { value: path.slice(0, depth + 1).join('.'), part: path.join('.') })
  }
  setAtPath(within, path, value, depth + 1)
}
