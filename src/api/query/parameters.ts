import {
  type Class,
  datatypeOf,
  filteredWithin,
  isSearched,
  type Model,
  type Property,
} from '../../vocabulary/index.ts'
import { decode } from './decoding.ts'
import { GENERAL } from './filter-names.ts'
import { createPaths, type Path, type PathPlace, type Paths } from './path.ts'
import { unsortable } from './sortable.ts'

/** hypermedia.md, Filters. `p.eq=v` means `p=v`, for properties that share their name with a general parameter. */
export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains'

const EQUAL: readonly FilterOperator[] = ['eq', 'ne']
const COMPARED: readonly FilterOperator[] = [...EQUAL, 'gt', 'gte', 'lt', 'lte']
const ALL: readonly FilterOperator[] = [...COMPARED, 'startsWith', 'contains']

/** All that may stand behind a path. */
export const OPERATORS: readonly (FilterOperator | 'exists')[] = [...ALL, 'exists']

export const isOperator = (text: string): boolean => (OPERATORS as readonly string[]).includes(text)

/** Parameters that are not about one property. */
export type GeneralRole = (typeof GENERAL)[number]

export const isGeneral = (name: string): boolean => (GENERAL as readonly string[]).includes(name)

/** The roles of parameters that do not change which members there are, but their order, their form and the page. */
const NO_FILTERS: readonly string[] = [
  ...['include', 'fields', 'sort', 'order'],
  ...['page', 'itemsPerPage', 'after', 'before', 'offset'],
]

export type Parameter = {
  /** The name in links and in the search template, with a dot before an operator. */
  readonly name: string
  /** The group whose alternatives the parameter is one of (asking.md, Or). */
  readonly group?: string
} & (
  | { readonly role: GeneralRole | 'offset' }
  | FilterParameter
  | PropertyParameter<'exists'>
  | PropertyParameter<'order'>
)

interface PropertyParameter<Role> {
  readonly name: string
  readonly role: Role
  /** Named by its path. */
  readonly property: Property
  readonly path: Path
}

export interface FilterParameter extends PropertyParameter<'filter'> {
  readonly operator: FilterOperator
}

/** A parameter of a query, with its values. */
export interface ParsedParameter {
  readonly parameter: Parameter
  /** The name as it was sent, for errors. */
  readonly name: string
  readonly values: readonly string[]
}

/** In the order of the API file, then alternatives by their groups; parameters that sort are in the order of the query. */
export type ParsedParameters = readonly ParsedParameter[]

/** Whether the parameter decides which members there are. */
export const isFilter = ({ role }: Parameter): boolean => !NO_FILTERS.includes(role)

/** Whether "+" is a space, as in forms; elsewhere it is a plus sign, as in +02:00. */
export function isText(parameter: Parameter): boolean {
  if (parameter.role !== 'filter') return parameter.role === 'q'
  const { range } = parameter.property
  return range.kind === 'datatype' && range.datatype === 'string'
}

/** Whether the parameter takes several values: a filter then matches members with any of them. */
export const isRepeatable = (parameter: Parameter): boolean =>
  parameter.group !== undefined ||
  parameter.role === 'include' ||
  parameter.role === 'fields' ||
  (parameter.role === 'filter' && parameter.operator === 'eq')

/** The parameters that paths lead to, with their names. */
export function createPathParameters(paths: Paths) {
  /** Behind a dot, unless that is a path (hypermedia.md, Filters: "the path wins"). */
  const operated = ({ property, to }: Path, operator: FilterOperator | 'exists'): string => {
    if (!paths.has(to, operator)) return `${property.name}.${operator}`
    return operator === 'exists' ? `exists[${property.name}]` : `${property.name}[${operator}]`
  }

  /** Where members have a history, this asks for those that were deleted (history.md, On the wire). */
  const isTaken = (name: string) => name === 'deleted' && paths.start.cls.history !== undefined

  return {
    filter(path: Path, operator: FilterOperator): FilterParameter {
      const { property } = path
      const isBare = operator === 'eq' && !isGeneral(property.name) && !isTaken(property.name)
      return {
        name: isBare ? property.name : operated(path, operator),
        role: 'filter',
        operator,
        property,
        path,
      }
    },
    exists: (path: Path): PropertyParameter<'exists'> => ({
      ...{ name: operated(path, 'exists'), role: 'exists' },
      ...{ property: path.property, path },
    }),
    order: (path: Path): PropertyParameter<'order'> => ({
      ...{ name: `order[${path.property.name}]`, role: 'order' },
      ...{ property: path.property, path },
    }),
  }
}

/** The operators for the type of the property at the end of a path; none for a reverse link. */
export function operatorsOf({ property: { range }, key }: Path): readonly FilterOperator[] {
  if (key === undefined || range.kind === 'embedded') return []
  if (range.kind === 'link') return EQUAL
  const { family } = datatypeOf(range.datatype)
  if (family === 'text') return ALL
  return family === 'boolean' ? EQUAL : COMPARED
}

/** All parameters of one path. */
export function parametersOf(path: Path, paths: Paths): Parameter[] {
  const { filter, exists, order } = createPathParameters(paths)
  const filters = operatorsOf(path).map((operator) => filter(path, operator))
  return [...filters, exists(path), ...(unsortable(path) === undefined ? [order(path)] : [])]
}

/** All parameters of the properties of a class, and of those within its embedded values. */
export function parametersAt(place: PathPlace, paths: Paths): Parameter[] {
  const within = place.keyed === place.cls ? filteredWithin(place.cls).map(({ name }) => name) : []
  return [...paths.namesAt(place), ...within].flatMap((name) => {
    const path = paths.find(place, name.split('.'))
    return 'problem' in path ? [] : parametersOf(path, paths)
  })
}

/** One step through the links of a class, by equality and as an order: a template with more would be larger than pages. */
function parametersBeyondLinks(paths: Paths): Parameter[] {
  const { start } = paths
  const { filter, order } = createPathParameters(paths)
  const links = start.cls.properties.filter(({ range }) => range.kind === 'link')
  const places = links.flatMap(({ name }) => paths.enter(start, name) ?? [])
  return places.flatMap((place) =>
    place.cls.properties.flatMap(({ name, range }): Parameter[] => {
      const path = paths.find(place, [name])
      if ('problem' in path) return []
      const isSorted = range.kind === 'datatype' && unsortable(path) === undefined
      return isSorted ? [filter(path, 'eq'), order(path)] : [filter(path, 'eq')]
    }),
  )
}

/** The general parameters that make sense for a class. */
export function generalParameters({ properties, reverseLinks }: Class): Parameter[] {
  const hasLinks = properties.some(hasLink) || reverseLinks.length > 0
  const isMissing = { q: !properties.some(isSearched), include: !hasLinks }
  const general = GENERAL.filter((role) => !(role === 'q' || role === 'include') || !isMissing[role])
  return general.map((role) => ({ name: role, role }))
}

/** Whether the property is a link, or an embedded value with a link. */
const hasLink = ({ range }: Property): boolean =>
  range.kind === 'link' ||
  (range.kind === 'embedded' && range.cls.properties.some((one) => one.range.kind === 'link'))

/**
 * The parameters of the search template: those of the class and of its embedded values in the order of the API file, one
 * step beyond its links, then the general ones. A query may have longer paths, too.
 */
export function templateParameters(declared: Class, model: Pick<Model, 'classes'>): Parameter[] {
  const paths = createPaths(declared, model)
  const { cls } = paths.start
  return [...parametersAt(paths.start, paths), ...parametersBeyondLinks(paths), ...generalParameters(cls)]
}

/** The values of `include` or `fields` in a query for a single member, which ignores other parameters. */
export function readValues(query: string | undefined, name: 'include' | 'fields'): string[] | undefined {
  const values = query?.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && decode(pair.slice(0, equals)) === name ? [decode(pair.slice(equals + 1))] : []
  })
  return values?.length === 0 ? undefined : values
}
