import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import type {
  FigurePath,
  GroupPath,
  MemberValues,
  SummaryRow,
  SummarySelection,
  ValuePath,
  ValueStep,
} from '../../src/members/index.ts'
import { compareKeys, indexedKey, type Key, keyOf, type Literal } from '../../src/vocabulary/index.ts'
import { inSoak } from '../support/soak.ts'
import { type Open, STORES } from '../support/stores.ts'
import { linked, listAt, listBooks, matches } from './path-model.ts'
import {
  addShelf,
  classNamed,
  MODEL,
  membersOf,
  type PathMember,
  pathSelections,
  propertyAt,
  removeShelf,
  shelves,
} from './path-selections.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

const link = (property: string): ValueStep => ({ kind: 'link', property, className: 'Author', filters: [] })
const path = (property: string, ...steps: ValueStep[]): ValuePath => ({ property, steps })
const mine: ValueStep = { ...link('author'), filters: [{ test: 'owner', owner: 1 }] }
/** A rule that follows a property, as those that name accounts do. */
const named: ValueStep = {
  ...link('author'),
  filters: [
    { test: 'in', property: 'name', keys: [indexedKey(propertyAt(classNamed('Author'), 'name'), 'a')] },
  ],
}

const GROUPS: readonly GroupPath[] = [
  path('title'),
  path('author'),
  path('others'),
  path('marks'),
  path('price'),
  path('print.city'),
  path('lines.note'),
  path('lines.by'),
  path('name', link('author')),
  path('name', mine),
  path('name', named),
  path('born', link('others')),
  path('name', link('lines.by')),
  path('born', link('author'), link('agent')),
  { ...path('out'), unit: { of: 'date', name: 'month' } },
  { ...path('sold'), unit: { of: 'dateTime', name: 'day' } },
  { ...path('sold'), unit: { of: 'dateTime', name: 'year' } },
]

const FIGURES: readonly FigurePath[] = [
  { ...path('price'), sum: 'decimal', extremes: true },
  { ...path('marks'), sum: 'integer', extremes: true },
  { ...path('weight'), sum: 'double', extremes: true },
  { ...path('lines.cost'), sum: 'decimal' },
  { ...path('lines.count'), sum: 'integer', extremes: true },
  { ...path('lines.parts.code'), sum: 'integer' },
  { ...path('born', link('author')), sum: 'integer' },
  { ...path('born', named), sum: 'integer' },
  { ...path('born', link('others')), sum: 'integer', extremes: true },
  { ...path('title'), extremes: true },
]

const queries: fc.Arbitrary<SummarySelection> = fc
  .record({
    selection: pathSelections,
    groups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
    figures: fc.uniqueArray(fc.constantFrom(...FIGURES), { maxLength: 3 }),
  })
  .map(({ selection: { filters, words, owner }, groups, figures }) => ({
    ...{ filters, words, owner, groups, figures, maxGroups: 1000 },
  }))

function suite(open: Open): void {
  // contract: Exact at one moment; the same on both stores.
  test('a summary counts and adds up what a model does', async (t) => {
    const { members: store } = await open(t, classSchemas(MODEL), { scanMs: 60_000 })
    const added = { Author: 0, Book: 0 }
    await fc.assert(
      fc
        .asyncProperty(shelves, fc.array(queries, { minLength: 10, maxLength: 10 }), async (shelf, asked) => {
          const all = membersOf(shelf, added)
          await addShelf(store, all)
          for (const query of asked) {
            const rows = (await store.summarize('Book', query)) ?? []
            const expected = summarize(all, query)
            assert.deepEqual(rows.toSorted(byGroup), expected.toSorted(byGroup))
            if (expected.length > 1)
              assert.equal(
                await store.summarize('Book', { ...query, maxGroups: expected.length - 1 }),
                undefined,
              )
          }
        })
        .afterEach(() => removeShelf(store)),
      { numRuns: inSoak(300, 6) },
    )
  })
}

const byGroup = (one: SummaryRow, other: SummaryRow): number =>
  JSON.stringify(one.group) < JSON.stringify(other.group) ? -1 : 1

/** A value, and the embedded values on the way to it, as the model tells them apart. */
interface Found {
  readonly key: Key
  readonly within: readonly string[]
}

/** All values at a path, member by member and step by step. */
function valuesOf(all: readonly PathMember[], member: PathMember, { steps, property }: ValuePath): Found[] {
  const [step, ...further] = steps
  if (step === undefined) {
    const declared = propertyAt(classNamed(member.className), property)
    const found = elementsOf(member.values, property.split('.')).map(({ value, within }) => ({
      key: indexedKey(declared, value as Literal),
      within,
    }))
    // In one embedded value, or in the member itself, equal values are one.
    return found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index)
  }
  return elementsOf(member.values, step.property.split('.')).flatMap(({ value, within }) => {
    const target = linked(all, value)
    if (target === undefined || !step.filters.every((filter) => matches(all, target, target.values, filter)))
      return []
    return valuesOf(all, target, { steps: further, property }).map(({ key }) => ({ key, within }))
  })
}

const isSame = (one: Found, other: Found): boolean =>
  one.key === other.key && one.within.join() === other.within.join()

function elementsOf(
  values: MemberValues,
  [name = '', ...further]: readonly string[],
  within: readonly string[] = [],
): { value: unknown; within: readonly string[] }[] {
  const found = listAt(values, name)
  if (further.length === 0) return found.map((value) => ({ value, within }))
  return found.flatMap((one, index) =>
    elementsOf(one as MemberValues, further, [...within, `${name}${index}`]),
  )
}

function summarize(all: readonly PathMember[], query: SummarySelection): SummaryRow[] {
  const books = listBooks(all, { ...query, order: [] } as never)
  const rows = new Map<string, { group: (Key | null)[]; members: { figures: Key[][] }[] }>()
  if (query.groups.length === 0) rows.set('[]', { group: [], members: [] })
  for (const book of books) {
    for (const tuple of tuplesOf(all, book, query.groups)) {
      const group = tuple.map(({ key }) => key)
      const row = rows.get(JSON.stringify(group)) ?? { group, members: [] }
      rows.set(JSON.stringify(group), row)
      row.members.push({
        figures: query.figures.map((figure) =>
          valuesOf(all, book, figure)
            .filter((found) =>
              query.groups.every((one, index) => isBeside(one, figure, tuple[index] as Tuple, found)),
            )
            .sort((one, other) => elementOrder(one, other))
            .map(({ key }) => key),
        ),
      })
    }
  }
  return Array.from(rows.values(), ({ group, members }) => ({
    group,
    count: members.length,
    figures: query.figures.map((figure, index) =>
      figureOf(
        figure,
        members.map(({ figures }) => figures[index] ?? []),
      ),
    ),
  }))
}

const elementOrder = (one: Found, other: Found): number => {
  const [left, right] = [one.within.join(), other.within.join()]
  return left < right ? -1 : left > right ? 1 : compareKeys(one.key, other.key)
}

interface Tuple {
  readonly key: Key | null
  readonly within: readonly (readonly string[])[]
}

function tuplesOf(all: readonly PathMember[], book: PathMember, groups: readonly GroupPath[]): Tuple[][] {
  return groups.reduce<Tuple[][]>(
    (tuples, group) => {
      const found = Map.groupBy(valuesOf(all, book, group), ({ key }) => unitOf(group, key))
      const values = Array.from(
        found,
        ([key, ones]): Tuple => ({ key, within: ones.map(({ within }) => within) }),
      )
      const some = values.length === 0 ? [{ key: null, within: [] }] : values
      return tuples.flatMap((tuple) => some.map((one) => [...tuple, one]))
    },
    [[]],
  )
}

function unitOf({ unit }: GroupPath, key: Key): Key {
  if (unit === undefined) return key
  const day = unit.of === 'date' ? String(key) : dayOf(Number(String(key).slice(0, 12)) - 62_167_219_200)
  return day.slice(0, { year: 4, month: 7, day: 10 }[unit.name])
}

/** A year without four digits counts as the nearest that has four. */
function dayOf(instant: number): string {
  const year = new Date(instant * 1000).getUTCFullYear()
  if (year < 1) return '0001-01-01'
  return year > 9999 ? '9999-12-31' : new Date(instant * 1000).toISOString()
}

/** What is within the same line, where both are within lines. */
function isBeside(group: GroupPath, figure: FigurePath, { within }: Tuple, found: Found): boolean {
  const [one, other] = [group, figure].map(({ steps, property }) =>
    (steps[0]?.property ?? property).split('.'),
  )
  if (!(one?.[0] === 'lines' && other?.[0] === 'lines')) return true
  return within.some(([line]) => line === found.within[0])
}

function figureOf({ sum, extremes }: FigurePath, members: readonly (readonly Key[])[]) {
  const keys = members.flat()
  const sorted = extremes ? keys.toSorted(compareKeys) : []
  const total =
    sum === 'double'
      ? members.reduce((all, own) => all + own.reduce<number>((a, b) => a + (b as number), 0), 0)
      : exactSum(keys)
  return {
    count: keys.length,
    sum: sum === undefined || keys.length === 0 ? null : total,
    least: sorted[0] ?? null,
    greatest: sorted.at(-1) ?? null,
  }
}

/** In thousandths. */
function exactSum(keys: readonly Key[]): string {
  const scaled = keys.map((key): [bigint, number] => {
    if (typeof key === 'number') return [BigInt(key), 0]
    const text = decimalText(key)
    const [whole = '', fraction = ''] = text.split('.')
    return [BigInt(whole + fraction), fraction.length]
  })
  const places = Math.max(0, ...scaled.map(([, scale]) => scale))
  const total = scaled.reduce((all, [value, scale]) => all + value * 10n ** BigInt(places - scale), 0n)
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return total < 0n ? `-${text}` : text
}

const DECIMALS = ['0', '1.5', '-2.25', '99999999999999999999.01', '0.001', '1', '2.5', '-0.5']

const decimalText = (key: string): string => {
  const price = propertyAt(classNamed('Book'), 'price')
  return DECIMALS.find((text) => keyOf(price, text) === key) ?? ''
}
