import { unescapeFormula } from '../../api/index.ts'
import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import { atProperty, Problem, type ProblemData } from '../../problem.ts'
import { type Class, findNameProblem, isText, type Property, type Range } from '../../vocabulary/index.ts'
import { findProperty, uniqueIn } from '../name-lookup.ts'
import { type MemberText, type Split, splitRecords, type UnreadableItem } from '../ndjson.ts'
import { DataError, importProblem } from '../problems.ts'
import { asText, type CellForms, cellReaderFor, type ReadCell } from './cell.ts'
import { type CsvCell, createFindEnd, findDelimiter, readCells, readSeparator } from './records.ts'

/** How a spreadsheet has written its cells. */
export interface CsvImportOptions extends CellForms {
  /** Whether formulas are escaped in the texts. */
  readonly spreadsheet?: boolean | undefined
  /** The class with a name, for links; absent where links have no columns of their own. */
  readonly classOf?: ((name: string) => Class | undefined) | undefined
}

/** CSV with a header (RFC 4180): each record becomes a member of `cls`, as a line of NDJSON. */
export const createSplitCsv = (cls: Class, options: CsvImportOptions = {}): Split =>
  async function* (chunks) {
    const restore = options.spreadsheet ? unescaped : undefined
    for await (const rows of readTable(chunks, (cells) => readHeader(cells, cls, options), restore))
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
  restore: (cell: CsvCell) => CsvCell = (cell) => cell,
): AsyncGenerator<(CsvRow | UnreadableItem)[]> {
  let columns: CsvColumn[] | undefined
  const { delimiter, chunks: all } = await findDelimiter(chunks)
  for await (const records of splitRecords(all, createFindEnd(delimiter))) {
    const rows: (CsvRow | UnreadableItem)[] = []
    for (const record of records) {
      try {
        if ('problem' in record) throw record.problem
        if (record.text.trim() === '') continue
        if (columns === undefined && readSeparator(record.text) !== undefined) continue
        const cells = readCells(record.text, delimiter).map(restore)
        if (columns === undefined) columns = readHeader(cells)
        // Spreadsheets write a blank line as nothing but delimiters.
        else if (cells.some(({ text, isQuoted }) => text !== '' || isQuoted))
          rows.push({ record, row: readRow(cells, columns) })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (columns === undefined) throw new DataError(record.line, error)
        rows.push({ line: record.line, problem: error })
      }
    }
    yield rows
  }
}

const unescaped = ({ text, isQuoted }: CsvCell): CsvCell => ({ text: unescapeFormula(text), isQuoted })

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
    const known = new Set(names)
    const paths = names.map((name) => pathIn(name, known))
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

/** Values are embedded in fewer levels (vocabulary/conflicts.ts). */
const LONGEST_PATH = 12

/** `address.city` is a path into `address`, unless `address` is itself a column. */
function pathIn(name: string, names: ReadonlySet<string>): string[] {
  const path = name.split('.', LONGEST_PATH + 1)
  if (path.length > LONGEST_PATH) return [name]
  const isWithin = path.every((part, index) => {
    return findNameProblem(part) === undefined && !names.has(path.slice(0, index).join('.'))
  })
  return isWithin ? path : [name]
}

/** Columns that are not properties: the address, and the id. */
const IDENTITIES = ['@id', 'id']

function readHeader(cells: readonly CsvCell[], cls: Class, options: CsvImportOptions): CsvColumn[] {
  const names = readNames(cells)
  return names.map((name) => {
    const found = findColumn(name, cls, options)
    // In our exports "@id" is the address, even if it is the title of a property, which then has its own column.
    const isAddress = name === '@id' && found?.path.every((part) => names.includes(part))
    if (found !== undefined && !isAddress) return found
    if (!IDENTITIES.includes(name)) refuseColumn(name, cls, options)
    return { path: [name], read: asText, emptyText: undefined }
  })
}

function readNames(cells: readonly CsvCell[]): string[] {
  const [first] = cells
  if (cells.length === 1 && first?.text.includes('|'))
    throw importProblem('WrongDelimiter', { delimiter: '|' })
  return cells.map(({ text }, index) => {
    const name = text.trim()
    if (name === '') throw importProblem('UnnamedColumn', { column: index + 1 })
    return name
  })
}

/**
 * Finds a property by name, by title, within an embedded value (`address.city`, `title.en`), or a link by a unique property
 * of its target (`customer.email`). Names come before titles.
 */
const findColumn = (name: string, cls: Class, options: CsvImportOptions): CsvColumn | undefined =>
  findColumnBy(findByName, name, cls, options) ?? findColumnBy(findProperty, name, cls, options)

type FindProperty = typeof findProperty

const findByName: FindProperty = ({ properties }, name) => properties.find((one) => one.name === name)

function findColumnBy(
  find: FindProperty,
  name: string,
  cls: Class,
  options: CsvImportOptions,
): CsvColumn | undefined {
  const property = find(cls, name)
  if (property !== undefined) return columnFor([property.name], property.range, options)
  const dot = name.indexOf('.')
  const outer = dot < 0 ? undefined : find(cls, name.slice(0, dot))
  if (outer === undefined) return undefined
  const [range, rest] = [outer.range, name.slice(dot + 1)]
  if (range.kind === 'datatype')
    return range.datatype === 'langString' ? columnFor([outer.name, rest], range, options) : undefined
  if (range.kind === 'link') {
    const target = options.classOf?.(range.className)
    const unique = target && find({ properties: uniqueIn(target) }, rest)
    return unique && referenceColumn(outer.name, unique, options)
  }
  const inner = findColumnBy(find, rest, range.cls, options)
  return inner && { ...inner, path: [outer.name, ...inner.path] }
}

const columnFor = (path: readonly string[], range: Range, forms: CellForms): CsvColumn => ({
  path,
  read: cellReaderFor(range, forms),
  emptyText: isText({ range }) ? '' : undefined,
})

/** Links by a unique property of their targets, each of which becomes an object with this property (unique-links.ts). */
function referenceColumn(link: string, { name, range }: Property, forms: CellForms): CsvColumn {
  const read = cellReaderFor(range, forms)
  return {
    path: [link],
    read(cell) {
      const found = read(cell)
      return 'value' in found ? { value: { [name]: found.value } } : found
    },
    emptyText: undefined,
  }
}

function refuseColumn(name: string, cls: Class, { classOf }: CsvImportOptions): never {
  const column = name.slice(0, 100)
  const at = { property: column }
  const targetOf = ({ range }: Property) => (range.kind === 'link' ? classOf?.(range.className) : undefined)
  const [outer = '', ...rest] = name.split('.')
  const link = findProperty(cls, outer)
  const target = link && targetOf(link)
  const property = target && findProperty(target, rest.join('.'))
  if (link !== undefined && target !== undefined && property !== undefined)
    throw importProblem(
      'ColumnNotUnique',
      { className: target.name, property: property.name, link: link.name },
      { at },
    )
  const known = cls.properties.flatMap((one) => {
    const unique = targetOf(one)
    return [one.name, ...(unique ? uniqueIn(unique) : []).map((inner) => `${one.name}.${inner.name}`)]
  })
  throw importProblem('UnknownColumn', { className: cls.name, column, known }, { at })
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
    const before = into[name]
    // A list of its own, to which thousands of columns may add.
    if (Array.isArray(before)) before.push(value)
    else into[name] = before === undefined ? value : [before, value]
    return
  }
  into[name] ??= Object.create(null)
  const within = into[name] as JsonValue
  if (!isObject(within)) {
    throw importProblem('ValueAndPart', { value: path.slice(0, depth + 1).join('.'), part: path.join('.') })
  }
  setAtPath(within, path, value, depth + 1)
}
