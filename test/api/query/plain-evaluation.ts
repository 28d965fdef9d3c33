// What a query means, as plainly as it can be said: every member is looked at, and nothing of the server is used.
import type { Principal } from '../../../src/auth/index.ts'
import {
  CLASSES,
  FOLDED,
  isClass,
  isEmbedded,
  type ListedClass,
  propertiesOf,
  REVERSE,
  type Rules,
  type ShelfMember,
  type ShelfValues,
  type Who,
} from './random-shelf.ts'

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains'

/** One filter. `exists` has the value `true` or `false`, `q` its words and no path. */
export interface Asking {
  readonly path: readonly string[]
  readonly test: Operator | 'exists' | 'q'
  readonly values: readonly (string | number | boolean)[]
}

export interface AskedOrder {
  readonly path: readonly string[]
  readonly descending: boolean
}

export interface Question {
  readonly className: ListedClass
  readonly by: Principal
  readonly filters: readonly Asking[]
  readonly groups: readonly (readonly Asking[])[]
  readonly order: readonly AskedOrder[]
}

/** Of what is looked at: a member, or an embedded value of one. */
interface Node {
  readonly className: string
  readonly values: ShelfValues
  readonly address?: string
}

export interface Shelf {
  readonly rules: Rules
  readonly members: readonly ShelfMember[]
}

const rightOf = (who: Who, { roles }: Principal): 'any' | 'own' | 'none' => {
  if (who === 'everyone' || (who.includes('clerk') && roles.includes('clerk'))) return 'any'
  return who.includes('owner') ? 'own' : 'none'
}

/** For one user: which names there are, and what a query finds. */
export function createEvaluation({ rules, members }: Shelf, by: Principal) {
  const rights = (className: string) => {
    const { list, read } = rules[className as ListedClass]
    return { list: rightOf(list, by), read: rightOf(read, by) }
  }
  const covers = (right: string, { owner }: ShelfMember) =>
    right === 'any' || (right === 'own' && owner === by.number)
  const isReadable = (one: ShelfMember) => covers(rights(one.className).read, one)
  const isListed = (one: ShelfMember) => isReadable(one) && covers(rights(one.className).list, one)
  const mayList = (className: string) => rights(className).list !== 'none'
  /** A class with which the user may do nothing has no properties. */
  const isShown = (className: string) =>
    isEmbedded(className) || mayList(className) || rights(className).read !== 'none'

  /** The class beyond a name; undefined where there is none. */
  function beyond(className: string, name: string): string | undefined {
    const type = propertiesOf(className)[name]?.type ?? REVERSE[className]?.[name]?.[0]
    return type !== undefined && isClass(type) ? type : undefined
  }

  function isKnown(className: string, [name = '', ...rest]: readonly string[]): boolean {
    if (!isShown(className)) return false
    const reverse = REVERSE[className]?.[name]
    if (reverse !== undefined && !mayList(reverse[0])) return false
    return rest.length === 0 || isKnown(beyond(className, name) ?? '', rest)
  }

  const isSortable = (className: string, path: readonly string[]): boolean =>
    isKnown(className, path) && isShown(endOf(className, path) ?? className)

  const endOf = (className: string, path: readonly string[]): string | undefined =>
    path.reduce<string | undefined>((at, name) => beyond(at ?? '', name), className)

  /** Literals, addresses of links, and embedded values. */
  const listAt = ({ values }: Node, name: string): readonly unknown[] => [values[name] ?? []].flat()

  /** What a step leads to that the user may read. */
  function stepFrom(node: Node, name: string): Node[] {
    const reverse = REVERSE[node.className]?.[name]
    if (reverse !== undefined)
      return members.filter(
        (one) =>
          one.className === reverse[0] && isListed(one) && listAt(one, reverse[1]).includes(node.address),
      )
    const className = beyond(node.className, name) as string
    const found = listAt(node, name)
    if (isEmbedded(className)) return found.map((values) => ({ className, values: values as ShelfValues }))
    return members.filter((one) => found.includes(one.address) && isReadable(one))
  }

  const isAbsent = ({ test, values }: Asking): boolean => test === 'exists' && values[0] === false
  const isRange = ({ test }: Asking): boolean => ['gt', 'gte', 'lt', 'lte', 'startsWith'].includes(test)

  /** Whether a path leads to anything at all. */
  function leads(node: Node, [name = '', ...rest]: readonly string[]): boolean {
    if (rest.length > 0) return stepFrom(node, name).some((one) => leads(one, rest))
    return REVERSE[node.className]?.[name] === undefined
      ? listAt(node, name).length > 0
      : stepFrom(node, name).length > 0
  }

  function matchesEnd(node: Node, name: string, asked: readonly Asking[]): boolean {
    const type = propertiesOf(node.className)[name]?.type ?? ''
    const values = listAt(node, name)
    const ranges = asked.filter(isRange)
    const passes = (value: unknown, { test, values: than }: Asking) =>
      than.some((one) => compares(type, test as Operator, value, one))
    return (
      (ranges.length === 0 || values.some((value) => ranges.every((one) => passes(value, one)))) &&
      asked
        .filter((one) => !isRange(one))
        .every((one) =>
          one.test === 'exists'
            ? leads(node, [name]) === one.values[0]
            : values.some((value) => passes(value, one)),
        )
    )
  }

  function matches(node: Node, asked: readonly Asking[]): boolean {
    const [words, paths] = [
      asked.filter(({ test }) => test === 'q'),
      asked.filter(({ test }) => test !== 'q'),
    ]
    if (!words.every(({ values }) => hasWords(node, String(values[0])))) return false
    // The end of a path is one thing, and what lies beyond the same name another.
    const byName = Map.groupBy(paths, ({ path }) => `${path.length === 1} ${path[0]}`)
    return [...byName.values()].every((group) => {
      const [name = '', ...further] = group[0]?.path ?? []
      if (further.length === 0) return matchesEnd(node, name, group)
      if (group.every(isAbsent)) return group.every(({ path }) => !leads(node, path))
      const rest = group.map((one) => ({ ...one, path: one.path.slice(1) }))
      return stepFrom(node, name).some((one) => matches(one, rest))
    })
  }

  /** The value that an order looks at, and where the member that has it stands among all. */
  function placeOf(member: Node, path: readonly string[]): { value: unknown; type: string; linked: number } {
    let node: Node | undefined = member
    for (const name of path.slice(0, -1)) node = node && stepFrom(node, name)[0]
    const name = path.at(-1) ?? ''
    const type = (node && propertiesOf(node.className)[name]?.type) ?? ''
    const value = node?.values[name]
    return { value, type, linked: value === undefined ? -1 : members.indexOf(ownerOf(member, path)) }
  }

  /** The member at the end of a path, or the one that embeds what is there. */
  function ownerOf(member: Node, path: readonly string[]): ShelfMember {
    let [node, last] = [member, member]
    for (const name of path.slice(0, -1)) {
      node = stepFrom(node, name)[0] as Node
      if (node.address !== undefined) last = node
    }
    return last as ShelfMember
  }

  /** Orders with those of labels in the place of links; undefined where one stands twice, or cannot be. */
  function wholeOrder({ className, order }: Question): AskedOrder[] | undefined {
    if (!order.every(({ path }) => isSortable(className, path))) return undefined
    const whole = order.flatMap(({ path, descending }) => {
      const to = endOf(className, path)
      if (to === undefined) return [{ path, descending }]
      const label = (CLASSES[to]?.label ?? []).filter((name) => beyond(to, name) === undefined)
      return label.map((name) => ({ path: [...path, name], descending }))
    })
    return new Set(whole.map(({ path }) => path.join('.'))).size === whole.length ? whole : undefined
  }

  const passesLink = (className: string, path: readonly string[]): boolean =>
    path.slice(0, -1).some((_, index) => !isEmbedded(endOf(className, path.slice(0, index + 1)) ?? ''))

  function compare(orders: readonly AskedOrder[], one: ShelfMember, other: ShelfMember): number {
    for (const { path, descending } of orders) {
      const [left, right] = [placeOf(one, path), placeOf(other, path)]
      const [isLess, isMore] = [left.value === undefined, right.value === undefined]
      if (isLess || isMore) {
        if (isLess !== isMore) return isLess ? 1 : -1
        continue
      }
      // A single order along links has the members of equal targets together.
      const tie = orders.length === 1 && passesLink(one.className, path) ? left.linked - right.linked : 0
      const found = ranked(left.type, left.value, right.value) || tie
      if (found !== 0) return descending ? -found : found
    }
    const created = members.indexOf(one) - members.indexOf(other)
    return orders.at(-1)?.descending ? -created : created
  }

  /** The addresses of the members, in order; or the status of the refusal. */
  function evaluate(question: Question): 400 | 403 | string[] {
    const { className, filters, groups } = question
    if (!mayList(className)) return 403
    const asked = [...filters, ...groups.flat()]
    if (!asked.every(({ test, path }) => test === 'q' || isKnown(className, path))) return 400
    const orders = wholeOrder(question)
    if (orders === undefined) return 400
    return members
      .filter((one) => one.className === className && isListed(one))
      .filter((one) => matches(one, filters))
      .filter((one) => groups.every((group) => group.some((each) => matches(one, [each]))))
      .sort((one, other) => compare(orders, one, other))
      .map(({ address }) => address)
  }
  return { evaluate, isReadable }
}

const fold = (text: unknown): string => FOLDED[String(text)] ?? String(text)

const byBytes = (one: unknown, other: unknown): number =>
  Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))

/** Days and instants as the first millisecond and the first one after; a double is exact enough for these decimals. */
const spanOf = (text: string): readonly [number, number] => {
  const start = Date.parse(text)
  return text.length === 10 ? [start, start + 86_400_000] : [start, start + 0.001]
}

function ranked(type: string, one: unknown, other: unknown): number {
  if (type === 'string') return byBytes(fold(one), fold(other)) || byBytes(one, other)
  if (type === 'date') return byBytes(one, other)
  if (type === 'dateTime') return spanOf(String(one))[0] - spanOf(String(other))[0]
  return Number(one) - Number(other)
}

function compares(type: string, operator: Operator, value: unknown, than: unknown): boolean {
  const isExact = operator === 'eq' || operator === 'ne'
  if (type === 'string' || isClass(type)) {
    if (isExact) return (value === than) === (operator === 'eq')
    const [left, right] = [fold(value), fold(than)]
    if (operator === 'startsWith') return left.startsWith(right)
    if (operator === 'contains') return left.includes(right)
    return within(operator, byBytes(left, right), byBytes(left, right))
  }
  if (type !== 'dateTime') {
    const found = ranked(type, value, than)
    return within(operator, found, found)
  }
  const [at] = spanOf(String(value))
  const [from, to] = spanOf(String(than))
  return within(operator, at - from, at < to ? Math.min(at - from, 0) : 1)
}

/** `from`, `to`: how the value compares with the beginning and the end of what it is compared with. */
function within(operator: Operator, from: number, to: number): boolean {
  const isWithin = from >= 0 && to <= 0
  if (operator === 'eq') return isWithin
  if (operator === 'ne') return !isWithin
  if (operator === 'gt') return to > 0
  if (operator === 'gte') return from >= 0
  return operator === 'lt' ? from < 0 : to <= 0
}

/** In the texts of the member itself, not in those of its embedded values. */
function hasWords({ className, values }: Node, asked: string): boolean {
  const words = Object.entries(values)
    .filter(([name]) => propertiesOf(className)[name]?.type === 'string')
    .flatMap(([, value]) => [value].flat())
    .flatMap((one) => fold(one).split(' '))
    .filter(Boolean)
  return asked
    .split(' ')
    .every((word) =>
      word.endsWith('*') ? words.some((one) => one.startsWith(word.slice(0, -1))) : words.includes(word),
    )
}
