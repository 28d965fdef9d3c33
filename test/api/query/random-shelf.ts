import assert from 'node:assert/strict'
import { modelOf } from '../../support/service.ts'
import { type AppOfUsers, BASE, user } from '../app-of-users.ts'

/** Takes one of these; random numbers decide which. */
export type Choose = <T>(...all: readonly [T, ...T[]]) => T

/** Each number chooses once. */
export const chooser = (numbers: readonly number[]): Choose => {
  let taken = 0
  return (...all) => all[(numbers[taken++] ?? 0) % all.length] as (typeof all)[0]
}

export interface ShelfProperty {
  readonly type: string
  readonly many?: boolean
  readonly reverse?: string
}

interface ShelfClass {
  readonly collection?: string | false
  readonly label?: readonly string[]
  readonly properties: Readonly<Record<string, ShelfProperty>>
}

const text = { type: 'string' }
const integer = { type: 'integer' }

/** Every kind of step: links, embedded values, single, many and nested, and links from the other side. */
export const CLASSES: Readonly<Record<string, ShelfClass>> = {
  Country: { collection: 'countries', label: ['name'], properties: { name: text, rank: integer } },
  Author: {
    collection: 'authors',
    label: ['name', 'agent', 'born'],
    properties: {
      name: text,
      born: integer,
      agent: { type: 'Author', reverse: 'clients' },
      nation: { type: 'Country', reverse: 'nationals' },
      home: { type: 'Address' },
    },
  },
  Address: {
    collection: false,
    properties: { city: text, country: { type: 'Country' } },
  },
  Book: {
    collection: 'books',
    label: ['title'],
    properties: {
      title: text,
      pages: integer,
      price: { type: 'decimal' },
      weight: { type: 'double' },
      out: { type: 'date' },
      sold: { type: 'dateTime' },
      available: { type: 'boolean' },
      tags: { type: 'string', many: true },
      marks: { type: 'integer', many: true },
      author: { type: 'Author', reverse: 'books' },
      others: { type: 'Author', many: true, reverse: 'helped' },
      print: { type: 'Print' },
      lines: { type: 'Line', many: true },
    },
  },
  Print: { collection: false, properties: { city: text, run: integer, by: { type: 'Author' } } },
  Line: {
    collection: false,
    properties: {
      count: integer,
      note: text,
      by: { type: 'Author' },
      parts: { type: 'Part', many: true },
    },
  },
  Part: { collection: false, properties: { code: integer, from: { type: 'Country' } } },
}

export const isClass = (type: string): boolean => type in CLASSES
export const isEmbedded = (type: string): boolean => CLASSES[type]?.collection === false
export const LISTED = ['Book', 'Author', 'Country'] as const
export type ListedClass = (typeof LISTED)[number]

export const propertiesOf = (className: string) => CLASSES[className]?.properties ?? {}

/** Links from the other side: by class and name, the class that links and its property. */
export const REVERSE: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  Country: { nationals: ['Author', 'nation'] },
  Author: {
    clients: ['Author', 'agent'],
    books: ['Book', 'author'],
    helped: ['Book', 'others'],
  },
}

/** Words, each with its folded text. */
export const FOLDED: Readonly<Record<string, string>> = {
  a: 'a',
  A: 'a',
  b: 'b',
  ab: 'ab',
  é: 'e',
  E: 'e',
  ß: 'ss',
  ss: 'ss',
  'a b': 'a b',
  'É ß': 'e ss',
  '': '',
}

type Values<T> = readonly [T, ...T[]]
/** Few, so that members share them. */
export const LITERALS: Readonly<Record<string, Values<string | number | boolean>>> = {
  string: Object.keys(FOLDED) as unknown as Values<string>,
  integer: [0, 1, 2, 3, -1],
  decimal: ['0', '1.5', '1.50', '-2.25', '99999999999999999999.01', '0.001'],
  double: [0.5, -3, 1e300, 5e-324],
  date: ['0001-01-01', '1937-09-21', '1937-09-30', '2024-02-29'],
  dateTime: [
    '1937-09-21T23:30:00-05:00',
    '1937-09-22T04:30:00.5Z',
    '1937-09-22T23:59:59.999Z',
    '2024-01-01T00:00:00+14:00',
  ],
  boolean: [true, false],
}

/** Who may list and read a class, besides the role that writes. */
export type Who = 'everyone' | 'owner' | 'clerk' | 'clerk owner' | ''
export type Rules = Readonly<Record<ListedClass, { readonly list: Who; readonly read: Who }>>

const anyWho = (choose: Choose): Who =>
  choose<Who>('everyone', 'owner', 'owner', 'owner', 'clerk', 'clerk owner', 'clerk owner', '')

export function anyRules(choose: Choose): Rules {
  const one = () => {
    const read = anyWho(choose)
    return { read, list: choose(read, read, read, 'everyone', anyWho(choose)) }
  }
  return {
    Book: { read: choose<Who>('everyone', 'everyone', 'owner', 'clerk owner'), list: 'everyone' },
    Author: one(),
    Country: one(),
  }
}

const grantees = (who: Who): readonly string[] =>
  who === 'everyone' ? ['everyone'] : ['keeper', ...who.split(' ').filter(Boolean)]

/** Who may see a property, besides the role that writes: by class and name. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, Who>>>>

/** Some of the properties that no label needs. */
export function anySecrets(choose: Choose): Secrets {
  const ofClass = (className: string) =>
    Object.keys(propertiesOf(className))
      .filter((name) => !CLASSES[className]?.label?.includes(name))
      .flatMap((name): [string, Who][] =>
        choose(true, false) ? [[name, choose<Who>('', '', 'owner', 'owner', 'clerk')]] : [],
      )
  return Object.fromEntries(LISTED.map((name) => [name, Object.fromEntries(ofClass(name))]))
}

const withSecrets = (cls: ShelfClass, secrets: Readonly<Record<string, Who>> = {}): ShelfClass => ({
  ...cls,
  properties: Object.fromEntries(
    Object.entries(cls.properties).map(([name, property]) => {
      const who = secrets[name]
      return [name, who === undefined ? property : { ...property, view: grantees(who) }]
    }),
  ),
})

/** The API file is JSON, which is YAML. */
export const shelfModel = (rules: Rules, secrets: Secrets = {}) =>
  modelOf(
    JSON.stringify({
      roles: ['keeper', 'clerk'],
      classes: Object.fromEntries(
        Object.entries(CLASSES).map(([name, cls]) => {
          const rule = rules[name as ListedClass]
          if (rule === undefined) return [name, cls]
          const access = { write: 'keeper', read: grantees(rule.read), list: grantees(rule.list) }
          return [name, { ...withSecrets(cls, secrets[name]), access }]
        }),
      ),
    }),
  )

/** Links are addresses without the base: `authors/a1`. */
export type ShelfValues = Readonly<Record<string, unknown>>

export interface ShelfMember {
  readonly className: ListedClass
  /** `authors/a1`. */
  readonly address: string
  readonly owner: number
  readonly values: ShelfValues
}

const COUNTS: Readonly<Record<ListedClass, number>> = { Country: 3, Author: 5, Book: 12 }

/** All that a shelf begins with. */
export function addressesOf(className: ListedClass): Values<string> {
  const collection = String(CLASSES[className]?.collection)
  const all = Array.from(
    { length: COUNTS[className] },
    (_, index) => `${collection}/${collection[0]}${index}`,
  )
  return all as unknown as Values<string>
}

/** Of the owners 1 and 2; each value is missing now and then. */
export function anyValues(choose: Choose, className: string): ShelfValues {
  const one = ({ type }: ShelfProperty): unknown => {
    if (isEmbedded(type)) return anyValues(choose, type)
    return choose(...(isClass(type) ? addressesOf(type as ListedClass) : (LITERALS[type] as Values<unknown>)))
  }
  const all = Object.entries(propertiesOf(className)).flatMap(([name, property]): [string, unknown][] => {
    const count = property.many ? choose(0, 1, 2, 3) : choose(0, 1, 1)
    if (count === 0) return []
    const values = Array.from({ length: count }, () => one(property))
    const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
    return [[name, property.many ? distinct : values[0]]]
  })
  return Object.fromEntries(all)
}

export const anyShelf = (choose: Choose): ShelfMember[] =>
  (['Country', 'Author', 'Book'] as const).flatMap((className) =>
    addressesOf(className).map((address) => ({
      className,
      address,
      owner: choose(1, 2),
      values: anyValues(choose, className),
    })),
  )

/** The values as a body has them, with whole addresses. */
export function toBody(className: string, values: ShelfValues): object {
  const one = (type: string, value: unknown) => {
    if (!isClass(type)) return value
    return isEmbedded(type) ? toBody(type, value as ShelfValues) : `${BASE}/${value}`
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { type } = propertiesOf(className)[name] as ShelfProperty
      return [name, Array.isArray(value) ? value.map((each) => one(type, each)) : one(type, value)]
    }),
  )
}

export async function put(
  app: AppOfUsers,
  { className, address, owner, values }: ShelfMember,
): Promise<void> {
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  const body = JSON.stringify(toBody(className, values))
  const answer = await app.send(
    { method: 'PUT', path: `/${address}`, headers, body },
    user(owner, ['keeper']),
  )
  assert.equal(answer.status, 201, answer.text)
}

/** Changes some values; null takes one away. */
export async function patch(app: AppOfUsers, address: string, body: object, owner = 9): Promise<void> {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const asked = { method: 'PATCH', path: `/${address}`, headers, body: JSON.stringify(body) }
  const answer = await app.send(asked, user(owner, ['keeper']))
  assert.equal(answer.status, 200, answer.text)
}

/** Links to members that come later are written last. */
export async function fillShelf(
  app: AppOfUsers,
  all: readonly ShelfMember[],
  between: () => Promise<void> = async () => {},
): Promise<void> {
  for (const member of all) {
    await between()
    const { agent, ...values } = member.values
    await put(app, { ...member, values })
  }
  for (const { address, values } of all)
    if (values.agent !== undefined) await patch(app, address, { agent: `${BASE}/${values.agent}` })
}
