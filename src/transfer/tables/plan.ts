// What is done with each table: its rows become members, or links between members.
import { type ForeignKey, isSame, type JoinTable, type SourceTable } from './schema.ts'

/** The references of a table that can be links, each once; those to a key in the order of that key. */
export function linksOf(table: SourceTable, tables: readonly SourceTable[]): ForeignKey[] {
  const found: ForeignKey[] = []
  for (const reference of table.references) {
    const key = tables.find(({ name }) => name === reference.table)?.key ?? []
    // A row without a key has no id that another row could name.
    if (key.length === 0 || found.some(({ columns }) => isSame(columns, reference.columns))) continue
    found.push(isSame(key, reference.targets) ? inOrderOf(key, reference) : reference)
  }
  return found
}

const inOrderOf = (key: readonly string[], reference: ForeignKey): ForeignKey => ({
  ...reference,
  columns: key.map((name) => reference.columns[reference.targets.indexOf(name)] ?? ''),
  targets: key,
})

/** Whether the columns of a reference are the key of the other row, and so its id. */
export const isToKey = ({ table, targets }: ForeignKey, tables: readonly SourceTable[]): boolean =>
  isSame(tables.find(({ name }) => name === table)?.key ?? [], targets)

/**
 * Reads a table as links: it has two references and nothing else but a number of its own, each pair once, and no other
 * table refers to it. Undefined for any other table.
 */
export function joinTableOf(table: SourceTable, tables: readonly SourceTable[]): JoinTable | undefined {
  const [from, to, ...more] = linksOf(table, tables).toSorted(
    (one, other) => placeOf(one, table) - placeOf(other, table),
  )
  if (from === undefined || to === undefined || more.length > 0) return undefined
  if (table.references.length > 2) return undefined
  if (![from, to].every((one) => isToKey(one, tables))) return undefined
  const pair = [...from.columns, ...to.columns]
  if (new Set(pair).size < pair.length || tables.some((one) => refersTo(one, table))) return undefined
  const others = table.columns.map(({ name }) => name).filter((name) => !pair.includes(name))
  const isPairUnique = [table.key, ...table.unique].some((names) => isSame(names, pair))
  // The number of a row says nothing that is not in its pair.
  return isPairUnique && (others.length === 0 || isSame(others, table.key)) ? { table, from, to } : undefined
}

const placeOf = ({ columns }: ForeignKey, table: SourceTable): number =>
  table.columns.findIndex(({ name }) => name === columns[0])

const refersTo = ({ references }: SourceTable, { name }: SourceTable): boolean =>
  references.some(({ table }) => table === name)

/** The same links from the other side. */
export const turned = ({ table, from, to }: JoinTable): JoinTable => ({ table, from: to, to: from })

/** Tables after those that they refer to, as far as references form no circle. */
export function inOrderOfReferences(
  tables: readonly SourceTable[],
  joins: readonly JoinTable[],
): SourceTable[] {
  const ordered = new Set<SourceTable>()
  const begun = new Set<SourceTable>()
  const byName = new Map(tables.map((table) => [table.name, table]))
  const targetsOf = (table: SourceTable): string[] => [
    ...table.references.map((reference) => reference.table),
    ...joins.filter(({ from }) => from.table === table.name).map(({ to }) => to.table),
  ]
  for (const table of tables) visit(table)
  return [...ordered]

  /** With a stack of its own: a chain of references may be long. */
  function visit(first: SourceTable): void {
    const stack = [first]
    for (let table = stack.at(-1); table !== undefined; table = stack.at(-1)) {
      begun.add(table)
      const next = targetsOf(table)
        .map((name) => byName.get(name))
        .find((one) => one !== undefined && !begun.has(one))
      if (next !== undefined) stack.push(next)
      else {
        ordered.add(table)
        stack.pop()
      }
    }
  }
}
