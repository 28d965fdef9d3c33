import type { Order, OrderStep } from '../../members/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import type { ParsedParameter, ParsedParameters } from './parameters.ts'
import type { Path } from './path.ts'
import { sortedLabel } from './sortable.ts'

/** Each order is a key in every cursor, and a column in a sort (hypermedia.md, Sorting). */
const MAX_ORDERS = 4

/** An order by a link becomes several, by its label: a cursor has room for six of the longest texts. */
const MAX_SORTED = 6

/** One of the orders that a query asks for. */
interface AskedOrder {
  readonly path: Path
  readonly descending: boolean
}

/** Finds what a name in `sort` stands for. */
type FindSorted = (name: string) => Path

/** The order that `order[…]` and `sort` ask for, in the sequence of the query; undefined if there is none. */
export function readOrder(parsed: ParsedParameters, sortedBy: FindSorted): Order[] | undefined {
  const orders = new Map<string, Order>()
  let count = 0
  for (const one of parsed) {
    for (const asked of readOrders(one, sortedBy)) {
      count += 1
      for (const [property, order] of ordersBy(asked)) {
        if (orders.has(property)) throw parameterProblem('DuplicateOrder', one.name, { property })
        orders.set(property, order)
      }
    }
  }
  if (count > MAX_ORDERS) throw apiProblem('TooManyOrders', { count, max: MAX_ORDERS })
  if (orders.size > MAX_SORTED) throw apiProblem('TooManyOrders', { count: orders.size, max: MAX_SORTED })
  return count === 0 ? undefined : [...orders.values()]
}

function readOrders(
  { parameter, values: [value = ''] }: ParsedParameter,
  sortedBy: FindSorted,
): AskedOrder[] {
  if (parameter.role === 'sort') return value.split(',').map((part) => readSort(part, sortedBy))
  if (parameter.role !== 'order') return []
  // Case is ignored: real admin clients send DESC.
  const direction = value.toLowerCase()
  if (direction !== 'asc' && direction !== 'desc')
    throw parameterProblem('InvalidSortDirection', parameter.name, { text: value })
  return [{ path: parameter.path, descending: direction === 'desc' }]
}

function readSort(part: string, sortedBy: FindSorted): AskedOrder {
  const descending = part.startsWith('-')
  const name = descending ? part.slice(1) : part
  return { path: sortedBy(name), descending }
}

/** A path is an order itself; one to a link stands for the orders by the linked member's label (asking.md, Paths). */
function ordersBy({ path, descending }: AskedOrder): [path: string, order: Order][] {
  const { property, steps, key = '', to } = path
  const through = steps.flatMap(({ step }) => (step.kind === 'link' ? { ...step, filters: [] } : []))
  if (property.range.kind !== 'link' || to === undefined)
    return [[property.name, orderOf(key, descending, through)]]
  const target = { kind: 'link', property: key, className: to.name, filters: [] } as const
  return sortedLabel(to).map(({ name }) => [
    `${property.name}.${name}`,
    orderOf(name, descending, [...through, target]),
  ])
}

const orderOf = (property: string, descending: boolean, through: readonly OrderStep[]): Order =>
  through.length === 0 ? { property, descending } : { property, descending, through }
