import { compareKeys, elementShift, type Key } from '../vocabulary/index-keys.ts'
import { ExactSum } from './exact-sum.ts'
import {
  type FigurePath,
  type SummaryFigure,
  type SummaryRow,
  type SummarySelection,
  sharedDepth,
} from './summary.ts'

interface ListedValue {
  readonly key: Key
  /** See `Indexed.element`; 0 for a value in none of several embedded values. */
  readonly element: number
}

/** The value of a member at a path, or its values where the path may lead to several. */
export type PathValues = Key | null | readonly ListedValue[]

/** Adds up members by groups. */
export class Totals {
  readonly #query: SummarySelection
  readonly #groups = new Map<Key | null, GroupTotal>()
  /** For each figure, the groups whose embedded values it shares, and how deep these are. */
  readonly #shared: readonly (readonly SharedElement[])[]

  constructor(query: SummarySelection) {
    this.#query = query
    // Without groups there is one summary, also of no members.
    if (query.groups.length === 0) this.#groups.set(keyOf([]), new GroupTotal([], query.figures))
    this.#shared = query.figures.map((figure) =>
      query.groups.flatMap((group, index) => {
        const depth = sharedDepth(group, figure)
        return depth === 0 ? [] : [{ group: index, shift: elementShift(depth) }]
      }),
    )
  }

  /** `values`: those of the groups, then those of the figures. False if there are too many groups. */
  add(values: readonly PathValues[]): boolean {
    const { groups, figures, maxGroups } = this.#query
    const tuples = tuplesOf(values.slice(0, groups.length), maxGroups)
    if (tuples === undefined) return false
    for (const tuple of tuples) {
      const key = keyOf(tuple.map(({ key }) => key))
      let total = this.#groups.get(key)
      if (total === undefined) {
        if (this.#groups.size === maxGroups) return false
        total = new GroupTotal(
          tuple.map(({ key: one }) => one),
          figures,
        )
        this.#groups.set(key, total)
      }
      total.count += 1
      for (const [index, figure] of total.figures.entries()) {
        const found = values[groups.length + index] ?? null
        if (found === null) continue
        const isOne = typeof found !== 'object'
        figure.add(
          isOne
            ? [found]
            : found.filter((one) => this.#isShared(index, tuple, one)).map(({ key: one }) => one),
        )
      }
    }
    return true
  }

  /** The same for a member with at most one value at each path, as nearly all have. */
  addPlain(values: readonly (Key | null)[]): boolean {
    const { groups, figures, maxGroups } = this.#query
    const key = groups.length === 1 ? (values[0] as Key | null) : keyOf(values.slice(0, groups.length))
    let total = this.#groups.get(key)
    if (total === undefined) {
      if (this.#groups.size === maxGroups) return false
      total = new GroupTotal(values.slice(0, groups.length), figures)
      this.#groups.set(key, total)
    }
    total.count += 1
    for (let index = 0; index < figures.length; index += 1) {
      const value = values[groups.length + index] as Key | null
      if (value !== null) total.figures[index]?.addOne(value)
    }
    return true
  }

  /** Whether a value is within the same embedded values as those that make the group. */
  #isShared(figure: number, tuple: readonly GroupKeyValue[], { element }: ListedValue): boolean {
    return (this.#shared[figure] ?? []).every(({ group, shift }) =>
      tuple[group]?.elements.some((one) => one >> shift === element >> shift),
    )
  }

  rows(): SummaryRow[] {
    return Array.from(this.#groups.values(), (total) => total.row())
  }
}

interface SharedElement {
  readonly group: number
  readonly shift: number
}

/** A value of a group, and the embedded values that have it. */
interface GroupKeyValue {
  readonly key: Key | null
  readonly elements: readonly number[]
}

/** The groups that a member is in: one for each combination of its values. Undefined if there are more than `most`. */
function tuplesOf(values: readonly PathValues[], most: number): GroupKeyValue[][] | undefined {
  let tuples: GroupKeyValue[][] = [[]]
  for (const found of values) {
    const distinct = Array.isArray(found) ? distinctOf(found) : [{ key: found as Key | null, elements: [] }]
    if (tuples.length * distinct.length > most) return undefined
    tuples = tuples.flatMap((tuple) => distinct.map((one) => [...tuple, one]))
  }
  return tuples
}

/** asking.md, Summaries: "without the group property: in a summary whose group is null". */
function distinctOf(found: readonly ListedValue[]): GroupKeyValue[] {
  if (found.length === 0) return [{ key: null, elements: [] }]
  const elements = Map.groupBy(found, ({ key }) => key)
  return Array.from(elements, ([key, values]) => ({ key, elements: values.map(({ element }) => element) }))
}

function keyOf(group: readonly (Key | null)[]): Key | null {
  return group.length === 1 ? (group[0] as Key | null) : JSON.stringify(group)
}

class GroupTotal {
  count = 0
  readonly figures: readonly FigureTotal[]
  readonly #group: readonly (Key | null)[]

  constructor(group: readonly (Key | null)[], figures: readonly FigurePath[]) {
    this.#group = group
    this.figures = figures.map((figure) => new FigureTotal(figure))
  }

  row(): SummaryRow {
    return { group: this.#group, count: this.count, figures: this.figures.map((figure) => figure.result()) }
  }
}

class FigureTotal {
  readonly #sum: FigurePath['sum']
  readonly #extremes: boolean
  readonly #exact = new ExactSum()
  #double = 0
  #count = 0
  #least: Key | null = null
  #greatest: Key | null = null

  constructor({ sum, extremes = false }: FigurePath) {
    this.#sum = sum
    this.#extremes = extremes
  }

  /** The values of one member. */
  add(keys: readonly Key[]): void {
    // Doubles of a member are added first, so that the sum is the same on every store.
    if (this.#sum === 'double') this.#double += keys.reduce<number>((sum, key) => sum + (key as number), 0)
    for (const key of keys) this.#addExact(key)
  }

  addOne(key: Key): void {
    if (this.#sum === 'double') this.#double += key as number
    this.#addExact(key)
  }

  #addExact(key: Key): void {
    this.#count += 1
    if (this.#sum === 'decimal') this.#exact.addDecimal(key as string)
    else if (this.#sum === 'integer') this.#exact.addInteger(key as number)
    if (!this.#extremes) return
    if (this.#least === null || compareKeys(key, this.#least) < 0) this.#least = key
    if (this.#greatest === null || compareKeys(key, this.#greatest) > 0) this.#greatest = key
  }

  result(): SummaryFigure {
    const isEmpty = this.#count === 0 || this.#sum === undefined
    const sum = isEmpty ? null : this.#sum === 'double' ? this.#double : this.#exact.toString()
    return { count: this.#count, sum, least: this.#least, greatest: this.#greatest }
  }
}
