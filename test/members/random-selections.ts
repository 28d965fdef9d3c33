import fc from 'fast-check'
import { fold, wordsOf } from '../../src/folding.ts'
import {
  type Bounds,
  DEFAULT_BYTE_BUDGET,
  isOnProperty,
  type NewMember,
  type Order,
  type Position,
  type PropertyFilter,
  type Selection,
} from '../../src/members/index.ts'
import { compareKeys, indexed, indexKey, type Key } from '../../src/vocabulary/index.ts'
import {
  ALL,
  formOf,
  indexedFilter,
  isMany,
  type Kind,
  type Kinds,
  memberOf,
  type Values,
} from '../support/shapes.ts'
import { outside } from './single-selections.ts'

/** Members and selections at random, of a class with every kind of property. */
export const KINDS: Kinds = {
  title: 'text',
  size: 'number',
  tags: 'texts',
  marks: 'numbers',
  place: 'text',
  made: 'moment',
  seen: 'moments',
}

/** As much as an order looks at: 200 characters, the last one a letter of four bytes with a small form. */
export const HEAD = `${'a'.repeat(199)}\u{10400}`

/** Few, so that many members are equal; U+FFFD comes before U+1F40E by code point, and after it by UTF-16 unit. */
const short = ['', 'a', 'A', 'ab', 'B b', 'Straße', 'STRASSE b', '\uff5a', '\ufffd', '\u{1f40e}', 'b-a']
/** These fold alike; so do the next two, and no further one. */
const names = ['Ostby', 'Östby', 'Østby', 'OSTBY', 'Łódź', 'lodz', 'Việt', 'Ёлка елка', 'ΟΔΟΣ οδός']
const otherScripts = [
  'كِتَاب',
  'كتاب',
  'שָׁלוֹם',
  'हिन्दी',
  'ไทย',
  '한국',
  '하',
  'がギ',
  'か',
  'Հայ',
  'ქართული',
  '東京',
]
/** Whose folded text is longer, or shorter, than 200 characters, and not the text; and such as keys escape. */
const odd = [
  '한'.repeat(70),
  `${'한'.repeat(70)}b`,
  'é'.normalize('NFD').repeat(150),
  '\u0001',
  'a\u0001',
  'a\u0002b',
]
const long = [HEAD, HEAD.toUpperCase(), `${HEAD}1`, `${HEAD}2`, `${HEAD}2 b`]
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...short) },
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  fc.constantFrom(...otherScripts),
  fc.constantFrom(...odd),
  { weight: 2, arbitrary: fc.constantFrom(...long) },
)
const moment = fc.constantFrom(...short, HEAD, `${HEAD}1`, `${HEAD}2`, `${HEAD}2 b`)
const number = fc.constantFrom(-1.5, -1, 0, 0.1, 1, 2, 10, 9_007_199_254_740_991)
const keyOf = (kind: Kind): fc.Arbitrary<Key> =>
  ({ text, long: moment, short: number })[formOf(kind)] as fc.Arbitrary<Key>

export const valuesOf: fc.Arbitrary<Values> = fc
  .tuple(
    ...Object.entries(KINDS).map(([name, kind]) => {
      const value: fc.Arbitrary<Key | Key[]> = isMany(kind)
        ? fc.uniqueArray(keyOf(kind), { minLength: 1, maxLength: 4 })
        : keyOf(kind)
      return fc.option(value).map((found) => (found === null ? [] : [[name, found] as const]))
    }),
  )
  .map((entries) => Object.fromEntries(entries.flat()))

/** The last one has no members. */
const OWNERS = [1, 2, 3]

/** The owner of the members of a test, by their places. */
export const ownerOf = (index: number): number | undefined => [undefined, 1, 2, 1][index % 4]

/** As if each of its tags were a link. */
export const thingOf = (id: string, values: Values, owner?: number): NewMember => ({
  ...memberOf(KINDS, id, values),
  owner,
  baseUrlOffsets: [...[values.tags ?? []].flat().keys()].join(','),
})

const property = fc.constantFrom(...Object.keys(KINDS))
const bound = (key: fc.Arbitrary<Key>) => fc.record({ key, inclusive: fc.boolean() })

/** Single keys and what lies beyond the greatest of them, or all but one key. */
const spansOf = (kind: Kind): fc.Arbitrary<Bounds[]> =>
  fc
    .uniqueArray(
      keyOf(kind)
        .map((key) => (formOf(kind) === 'text' ? fold(String(key)) : key))
        .filter((key) => indexKey(key) === key),
      { minLength: 1, maxLength: 3 },
    )
    .map((found) => {
      const keys = found.toSorted(compareKeys)
      const [first = 0] = keys
      if (keys.length === 1) return outside(first, first).with(1, { from: { key: first, inclusive: false } })
      return keys.map((key, index) => ({
        from: { key, inclusive: true },
        ...(index < keys.length - 1 && { to: { key, inclusive: true } }),
      }))
    })

const filter: fc.Arbitrary<PropertyFilter> = property.chain((name): fc.Arbitrary<PropertyFilter> => {
  const kind = KINDS[name] as Kind
  const key: fc.Arbitrary<Key> = keyOf(kind)
  const on = { property: fc.constant(name) }
  const tests: fc.Arbitrary<PropertyFilter>[] = [
    fc.record({ ...on, test: fc.constant('in' as const), keys: fc.array(key, { maxLength: 4 }) }),
    fc.record({ ...on, test: fc.constant('in' as const), keys: fc.tuple(key) }),
    fc.record(
      { ...on, test: fc.constant('range' as const), from: bound(key), to: bound(key) },
      { requiredKeys: ['property', 'test'] },
    ),
    fc.record({ ...on, test: fc.constant('spans' as const), spans: spansOf(kind) }),
    fc.record({ ...on, test: fc.constant('not' as const), key }),
    fc.record({ ...on, test: fc.constant('exists' as const), exists: fc.boolean() }),
  ]
  if (kind.startsWith('text')) {
    tests.push(fc.record({ ...on, test: fc.constant('contains' as const), text: text.map(fold) }))
  }
  return fc.oneof(...tests)
})

const singles = Object.keys(KINDS).filter((name) => !isMany(KINDS[name] as Kind))
const orders: fc.Arbitrary<Order[]> = fc
  .uniqueArray(fc.constantFrom(...singles), { maxLength: 3 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.boolean().map((descending) => ({ property: name, descending })))),
  )

const filters: fc.Arbitrary<readonly PropertyFilter[]> = fc.oneof(
  fc.constant([]),
  { weight: 4, arbitrary: fc.tuple(filter) },
  { weight: 3, arbitrary: fc.array(filter, { minLength: 2, maxLength: 3 }) },
)

const word = fc.tuple(text, fc.boolean(), fc.nat(4)).map(([one, isWhole, length]) => {
  const [found = 'a'] = wordsOf(one)
  return isWhole ? found : `${[...found].slice(0, length + 1).join('')}*`
})

const words: fc.Arbitrary<Selection['words']> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
  fc.array(fc.oneof(word, fc.uniqueArray(word, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 2,
  }),
)

/** A property with many values is an order only where a filter is on it. */
const selection: fc.Arbitrary<Selection> = fc
  .record({
    owner: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(...OWNERS)),
    filters,
    words,
    orders: fc.oneof(fc.constant([]), fc.constant('own' as const), orders),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 7 }),
    byteBudget: fc.oneof(
      fc.constant(DEFAULT_BYTE_BUDGET),
      fc.record({ bytes: fc.integer({ min: 1, max: 400 }), link: fc.integer({ min: 0, max: 50 }) }),
    ),
    count: fc.constantFrom('bounded' as const, 'exact' as const),
  })
  .map(({ orders: order, descending, ...rest }) => {
    const sortFilter = rest.filters
      .filter(isOnProperty)
      .find(({ test }) => test !== 'not' && test !== 'contains')
    const own = sortFilter === undefined ? [] : [{ property: sortFilter.property, descending }]
    return { ...ALL, ...rest, order: order === 'own' ? own : order }
  })

/** As a store takes it: the texts in it as an index has them. */
export const indexedSelection = (chosen: Selection): Selection => ({
  ...chosen,
  filters: chosen.filters
    .filter(isOnProperty)
    .map((one) => indexedFilter(one, formOf(KINDS[one.property] as Kind))),
  words: chosen.words.map((word) => (typeof word === 'string' ? indexKey(word) : word.map(indexKey))),
})

const position = (chosen: Selection): fc.Arbitrary<Position> =>
  fc.record({
    keys: fc.tuple(
      ...chosen.order.map(({ property: name }) => {
        const kind = KINDS[name] as Kind
        return fc.option(keyOf(kind).map((key) => indexed(key, formOf(kind)).key))
      }),
    ),
    sequence: fc.integer({ min: 0, max: 25 }),
  })

/** Of whole texts, each with a position in its order, where a member may stand or not. */
export const manySelections = fc.array(
  selection.chain((chosen) => fc.tuple(fc.constant(chosen), position(chosen))),
  { minLength: 8, maxLength: 8 },
)
