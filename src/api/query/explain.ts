// Why a parameter is not possible, and which one is.
import { badRequest, type HttpError } from '../../errors.ts'
import { didYouMean, nearest, show } from '../../text.ts'
import { type Class, datatypeOf, hasFilters, isSearched, type Property } from '../../vocabulary/index.ts'

export const isSortable = (property: Property): boolean => hasFilters(property) && !property.many

/** The end of a sentence; undefined for a property that can be sorted by. */
export function whyUnsortable(property: Property): string | undefined {
  if (property.many) return 'cannot be sorted by: it may have many values.'
  return hasFilters(property) ? undefined : 'cannot be sorted by: it cannot be filtered either.'
}

function whyUnfilterable(property: Property): string | undefined {
  const { range } = property
  if (hasFilters(property)) return undefined
  if (range.kind === 'embedded') return 'cannot be filtered: it is an embedded value.'
  if (isSearched(property)) return 'cannot be filtered: it is text by language, which "q" searches.'
  if (range.kind === 'datatype' && !datatypeOf(range.datatype).filterable)
    return `cannot be filtered: values of type ${range.datatype} are stored and returned only.`
  return 'cannot be filtered: the API file says so.'
}

/** The names of the parameters of a class. */
export interface KnownNames {
  readonly names: readonly string[]
  /** With operators in brackets. */
  readonly bracketed: readonly string[]
  /** Those without an operator. */
  readonly short: readonly string[]
}

/** 400 for an unknown parameter, with the reason where there is one, else with the nearest known one. */
export function explainUnknown(cls: Class, name: string, known: KnownNames): HttpError {
  // A sentence spells operators as the query does.
  const names = name.includes('[') ? known.bracketed : known.names
  const why = whyUnknown(cls, name, names)
  if (why !== undefined) return badRequest(`${show(name)} is not possible: ${why}`)
  const possible = `possible: ${listed(known)}`
  const right = name === '' ? possible : nearestOr(possible, name, names)
  return badRequest(`${show(name)} is not a parameter here; ${right}`)
}

const BRACKETED = /^([^[]*)\[([^\]]*)\]$/
const DOTTED = /^([^.]*)\.(eq|ne|gte?|lte?|startsWith|contains|exists)$/

function whyUnknown(cls: Class, name: string, names: readonly string[]): string | undefined {
  const find = (wanted: string | undefined) => cls.properties.find((property) => property.name === wanted)
  const [, outer, inner] = BRACKETED.exec(name) ?? []
  if (name === 'q') return `${cls.name} has no filterable text to search.`
  const property = find(name) ?? find(outer) ?? find(DOTTED.exec(name)?.[1])
  if (property !== undefined) return howFiltered(property, names)
  const elsewhere = OF_OTHER_APIS.get(name)
  if (elsewhere !== undefined) return elsewhere
  const [first = '', ...within] = name.split('.', 2)
  const stepped = within.length > 0 ? find(first) : undefined
  if (stepped !== undefined) return whyNoStep(stepped, names)
  if (inner !== undefined && names.includes(inner) && /^(filters?|where)$/.test(outer ?? ''))
    return `write "${inner}" alone.`
  if (name === 'include') return `${cls.name} has no links.`
  const target = find(inner)
  if (target === undefined) return undefined
  const why = outer === 'order' ? whyUnsortable(target) : outer === 'exists' && whyUnfilterable(target)
  return why ? `${target.name} ${why}` : undefined
}

function howFiltered(property: Property, names: readonly string[]): string {
  const possible = names.filter((one) => one === property.name || isOperatorOf(property, one))
  return `${property.name} ${whyUnfilterable(property) ?? `can be filtered with ${possible.join(', ')}.`}`
}

const isOperatorOf = ({ name }: Property, parameter: string): boolean =>
  parameter.startsWith(`${name}.`) || parameter.startsWith(`${name}[`)

/** Parameters of other APIs, and what to use here. */
const OF_OTHER_APIS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'limit per_page perPage pageSize page_size size take _limit _per_page $top':
      'how many members a page has is "itemsPerPage".',
    'offset skip start _start $skip': 'pages are "page", from 1 on; the links of "view" lead to any depth.',
    'cursor _page pageNumber page_number pageIndex':
      'pages are "page", from 1 on; cursors are in the links of "view".',
    'order orderBy order_by orderby sortBy sort_by ordering _sort _order $orderby':
      'an order is "sort=name", "sort=-name", or "order[name]=desc".',
    'search query text keyword _q $search': 'words are searched for by "q".',
    'fields select only _fields $select': 'members are always served whole.',
    'filter where $filter': 'a filter is the name of a property, such as "name=value" or "name[gte]=value".',
  }).flatMap(([names, meant]) => names.split(' ').map((name) => [name, meant] as const)),
)

/** Why `customer.name` and `pages.min` are no filters. */
function whyNoStep(property: Property, names: readonly string[]): string {
  const { name, range } = property
  if (range.kind === 'link')
    return `${name} is a link, and the filter is by its address: ${name}=/${range.collection}/{id} below the base; ask /${range.collection} for that first.`
  // A value has no properties, so an operator was meant.
  if (range.kind === 'datatype') return howFiltered(property, names)
  const possible = names.filter((one) => one.startsWith(`${name}.`))
  return `${name} can be filtered ${possible.length > 0 ? `by its links alone: ${possible.join(', ')}` : 'by nothing'}.`
}

/** Names only some: a class may have hundreds of parameters. */
function listed({ names, short }: KnownNames): string {
  const some = short.slice(0, 20)
  const rest = names.length - some.length
  return `${some.join(', ')}${rest > 0 ? ` and ${rest} more, which the search template of the collection has` : ''}.`
}

/** The end of a sentence: the name that was probably meant, or `otherwise`. */
export function nearestOr(otherwise: string, name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates)
  return found === undefined ? otherwise : didYouMean(found, name)
}
