import type {
  AbortOptions,
  ClassDescription,
  Collection,
  PropertyDescription,
  SearchQuery,
  SearchTemplate,
  SearchVariable,
} from 'hydrant-client'
import { decode } from '../names.ts'
import { kindOf } from '../values.ts'
import { isOfKind } from './error-sentence.ts'
import { createFindProperty, type FindPropertyAt } from './property-paths.ts'

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'startsWith', 'contains'] as const

/** `in`: any of several values; `between`: a range such as `1..5`. */
export type SearchOperator = (typeof COMPARISONS)[number] | 'in' | 'exists'

/** Operators that can follow a dot, as in `pages.gte`. */
const DOTTED: readonly SearchOperator[] = [...COMPARISONS, 'exists']

/** Operators by the kind of the values, without equality. */
const WHOLE: readonly SearchOperator[] = ['ne', 'exists']
const COMPARED: readonly SearchOperator[] = ['ne', 'gt', 'gte', 'lt', 'lte', 'exists']
const OF_TEXT: readonly SearchOperator[] = [...COMPARED, 'startsWith', 'contains']

export type QueryVariable = Meaning & {
  readonly name: string
  /** Whether a query may have it several times; a member then matches any of the values. */
  readonly repeatable: boolean
}

type Meaning =
  | {
      readonly role: 'filter'
      readonly operator: SearchOperator
      /** Undefined if only the API knows what the variable means. */
      readonly property: PropertyDescription | undefined
    }
  | { readonly role: 'order'; readonly property: PropertyDescription }
  | { readonly role: SearchRole | OwnRole }

/** `position`: a page number, an offset or a cursor. */
type SearchRole = 'text' | 'limit' | 'position'
/**
 * `sort`: a list of properties, descending ones with a `-`; `include`: links that are replaced by the linked members;
 * `fields`: the properties that members have.
 */
type OwnRole = 'sort' | 'include' | 'fields'

export type Role = QueryVariable['role']
export type FilterVariable = Extract<QueryVariable, { readonly role: 'filter' }>

const HYDRA = 'http://www.w3.org/ns/hydra/core#'

const byName = (names: Readonly<Record<SearchRole, string>>): ReadonlyMap<string, SearchRole> =>
  new Map(
    Object.entries(names).flatMap(([role, all]) =>
      all.split(' ').map((name) => [name, role as SearchRole] as const),
    ),
  )

/** Roles by terms of Hydra. */
const MAPPED = byName({ text: 'freetextQuery', limit: 'limit', position: 'pageIndex pageReference offset' })

/** Roles by common names, unless the members have a property of that name. */
const GENERAL = byName({
  text: 'q',
  limit: 'itemsPerPage limit pageSize',
  position: 'page pageIndex offset after before',
})

const OWN: readonly OwnRole[] = ['sort', 'include', 'fields']

/** Operators of API Platform, in brackets after the name of the property. */
const OTHERS: ReadonlyMap<string, SearchOperator> = new Map(
  Object.entries({ '': 'in', before: 'lte', after: 'gte', strictly_before: 'lt', strictly_after: 'gt' }),
)

const NO_TEMPLATE: SearchTemplate = { template: '', variables: [] }

export const readTemplate = (collection: Collection, options: AbortOptions): Promise<SearchTemplate> =>
  collection.search(options).catch((error: unknown) => {
    if (isOfKind(error, 'malformed')) return NO_TEMPLATE
    throw error
  })

/** Whether search and counts work as in hypermedia.md. Every collection of Hydrant has this variable, with this mapping. */
export const isHydrant = ({ variables }: SearchTemplate): boolean =>
  variables.some(({ name, property }) => name === 'sort' && property?.endsWith('/vocab#sort'))

/** Whether the collection understands all of asking.md: any path with any operator, alternatives, CSV. */
export const canAsk = ({ variables }: Pick<SearchTemplate, 'variables'>): boolean =>
  variables.some(({ name, property }) => name === 'fields' && property?.endsWith('#fields'))

/** Free text that also finds words which the last word is only the beginning of (asking.md, Text). */
export const withBeginning = (text: string): string => (/[\p{L}\p{M}\p{N}]$/u.test(text) ? `${text}*` : text)

/** The inverse of `withBeginning`. */
export const withoutBeginning = (text: string): string => text.replace(/\*$/, '')

export const findFilter = (
  variables: readonly QueryVariable[],
  operator: SearchOperator,
  property: string | undefined,
): FilterVariable | undefined =>
  variables
    .filter((one) => one.role === 'filter')
    .find((one) => one.operator === operator && one.property && one.property.name === property)

/** Finds a variable by its name in a query. Older addresses write the operator in brackets. */
export const findVariable = (variables: readonly QueryVariable[], name: string): QueryVariable | undefined =>
  variables.find((one) => one.name === name) ?? variables.find((one) => withDot(one.name) === withDot(name))

/** `p[gte]` as `p.gte`, and `exists[p]` as `p.exists`. */
function withDot(name: string): string {
  const [, outer, inner] = /^([^[]+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (inner === undefined) return name
  return outer === 'exists' ? `${inner}.exists` : `${outer}.${inner}`
}

export function limitTo(variables: readonly QueryVariable[], most: number): SearchQuery {
  const limit = variables.find(({ role }) => role === 'limit')
  return limit ? { [limit.name]: most } : {}
}

export function readVariables(
  { template, variables }: SearchTemplate,
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[] = [],
): readonly QueryVariable[] {
  const exploded = explodedNames(template)
  const find = createFindProperty(cls, classes)
  const told = variables.map((variable) => ({
    name: variable.name,
    ...meaningOf(variable, cls?.properties ?? [], find),
    repeatable: exploded.has(variable.name) || variable.name.endsWith('[]'),
  }))
  return canAsk({ variables }) ? [...told, ...comparisonsBehind(told, find)] : told
}

/** The template has only equality behind links, but every operator works there (asking.md, Paths). */
function comparisonsBehind(told: readonly QueryVariable[], find: FindPropertyAt): readonly QueryVariable[] {
  const filters = told.filter((one) => one.role === 'filter')
  return filters.flatMap(({ property, operator }) => {
    const isAlone = filters.every((one) => one.property !== property || one.operator === operator)
    if (!property?.name.includes('.') || operator !== 'eq' || !isAlone) return []
    const { name } = property
    const kind = kindOf(property)
    const isWhole = kind === 'link' || kind === 'boolean'
    const possible = isWhole ? WHOLE : kind === 'text' || kind === 'iri' ? OF_TEXT : COMPARED
    return possible.map((operator) => ({
      // A path takes precedence over an operator behind a dot.
      name: find(`${name}.${operator}`) ? withBrackets(name, operator) : `${name}.${operator}`,
      ...{ role: 'filter', operator, property, repeatable: false },
    }))
  })
}

const withBrackets = (name: string, operator: SearchOperator): string =>
  operator === 'exists' ? `exists[${name}]` : `${name}[${operator}]`

export const generalRole = (name: string): Role => GENERAL.get(name) ?? 'filter'

function meaningOf(
  { name, property: mapped = '' }: SearchVariable,
  properties: readonly PropertyDescription[],
  named: FindPropertyAt,
): Meaning {
  const operated = byBrackets(name, mapped, named) ?? byDot(name, named)
  if (operated) return operated
  const general = GENERAL.get(name)
  // Hydrant's mapping (`…#q`) distinguishes `q` from a property of that name.
  const own = mapped.endsWith(`#${name}`) ? (general ?? OWN.find((role) => role === name)) : undefined
  const property = properties.find(({ iri }) => iri === mapped) ?? (own ? undefined : named(name))
  const role =
    MAPPED.get(mapped.startsWith(HYDRA) ? mapped.slice(HYDRA.length) : '') ??
    (property ? undefined : (own ?? general))
  return role ? { role } : { role: 'filter', operator: 'eq', property }
}

/** `order[p]`, `exists[p]`, `p[gte]`. Hydrant's mapping (`…#order/p`) distinguishes `order[p]` from a property named "order". */
function byBrackets(name: string, mapped: string, named: FindPropertyAt): Meaning | undefined {
  const [, before, inside] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? []
  if (before === undefined || inside === undefined) return undefined
  const operator = COMPARISONS.find((one) => one === inside) ?? OTHERS.get(inside)
  const filtered = operator && named(before)
  const isFilter = filtered && mapped.endsWith(`#${inside}/${before}`)
  const property = isFilter ? undefined : named(inside)
  if (property && before === 'order') return { role: 'order', property }
  if (property && before === 'exists') return { role: 'filter', operator: 'exists', property }
  return filtered && { role: 'filter', operator, property: filtered }
}

/** `p.gte`, `p.exists`. A property with that path takes precedence. */
function byDot(name: string, named: FindPropertyAt): Meaning | undefined {
  const dot = name.lastIndexOf('.')
  const operator = DOTTED.find((one) => one === name.slice(dot + 1))
  const property = operator && !named(name) ? named(name.slice(0, Math.max(0, dot))) : undefined
  return operator && property && { role: 'filter', operator, property }
}

/** RFC 6570 §2.4.2: `{?name*}` repeats the name for each value of a list. */
function explodedNames(template: string): ReadonlySet<string> {
  const specs = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return new Set(specs.filter((spec) => spec.endsWith('*')).map((spec) => decode(spec.slice(0, -1))))
}
