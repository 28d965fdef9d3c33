import type { ClassDescription } from '../../../src/client/index.ts'
import { capitalised, inWords, namingProperty } from '../../shared/names/naming.ts'
import { decode, generalRole, type Role, type Variable } from '../../shared/search-variables.ts'

/** One `name=value` of a query. */
export interface Pair {
  readonly name: string
  readonly value: string
  /** Of the template; undefined where it has no such variable. */
  readonly variable: Variable | undefined
  readonly role: Role
  /** As it stands in the address: what nobody changes stays as the API wrote it. */
  readonly raw: string
}

/** A filter as somebody has put it together. */
export type Condition = Pick<Pair, 'name' | 'value'>

export type Direction = 'asc' | 'desc'

export interface Order {
  /** Of the property. */
  readonly name: string
  readonly direction: Direction
}

export function readQuery(query: string, variables: readonly Variable[]): readonly Pair[] {
  const parts = query.split('&').filter(Boolean)
  return parts.map((raw) => {
    const [, named = '', sent = ''] = /^([^=]*)=?(.*)$/s.exec(raw) ?? []
    const name = decode(named)
    const variable = variables.find((one) => one.name === name)
    const value = decode(isText(variable) ? sent.replaceAll('+', ' ') : sent)
    return { name, value, variable, role: variable?.role ?? generalRole(name), raw }
  })
}

/** What asks for less than the whole collection. */
export const isCondition = ({ role }: Pair): boolean => role === 'filter' || role === 'text'

/**
 * Which filter an API does not understand: the one that its sentence names (hypermedia.md: 400 names the parameter), the
 * latest of several; or the only one there is.
 */
export function refusedBy(sentence: string, pairs: readonly Pair[]): Pair | undefined {
  const conditions = pairs.filter(isCondition)
  const named = conditions.filter(
    ({ name }) => sentence.startsWith(`${name}: `) || sentence.includes(`"${name}"`),
  )
  const meant = named.findLast(({ value }) => sentence.includes(`"${value}"`)) ?? named.at(-1)
  return meant ?? (conditions.length === 1 ? conditions[0] : undefined)
}

/** Whatever is asked anew begins at the first page. */
export const withoutPlace = (pairs: readonly Pair[]): string => join(pairs.filter((pair) => !isPlace(pair)))

export const withoutPair = (pairs: readonly Pair[], gone: Pair): string =>
  withoutPlace(pairs.filter((pair) => pair !== gone))

/** All members, in the same order. */
export const withoutConditions = (pairs: readonly Pair[]): string =>
  withoutPlace(pairs.filter((pair) => !isCondition(pair)))

/** With another filter in the place of one that was there, or with one more. */
export function withCondition(
  pairs: readonly Pair[],
  condition: Condition,
  { instead, repeatable }: { readonly instead: Condition | undefined; readonly repeatable: boolean },
): string {
  const kept = pairs.filter((pair) => !isPlace(pair))
  const spot = kept.find((pair) => instead && isSame(pair, instead))
  const written = write(condition)
  const raws = kept.flatMap((pair) => {
    if (pair === spot) return written
    return isSame(pair, condition) || (!repeatable && pair.name === condition.name) ? [] : pair.raw
  })
  return (spot ? raws : [...raws, written]).join('&')
}

/** For what stands in a query once; undefined takes it out. */
export function withValue(pairs: readonly Pair[], name: string, value: string | undefined): string {
  const left = withoutPlace(pairs.filter((pair) => pair.name !== name))
  return value === undefined ? left : append(left, { name, value })
}

/** One order at a time, as a click on a column says it. */
export function withOrder(
  pairs: readonly Pair[],
  variable: Variable,
  direction: Direction | undefined,
): string {
  const left = withoutPlace(pairs.filter(({ role }) => role !== 'order' && role !== 'sort'))
  return direction === undefined ? left : append(left, { name: variable.name, value: direction })
}

/** What comes first in the order that is asked for. */
export function orderOf(pairs: readonly Pair[]): Order | undefined {
  for (const { variable, value } of pairs) {
    if (variable?.role === 'order')
      return { name: variable.property.name, direction: /^desc$/i.test(value) ? 'desc' : 'asc' }
    const [, minus, name] = (variable?.role === 'sort' && /^(-?)([^,]+)/.exec(value)) || []
    if (name) return { name, direction: minus ? 'desc' : 'asc' }
  }
  return undefined
}

/** One click after the other: up, down, and as the collection has it. */
export const nextDirection = (direction: Direction | undefined): Direction | undefined =>
  direction === undefined ? 'asc' : direction === 'asc' ? 'desc' : undefined

/** Of the address of a page. */
export const queryOf = (address: string): string => /\?([^#]*)/.exec(address)?.[1] ?? ''

/** The address of a page of a collection. */
export const addressOf = (collection: string, query: string): string =>
  query ? `${collection.split(/[?#]/, 1)[0]}?${query}` : collection

export const isSame = (one: Condition, other: Condition): boolean =>
  one.name === other.name && one.value === other.value

const isPlace = ({ role }: Pair): boolean => role === 'place'

const join = (pairs: readonly Pair[]): string => pairs.map(({ raw }) => raw).join('&')

const append = (query: string, condition: Condition): string =>
  query ? `${query}&${write(condition)}` : write(condition)

const write = ({ name, value }: Condition): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** Where a "+" may be a blank, as forms write it; elsewhere it is what it looks like, as in +02:00. */
const isText = (variable: Variable | undefined): boolean =>
  variable?.role === 'text' ||
  (variable?.role === 'filter' && /#string$/.test(variable.property?.range ?? ''))

/** Free text finds whole words: who meant a part of one is offered to look for it in the names. */
export function partInstead(
  pairs: readonly Pair[],
  searched: Pair,
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
): { readonly label: string; readonly query: string } | undefined {
  const naming = namingProperty(cls)
  const contains = variables.find(
    (one) => one.role === 'filter' && one.operator === 'contains' && one.property?.name === naming,
  )
  if (!contains || naming === undefined) return undefined
  const left = readQuery(withoutPair(pairs, searched), variables)
  return {
    label: `${capitalised(inWords(naming))} contains “${searched.value}”`,
    query: withCondition(
      left,
      { name: contains.name, value: searched.value },
      { instead: undefined, repeatable: false },
    ),
  }
}
