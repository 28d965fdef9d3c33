import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type Filter,
  type MemberStore,
  type MemberValues,
  type Order,
  type Selection,
  type StepFilter,
  writeMember,
} from '../../src/members/index.ts'
import { type Class, indexedKey, type Key, type Literal, type Property } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'
import { ALL } from '../support/shapes.ts'

/** Members and selections at random, of classes that link to each other, and a model that looks at every member. */
export const MODEL = modelOf(`
title: Shelf
classes:
  Author:
    properties:
      name: string
      born: integer
      agent: Author
  Book:
    properties:
      title: string
      author: { type: Author }
      others: { type: Author, many: true }
      marks: { type: integer, many: true }
      price: decimal
      weight: double
      out: date
      sold: dateTime
      print: { type: Print }
      lines: { type: Line, many: true }
  Print: { collection: false, properties: { city: string } }
  Line:
    collection: false
    properties:
      count: integer
      note: string
      cost: decimal
      by: Author
      parts: { type: Part, many: true }
  Part: { collection: false, properties: { code: integer } }
`)

export const classNamed = (name: string): Class => MODEL.classes.find((cls) => cls.name === name) as Class

export interface PathMember {
  readonly className: string
  readonly id: string
  readonly sequence: number
  readonly owner: number
  readonly values: MemberValues
}

export const OWNERS = [1, 2]

const word = fc.constantFrom('a', 'A', 'b', 'é')
const number = fc.integer({ min: 0, max: 3 })
const author = fc.constantFrom('/authors/a0', '/authors/a1', '/authors/a2', '/authors/a3')
const sometimes = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 3 })
const listOf = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { maxLength: 3 })

const authorValues = fc.record({ name: sometimes(word), born: sometimes(number), agent: sometimes(author) })
const line = fc.record({
  count: sometimes(number),
  note: sometimes(word),
  cost: sometimes(fc.constantFrom('1', '2.5', '-0.5')),
  by: sometimes(author),
  parts: fc.array(fc.record({ code: sometimes(number) }), { maxLength: 2 }),
})
const bookValues = fc.record({
  title: sometimes(word),
  author: sometimes(author),
  others: listOf(author),
  marks: listOf(number),
  price: sometimes(fc.constantFrom('0', '1.5', '-2.25', '1.50', '99999999999999999999.01', '0.001')),
  weight: sometimes(fc.constantFrom(0.1, 0.2, 1e300, -1e300, 5e-324, -3, 9_007_199_254_740_991)),
  out: sometimes(fc.constantFrom('0001-01-01', '1937-09-21', '1937-09-30', '2024-02-29')),
  sold: sometimes(
    fc.constantFrom(
      ...['1937-09-21T23:30:00-05:00', '1937-09-22T04:30:00.5Z', '2024-01-01T00:00:00+14:00'],
      // In UTC, these are in years without four digits.
      ...['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'],
    ),
  ),
  print: sometimes(fc.record({ city: sometimes(word) })),
  lines: fc.array(line, { maxLength: 3 }),
})

/** Without what is not there, as members are stored. */
const stored = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stored)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([, one]) => one !== undefined && !(Array.isArray(one) && one.length === 0),
  )
  return Object.fromEntries(kept.map(([name, one]) => [name, stored(one)]))
}

export const shelves = fc
  .record({
    authors: fc.array(authorValues, { minLength: 4, maxLength: 4 }),
    books: fc.array(bookValues, { minLength: 6, maxLength: 12 }),
  })
  .map(({ authors, books }) => ({ authors: authors.map(stored), books: books.map(stored) }) as Shelf)

interface Shelf {
  readonly authors: readonly MemberValues[]
  readonly books: readonly MemberValues[]
}

export const contentOf = ({ className, values }: PathMember) => writeMember(classNamed(className), values, '')

/** A property of a class, by its path within embedded values. */
export function propertyAt(cls: Class, path: string): Property {
  const found = [...cls.properties, ...cls.within].find(({ name }) => name === path)
  if (found === undefined) throw new Error(`No property ${path} in ${cls.name}`)
  return found
}

const indexKeyOf = (className: string, path: string, value: Literal): Key =>
  indexedKey(propertyAt(classNamed(className), path), value)

const equal = (className: string, property: string, value: fc.Arbitrary<Literal>): fc.Arbitrary<Filter> =>
  fc.uniqueArray(value, { minLength: 1, maxLength: 2 }).map((values) => ({
    property,
    test: 'in',
    keys: values.map((one) => indexKeyOf(className, property, one)),
  }))

const range = (property: string): fc.Arbitrary<Filter> =>
  number.map((key) => ({ property, test: 'range', from: { key, inclusive: true } }))

const exists = (property: string): fc.Arbitrary<Filter> =>
  fc.boolean().map((is) => ({ property, test: 'exists', exists: is }))

const owned: fc.Arbitrary<Filter> = fc.constantFrom(...OWNERS).map((owner) => ({ test: 'owner', owner }))

const some = (step: StepFilter['step'], filters: fc.Arbitrary<readonly Filter[]>): fc.Arbitrary<StepFilter> =>
  fc.record({ test: fc.constantFrom('some' as const, 'none' as const), step: fc.constant(step), filters })

const few = (filter: fc.Arbitrary<Filter>) => fc.array(filter, { minLength: 1, maxLength: 2 })

const onAuthor: fc.Arbitrary<Filter> = fc.letrec<{ author: Filter }>((tie) => ({
  author: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    equal('Author', 'name', word),
    range('born'),
    exists('born'),
    owned,
    fc.constant<Filter>({ test: 'words', words: ['a'] }),
    some({ kind: 'link', property: 'agent', className: 'Author' }, few(tie('author'))),
    some({ kind: 'reverse', property: 'author', className: 'Book' }, few(equal('Book', 'title', word))),
    some({ kind: 'reverse', property: 'others', className: 'Book' }, fc.constant([])),
  ),
})).author

const onPart: fc.Arbitrary<Filter> = fc.oneof(
  equal('Book', 'lines.parts.code', number),
  exists('lines.parts.code'),
)
const onLine: fc.Arbitrary<Filter> = fc.oneof(
  equal('Book', 'lines.count', number),
  range('lines.count'),
  exists('lines.note'),
  equal('Book', 'lines.note', word),
  some({ kind: 'link', property: 'lines.by', className: 'Author' }, few(onAuthor)),
  some(
    { kind: 'embedded', property: 'lines.parts' },
    withAnchor(onPart, equal('Book', 'lines.parts.code', number)),
  ),
)

/** Filters on an embedded value need one that must match. */
function withAnchor(
  filter: fc.Arbitrary<Filter>,
  anchor: fc.Arbitrary<Filter>,
): fc.Arbitrary<readonly Filter[]> {
  return fc
    .tuple(fc.array(filter, { maxLength: 2 }), anchor, fc.boolean())
    .map(([filters, one, isFirst]) => (isFirst ? [one, ...filters] : [...filters, one]))
}

const anchorOnLine: fc.Arbitrary<Filter> = fc.oneof(
  equal('Book', 'lines.count', number),
  range('lines.count'),
  fc.constant<Filter>({ property: 'lines.note', test: 'exists', exists: true }),
  some({ kind: 'link', property: 'lines.by', className: 'Author' }, few(onAuthor)).map(
    (one): Filter => ({ ...one, test: 'some' }),
  ),
)

const plain: fc.Arbitrary<Filter> = fc.oneof(
  equal('Book', 'title', word),
  equal('Book', 'author', author),
  equal('Book', 'print.city', word),
  exists('print.city'),
  range('marks'),
  equal('Book', 'lines.count', number),
  equal('Book', 'lines.by', author),
  exists('author'),
)
const step: fc.Arbitrary<Filter> = fc.oneof(
  some({ kind: 'link', property: 'author', className: 'Author' }, few(onAuthor)),
  some({ kind: 'link', property: 'others', className: 'Author' }, few(onAuthor)),
  some({ kind: 'link', property: 'lines.by', className: 'Author' }, few(onAuthor)),
  some({ kind: 'embedded', property: 'lines' }, withAnchor(onLine, anchorOnLine)),
)
const onBook: fc.Arbitrary<Filter> = fc.oneof(
  plain,
  step,
  step,
  fc.record({
    test: fc.constant('any' as const),
    filters: fc.array(fc.oneof(plain, step), { minLength: 1, maxLength: 3 }),
  }),
)

const through = (filters: readonly Filter[]) => ({
  kind: 'link' as const,
  property: 'author',
  className: 'Author',
  filters,
})
const orders: fc.Arbitrary<readonly Order[]> = fc.boolean().chain((descending) =>
  fc.oneof(
    fc.constant<Order[]>([]),
    fc.constant<Order[]>([{ property: 'title', descending }]),
    fc.constant<Order[]>([{ property: 'print.city', descending }]),
    fc
      .array(owned, { maxLength: 1 })
      .map((filters): Order[] => [{ property: 'name', descending, through: [through(filters)] }]),
    fc.constant<Order[]>([
      {
        property: 'born',
        descending,
        through: [through([]), { kind: 'link', property: 'agent', className: 'Author', filters: [] }],
      },
    ]),
    fc.constant<Order[]>([
      { property: 'title', descending: !descending },
      { property: 'born', descending, through: [through([])] },
    ]),
  ),
)

export const pathSelections: fc.Arbitrary<Selection> = fc
  .record({
    filters: fc.array(onBook, { maxLength: 2 }),
    order: orders,
    owner: fc.option(fc.constantFrom(...OWNERS), { nil: undefined, freq: 2 }),
    limit: fc.integer({ min: 1, max: 4 }),
    count: fc.constantFrom('bounded' as const, 'exact' as const),
  })
  .map((chosen) => ({ ...ALL, ...chosen }))

/** Sequence numbers are not given out again. */
export function membersOf(
  { authors, books }: { authors: readonly object[]; books: readonly object[] },
  added: { Author: number; Book: number },
): PathMember[] {
  const toMember = (className: 'Author' | 'Book', prefix: string) => (values: object, index: number) => {
    added[className] += 1
    const owner = OWNERS[index % OWNERS.length] as number
    return {
      className,
      id: `${prefix}${index}`,
      sequence: added[className],
      owner,
      values: values as PathMember['values'],
    }
  }
  return [...authors.map(toMember('Author', 'a')), ...books.map(toMember('Book', 'b'))]
}

/** Authors first without their agents, who may come later. */
export async function addShelf(store: MemberStore, all: readonly PathMember[]): Promise<void> {
  for (const member of all) {
    const { agent: _, ...values } = member.values
    const content = contentOf({ ...member, values })
    const { outcome } = await store.add(member.className, { ...content, id: member.id, owner: member.owner })
    assert.equal(outcome, 'added')
  }
  for (const member of all.filter(({ values }) => values.agent !== undefined))
    assert.equal(
      (await store.change(member.className, member.id, undefined, () => contentOf(member))).outcome,
      'changed',
    )
}

export async function removeShelf(store: MemberStore): Promise<void> {
  const bare = contentOf({ className: 'Author', id: '', sequence: 0, owner: 1, values: {} })
  for (let index = 0; index < 12; index += 1) await store.remove('Book', `b${index}`, undefined)
  for (let index = 0; index < 4; index += 1) await store.change('Author', `a${index}`, undefined, () => bare)
  for (let index = 0; index < 4; index += 1) await store.remove('Author', `a${index}`, undefined)
}
