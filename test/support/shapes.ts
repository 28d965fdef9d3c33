import { fold, wordsOf } from '../../src/folding.ts'
import {
  type Bound,
  type Bounds,
  type ClassSchema,
  type Converted,
  DEFAULT_BYTE_BUDGET,
  isOnProperty,
  type Link,
  type MemberContent,
  type Move,
  type NewMember,
  type PropertyFilter,
  rangeOf,
  type Selection,
  type WholeText,
} from '../../src/members/index.ts'
import type { ProblemData } from '../../src/problem.ts'
import {
  indexBounds,
  indexed,
  indexKey,
  type Key,
  type KeyForm,
  type KeyShape,
  type Keys,
} from '../../src/vocabulary/index.ts'

/** What a property of a test's class holds; `unique` is text, and a moment may be of any length. */
export type Kind = 'text' | 'number' | 'moment' | 'texts' | 'numbers' | 'moments' | 'unique'

export type Kinds = Readonly<Record<string, Kind>>

export type Values = Readonly<Record<string, Key | readonly Key[]>>

/** Of a member, the links that its values say: `"to": "Author/ann"`. */
const LINK = /^([A-Z]\w*)\/(.+)$/

/** Of a class whose API file has changed: another fingerprint, and names that its properties had. */
export interface Version extends Partial<ClassSchema> {
  readonly former?: Readonly<Record<string, string>>
}

/** A class whose members are stored as JSON; values of properties that it does not have are hidden. */
export function shapeOf(
  name: string,
  kinds: Kinds = {},
  { former = {}, ...more }: Version = {},
): ClassSchema {
  return {
    name,
    was: undefined,
    fingerprint: 1,
    keys: keyShapes(kinds),
    defaults: new Map(),
    hasWords: true,
    isListedByOwner: true,
    listedByLinks: [],
    isLogged: true,
    followed: [],
    history: undefined,
    isSingle: false,
    types: { [name]: kinds },
    searched: Object.keys(kinds),
    renamed: Object.entries(former).map(([property, was]) => ({ className: name, property, former: was })),
    properties: new Map(Object.keys(kinds).map((property) => [property, former[property]])),
    addressOf: (id) => `${name} ${id}`,
    convert: (stored, links) => {
      const { violations, ...converted } = convert({ kinds, former, links }, stored)
      return violations.length > 0 ? { violations } : converted
    },
    convertEntry: (stored, links) => convert({ kinds, former, links, isLenient: true }, stored),
    violationsOf: () => [],
    ...more,
  }
}

interface Conversion {
  readonly kinds: Kinds
  readonly former: Readonly<Record<string, string>>
  /** Those that the store knows, with the present names of their classes. */
  readonly links: readonly Link[]
  /** Whether values of another type are hidden. */
  readonly isLenient?: boolean
}

function convert(
  { kinds, former, links, isLenient = false }: Conversion,
  { body, hidden }: WholeText,
): Converted & { readonly violations: readonly ProblemData[] } {
  const before = JSON.parse(hidden || '{}') as Values
  const stored = new Map(Object.entries({ ...before, ...valuesOf(body) }))
  const moves: Move[] = []
  const shown: Record<string, Key | readonly Key[]> = {}
  const violations: ProblemData[] = []
  for (const [property, kind] of Object.entries(kinds)) {
    const known = stored.has(property) ? property : (former[property] ?? property)
    const value = stored.get(known)
    if (value === undefined) continue
    const type = kind.startsWith('number') ? 'number' : 'string'
    const isOfType = [value].flat().every((one) => typeof one === type)
    if (!isOfType && isLenient) continue
    stored.delete(known)
    shown[property] = value
    if (known !== property) moves.push({ change: 'renamed', property, from: known })
    else if (Object.hasOwn(before, property)) moves.push({ change: 'shown', property })
    if (!isOfType) violations.push({ code: 'WrongJsonType', at: { property }, values: { expected: type } })
  }
  const rest = stored.size === 0 ? '' : JSON.stringify(Object.fromEntries(stored))
  for (const property of stored.keys())
    if (!Object.hasOwn(before, property)) moves.push({ change: 'hidden', property })
  const written = writtenOf(kinds, shown)
  const classOf = (link: Link) => links.find(({ id }) => id === link.id)?.className ?? link.className
  return {
    ...written,
    links: written.links.map((link) => ({ ...link, className: classOf(link) })),
    hidden: rest,
    moves,
    violations,
  }
}

const keyShapes = (kinds: Kinds): KeyShape[] =>
  Object.entries(kinds).map(([property, kind]) => ({
    property,
    many: isMany(kind),
    unique: kind === 'unique',
    long: formOf(kind) !== 'short',
  }))

export function formOf(kind: Kind): KeyForm {
  if (kind.startsWith('number')) return 'short'
  return kind.startsWith('moment') ? 'long' : 'text'
}

export const isMany = (kind: Kind): boolean => kind.endsWith('s')

export const memberOf = (kinds: Kinds, id: string, values: Values = {}): NewMember => ({
  id,
  ...writtenOf(kinds, values),
})

export const writtenOf = (kinds: Kinds, values: Values): MemberContent => ({
  body: Object.entries(values)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(''),
  baseUrlOffsets: '',
  hidden: '',
  links: linksOf(values),
  keys: keysOf(kinds, values),
})

export const valuesOf = (body: string): Values => JSON.parse(`{${body.slice(1)}}`) as Values

const linksOf = (values: Values): Link[] =>
  Object.entries(values).flatMap(([property, value]) => {
    const [, className, id] = LINK.exec(String(value)) ?? []
    return className === undefined || id === undefined ? [] : [{ property, className, id }]
  })

function keysOf(kinds: Kinds, values: Values): Keys {
  const words = Object.entries(kinds).flatMap(([name, kind]) =>
    formOf(kind) === 'text' ? [values[name] ?? []].flat().flatMap((text) => wordsOf(String(text))) : [],
  )
  return {
    values: Object.entries(kinds).map(([name, kind]) => {
      const given = new Set([values[name] ?? []].flat())
      const found = Array.from(given, (key) => indexed(key, formOf(kind)))
      return isMany(kind) ? found : (found[0] ?? null)
    }),
    words: [...new Set(words.map(indexKey))],
  }
}

/** All members, in the order of their creation. */
export const ALL: Selection = {
  filters: [],
  words: [],
  order: [],
  start: { at: 'offset', offset: 0 },
  limit: 100,
  byteBudget: DEFAULT_BYTE_BUDGET,
  count: 'bounded',
}

/** All members, unless it says otherwise; strings in filters are texts. */
export const select = (more: Partial<Selection> = {}): Selection => ({
  ...ALL,
  ...more,
  filters: (more.filters ?? []).map((filter) => (isOnProperty(filter) ? indexedFilter(filter) : filter)),
})

/** A filter as a store takes it; `form` is that of its strings. */
export function indexedFilter(filter: PropertyFilter, form: KeyForm = 'text'): PropertyFilter {
  const formFor = (key: Key | undefined): KeyForm => (typeof key === 'number' ? 'short' : form)
  const keyIn = (key: Key): Key => indexed(key, formFor(key)).key
  const boundsIn = ({ from, to }: Bounds): [Bounds, KeyForm] => {
    const found = formFor((from ?? to)?.key)
    const folded = ({ key, inclusive }: Bound) => ({
      key: found === 'text' ? fold(String(key)) : key,
      inclusive,
    })
    return [{ ...(from && { from: folded(from) }), ...(to && { to: folded(to) }) }, found]
  }
  switch (filter.test) {
    case 'in':
      return { ...filter, keys: filter.keys.map(keyIn) }
    case 'not':
      return { ...filter, key: keyIn(filter.key) }
    case 'range':
      return rangeOf(filter.property, ...boundsIn(filter))
    case 'spans':
      return { ...filter, spans: filter.spans.map((span) => indexBounds(...boundsIn(span))) }
    default:
      return filter
  }
}
