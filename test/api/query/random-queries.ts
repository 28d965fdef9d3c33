import type { Principal } from '../../../src/auth/index.ts'
import { BASE, user } from '../app-of-users.ts'
import type { AskedOrder, Asking, Operator, Question } from './plain-evaluation.ts'
import {
  addressesOf,
  type Choose,
  isClass,
  isEmbedded,
  LISTED,
  LITERALS,
  type ListedClass,
  propertiesOf,
  REVERSE,
} from './random-shelf.ts'

const MAX_NAMES = 4

export const USERS: readonly [Principal, ...Principal[]] = [user(1), user(2), user(1, ['clerk'])]

export const choiceOf = <T>(choose: Choose, all: readonly T[]): T => choose(...(all as [T, ...T[]]))

export interface End {
  readonly path: readonly string[]
  /** A datatype, a class, or `reverse`. */
  readonly type: string
}

/** A path to anything that may be filtered by; `isSingle`: along single values only. */
export function anyEnd(choose: Choose, className: string, isSingle = false, depth = 1): End {
  const properties = Object.entries(propertiesOf(className)).filter(([, { many }]) => !(isSingle && many))
  const reverse = isSingle ? [] : Object.entries(REVERSE[className] ?? {})
  const mayStep = depth < MAX_NAMES
  const names = [
    ...properties.filter(([, { type }]) => mayStep || !isEmbedded(type)).map(([name]) => name),
    // Steps are what this is about.
    ...(mayStep ? properties.filter(([, { type }]) => isClass(type)).map(([name]) => name) : []),
    ...reverse.map(([name]) => name),
  ]
  const name = choiceOf(choose, names)
  const type = propertiesOf(className)[name]?.type ?? REVERSE[className]?.[name]?.[0] ?? ''
  const isEnd = !isClass(type) || (!isEmbedded(type) && (!mayStep || choose(false, false, true)))
  if (isEnd) return { path: [name], type: name in (REVERSE[className] ?? {}) ? 'reverse' : type }
  const beyond = anyEnd(choose, type, isSingle, depth + 1)
  return { ...beyond, path: [name, ...beyond.path] }
}

const EQUAL: readonly Operator[] = ['eq', 'eq', 'ne']
const COMPARED: readonly Operator[] = [...EQUAL, 'gt', 'gte', 'lt', 'lte']
const DAYS = ['1937-09-21', '1937-09-22', '2023-12-31']

function operatorsOf(type: string): readonly Operator[] {
  if (type === 'string') return [...COMPARED, 'startsWith', 'contains']
  return isClass(type) || type === 'boolean' ? EQUAL : COMPARED
}

/** The values that filters of this type compare with. */
function literalsFor(type: string, operator: Operator): readonly (string | number | boolean)[] {
  if (isClass(type)) return addressesOf(type as ListedClass)
  const all = [...(LITERALS[type] ?? []), ...(type === 'dateTime' ? DAYS : [])]
  return operator === 'contains' ? all.filter((one) => one !== '') : all
}

function anyAsking(choose: Choose, className: string, beginning?: readonly string[]): Asking {
  const { path, type } =
    beginning === undefined ? anyEnd(choose, className) : anyBeyond(choose, className, beginning)
  if (type === 'reverse' || choose(true, false, false, false))
    return { path, test: 'exists', values: [choose(true, false)] }
  const operator = choiceOf(choose, operatorsOf(type))
  const count = operator === 'eq' ? choose(1, 1, 2, 3) : 1
  const literals = literalsFor(type, operator)
  const values = Array.from({ length: count }, () => choiceOf(choose, literals))
  return { path, test: operator, values }
}

/** Another path that begins alike. */
function anyBeyond(choose: Choose, className: string, beginning: readonly string[]): End {
  const to = beginning.reduce(
    (at, name) => propertiesOf(at)[name]?.type ?? REVERSE[at]?.[name]?.[0] ?? '',
    className,
  )
  const beyond = anyEnd(choose, to, false, beginning.length + 1)
  return { ...beyond, path: [...beginning, ...beyond.path] }
}

const anyWords = (choose: Choose): Asking => ({
  path: [],
  test: 'q',
  values: [choose('a', 'b', 'e', 'ss', 'a b', 'ss e', 'a*', 's*', 'b a*')],
})

/** Half of them begin like an earlier one: those ask of the same linked member or embedded value. */
function anyFilters(choose: Choose, className: ListedClass): Asking[] {
  const all: Asking[] = choose(true, false, false, false, false) ? [anyWords(choose)] : []
  for (let count = choose(0, 0, 1, 1, 1, 2, 2, 3); count > 0; count--) {
    const earlier = all.find(({ path }) => path.length > 1)?.path
    const beginning = earlier?.slice(0, choose(1, 1, earlier.length - 1))
    const one = anyAsking(choose, className, choose(true, false) ? beginning : undefined)
    const isTwice = all.some(({ path, test }) => test === one.test && `${path}` === `${one.path}`)
    if (!isTwice) all.push(one)
  }
  return all
}

function anyGroups(choose: Choose, className: ListedClass): Asking[][] {
  const count = choose(0, 0, 1, 1, 2)
  return Array.from({ length: count }, () =>
    Array.from({ length: choose(1, 2, 2, 3, 4) }, () =>
      choose(true, false, false, false, false, false, false)
        ? anyWords(choose)
        : anyAsking(choose, className),
    ),
  )
}

const anyOrder = (choose: Choose, className: ListedClass): AskedOrder[] => {
  const asked = Array.from({ length: choose(0, 1, 1, 1, 2, 3) }, () => ({
    path: anyEnd(choose, className, true).path,
    descending: choose(true, false),
  }))
  return [...new Map(asked.map((one) => [one.path.join('.'), one])).values()]
}

export function anyQuestion(choose: Choose): Question {
  const className = choose<ListedClass>('Book', 'Book', 'Book', ...LISTED)
  return {
    className,
    by: choose(...USERS),
    filters: anyFilters(choose, className),
    groups: anyGroups(choose, className),
    order: anyOrder(choose, className),
  }
}

/** The question as a query, each part in one of its spellings. */
export function queryOf({ filters, groups, order }: Question, choose: Choose): string {
  const valuesOf = ({ path, test, values }: Asking): string[] =>
    values.map((value) => {
      const isAddress = typeof value === 'string' && /^(?:books|authors|countries)\/\w+$/.test(value)
      const sent = isAddress && path.length > 0 ? choose(`${BASE}/${value}`, `/api/${value}`) : String(value)
      return test === 'q' ? encodeURIComponent(sent).replaceAll('%20', '+') : encodeURIComponent(sent)
    })
  const nameOf = ({ path, test }: Asking): string => {
    const name = path.join('.')
    if (test === 'q') return 'q'
    if (test === 'exists') return choose(`exists[${name}]`, `${name}.exists`, `${name}%5Bexists%5D`)
    if (test === 'eq') return choose(name, name, `${name}.eq`, `${name}[eq]`)
    return choose(`${name}[${test}]`, `${name}.${test}`)
  }
  const dotted = ({ path, test }: Asking): string =>
    test === 'q' ? 'q' : [...path, ...(test === 'eq' ? choose([], ['eq']) : [test])].join('.')
  const all = filters.flatMap((one) => {
    const name = nameOf(one)
    return valuesOf(one).map((value) => `${name}=${value}`)
  })
  const letters = choose(['a', 'b'], ['1', '0'], ['Z', '17'])
  for (const [index, group] of groups.entries())
    for (const one of group)
      for (const value of valuesOf(one)) all.push(`or[${letters[index]}][${dotted(one)}]=${value}`)
  const mixed = choose(true, false) ? all : all.toReversed()
  if (order.length === 0) return mixed.join('&')
  const sort = order.map(({ path, descending }) => `${descending ? '-' : ''}${path.join('.')}`)
  const orders = order.map(
    ({ path, descending }) =>
      `order[${path.join('.')}]=${descending ? choose('desc', 'DESC') : choose('asc', 'Asc')}`,
  )
  return [...mixed, ...choose([`sort=${sort}`], orders)].join('&')
}
