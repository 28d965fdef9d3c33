import { findNameProblem, plural } from '../../vocabulary/index.ts'
import { findProperty, linkNames } from '../name-lookup.ts'
import type { ProposedClass, ProposedProperty } from '../proposal/file.ts'
import { camelCase } from '../proposal/names.ts'
import { readCondition } from './condition.ts'
import { linksOf } from './plan.ts'
import { proposeColumn } from './propose-column.ts'
import { type ForeignKey, isSame, type JoinTable, type SourceColumn, type SourceTable } from './schema.ts'
import { claimProperty, type TableName } from './table-names.ts'

/** What is proposed for all tables. */
export interface ProposedTables {
  readonly tables: readonly SourceTable[]
  readonly joins: readonly JoinTable[]
  readonly names: ReadonlyMap<string, TableName>
}

/** A property, with the columns that it stands for, by which the import finds it. */
interface TableProperty extends ProposedProperty {
  readonly columns: readonly string[]
  readonly isLink: boolean
}

/** How a property is called by its columns, if it has another name. */
export const columnTitle = (columns: readonly string[]): string => columns.join(', ')

/** `blank`: the columns that have empty texts. */
export function proposeClass(
  table: SourceTable,
  blank: ReadonlySet<string>,
  proposed: ProposedTables,
): ProposedClass {
  const { className, path, title } = nameOf(table.name, proposed)
  const links = linksOf(table, proposed.tables).filter((one) => proposed.names.has(one.table))
  const linked = new Set(links.flatMap(({ columns }) => columns))
  const ownColumns = table.columns.filter(({ name }) => !linked.has(name))
  const names = new Set(
    ownColumns.map(({ name }) => name).filter((name) => findNameProblem(name) === undefined),
  )
  const remarks: string[] = []
  const { findConditions, unread } = readConditions(table, ownColumns)
  const properties: TableProperty[] = []
  for (const column of table.columns) {
    properties.push(...links.filter((one) => one.columns[0] === column.name).map(linkFor))
    if (linked.has(column.name) || isOnlyId(column, table)) continue
    const facts = { conditions: findConditions(column.name), hasBlank: blank.has(column.name) }
    const found = proposeColumn(column, facts)
    if (found === undefined) remarks.push(leftOut(column))
    else properties.push({ ...found, name: nameFor(column.name), columns: [column.name], isLink: false })
  }
  const many = proposed.joins.filter(({ from }) => from.table === table.name).map(manyFor)
  const unique = uniqueKeys(table, properties, remarks)
  remarks.push(...withoutLinks(table, links))
  remarks.push(...unread.map((check) => `Not carried over: CHECK (${check})`))
  const usual = plural(className).toLowerCase()
  return {
    name: className,
    keys: { collection: path === usual ? undefined : path, title, unique: unique.together },
    properties: [...withTitles(properties, unique.alone), ...many],
    remarks,
  }

  function nameFor(column: string): string {
    return names.has(column) ? column : claimProperty(column, names)
  }

  function linkFor({ columns, table: target, onDelete }: ForeignKey): TableProperty {
    const [first = ''] = columns
    const type = nameOf(target, proposed).className
    const wanted = columns.length > 1 ? [camelCase(type)] : [linkNames(first)[0] ?? first, first]
    const free = wanted.find((one) => findNameProblem(one) === undefined && !names.has(one))
    const required = columns.every((name) => table.columns.some((one) => one.name === name && one.isRequired))
    const rule = onDelete === 'refuse' || (onDelete === 'unset' && required) ? undefined : onDelete
    const name = claimProperty(free ?? first, names)
    return { name, type, keys: { required, onDelete: rule }, remarks: [], columns, isLink: true }
  }

  function manyFor({ table: join, from, to }: JoinTable): ProposedProperty {
    const type = nameOf(to.table, proposed).className
    const [far = ''] = to.columns
    const wanted = from.table === to.table ? plural(linkNames(far)[0] ?? far) : camelCase(plural(type))
    const isAmbiguous = proposed.joins.filter((one) => isBetweenSame(one, { from, to })).length > 1
    const unset = to.onDelete === 'delete' ? 'unset' : undefined
    const title = isAmbiguous || from.table === to.table ? join.name : undefined
    const name = claimProperty(wanted, names)
    return { name, type, keys: { many: true, onDelete: unset, title }, remarks: [`rows of ${join.name}`] }
  }
}

const nameOf = (table: string, { names }: ProposedTables): TableName => names.get(table) as TableName

const isBetweenSame = (one: Pick<JoinTable, 'from' | 'to'>, other: Pick<JoinTable, 'from' | 'to'>): boolean =>
  isSame([one.from.table, one.to.table], [other.from.table, other.to.table])

/** Names that a key has which says nothing else. */
const ID_NAMES = [/(?:^|_)(?:id|uuid|guid|rowid)$/i, /[a-z0-9](?:Id|ID|Uuid|UUID)$/]

/** Whether the id of a member says all that the column does. */
function isOnlyId({ name, datatype, type }: SourceColumn, { key }: SourceTable): boolean {
  if (key.length !== 1 || key[0] !== name) return false
  if (datatype === undefined || datatype === 'integer' || /uuid/i.test(type)) return true
  return datatype === 'string' && ID_NAMES.some((pattern) => pattern.test(name))
}

const leftOut = ({ name, type }: SourceColumn): string =>
  `Left out: ${name} (${type}), which no type of an API file can hold.`

/** References to a table without a key, or a second one of the same columns: the values of these are kept. */
const withoutLinks = ({ references }: SourceTable, links: readonly ForeignKey[]): string[] =>
  references
    .filter((one) => !links.some((link) => link.table === one.table && isSame(link.columns, one.columns)))
    .map(({ columns, table }) => `Not carried over: ${columns.join(', ')} refers to ${table}.`)

function readConditions({ checks }: SourceTable, columns: readonly SourceColumn[]) {
  const read = checks.map((check) => {
    const condition = readCondition(check)
    const called = condition?.column.toLowerCase()
    const column = columns.find(({ name }) => name.toLowerCase() === called)?.name
    return { check, column, condition }
  })
  return {
    findConditions: (name: string) =>
      read.flatMap(({ column, condition }) => (column === name && condition ? [condition] : [])),
    unread: read.filter(({ column }) => column === undefined).map(({ check }) => check),
  }
}

/** Keys as properties that are unique, alone or together. */
function uniqueKeys(table: SourceTable, properties: readonly TableProperty[], remarks: string[]) {
  const alone = new Set<string>()
  const together: string[][] = []
  for (const columns of [table.key, ...table.unique]) {
    const found = columns.map((column) => properties.find((one) => one.columns.includes(column)))
    // The id of a member is unique by itself.
    if (columns === table.key && found.length < 2 && found[0] === undefined) continue
    if (found.some((one) => one === undefined || one.keys.many === true)) {
      remarks.push(`Unique in the database: ${columns.join(', ')}`)
      continue
    }
    const [first = '', ...others] = new Set(found.map((one) => one?.name ?? ''))
    if (others.length === 0) alone.add(first)
    else if (!together.some((names) => isSame(names, [first, ...others]))) together.push([first, ...others])
  }
  return { alone, together: together.length === 0 ? undefined : together }
}

/** The title names the columns where the import would not find the property by its name. */
function withTitles(properties: readonly TableProperty[], unique: ReadonlySet<string>): ProposedProperty[] {
  const found = properties.map(({ name, isLink }) => ({
    name,
    title: name,
    range: { kind: isLink ? ('link' as const) : ('datatype' as const) },
  }))
  return properties.map(({ name, type, keys, remarks, columns }) => {
    const called = columnTitle(columns)
    const title = findProperty({ properties: found }, called)?.name === name ? undefined : called
    return { name, type, keys: { ...keys, unique: unique.has(name), title }, remarks }
  })
}
