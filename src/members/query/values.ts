// The values that paths lead to, from the member in a row of keys.
import type { ValuePath } from '../summary.ts'
import { and, columnOf, type Dialect, fill, type Sql, sql } from './dialect.ts'
import { writeFilter } from './filters.ts'
import { predicate } from './predicates.ts'

/** Joins after which each row has one value at the end of the path, or null where the path leads to none. */
export interface JoinedValues {
  readonly joins: readonly Sql[]
  /** The key of the value. */
  readonly key: string
  /** The embedded value of the member itself that has it (`Indexed.element`); undefined if it is in none of several. */
  readonly element: string | undefined
  /** Whether a member may have several rows. */
  readonly isMany: boolean
}

/** `alias`: the beginning of the aliases of the joined rows. Undefined if a class on the way has no members. */
export function joinValues(
  dialect: Dialect,
  path: ValuePath,
  alias: string,
  row = 'k',
): JoinedValues | undefined {
  const joins: Sql[] = []
  let [at, from, isMany]: [Dialect, string, boolean] = [dialect, row, false]
  let element: string | undefined

  /** The column of a property; one with many values is joined. */
  function columnFor(property: string, name: string): string {
    const { index, shape } = columnOf(at, property)
    if (!shape.many) return `${from}.k${index}`
    isMany = true
    if (from === row && shape.depth !== undefined) element = `${name}.element`
    joins.push(
      sql(
        `LEFT JOIN ${at.tables.values} ${name} ON ${name}.sequence = ${from}.sequence AND ${name}.property = ${index}`,
      ),
    )
    return `${name}.key`
  }

  for (const [index, step] of path.steps.entries()) {
    const other = at.of(step.className)
    if (other === undefined) return undefined
    const [inner, values] = [`${alias}${index}`, `${alias}${index}_v`]
    const filters = step.filters.map((filter) => writeFilter(other, filter))
    const tests = and(filters.map((filter) => predicate(other, filter, { alias: inner, level: 1 })))
    if (step.kind === 'link') joins.push(other.joinTarget(inner, columnFor(step.property, values), tests))
    else {
      isMany = true
      joins.push(...joinSources(at, other, step.property, { row: from, inner, values, tests }))
    }
    ;[at, from] = [other, inner]
  }
  return { key: columnFor(path.property, `${alias}_v`), joins, element, isMany }
}

interface SourceJoin {
  readonly row: string
  readonly inner: string
  readonly values: string
  readonly tests: Sql
}

/** The members that link to the one in a row. */
function joinSources(
  at: Dialect,
  source: Dialect,
  property: string,
  { row, inner, values, tests }: SourceJoin,
): Sql[] {
  const { index, shape } = columnOf(source, property)
  const { tables } = source
  if (!shape.many)
    return [
      fill(`LEFT JOIN ${tables.keys} ${inner} ON ${at.isLinkTo(`${inner}.k${index}`, row)} AND $`, tests),
    ]
  return [
    sql(
      `LEFT JOIN ${tables.values} ${values} ON ${values}.property = ${index} AND ${at.isLinkTo(`${values}.key`, row)}`,
    ),
    fill(`LEFT JOIN ${tables.keys} ${inner} ON ${inner}.sequence = ${values}.sequence AND $`, tests),
  ]
}
