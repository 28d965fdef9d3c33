import { HttpError, invalid, type Violation, violation, badRequest as wrong } from '../errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { suggestion } from '../text.ts'
import { type Class, findNameProblem } from '../vocabulary/index.ts'
import { asText, type Write, writerFor } from './csv-cell.ts'
import { findProperty } from './name-lookup.ts'
import { DataError, LINE_FEED, type MemberText, type Problem, type Split, splitRecords } from './ndjson.ts'

const [QUOTE, COMMA] = [0x22, 0x2c]

/** CSV with a header (RFC 4180): each record is a member of `cls`, as the text that NDJSON would have for it. */
export const createSplitCsv = (cls: Class): Split =>
  async function* (chunks) {
    for await (const rows of readTable(chunks, (cells) => readHeader(cells, cls)))
      yield rows.map((one) => {
        if ('problem' in one) return one
        return { ...one.record, text: JSON.stringify({ '@type': cls.name, ...one.row }) }
      })
  }

type Row = { readonly record: MemberText; readonly row: JsonObject }

/** The rows after the header, or what is wrong with a line. Throws DataError where the header is wrong. */
async function* readTable(
  chunks: AsyncIterable<Buffer>,
  readHeader: (cells: readonly string[]) => Column[],
): AsyncGenerator<(Row | Problem)[]> {
  let columns: Column[] | undefined
  for await (const records of splitRecords(chunks, createFindEnd())) {
    const all: (Row | Problem)[] = []
    for (const record of records) {
      try {
        if ('problem' in record) throw wrong(record.problem)
        if (record.text.trim() === '') continue
        const cells = readCells(record.text)
        if (columns === undefined) columns = readHeader(cells)
        else all.push({ record, row: readRow(cells, columns) })
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        if (columns === undefined) throw new DataError(record.line, error.message)
        all.push({ line: record.line, problem: error.message })
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

/** The cells of one record; 400 for quotes that do not fit together. */
export function readCells(record: string): string[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  const cells: string[] = []
  for (let at = 0; ; at++) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    cells.push(cell)
    at = end
    if (at >= text.length) return cells
    if (text[at] !== ',') throw wrong('Behind a closing quote there must be a comma or the end of the line.')
  }
}

/** A cell, and the offset after it. */
type Cell = { readonly cell: string; readonly end: number }

function readPlain(text: string, at: number): Cell {
  const comma = text.indexOf(',', at)
  const end = comma < 0 ? text.length : comma
  const cell = text.slice(at, end)
  if (cell.includes('"')) throw wrong('A cell with a quote in it must be in quotes, and the quote doubled.')
  return { cell, end }
}

function readQuoted(text: string, at: number): Cell {
  let cell = ''
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) throw wrong('A quote is opened and not closed; close it, or double it within a cell.')
    cell += text.slice(from, close)
    if (text[close + 1] !== '"') return { cell, end: close + 1 }
    // A doubled quote is one quote, and the cell goes on.
    cell += '"'
    from = close + 2
  }
}

/** A column: the path of its property, and how a cell becomes JSON. */
interface Column {
  readonly path: readonly string[]
  readonly write: Write
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
    return paths.map((path) => ({ path, write: asText }))
  })
  for await (const rows of table) {
    for (const one of rows) {
      if ('problem' in one) throw new DataError(one.line, one.problem)
      yield one.row
    }
  }
  if (!hasHeader) throw new Error('there is no header in it.')
}

/** `address.city` is a path into `address`, unless that is a column of its own. */
function pathIn(name: string, names: readonly string[]): string[] {
  const path = name.split('.')
  const isWithin = path.every((part, index) => {
    return findNameProblem(part) === undefined && !names.includes(path.slice(0, index).join('.'))
  })
  return isWithin ? path : [name]
}

const readHeader = (cells: readonly string[], cls: Class): Column[] =>
  readNames(cells).map(
    (name) => findColumn(name, cls) ?? (name === 'id' ? { path: ['id'], write: asText } : unknown(name, cls)),
  )

function readNames(cells: readonly string[]): string[] {
  const [only = ''] = cells
  const other =
    cells.length === 1 ? [';', '\t', '|'].find((character) => only.includes(character)) : undefined
  if (other !== undefined)
    throw wrong(
      `The header has ${JSON.stringify(other)} and no comma; save the file with commas between the cells.`,
    )
  return cells.map((cell, index) => {
    const name = cell.trim()
    if (name === '') throw wrong(`Column ${index + 1} has no name in the header; give it one.`)
    return name
  })
}

/** Finds a property by name, by title, or within an embedded value: `address.city`, `title.en`. */
function findColumn(name: string, cls: Class): Column | undefined {
  const property = findProperty(cls, name)
  if (property !== undefined) return { path: [property.name], write: writerFor(property.range) }
  const dot = name.indexOf('.')
  const outer = dot < 0 ? undefined : findProperty(cls, name.slice(0, dot))
  if (outer === undefined) return undefined
  const [range, rest] = [outer.range, name.slice(dot + 1)]
  if (range.kind === 'datatype')
    return range.datatype === 'langString' ? { path: [outer.name, rest], write: asText } : undefined
  const inner = range.kind === 'embedded' ? findColumn(rest, range.cls) : undefined
  return inner && { path: [outer.name, ...inner.path], write: inner.write }
}

function unknown(column: string, { name, properties }: Class): never {
  const names = properties.map((property) => property.name)
  throw violation(column.slice(0, 100), `is not a property of ${name}; ${suggestion(column, names)}`)
}

/** Empty cells are left out; columns with the same name become a list. */
function readRow(cells: readonly string[], columns: readonly Column[]): JsonObject {
  if (cells.length !== columns.length)
    throw wrong(`This line has ${cells.length} cells, and the header ${columns.length}; make them as many.`)
  const row: JsonObject = Object.create(null)
  const violations: Violation[] = []
  columns.forEach(({ path, write }, index) => {
    const cell = cells[index] ?? ''
    if (cell === '') return
    const found = write(cell)
    if ('value' in found) setAtPath(row, path, found.value)
    else violations.push({ propertyPath: path.join('/'), message: found.message })
  })
  if (violations.length > 0) throw invalid(violations)
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
    const [outer, inner] = [path.slice(0, depth + 1), path].map((one) => `"${one.join('.')}"`)
    throw wrong(`${outer} has a value, and ${inner} one within it; leave one of the cells empty.`)
  }
  setAtPath(within, path, value, depth + 1)
}
