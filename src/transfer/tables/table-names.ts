import { claimName } from '../../text.ts'
import { findNameProblem, plural } from '../../vocabulary/index.ts'
import { findTableIn } from '../name-lookup.ts'
import { camelCase, classNameFor, isFreePath, singular, wordsOfName } from '../proposal/names.ts'
import type { SourceTable } from './schema.ts'

/** The name, the path and perhaps the title of a class, by which the import finds its table again. */
export interface TableName {
  readonly className: string
  readonly path: string
  readonly title: string | undefined
}

/** Names for the classes, keyed by the name of the table. */
export function nameClasses(tables: readonly SourceTable[]): ReadonlyMap<string, TableName> {
  const taken = new Set<string>()
  const paths = new Set<string>()
  const named = tables.map(({ name }) => {
    const className = classNameFor(singular(name), taken)
    return { table: name, className, path: claimPath(name, className, paths), title: undefined }
  })
  const asFound = named.map(({ className, path }) => ({
    name: className,
    collection: path,
    title: className,
  }))
  const isFound = named.every(({ table, className }) => findTableIn(asFound, table)?.name === className)
  return new Map(named.map(({ table, ...one }) => [table, isFound ? one : { ...one, title: table }] as const))
}

/** `order_lines` becomes `order-lines`. */
function claimPath(table: string, className: string, taken: Set<string>): string {
  const usual = plural(className).toLowerCase()
  const words = wordsOfName(singular(table)).join('-').toLowerCase()
  const candidates = [words.includes('-') ? plural(words) : usual, usual, `my-${usual}`, 'rows']
  return claimName(candidates.find(isFreePath) ?? 'rows', taken)
}

/** A free name of a property, like the given one as far as that is possible. */
export function claimProperty(wanted: string, taken: Set<string>): string {
  const name = findNameProblem(wanted) === undefined ? wanted : camelCase(wanted) || 'column'
  return claimName(name, taken)
}
