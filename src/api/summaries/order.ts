import type { SummaryRow } from '../../members/index.ts'
import { decimalKey, type Key } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import { averageOf } from './figures.ts'
import type { AskedFigure, AskedGroup } from './paths.ts'

/** As elsewhere (hypermedia.md, Sorting). */
const MAX_ORDERS = 4

export interface SummaryOrder {
  readonly by: SortedBy
  readonly descending: boolean
}

type SortedBy =
  | { readonly kind: 'count' }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'figure'; readonly index: number }

interface AskedColumns {
  readonly groups: readonly AskedGroup[]
  readonly figures: readonly AskedFigure[]
}

interface SentOrder {
  /** `sort`, or `order[…]`. */
  readonly name: string
  readonly value: string
}

/** Reads `order[count]=desc`, `order[sum.price]=asc` and `sort=-count,author`, in the sequence of the query. */
export function readOrders(sent: readonly SentOrder[], columns: AskedColumns): SummaryOrder[] {
  const known = columnsBy(columns)
  const orders = new Map<string, SummaryOrder>()
  const add = (parameter: string, name: string, descending: boolean) => {
    const by = known.get(name)
    if (by === undefined) {
      const names = [...known.keys()]
      throw parameterProblem('UnknownSummaryOrder', parameter, { name, known: names, listed: names })
    }
    if (orders.has(name)) throw parameterProblem('DuplicateOrder', parameter, { property: name })
    orders.set(name, { by, descending })
  }
  for (const { name, value } of sent) {
    if (name === 'sort')
      for (const part of value.split(',')) add(name, part.replace(/^-/, ''), part.startsWith('-'))
    else add(name, name.slice('order['.length, -1), readDirection(name, value))
  }
  if (orders.size > MAX_ORDERS) throw apiProblem('TooManyOrders', { count: orders.size, max: MAX_ORDERS })
  return [...orders.values()]
}

/** Where a property is called `count`, `order[count]` is still the number of members: parameters win. */
function columnsBy({ groups, figures }: AskedColumns): ReadonlyMap<string, SortedBy> {
  return new Map<string, SortedBy>([
    ...groups.map(({ text }, index) => [text, { kind: 'group', index }] as const),
    ...figures.map(({ name, text }, index) => [`${name}.${text}`, { kind: 'figure', index }] as const),
    ['count', { kind: 'count' }],
  ])
}

function readDirection(parameter: string, value: string): boolean {
  const direction = value.toLowerCase()
  if (direction !== 'asc' && direction !== 'desc')
    throw parameterProblem('InvalidSortDirection', parameter, { text: value })
  return direction === 'desc'
}

type SortValue = Key | null

/** `indexOf`: the index of a figure in the rows. Rows without the value come last; equal rows are sorted by their groups. */
export function sortRows(
  rows: readonly SummaryRow[],
  orders: readonly SummaryOrder[],
  { groups, figures, indexOf }: AskedColumns & { readonly indexOf: (figure: AskedFigure) => number },
): SummaryRow[] {
  const byGroups = groups.map((_, index) => ({ by: { kind: 'group', index }, descending: false }) as const)
  const all = [...orders, ...byGroups]
  const valueIn = ({ group, count, figures: found }: SummaryRow, by: SortedBy): SortValue => {
    if (by.kind === 'count') return count
    if (by.kind === 'group') return comparable(group[by.index] ?? null)
    const asked = figures[by.index] as AskedFigure
    const figure = found[indexOf(asked)]
    if (figure === undefined) return null
    if (asked.name === 'min' || asked.name === 'max')
      return comparable(asked.name === 'min' ? figure.least : figure.greatest)
    const number = asked.name === 'sum' ? figure.sum : averageOf(figure)
    return comparable(typeof number === 'string' ? decimalKey(number) : number)
  }
  return rows
    .map((row) => ({ row, values: all.map(({ by }) => valueIn(row, by)) }))
    .sort((one, other) => {
      for (const [index, { descending }] of all.entries()) {
        const found = compare(one.values[index] ?? null, other.values[index] ?? null, descending)
        if (found !== 0) return found
      }
      return 0
    })
    .map(({ row }) => row)
}

const BEYOND_SURROGATES = /[\ud800-\uffff]/g

/**
 * Texts rank by code point, as in the store, but JavaScript compares code units: those of surrogates, which begin a higher
 * code point, change places with those behind them. Ten thousand buffers would take several times as long to compare.
 */
const comparable = (key: SortValue): SortValue =>
  typeof key === 'string' ? key.replaceAll(BEYOND_SURROGATES, swapped) : key

function swapped(unit: string): string {
  const code = unit.charCodeAt(0)
  return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
}

function compare(one: SortValue, other: SortValue, descending: boolean): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  const found = one < other ? -1 : one > other ? 1 : 0
  return descending ? -found : found
}
