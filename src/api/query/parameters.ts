import { badRequest, type HttpError } from '../../errors.ts'
import { didYouMean, nearest, show } from '../../text.ts'
import {
  type Class,
  datatypeOf,
  filteredLinks,
  hasFilters,
  isSearched,
  type Property,
} from '../../vocabulary/index.ts'

/** hypermedia.md, Filters. `p[eq]=v` is `p=v`, for properties whose bare name is another parameter. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains'

const EQUAL: readonly Operator[] = ['eq', 'ne']
const COMPARED: readonly Operator[] = [...EQUAL, 'gt', 'gte', 'lt', 'lte']
const ALL: readonly Operator[] = [...COMPARED, 'startsWith', 'contains']

const GENERAL = ['q', 'include', 'sort', 'page', 'itemsPerPage', 'after', 'before'] as const

export type Parameter = {
  /** The name in links and in the search template. */
  readonly name: string
} & (
  | { readonly role: (typeof GENERAL)[number] }
  | { readonly role: 'filter'; readonly operator: Operator; readonly property: Property }
  | { readonly role: 'exists' | 'order'; readonly property: Property }
)

export type FilterParameter = Extract<Parameter, { readonly role: 'filter' }>

/** Values by parameter, in the order of the API file; parameters that sort stay in the order of the query. */
export type Given = ReadonlyMap<Parameter, readonly string[]>

/** The parameters of a collection, and a reader of queries: 400 for what is unknown, or twice where once is meant. */
export function createParameters(cls: Class) {
  const candidates = parametersOf(cls)
  const byName = namesOf(candidates)
  const all = candidates.filter((parameter) => byName.get(parameter.name) === parameter)
  const names = all.map(({ name }) => name)
  const sort = candidates.findIndex(({ role }) => role === 'sort')
  const ranks = new Map(candidates.map((one, index) => [one, one.role === 'order' ? sort : index]))
  const rankOf = (parameter: Parameter): number => ranks.get(parameter) ?? 0
  return {
    all,
    read(query: string | undefined): Given {
      if (query === undefined || query === '') return new Map()
      const given = new Map<Parameter, string[]>()
      for (const pair of query.split('&').filter(Boolean)) {
        const [name, sent] = splitPair(pair)
        const parameter = byName.get(name)
        if (parameter === undefined) throw explainUnknown(cls, name, names)
        const value = decode(isText(parameter) ? sent.replaceAll('+', ' ') : sent)
        const values = given.get(parameter)
        if (values === undefined) given.set(parameter, [value])
        else if (isRepeatable(parameter)) values.push(value)
        else throw badRequest(`${parameter.name}: given twice; give it once.`)
      }
      return new Map([...given].sort(([a], [b]) => rankOf(a) - rankOf(b)))
    },
  }
}

/** Whether "+" is a space, as in forms; elsewhere it is a plus sign, as in +02:00. */
function isText(parameter: Parameter): boolean {
  if (parameter.role !== 'filter') return parameter.role === 'q'
  const { range } = parameter.property
  return range.kind === 'datatype' && range.datatype === 'string'
}

/** Several values of a filter match any of them. */
export const isRepeatable = (parameter: Parameter): boolean =>
  parameter.role === 'include' || (parameter.role === 'filter' && parameter.operator === 'eq')

/** Parameters by property, in the order of the API file; then the general ones. */
function parametersOf(cls: Class): Parameter[] {
  const parameters: Parameter[] = []
  for (const property of cls.properties) {
    for (const operator of operatorsOf(property)) {
      const isBare = operator === 'eq' && !(GENERAL as readonly string[]).includes(property.name)
      const name = isBare ? property.name : `${property.name}[${operator}]`
      parameters.push({ name, role: 'filter', operator, property })
    }
    if (hasFilters(property)) parameters.push({ name: `exists[${property.name}]`, role: 'exists', property })
    if (isSortable(property)) parameters.push({ name: `order[${property.name}]`, role: 'order', property })
  }
  for (const property of filteredLinks(cls))
    parameters.push({ name: property.name, role: 'filter', operator: 'eq', property })
  const isMissing = { q: !cls.properties.some(isSearched), include: !cls.properties.some(hasLink) }
  const general = GENERAL.filter((role) => !(role === 'q' || role === 'include') || !isMissing[role])
  return [...parameters, ...general.map((role) => ({ name: role, role }))]
}

/** Whether a link is there, or one step away within an embedded value. */
const hasLink = ({ range }: Property): boolean =>
  range.kind === 'link' ||
  (range.kind === 'embedded' && range.cls.properties.some((one) => one.range.kind === 'link'))

/** By the type of the property; none where it cannot be filtered. */
function operatorsOf(property: Property): readonly Operator[] {
  const { range } = property
  if (!hasFilters(property) || range.kind === 'embedded') return []
  if (range.kind === 'link') return EQUAL
  const { family } = datatypeOf(range.datatype)
  if (family === 'text') return ALL
  return family === 'boolean' ? EQUAL : COMPARED
}

/** Paging and sorting win where a property takes one of their names; the bare name of a property is also `p[eq]`. */
function namesOf(all: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  const names = new Map<string, Parameter>()
  const ranked = [...all].sort((a, b) => Number(a.role === 'filter') - Number(b.role === 'filter'))
  const claim = (name: string, parameter: Parameter) => names.has(name) || names.set(name, parameter)
  for (const parameter of ranked) claim(parameter.name, parameter)
  for (const parameter of ranked) {
    if (parameter.role === 'filter') claim(`${parameter.property.name}[${parameter.operator}]`, parameter)
  }
  return names
}

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

/** 400 for an unknown parameter, with the reason where there is one, else with the nearest known one. */
function explainUnknown(cls: Class, name: string, names: readonly string[]): HttpError {
  const why = whyUnknown(cls, name, names)
  if (why !== undefined) return badRequest(`${show(name)} is not possible: ${why}`)
  const possible = `possible: ${listed(names)}`
  const right = name === '' ? possible : nearestOr(possible, name, names)
  return badRequest(`${show(name)} is not a parameter here; ${right}`)
}

function whyUnknown(cls: Class, name: string, names: readonly string[]): string | undefined {
  const find = (wanted: string | undefined) => cls.properties.find((property) => property.name === wanted)
  const [, outer, inner] = /^([^[]*)\[([^\]]*)\]$/.exec(name) ?? []
  if (name === 'q') return `${cls.name} has no filterable text to search.`
  const property = find(name) ?? find(outer)
  if (property !== undefined) {
    const possible = names.filter((one) => one === property.name || one.startsWith(`${property.name}[`))
    return `${property.name} ${whyUnfilterable(property) ?? `can be filtered with ${possible.join(', ')}.`}`
  }
  const elsewhere = OF_OTHER_APIS.get(name)
  if (elsewhere !== undefined) return elsewhere
  const [first = '', ...within] = name.split('.', 2)
  const stepped = within.length > 0 ? find(first) : undefined
  if (stepped !== undefined) return `${first} ${whyNoStep(stepped, names)}`
  if (inner !== undefined && names.includes(inner) && /^(filters?|where)$/.test(outer ?? ''))
    return `write "${inner}" alone.`
  if (name === 'include') return `${cls.name} has no links.`
  const target = find(inner)
  if (target === undefined) return undefined
  const why = outer === 'order' ? whyUnsortable(target) : outer === 'exists' && whyUnfilterable(target)
  return why ? `${target.name} ${why}` : undefined
}

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

/** The end of a sentence that says why `customer.name` is no filter. */
function whyNoStep({ name, range }: Property, names: readonly string[]): string {
  if (range.kind === 'link')
    return `is a link, and the filter is by its address: ${name}=/${range.collection}/{id} below the base; ask /${range.collection} for that first.`
  const possible = names.filter((one) => one.startsWith(`${name}.`))
  const links = possible.length > 0 ? ` by its links alone: ${possible.join(', ')}` : ' by nothing'
  return range.kind === 'embedded' ? `can be filtered${links}.` : 'has no properties of its own.'
}

/** Names only some: a class may have hundreds of parameters. */
function listed(names: readonly string[]): string {
  const short = names.filter((name) => !name.includes('[')).slice(0, 20)
  const rest = names.length - short.length
  return `${short.join(', ')}${rest > 0 ? ` and ${rest} more, which the search template of the collection has` : ''}.`
}

/** The `include` of a query for a single member, which ignores other parameters. */
export function readIncluded(query: string | undefined): string[] | undefined {
  const included = query?.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && decode(pair.slice(0, equals)) === 'include' ? [decode(pair.slice(equals + 1))] : []
  })
  return included?.length === 0 ? undefined : included
}

/** A name, decoded, and its value as it was sent. */
export function splitPair(pair: string): [name: string, sent: string] {
  const equals = pair.indexOf('=')
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), pair.slice(equals + 1)]
}

/** Decodes a name or a value. Bytes beyond ASCII arrive as one character each: they are UTF-8, percent-encoded or not. */
export function decode(text: string): string {
  if (!/[%\x80-\xff]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll(/[\x80-\xff]/g, encodeByte))
  } catch {
    throw badRequest('The query has a "%" or a byte that does not begin a UTF-8 character.')
  }
}

/** Characters that a query may have unencoded (RFC 3986 §3.4). */
const READABLE = new Map(
  [':', '/', '?', '@', '!', '$', ',', ';'].map((one) => [encodeURIComponent(one), one]),
)

export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (octet) => READABLE.get(octet) ?? octet)

/** Percent-encodes what HTTP accepts and an IRI does not (RFC 3987 §2.2), and every byte beyond ASCII. */
export const toIri = (query: string): string =>
  query.replaceAll(/%(?![0-9A-Fa-f]{2})|[^!-~]|["<>[\\\]^`{|}#]/g, encodeByte)

export function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** The end of a sentence: the name that was probably meant, or `otherwise`. */
export function nearestOr(otherwise: string, name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates)
  return found === undefined ? otherwise : didYouMean(found, name)
}
