import type { Order, PropertyFilter, Selection } from '../../src/members/index.ts'
import type { Key } from '../../src/vocabulary/index.ts'
import { isMany, type Kind, type Kinds, select } from '../support/shapes.ts'
import { singleFilters, startsOf } from './single-selections.ts'

/** What selections ask for: two keys of each property, words, and a place in the order. */
export interface Asked {
  readonly kinds: Kinds
  readonly keys: Readonly<Record<string, readonly [Key, Key]>>
  readonly words: readonly string[]
  readonly sequence: number
}

/** Every kind of filter, those that no index answers among them. */
const filtersOn = (property: string, kind: Kind, keys: readonly [Key, Key]): PropertyFilter[] => [
  ...singleFilters(property, keys),
  { property, test: 'not', key: keys[0] },
  ...(kind.startsWith('text')
    ? [{ property, test: 'contains', text: String(keys[0]).slice(-1) } as const]
    : []),
]

/**
 * Every filter alone and beside another one, free text among them, in the order of creation, by another property and by
 * its own, from the beginning and from a cursor: as a page, with all that match counted, and of one owner.
 */
export function* combinedSelections({ kinds, keys, words, sequence }: Asked): Generator<Selection> {
  const filters = Object.entries(kinds).flatMap(([property, kind]) =>
    filtersOn(property, kind, keys[property] as readonly [Key, Key]),
  )
  const [first = ''] = Object.keys(kinds)
  const beside = filters.filter(({ test }) => test === 'contains' || test === 'not')
  for (const one of filters) {
    const isPlacing = one.test === 'in' || one.test === 'range' || one.test === 'spans'
    const own = isPlacing || !isMany(kinds[one.property] as Kind) ? [one.property] : []
    const orders: Order[][] = [[], ...[first, ...own].map((property) => [{ property, descending: true }])]
    for (const other of [undefined, ...beside]) {
      if (other === one) continue
      const asked = other === undefined ? [one] : [one, other]
      for (const order of orders) {
        const key = keys[order[0]?.property ?? first]?.[1] ?? ''
        const [beginning, , after] = startsOf(order, key, 0, sequence)
        for (const start of [beginning, after])
          if (start !== undefined) yield select({ filters: asked, order, start, count: 'exact' })
        yield select({ filters: asked, order, words })
        yield select({ owner: 1, filters: asked, order })
      }
    }
  }
}
