import type { ClassDescription, CollectionDescription, PropertyDescription } from 'hydrant-client'
import {
  canRead,
  findFilter,
  findVariable,
  generalRole,
  memberWord,
  type QueryVariable,
  type Role,
  withoutBeginning,
} from '../../shared/connection/index.ts'
import { labelLinks, namingProperty } from '../../shared/labels.ts'
import { decode, labelOf, titleOf } from '../../shared/names.ts'
import { SORTED, type SortDirection, SUMMARY_PARAMETERS } from '../../shared/queries.ts'
import { kindOf } from '../../shared/values.ts'

export interface Pair {
  /** As in the template. */
  readonly name: string
  /** As in the address, and so in the `parameter` of an error. */
  readonly sentName: string
  readonly value: string
  readonly variable: QueryVariable | undefined
  readonly role: Role
  /** The group whose alternatives it is one of (asking.md, Or). */
  readonly group?: string
  /** As in the address: parts that do not change stay as the API wrote them. */
  readonly raw: string
}

export type QueryFilter = Pick<Pair, 'name' | 'value'>

export function readQuery(query: string, variables: readonly QueryVariable[]): readonly Pair[] {
  const parts = query.split('&').filter(Boolean)
  return parts.map((raw) => {
    const [, named = '', sent = ''] = /^([^=]*)=?(.*)$/s.exec(raw) ?? []
    const sentName = decode(named)
    const [, group, alternative] = /^or\[([^\]]*)\]\[(.+)\]$/s.exec(sentName) ?? []
    const variable = findVariable(variables, alternative ?? sentName)
    const name = alternative === undefined ? (variable?.name ?? sentName) : sentName
    const value = decode(isText(variable) ? sent.replaceAll('+', ' ') : sent)
    const role = variable?.role ?? generalRole(name)
    return { name, sentName, value, variable, role, raw, ...(group !== undefined && { group }) }
  })
}

/** Filters and free text, which select a part of the collection. */
export const isFilter = ({ role }: Pair): boolean => role === 'filter' || role === 'text'

/** The filter of a refused parameter, the latest if there are several; if the API names none, the only filter. */
export function refusedBy(parameter: string | undefined, pairs: readonly Pair[]): Pair | undefined {
  const filters = pairs.filter(isFilter)
  if (parameter === undefined) return filters.length === 1 ? filters[0] : undefined
  return filters.findLast(({ sentName }) => sentName === parameter)
}

/** The API includes at most this many. */
const MOST_INCLUDED = 10

/**
 * The part of a query that includes linked members in a page (hypermedia.md, Related members); empty if there is none.
 * `columns`: the paths of columns behind links.
 */
export function includeIn(
  cls: ClassDescription | undefined,
  variables: readonly QueryVariable[],
  classes: readonly ClassDescription[],
  columns: readonly string[] = [],
): string {
  const name = variables.find(({ role }) => role === 'include')?.name
  const rangeOf = ({ range }: PropertyDescription) => classes.find(({ iri }) => iri === range)
  const links = (within: ClassDescription | undefined) =>
    (within?.properties ?? []).filter((one) => one.isLink && one.readable && canRead(rangeOf(one)))
  const ofLabel = labelLinks(cls)
  // Those in the name of the member come first, then those of columns.
  const rank = ({ name }: PropertyDescription) =>
    ofLabel.includes(name) ? 0 : columns.some((path) => path.startsWith(`${name}.`)) ? 1 : 2
  const own = links(cls).toSorted((one, other) => rank(one) - rank(other))
  const paths = [
    ...own.map((link) => link.name),
    // A column behind a link may be a link, too.
    ...own.flatMap((link) =>
      links(rangeOf(link))
        .map(({ name }) => `${link.name}.${name}`)
        .filter((path) => columns.includes(path)),
    ),
    // The name of a linked member may have links, too.
    ...own.flatMap((link) => labelLinks(rangeOf(link)).map((name) => `${link.name}.${name}`)),
    // A single embedded value is shown with the names of its links; of many, only the number is shown.
    ...(cls?.properties ?? [])
      .filter((one) => kindOf(one) === 'embedded' && !one.many)
      .flatMap((one) => links(rangeOf(one)).map((link) => `${one.name}.${link.name}`)),
  ]
  const parts = [...new Set(paths)].slice(0, MOST_INCLUDED).map((value) => name && write({ name, value }))
  return parts.filter(Boolean).join('&')
}

/** The filters of a table, for its summary. */
export const summaryFilters = (pairs: readonly Pair[]): string =>
  pairs
    .filter(isFilter)
    // A property may be called like a parameter of summaries.
    .map(({ raw, name }) => (SUMMARY_PARAMETERS.includes(name) ? raw.replace('=', '.eq=') : raw))
    .join('&')

/** A changed query begins at the first page. */
export const withoutPosition = (pairs: readonly Pair[]): string =>
  pairs
    .filter((pair) => !isPosition(pair))
    .map(({ raw }) => raw)
    .join('&')

export const withoutPair = (pairs: readonly Pair[], gone: Pair): string =>
  withoutPosition(pairs.filter((pair) => pair !== gone))

export const withoutFilters = (pairs: readonly Pair[]): string =>
  withoutPosition(pairs.filter((pair) => !isFilter(pair)))

/** Adds a filter, or replaces `instead` by it. */
export function withFilter(
  pairs: readonly Pair[],
  filter: QueryFilter,
  { instead, repeatable }: { readonly instead: QueryFilter | undefined; readonly repeatable: boolean },
): string {
  const kept = pairs.filter((pair) => !isPosition(pair))
  const replaced = kept.find((pair) => instead && isSame(pair, instead))
  const written = write(filter)
  const raws = kept.flatMap((pair) => {
    if (pair === replaced) return written
    return isSame(pair, filter) || (!repeatable && pair.name === filter.name) ? [] : pair.raw
  })
  return (replaced ? raws : [...raws, written]).join('&')
}

/** Sets a parameter that a query has once; undefined removes it. */
export function withValue(pairs: readonly Pair[], name: string, value: string | undefined): string {
  const left = withoutPosition(pairs.filter((pair) => pair.name !== name))
  const added = value === undefined ? '' : write({ name, value })
  return [left, added].filter(Boolean).join('&')
}

/** The whole query from its first page on, with as many members on each page. */
export function withPageSize(
  pairs: readonly Pair[],
  variables: readonly QueryVariable[],
  size: string | undefined,
): string {
  const { name = '' } = variables.find(({ role }) => role === 'limit') ?? {}
  const ofAnySize = pairs.filter(({ role }) => role !== 'limit')
  return withValue(ofAnySize, name, name ? size : undefined)
}

/** Sorts by another variable; without one, in the order of the collection. */
export function withOrder(
  pairs: readonly Pair[],
  variable?: QueryVariable,
  direction?: SortDirection,
): string {
  const unordered = pairs.filter(({ role }) => role !== 'order' && role !== 'sort')
  return variable ? withValue(unordered, variable.name, direction) : withoutPosition(unordered)
}

/** `Sorted by Pages, descending`; empty without an order. */
export function orderInWords(pairs: readonly Pair[]): string {
  const order = orderOf(pairs)
  if (!order) return ''
  const { variable } = pairs.find(({ role }) => role === 'order') ?? {}
  const title = variable?.role === 'order' ? labelOf(variable.property) : titleOf(order.name)
  return `Sorted by ${title}, ${SORTED[order.direction]}`
}

export function orderOf(
  pairs: readonly Pair[],
): { readonly name: string; readonly direction: SortDirection } | undefined {
  for (const { variable, value } of pairs) {
    if (variable?.role === 'order')
      return { name: variable.property.name, direction: /^desc$/i.test(value) ? 'desc' : 'asc' }
    const [, minus, name] = (variable?.role === 'sort' && /^(-?)([^,]+)/.exec(value)) || []
    if (name) return { name, direction: minus ? 'desc' : 'asc' }
  }
  return undefined
}

/** Successive clicks on a column: ascending, descending, then the order of the collection. */
export const nextDirection = (direction: SortDirection | undefined): SortDirection | undefined =>
  direction ? NEXT[direction] : 'asc'

const NEXT = { asc: 'desc', desc: undefined } as const

export const addressOf = (collection: string, query: string): string =>
  query ? `${collection.split(/[?#]/, 1)[0]}?${query}` : collection

export const isSame = (one: QueryFilter, other: QueryFilter): boolean =>
  one.name === other.name && one.value === other.value

const isPosition = ({ role }: Pair): boolean => role === 'position'

const write = ({ name, value }: QueryFilter): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** In a text, "+" is a space, as in HTML forms; elsewhere it is a plus, as in +02:00. */
const isText = (variable: QueryVariable | undefined): boolean =>
  variable?.role === 'text' ||
  (variable?.role === 'filter' && /#string$/.test(variable.property?.range ?? ''))

interface Searched {
  readonly collection: CollectionDescription
  readonly variables: readonly QueryVariable[]
  readonly isHydrant: boolean
  readonly answered: readonly Pair[]
}

/** Says that no member has a word only if every text of the class is searched (hypermedia.md, Filters). */
export function nothingFound(
  text: string,
  { collection, variables, isHydrant, answered: pairs }: Searched,
): string {
  const word = memberWord(collection)
  const isSearched = (collection.memberClass?.properties ?? []).every((property) => {
    const kind = kindOf(property)
    if (kind === 'languages' || kind === 'embedded') return false
    return kind !== 'text' || findFilter(variables, 'eq', property.name) !== undefined
  })
  const isAlone = pairs.filter(isFilter).length === 1
  if (!isHydrant || !isSearched)
    return `The API found no ${word} for “${withoutBeginning(text)}”${isAlone ? '.' : ' that matches the other filters too.'}`
  const one = text.endsWith('*') ? 'a word that begins with' : 'the word'
  const words = /\s/.test(text.trim()) ? 'all of the words' : one
  return `No ${word} has ${words} “${withoutBeginning(text)}”${isAlone ? '.' : ' and matches the other filters.'}`
}

/** Free text finds the beginnings of words. This searches the names for any part of a word instead. */
export function partInstead(
  pairs: readonly Pair[],
  searched: Pair,
  variables: readonly QueryVariable[],
  cls: ClassDescription | undefined,
): { readonly label: string; readonly query: string } | undefined {
  const { name, property } = findFilter(variables, 'contains', namingProperty(cls)) ?? {}
  if (!name || !property) return undefined
  const others = pairs.filter((pair) => pair !== searched)
  const text = withoutBeginning(searched.value)
  return {
    label: `${labelOf(property)} contains “${text}”`,
    query: withValue(others, name, text),
  }
}
