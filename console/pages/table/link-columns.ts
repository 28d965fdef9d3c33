import type { ClassDescription } from 'hydrant-client'
import { canRead, through } from '../../shared/connection/index.ts'
import { labelProperties } from '../../shared/labels.ts'
import { decode } from '../../shared/names.ts'
import { isObject, type ValuesByName, valueIn } from '../../shared/values.ts'
import { columnOf, type TableColumn } from './columns.ts'

/** In the address of a table, but not sent to the API. No parameter of an API begins with a tilde. */
const COLUMN = '~column='

/** Separates the query of the API from the columns behind links: `~column=customer.country`. */
export function readLinkColumns(address: string): {
  readonly query: string
  readonly linked: readonly string[]
} {
  const parts = address.split('&')
  const isColumn = (part: string) => part.startsWith(COLUMN)
  return {
    query: parts.filter((part) => !isColumn(part)).join('&'),
    linked: parts.filter(isColumn).map((part) => decode(part.slice(COLUMN.length))),
  }
}

export const withLinkColumns = (query: string, names: readonly string[]): string =>
  [query, ...names.map((name) => COLUMN + encodeURIComponent(name))].filter(Boolean).join('&')

/** The columns that a table can have beside its own: the properties of the members that it links to. */
export const linkColumnsOf = (
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): readonly TableColumn[] =>
  (cls?.properties ?? []).flatMap((link) => {
    const target = link.isLink && link.readable ? classes.find(({ iri }) => iri === link.range) : undefined
    if (!target || !canRead(target)) return []
    const [name, ...others] = labelProperties(target)
    return (
      target.properties
        // The link itself is shown by the name.
        .filter((property) => property.readable && (property !== name || others.length > 0))
        .map((property) => columnOf(through(link, property)))
    )
  })

/** Puts each column behind that of its link. */
export function withBehindLinks<T extends { readonly name: string }>(
  columns: readonly T[],
  behind: readonly T[],
): readonly T[] {
  const linkOf = ({ name }: T) => name.slice(0, name.indexOf('.'))
  const isPlaced = (column: T) => columns.some(({ name }) => name !== '' && name === linkOf(column))
  return [
    ...columns.flatMap((column) => [column, ...behind.filter((one) => linkOf(one) === column.name)]),
    ...behind.filter((column) => !isPlaced(column)),
  ]
}

/** The value of a column, behind a link if the page includes the linked member; several if there are several links. */
export function valueAt(values: ValuesByName, path: string): unknown {
  const dot = path.indexOf('.')
  if (dot < 0 || Object.hasOwn(values, path)) return valueIn(values, path)
  const linked = valueIn(values, path.slice(0, dot))
  const rest = path.slice(dot + 1)
  if (!Array.isArray(linked)) return isObject(linked) ? valueAt(linked, rest) : undefined
  const found = linked.filter(isObject).flatMap((one) => valueAt(one, rest) ?? [])
  return found.length > 0 ? found : undefined
}
