import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, wordsOf } from '../../../src/folding.ts'
import { inSoak } from '../../support/soak.ts'
import { serveSignedIn } from '../signed-in.ts'
import { fill, numbered, THINGS } from '../things.ts'
import { read, walk } from '../walks.ts'

/** A member as plain values, to compare the server with an evaluation that is too simple to be wrong. */
interface Thing {
  readonly id: string
  readonly name?: string
  readonly rank?: number
  readonly tags?: readonly string[]
}

const words = ['a', 'A', 'b', 'ba', 'ß', 'SS', 'é', 'E', 'ø', '\ufffd', '\u{1f600}', 'a b', '']
/** Of a dozen scripts; some of them fold alike. */
const names = [
  'Müller',
  'MULLER',
  'muller b',
  'Łódź',
  'Việt',
  'Ёж',
  'еж',
  'ΟΔΟΣ',
  'οδός',
  'كِتَاب',
  'كتاب',
  'שָׁלוֹם',
  'हिन्दी',
  'ไทย',
  '한국',
  '하',
  'がギ',
  'Հայ',
  'ქართული',
  '東京',
]
const anyWord = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...names))
const anyRank = fc.integer({ min: -3, max: 3 })

const anyThings = fc.array(
  fc.record(
    { name: anyWord, rank: anyRank, tags: fc.uniqueArray(anyWord, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  ),
  { minLength: 25, maxLength: 25 },
)

interface Part {
  readonly query: string
  readonly matches: (thing: Thing) => boolean
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
const compare = (one: unknown, other: unknown): number =>
  typeof one === 'number' ? one - Number(other) : byBytes(fold(String(one)), fold(String(other)))
/** Equal folded texts by code point. */
const rank = (one: unknown, other: unknown): number =>
  compare(one, other) || byBytes(String(one), String(other))
const valuesOf = (thing: Thing, property: 'name' | 'rank' | 'tags'): readonly unknown[] =>
  [thing[property] ?? []].flat()

const TESTS = {
  eq: (value: unknown, than: unknown) => value === than,
  ne: (value: unknown, than: unknown) => value !== than,
  gt: (value: unknown, than: unknown) => compare(value, than) > 0,
  gte: (value: unknown, than: unknown) => compare(value, than) >= 0,
  lt: (value: unknown, than: unknown) => compare(value, than) < 0,
  lte: (value: unknown, than: unknown) => compare(value, than) <= 0,
  startsWith: (value: unknown, than: unknown) => fold(String(value)).startsWith(fold(String(than))),
  contains: (value: unknown, than: unknown) => fold(String(value)).includes(fold(String(than))),
}

const text = encodeURIComponent

function filter(property: 'name' | 'rank' | 'tags', operator: keyof typeof TESTS, value: unknown): Part {
  return {
    query: `${property}[${operator}]=${text(String(value))}`,
    matches: (thing) => valuesOf(thing, property).some((one) => TESTS[operator](one, value)),
  }
}

const anyOperator = fc.constantFrom<keyof typeof TESTS>(
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'startsWith',
  'contains',
)

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc
    .tuple(fc.constantFrom('name' as const, 'tags' as const), anyOperator, anyWord)
    .filter(([, operator, value]) => operator !== 'contains' || value !== '')
    .map((all) => filter(...all)),
  fc
    .tuple(fc.constantFrom<keyof typeof TESTS>('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), anyRank)
    .map(([operator, rank]) => filter('rank', operator, rank)),
  fc
    .tuple(
      fc.constantFrom('name' as const, 'tags' as const),
      fc.array(anyWord, { minLength: 1, maxLength: 4 }),
    )
    .map(
      ([property, some]): Part => ({
        query: some.map((value) => `${property}=${text(value)}`).join('&'),
        matches: (thing) => valuesOf(thing, property).some((one) => some.includes(String(one))),
      }),
    ),
  fc.tuple(fc.constantFrom('name' as const, 'rank' as const, 'tags' as const), fc.boolean()).map(
    ([property, exists]): Part => ({
      query: `exists[${property}]=${exists}`,
      matches: (thing) => valuesOf(thing, property).length > 0 === exists,
    }),
  ),
  fc.constantFrom('a', 'ss', 'é B', 'a b', 'mull*', 'B Mü*', 'Ε*', 'Е*', 'كِ*', '하*').map(
    (asked): Part => ({
      query: `q=${text(asked)}`,
      matches: (thing) => {
        const own = [...valuesOf(thing, 'name'), ...valuesOf(thing, 'tags')].flatMap((one) =>
          wordsOf(String(one)),
        )
        return asked.split(' ').every((word) => {
          const folded = fold(word)
          return folded.endsWith('*')
            ? own.some((one) => one.startsWith(folded.slice(0, -1)))
            : own.includes(folded)
        })
      },
    }),
  ),
)

/** One filter of a kind: a second one would be a repetition, or another bound of one range. */
const anyParts = fc.uniqueArray(anyPart, { maxLength: 3, selector: ({ query }) => query.split(/[[=]/)[0] })

const anySort = fc.uniqueArray(fc.constantFrom('name', '-name', 'rank', '-rank'), {
  maxLength: 2,
  selector: (name) => name.replace('-', ''),
})

/** Members without the value come last in both directions; equals as created, backwards after a descending order. */
function sorted(things: readonly Thing[], sort: readonly string[]): Thing[] {
  return things.toSorted((one, other) => {
    for (const name of sort) {
      const property = name.replace('-', '') as 'name' | 'rank'
      const [left, right] = [one[property], other[property]]
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1
      } else if (left !== right) return rank(left, right) * (name.startsWith('-') ? -1 : 1)
    }
    return byBytes(one.id, other.id) * (sort.at(-1)?.startsWith('-') ? -1 : 1)
  })
}

// contract: **Filters**: `p=v`
test('any filters in any order give the members that a plain evaluation gives, by page and by cursor', async (t) => {
  const service = await serveSignedIn(t, { api: THINGS })
  const ids = numbered(25)
  const [values = []] = fc.sample(anyThings, { numRuns: 1, seed: 7 })
  await fill(service, ids, (index) => values[index] ?? {})
  const things: Thing[] = ids.map((id, index) => ({ id, ...values[index] }))

  await fc.assert(
    fc.asyncProperty(anyParts, anySort, fc.integer({ min: 1, max: 9 }), async (parts, sort, size) => {
      const matching = things.filter((thing) => parts.every(({ matches }) => matches(thing)))
      const query = [...parts.map((part) => part.query), ...(sort.length > 0 ? [`sort=${sort}`] : [])].join(
        '&',
      )
      const whole = await read(service, `/things?${query}&itemsPerPage=100`)
      assert.equal(whole.totalItems, matching.length, query)

      const pages = await walk(service, `/things?${query}&itemsPerPage=${size}`)
      const expected = sorted(matching, sort).map(({ id }) => id)
      const found = pages.flat()
      assert.deepEqual(sort.length > 0 ? found : found.toSorted(), expected, query)
      const counted = await walk(service, `/things?${query}&itemsPerPage=${size}&page=1`)
      assert.deepEqual(counted, pages, query)
      const end = await read(service, `/things?${query}&itemsPerPage=${size}`)
      const back = await walk(service, String(end.view.last).slice(service.base.length), 'previous')
      assert.deepEqual(back.toReversed().flat(), found, query)
    }),
    { numRuns: inSoak(100, 18) },
  )
})
