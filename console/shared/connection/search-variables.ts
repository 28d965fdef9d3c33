import type {
  AbortOptions,
  ClassDescription,
  Collection,
  PropertyDescription,
  SearchQuery,
  SearchTemplate,
  SearchVariable,
} from 'hydrant-client'
import { decode, labelOf } from '../names.ts'
import { isOfKind } from './error-sentence.ts'

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'startsWith', 'contains'] as const

/** How a filter compares. `in`: any of several; `between`: written `1..5`. */
export type Operator = (typeof COMPARISONS)[number] | 'in' | 'exists'

/** Operators that may stand behind a dot. */
const DOTTED: readonly Operator[] = [...COMPARISONS, 'exists']

export type Variable = Meaning & {
  readonly name: string
  /** Whether it may stand in a query several times, for any of its values. */
  readonly repeatable: boolean
}

type Meaning =
  | {
      readonly role: 'filter'
      readonly operator: Operator
      /** Undefined where only the API knows what the variable means. */
      readonly property: PropertyDescription | undefined
    }
  | { readonly role: 'order'; readonly property: PropertyDescription }
  | { readonly role: GeneralRole | OwnRole }

/** `position`: where in the collection, as a page, an offset, a cursor. */
type GeneralRole = 'text' | 'limit' | 'position'
/** `sort`: properties with commas between them, a `-` before descending ones; `include`: links to be shown as members. */
type OwnRole = 'sort' | 'include'

export type Role = Variable['role']
export type FilterVariable = Extract<Variable, { readonly role: 'filter' }>

const HYDRA = 'http://www.w3.org/ns/hydra/core#'

const byName = (names: Readonly<Record<GeneralRole, string>>): ReadonlyMap<string, GeneralRole> =>
  new Map(
    Object.entries(names).flatMap(([role, all]) =>
      all.split(' ').map((name) => [name, role as GeneralRole] as const),
    ),
  )

/** Terms of Hydra. */
const MAPPED = byName({ text: 'freetextQuery', limit: 'limit', position: 'pageIndex pageReference offset' })

/** Common names, wherever they do not name a property of the members. */
const GENERAL = byName({
  text: 'q',
  limit: 'itemsPerPage limit pageSize',
  position: 'page pageIndex offset after before',
})

const OWN: readonly OwnRole[] = ['sort', 'include']

/** In brackets after the property's name: those of API Platform, beside Hydrant's. */
const OTHERS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ '': 'in', before: 'lte', after: 'gte', strictly_before: 'lt', strictly_after: 'gt' }),
)

const NO_TEMPLATE: SearchTemplate = { template: '', variables: [] }

export const readTemplate = (collection: Collection, options: AbortOptions): Promise<SearchTemplate> =>
  collection.search(options).catch((error: unknown) => {
    if (isOfKind(error, 'malformed')) return NO_TEMPLATE
    throw error
  })

export const findFilter = (
  variables: readonly Variable[],
  operator: Operator,
  property: string | undefined,
): FilterVariable | undefined =>
  variables
    .filter((one) => one.role === 'filter')
    .find((one) => one.operator === operator && one.property && one.property.name === property)

/** A variable by its name in a query, also where that spells the operator in the other way, as older addresses do. */
export const findVariable = (variables: readonly Variable[], name: string): Variable | undefined =>
  variables.find((one) => one.name === name) ?? variables.find((one) => withDot(one.name) === withDot(name))

/** `p[gte]` as `p.gte`, and `exists[p]` as `p.exists`. */
function withDot(name: string): string {
  const [, outer, inner] = /^([^[]+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (inner === undefined) return name
  return outer === 'exists' ? `${inner}.exists` : `${outer}.${inner}`
}

export function limitTo(variables: readonly Variable[], most: number): SearchQuery {
  const limit = variables.find(({ role }) => role === 'limit')
  return limit ? { [limit.name]: most } : {}
}

export function readVariables(
  { template, variables }: SearchTemplate,
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[] = [],
): readonly Variable[] {
  const exploded = explodedNames(template)
  return variables.map((variable) => ({
    name: variable.name,
    ...meaningOf(variable, cls?.properties ?? [], classes),
    repeatable: exploded.has(variable.name) || variable.name.endsWith('[]'),
  }))
}

export const generalRole = (name: string): Role => GENERAL.get(name) ?? 'filter'

function meaningOf(
  { name, property: mapped = '' }: SearchVariable,
  properties: readonly PropertyDescription[],
  classes: readonly ClassDescription[],
): Meaning {
  const named = (wanted: string) => propertyNamed(wanted, properties, classes)
  const operated = byBrackets(name, mapped, named) ?? byDot(name, named)
  if (operated) return operated
  const general = GENERAL.get(name)
  // Hydrant's mapping (`…#q`) tells `q` from a property of that name.
  const own = mapped.endsWith(`#${name}`) ? (general ?? OWN.find((role) => role === name)) : undefined
  const property = properties.find(({ iri }) => iri === mapped) ?? (own ? undefined : named(name))
  const role =
    MAPPED.get(mapped.startsWith(HYDRA) ? mapped.slice(HYDRA.length) : '') ??
    (property ? undefined : (own ?? general))
  return role ? { role } : { role: 'filter', operator: 'eq', property }
}

/** Those of embedded values are called by their paths: `lines.product`. */
function propertyNamed(
  path: string,
  properties: readonly PropertyDescription[],
  classes: readonly ClassDescription[],
): PropertyDescription | undefined {
  const [first, ...rest] = path.split('.')
  const outer = properties.find(({ name }) => name === first)
  const embedded = rest.length > 0 && classes.find(({ iri }) => iri === outer?.range)
  if (!outer || outer.isLink || !embedded) return properties.find(({ name }) => name === path)
  const found = propertyNamed(rest.join('.'), embedded.properties, classes)
  return found && { ...found, name: path, title: `${labelOf(outer)}: ${labelOf(found)}` }
}

/** `order[p]`, `exists[p]`, `p[gte]`. Hydrant's mapping (`…#order/p`) tells `order[p]` from a property named "order". */
function byBrackets(
  name: string,
  mapped: string,
  named: (name: string) => PropertyDescription | undefined,
): Meaning | undefined {
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

/** `p.gte`, `p.exists`; a path to a property of that name wins. */
function byDot(name: string, named: (name: string) => PropertyDescription | undefined): Meaning | undefined {
  const dot = name.lastIndexOf('.')
  const operator = DOTTED.find((one) => one === name.slice(dot + 1))
  const property = operator && !named(name) ? named(name.slice(0, Math.max(0, dot))) : undefined
  return operator && property && { role: 'filter', operator, property }
}

/** RFC 6570 §2.4.2: `{?name*}` takes a list apart. */
function explodedNames(template: string): ReadonlySet<string> {
  const specs = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return new Set(specs.filter((spec) => spec.endsWith('*')).map((spec) => decode(spec.slice(0, -1))))
}
