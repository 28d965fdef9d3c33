// Explains why a parameter is rejected, and which parameters there are.
import type { Problem, ProblemPlace } from '../../problem.ts'
import { type Class, datatypeOf, hasFilters, isSearched, type Property } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import type { ParameterPurpose, UnknownParameterValues, UnsortableReason } from '../problems/query.ts'

export const isSortable = (property: Property): boolean => unsortableReason(property) === undefined

/** Undefined for a property that can be sorted by. */
export function unsortableReason(property: Property): UnsortableReason | undefined {
  if (property.many) return 'many'
  return hasFilters(property) ? undefined : 'unfilterable'
}

/** The names of the parameters of a class. */
export interface KnownNames {
  readonly names: readonly string[]
  /** With operators in brackets. */
  readonly bracketed: readonly string[]
  /** The names without an operator. */
  readonly short: readonly string[]
}

/** Sentences list this many names. */
const MAX_LISTED = 20

/** The problem of an unknown parameter, with the reason if there is one, else with the known parameters. */
export function explainUnknown(cls: Class, name: string, { short, ...spelled }: KnownNames): Problem {
  // A sentence spells operators as the query does.
  const known = name.includes('[') ? spelled.bracketed : spelled.names
  const explained = explainProperty(cls, name, known)
  if (explained !== undefined) return explained
  // Other APIs write `filter[name]`.
  const [, wrapped = ''] = /^(?:filters?|where)\[([^\]]*)\]$/.exec(name) ?? []
  const meant = known.includes(wrapped) ? wrapped : undefined
  const listed = short.slice(0, MAX_LISTED)
  return unknownParameter(name, { known, listed, meant, purpose: PURPOSES.get(name) })
}

export function unknownParameter(name: string, values: Omit<UnknownParameterValues, 'name'>): Problem {
  if (name === '') return apiProblem('UnnamedParameter', values)
  return parameterProblem('UnknownParameter', shortened(name), { ...values, name })
}

/** Cut to the length of the names that `show` quotes. */
const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name)

const BRACKETED = /^([^[]*)\[([^\]]*)\]$/
const DOTTED = /^([^.]*)\.(eq|ne|gte?|lte?|startsWith|contains|exists)$/

/** Explains a parameter that names a known property, or something that the class does not have. */
function explainProperty(cls: Class, name: string, known: readonly string[]): Problem | undefined {
  const find = (wanted: string | undefined) => cls.properties.find((property) => property.name === wanted)
  const at = { parameter: shortened(name) }
  const className = cls.name
  if (name === 'q') return apiProblem('NoSearchableText', { className }, { at })
  const [, outer, inner] = BRACKETED.exec(name) ?? []
  const property = find(name) ?? find(outer) ?? find(DOTTED.exec(name)?.[1])
  if (property !== undefined) return explainFilter(property, known, at)
  if (PURPOSES.has(name)) return undefined
  const [first = '', ...within] = name.split('.', 2)
  const owner = within.length > 0 ? find(first) : undefined
  if (owner !== undefined) return explainStep(owner, known, at)
  if (name === 'include') return apiProblem('NoLinks', { className }, { at })
  const target = find(inner)
  if (target === undefined) return undefined
  if (outer === 'exists') return notFilterable(target, at)
  const reason = outer === 'order' ? unsortableReason(target) : undefined
  return reason && apiProblem('NotSortable', { property: target.name, reason }, { at })
}

/** Undefined for a property that can be filtered. */
function notFilterable(property: Property, at: ProblemPlace): Problem | undefined {
  const { name, range } = property
  if (hasFilters(property)) return undefined
  const because = (reason: 'embedded' | 'textByLanguage' | 'apiFile') =>
    apiProblem('NotFilterable', { property: name, reason }, { at })
  if (range.kind === 'embedded') return because('embedded')
  if (isSearched(property)) return because('textByLanguage')
  if (range.kind === 'link' || datatypeOf(range.datatype).filterable) return because('apiFile')
  const { datatype } = range
  return apiProblem('NotFilterable', { property: name, reason: 'datatype', datatype }, { at })
}

function explainFilter(property: Property, known: readonly string[], at: ProblemPlace): Problem {
  const { name } = property
  const isOperator = (parameter: string) =>
    parameter === name || parameter.startsWith(`${name}.`) || parameter.startsWith(`${name}[`)
  const operators = known.filter(isOperator)
  return notFilterable(property, at) ?? apiProblem('UnknownOperator', { property: name, operators }, { at })
}

/** Explains why `customer.name` and `pages.min` are not filters. */
function explainStep(property: Property, known: readonly string[], at: ProblemPlace): Problem {
  const { name, range } = property
  if (range.kind === 'link')
    return apiProblem('FilterBeyondLink', { property: name, collection: range.collection }, { at })
  // A value of a datatype has no properties, so an operator was meant.
  if (range.kind === 'datatype') return explainFilter(property, known, at)
  const links = known.filter((one) => one.startsWith(`${name}.`))
  return apiProblem('UnfilterablePart', { property: name, links }, { at })
}

/** Parameters of other APIs. */
const PURPOSES: ReadonlyMap<string, ParameterPurpose> = new Map(
  Object.entries({
    pageSize: 'limit per_page perPage pageSize page_size size take _limit _per_page $top',
    offset: 'offset skip start _start $skip',
    page: 'cursor _page pageNumber page_number pageIndex',
    order: 'order orderBy order_by orderby sortBy sort_by ordering _sort _order $orderby',
    search: 'search query text keyword _q $search',
    fields: 'field select only _fields $select',
    filter: 'filter where $filter',
  } satisfies Record<ParameterPurpose, string>).flatMap(([purpose, names]) =>
    names.split(' ').map((name) => [name, purpose as ParameterPurpose] as const),
  ),
)
