import {
  type Class,
  datatypeOf,
  filteredLinks,
  hasFilters,
  isSearched,
  type Property,
} from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { decode, splitPair, toVariable } from './encoding.ts'
import { explainUnknown, isSortable } from './explain.ts'

/** hypermedia.md, Filters. `p.eq=v` means `p=v`, for properties that share their name with a general parameter. */
export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains'

const EQUAL: readonly FilterOperator[] = ['eq', 'ne']
const COMPARED: readonly FilterOperator[] = [...EQUAL, 'gt', 'gte', 'lt', 'lte']
const ALL: readonly FilterOperator[] = [...COMPARED, 'startsWith', 'contains']

const GENERAL = ['q', 'include', 'fields', 'sort', 'page', 'itemsPerPage', 'after', 'before'] as const

export type Parameter = {
  /** The name in links and in the search template, with a dot before an operator. */
  readonly name: string
} & (
  | { readonly role: (typeof GENERAL)[number] }
  | { readonly role: 'filter'; readonly operator: FilterOperator; readonly property: Property }
  | { readonly role: 'exists' | 'order'; readonly property: Property }
)

export type FilterParameter = Extract<Parameter, { readonly role: 'filter' }>

/** A parameter of a query, with its values. */
export interface ParsedParameter {
  readonly parameter: Parameter
  /** The name as it was sent, for errors. */
  readonly name: string
  readonly values: readonly string[]
}

/** In the order of the API file; parameters that sort are in the order of the query. */
export type ParsedParameters = readonly ParsedParameter[]

/** The parameters that a collection understands. */
export interface CollectionParameters {
  readonly all: readonly Parameter[]
  /** Rejects unknown parameters, and parameters that are sent twice unless they take several values. */
  read(query: string | undefined): ParsedParameters
}

export function createParameters(cls: Class): CollectionParameters {
  const candidates = parametersOf(cls)
  const byName = namesOf(candidates)
  const all = candidates.filter((parameter) => byName.get(parameter.name) === parameter)
  const known = {
    names: all.map(({ name }) => name),
    bracketed: all.map((parameter) => bracketedName(parameter)),
    short: all.filter((parameter) => isShort(parameter)).map(({ name }) => name),
  }
  const sort = candidates.findIndex(({ role }) => role === 'sort')
  const ranks = new Map(candidates.map((one, index) => [one, one.role === 'order' ? sort : index]))
  const rankOf = (parameter: Parameter): number => ranks.get(parameter) ?? 0
  return {
    all,
    read(query) {
      if (query === undefined || query === '') return []
      const parsed = new Map<Parameter, ParsedParameter & { readonly values: string[] }>()
      for (const pair of query.split('&').filter(Boolean)) {
        const [name, sent] = splitPair(pair)
        const parameter = byName.get(name)
        if (parameter === undefined) throw explainUnknown(cls, name, known)
        const value = decode(isText(parameter) ? sent.replaceAll('+', ' ') : sent)
        const before = parsed.get(parameter)
        if (before === undefined) parsed.set(parameter, { parameter, name, values: [value] })
        else if (isRepeatable(parameter)) before.values.push(value)
        else throw parameterProblem('DuplicateParameter', name, {})
      }
      return [...parsed.values()].sort((a, b) => rankOf(a.parameter) - rankOf(b.parameter))
    },
  }
}

/** Whether "+" is a space, as in forms; elsewhere it is a plus sign, as in +02:00. */
export function isText(parameter: Parameter): boolean {
  if (parameter.role !== 'filter') return parameter.role === 'q'
  const { range } = parameter.property
  return range.kind === 'datatype' && range.datatype === 'string'
}

/** Whether the parameter takes several values: a filter then matches members with any of them. */
export const isRepeatable = (parameter: Parameter): boolean =>
  parameter.role === 'include' ||
  parameter.role === 'fields' ||
  (parameter.role === 'filter' && parameter.operator === 'eq')

/** Parameters by property, in the order of the API file; then the general ones. */
function parametersOf(cls: Class): Parameter[] {
  const parameters: Parameter[] = []
  for (const property of cls.properties) {
    for (const operator of operatorsOf(property)) {
      const isBare = operator === 'eq' && !(GENERAL as readonly string[]).includes(property.name)
      const name = isBare ? property.name : `${property.name}.${operator}`
      parameters.push({ name, role: 'filter', operator, property })
    }
    if (hasFilters(property)) parameters.push({ name: `${property.name}.exists`, role: 'exists', property })
    if (isSortable(property)) parameters.push({ name: `order[${property.name}]`, role: 'order', property })
  }
  for (const property of filteredLinks(cls))
    parameters.push({ name: property.name, role: 'filter', operator: 'eq', property })
  const isMissing = { q: !cls.properties.some(isSearched), include: !cls.properties.some(hasLink) }
  const general = GENERAL.filter((role) => !(role === 'q' || role === 'include') || !isMissing[role])
  return [...parameters, ...general.map((role) => ({ name: role, role }))]
}

/** Whether the property is a link, or an embedded value with a link. */
const hasLink = ({ range }: Property): boolean =>
  range.kind === 'link' ||
  (range.kind === 'embedded' && range.cls.properties.some((one) => one.range.kind === 'link'))

/** The operators for the type of the property; none if it cannot be filtered. */
function operatorsOf(property: Property): readonly FilterOperator[] {
  const { range } = property
  if (!hasFilters(property) || range.kind === 'embedded') return []
  if (range.kind === 'link') return EQUAL
  const { family } = datatypeOf(range.datatype)
  if (family === 'text') return ALL
  return family === 'boolean' ? EQUAL : COMPARED
}

/**
 * Every spelling that is understood, with its parameter (hypermedia.md, Filters: "parameters win"). The first parameter
 * to claim a name gets it: bare names and paths come before names with an operator, since "the path wins".
 */
function namesOf(all: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  const names = new Map<string, Parameter>()
  const claim = (name: string, parameter: Parameter) => names.has(name) || names.set(name, parameter)
  const filters = all.filter((parameter) => parameter.role === 'filter')
  for (const parameter of all) if (parameter.role !== 'filter') claim(bracketedName(parameter), parameter)
  for (const parameter of filters) if (isShort(parameter)) claim(parameter.name, parameter)
  for (const parameter of all) claim(parameter.name, parameter)
  for (const parameter of filters) {
    claim(`${parameter.property.name}.${parameter.operator}`, parameter)
    claim(`${parameter.property.name}[${parameter.operator}]`, parameter)
  }
  // Some clients, such as alcaeus, copy the name of a variable into a query, and so encode its "%" again.
  for (const parameter of all) claim(toVariable(parameter.name), parameter)
  return names
}

/** Whether it is a general parameter, or the bare name or path of a property. */
const isShort = (parameter: Parameter): boolean =>
  !('property' in parameter) || parameter.name === parameter.property.name

/** As API Platform spells operators, and Hydrant did before: `p[gte]`, `exists[p]`. */
function bracketedName(parameter: Parameter): string {
  if (isShort(parameter) || !('property' in parameter)) return parameter.name
  const { property, role } = parameter
  return role === 'filter' ? `${property.name}[${parameter.operator}]` : `${role}[${property.name}]`
}

/** The values of `include` or `fields` in a query for a single member, which ignores other parameters. */
export function readValues(query: string | undefined, name: 'include' | 'fields'): string[] | undefined {
  const values = query?.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && decode(pair.slice(0, equals)) === name ? [decode(pair.slice(equals + 1))] : []
  })
  return values?.length === 0 ? undefined : values
}
