import { badRequest } from '../../errors.ts'
import { isSearched } from '../../vocabulary/keys.ts'
import type { Class, Property, Range } from '../../vocabulary/model.ts'
import { isSortable, type Operator, operatorsOf } from './operators.ts'
import { decode, decodeText } from './text.ts'
import { explainUnknown } from './unknown.ts'

const GENERAL = ['q', 'sort', 'page', 'itemsPerPage', 'after', 'before'] as const

export type Parameter = {
  /** As links and the search template spell it. */
  readonly name: string
} & (
  | { readonly role: (typeof GENERAL)[number] }
  | { readonly role: 'filter'; readonly operator: Operator; readonly property: Property }
  | { readonly role: 'exists' | 'order'; readonly property: Property }
)

export type FilterParameter = Extract<Parameter, { readonly role: 'filter' }>

/** What the query gives each parameter; by place (`placesOf`). */
export type Given = ReadonlyMap<Parameter, readonly string[]>

export interface Parameters {
  /** For the search template. */
  readonly all: readonly Parameter[]
  /** 400 for what is unknown, or twice where once is meant. */
  read(query: string | undefined): Given
}

export function createParameters(cls: Class): Parameters {
  const candidates = parametersOf(cls)
  const byName = namesOf(candidates)
  const all = candidates.filter((parameter) => byName.get(parameter.name) === parameter)
  const names = all.map(({ name }) => name)
  const places = placesOf(candidates)
  const placeOf = (parameter: Parameter): number => places.get(parameter) ?? 0
  return {
    all,
    read(query) {
      if (query === undefined || query === '') return NONE
      const given = new Map<Parameter, string[]>()
      for (const pair of query.split('&')) {
        if (pair === '') continue
        const equals = pair.indexOf('=')
        const name = decode(equals < 0 ? pair : pair.slice(0, equals))
        const parameter = byName.get(name)
        if (parameter === undefined) throw explainUnknown(cls, name, names)
        const sent = equals < 0 ? '' : pair.slice(equals + 1)
        const value = isText(parameter) ? decodeText(sent) : decode(sent)
        const values = given.get(parameter)
        if (values === undefined) given.set(parameter, [value])
        else if (isRepeatable(parameter)) values.push(value)
        else throw badRequest(`${parameter.name}: given twice; give it once.`)
      }
      return new Map([...given].sort(([a], [b]) => placeOf(a) - placeOf(b)))
    },
  }
}

const NONE: Given = new Map()

/** Only there is a "+" a blank, as forms write it; elsewhere it is what it looks like, as in +02:00. */
const isText = (parameter: Parameter): boolean =>
  parameter.role === 'q' || (parameter.role === 'filter' && isString(parameter.property.range))

const isString = (range: Range): boolean => range.kind === 'datatype' && range.datatype === 'string'

const isRepeatable = (parameter: Parameter): boolean =>
  parameter.role === 'filter' && parameter.operator === 'eq'

/** By property in the order of the API file, then the general ones. */
function parametersOf(cls: Class): Parameter[] {
  const parameters: Parameter[] = []
  for (const property of cls.properties) {
    for (const operator of operatorsOf(property)) {
      const name = operator === 'eq' && isFree(property) ? property.name : `${property.name}[${operator}]`
      parameters.push({ name, role: 'filter', operator, property })
    }
    if (property.filterable) parameters.push({ name: `exists[${property.name}]`, role: 'exists', property })
    if (isSortable(property)) parameters.push({ name: `order[${property.name}]`, role: 'order', property })
  }
  const searched = cls.properties.some(isSearched)
  for (const role of GENERAL) {
    if (role !== 'q' || searched) parameters.push({ name: role, role })
  }
  return parameters
}

/** Among all of them: the order in the query means nothing, but that what sorts, which shares a place, ranks in it. */
function placesOf(all: readonly Parameter[]): ReadonlyMap<Parameter, number> {
  const sort = all.findIndex(({ role }) => role === 'sort')
  return new Map(all.map((parameter, index) => [parameter, parameter.role === 'order' ? sort : index]))
}

/** Whether the bare name is the property's own: a property may be called `page` or `sort`. */
const isFree = ({ name }: Property): boolean => !(GENERAL as readonly string[]).includes(name)

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
