import type { Order, Selection } from '../../store/store.ts'
import type { CollectionClass } from '../../vocabulary/model.ts'
import { readConditions, readWords } from './conditions.ts'
import { type Cursors, createCursorsFor } from './cursor.ts'
import { impliedOrder, readOrder } from './order.ts'
import { type PageSizes, type Paging, readPaging } from './paging.ts'
import type { Given, Parameters } from './parameters.ts'
import { encode } from './text.ts'
import { createValueReader } from './values.ts'

export type { PageSizes } from './paging.ts'

/** What a query asks a collection for. */
export interface Query extends Paging {
  readonly selection: Selection
  readonly cursors: Cursors
  /** Filters, order and size of the page, as every link of the view repeats them; empty without any. */
  readonly kept: string
  /** Nothing in it needs a look at each member. */
  readonly isCheap: boolean
}

/** 400 for what is unknown, ill-typed or contradictory. */
export type ReadQuery = (query: string | undefined, count: Selection['count']) => Query

export function createReadQuery(
  cls: CollectionClass,
  base: string,
  sizes: PageSizes,
  parameters: Parameters,
): ReadQuery {
  const values = createValueReader(cls, base)
  const cursorsFor = createCursorsFor(cls)
  const room = { bytes: sizes.bytes, link: base.length }

  return (query, count) => {
    const given = parameters.read(query)
    const conditions = readConditions(given, values)
    const words = readWords(given)
    const order: Order[] = readOrder(given, cls) ?? impliedOrder(conditions, words)
    const cursors = cursorsFor(order)
    const paging = readPaging(given, sizes, cursors)
    const { start, itemsPerPage } = paging
    return {
      ...paging,
      selection: { conditions, words, order, start, limit: itemsPerPage, room, count },
      cursors,
      kept: keptOf(given),
      isCheap: count === 'bounded' && !conditions.some(({ test }) => test === 'contains' || test === 'not'),
    }
  }
}

/** In one spelling and one order, whatever those of the request. */
function keptOf(given: Given): string {
  const kept: string[] = []
  for (const [parameter, values] of given) {
    if (PLACE.has(parameter.role)) continue
    for (const value of values) kept.push(`${encode(parameter.name)}=${encode(value)}`)
  }
  return kept.join('&')
}

/** Where in the collection, which each link says for itself. */
const PLACE: ReadonlySet<string> = new Set(['page', 'after', 'before'])
