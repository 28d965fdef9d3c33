// Reads the rows of tables as members.
import type { JsonObject, JsonValue } from '../../json.ts'
import {
  type Class,
  hasCollection,
  isLinkToAccount,
  type Model,
  type Property,
  pathTo,
} from '../../vocabulary/index.ts'
import { findProperty, findTable } from '../name-lookup.ts'
import type { DataItem } from '../ndjson.ts'
import { inOrderOfReferences, isToKey, joinTableOf, linksOf, turned } from './plan.ts'
import { columnTitle } from './propose-class.ts'
import { idOfKey } from './row-id.ts'
import {
  type ForeignKey,
  type JoinTable,
  keyText,
  type RowPart,
  type SourceRow,
  type SourceTable,
  type TableSource,
  type UnreadPart,
} from './schema.ts'
import { valueReaderFor } from './values.ts'

/** What is read of a database under an API file. */
export interface TableReading {
  readonly unread: readonly UnreadPart[]
  /** How many rows there are. */
  count(): Promise<number>
  items(): AsyncGenerator<DataItem[]>
}

/** Takes its part of a row, and sets the property that it is for. */
type SetProperty = (row: SourceRow, member: JsonObject) => void

interface ClassTable {
  readonly table: SourceTable
  readonly cls: Class
  readonly parts: readonly RowPart[]
  readonly setters: readonly SetProperty[]
  /** Where the parts of the key are in a row. */
  readonly keyAt: readonly number[]
}

export async function readTables(source: TableSource, model: Model): Promise<TableReading> {
  const { tables, others } = await source.describe()
  const unread: UnreadPart[] = others
    .filter(({ reason }) => reason === 'forbidden')
    .map(({ name }) => ({ table: name, column: undefined, className: undefined, isForbidden: true }))
  const joins: FoundJoin[] = []
  const ofClasses: { readonly table: SourceTable; readonly cls: Class }[] = []
  for (const table of tables) {
    const cls = findTable(model, table.name)
    const join = cls === undefined ? findJoin(table, tables, model) : undefined
    if (cls !== undefined) ofClasses.push({ table, cls })
    else if (join !== undefined) joins.push(join)
    else unread.push({ table: table.name, column: undefined, className: undefined })
  }
  const order = inOrderOfReferences(
    ofClasses.map(({ table }) => table),
    joins.map(({ join }) => join),
  )
  const read = order.map((table) => {
    const { cls } = ofClasses.find((one) => one.table === table) as { readonly cls: Class }
    return planRows(table, cls, { tables, joins, unread })
  })
  return {
    unread,
    async count() {
      let rows = 0
      for (const table of order) rows += await source.count(table)
      return rows
    },
    async *items() {
      let line = 0
      for (const one of read) {
        const readRow = createRowReader(one)
        for await (const rows of source.rows(one)) yield rows.map((row) => readRow(row, ++line))
      }
    },
  }
}

/** A table of links, and the property that has them. */
interface FoundJoin {
  readonly join: JoinTable
  readonly property: Property
}

function findJoin(table: SourceTable, tables: readonly SourceTable[], model: Model): FoundJoin | undefined {
  const join = joinTableOf(table, tables)
  if (join === undefined) return undefined
  const found = [join, turned(join)].flatMap((side): FoundJoin[] => {
    const [own, other] = [findTable(model, side.from.table), findTable(model, side.to.table)]
    const links = (own?.properties ?? []).filter(
      ({ many, range }) => many && range.kind === 'link' && range.className === other?.name,
    )
    return links.map((property) => ({ join: side, property }))
  })
  const named = found.find(({ property }) => [property.name, property.title].includes(table.name))
  // The only property with such links needs no name to be found by.
  return named ?? (found.length === 1 ? found[0] : undefined)
}

interface TablesContext {
  readonly tables: readonly SourceTable[]
  readonly joins: readonly FoundJoin[]
  readonly unread: UnreadPart[]
}

function planRows(table: SourceTable, cls: Class, { tables, joins, unread }: TablesContext): ClassTable {
  const parts: RowPart[] = []
  const setters: SetProperty[] = []
  const add = (part: RowPart): number => parts.push(part) - 1
  const columnOf = (name: string): RowPart => {
    const column = table.columns.find((one) => one.name === name)
    if (column === undefined) throw new Error(`${table.name} has no column ${name}.`)
    return { kind: 'column', column }
  }
  const keyAt = table.key.map((name) => add(columnOf(name)))
  const linked = new Set<string>()
  for (const reference of linksOf(table, tables)) {
    const property = findProperty(cls, columnTitle(reference.columns))
    if (property?.range.kind !== 'link' || isLinkToAccount(property.range)) continue
    for (const name of reference.columns) linked.add(name)
    const at = idParts(reference, tables, columnOf).map(add)
    setters.push(setLink(property.name, at))
  }
  for (const { name, datatype, isList } of table.columns) {
    if (linked.has(name)) continue
    const property = table.key.includes(name) ? findByTitle(cls, name) : findProperty(cls, name)
    if (property === undefined || datatype === undefined) {
      if (!table.key.includes(name)) unread.push({ table: table.name, column: name, className: cls.name })
      continue
    }
    setters.push(setValue(property, add(columnOf(name)), isList))
  }
  for (const { join, property } of joins)
    if (join.from.table === table.name) setters.push(setLinks(property.name, add({ kind: 'joined', join })))
  return { table, cls, parts, setters, keyAt }
}

/** A key such as `author_id` is not the link `author`. */
const findByTitle = ({ properties }: Class, key: string): Property | undefined =>
  properties.find(({ name, title }) => name === key || title === key)

/** The parts of a row that make the id of the row that it refers to. */
function idParts(
  reference: ForeignKey,
  tables: readonly SourceTable[],
  columnOf: (name: string) => RowPart,
): RowPart[] {
  if (isToKey(reference, tables)) return reference.columns.map(columnOf)
  const key = tables.find(({ name }) => name === reference.table)?.key ?? []
  return key.map((keyColumn) => ({ kind: 'lookup', reference, keyColumn }))
}

/** A reference with a part that is null refers to nothing. */
const setLink =
  (name: string, at: readonly number[]): SetProperty =>
  (row, member) => {
    const key = at.map((place) => row[place] ?? null)
    if (!key.includes(null)) member[name] = idOfKey(key.map(keyText))
  }

const setLinks =
  (name: string, at: number): SetProperty =>
  (row, member) => {
    const keys: readonly (readonly string[])[] = JSON.parse(String(row[at] ?? '[]'))
    if (keys.length > 0) member[name] = keys.map(idOfKey)
  }

function setValue({ name, range }: Property, at: number, isList: boolean): SetProperty {
  const read = valueReaderFor(range, { isList })
  const isId = range.kind === 'link' && !isLinkToAccount(range)
  return (row, member) => {
    const value = row[at] ?? null
    const found = isId && !isList && value !== null ? idOfKey([keyText(value)]) : read(value)
    if (found !== undefined) member[name] = isId && isList ? [found].flat().map(asId) : found
  }
}

const asId = (value: JsonValue): JsonValue => (typeof value === 'string' ? idOfKey([value]) : value)

/** Rows become lines of NDJSON, which the import reads. */
function createRowReader({ table, cls, setters, keyAt }: ClassTable) {
  let last = ''
  let times = 0
  return (row: SourceRow, line: number): DataItem => {
    const member: JsonObject = Object.create(null)
    member['@type'] = cls.name
    // SQLite allows null in a key of text.
    const parts = keyAt.map((at) => row[at] ?? null)
    const key = parts.includes(null) ? [] : parts.map(keyText)
    if (key.length > 0 && hasCollection(cls)) member['@id'] = `${pathTo(cls.collection)}/${idOfKey(key)}`
    for (const set of setters) set(row, member)
    const text = JSON.stringify(member)
    // Rows without a key are sorted by their values, so that equal rows follow each other.
    times = text === last ? times + 1 : 1
    last = text
    const named = key.length > 0 ? key.join(', ') : `row ${line}`
    return { line, position: times, text, context: undefined, row: `${table.name} ${named}` }
  }
}
