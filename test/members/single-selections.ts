import type { Bounds, Order, PageStart, PropertyFilter } from '../../src/members/index.ts'
import type { Key } from '../../src/vocabulary/index.ts'

/** All but what lies between two keys, of which the first is the lesser. */
export const outside = (one: Key, two: Key): Bounds[] => [
  { to: { key: one, inclusive: false } },
  { from: { key: two, inclusive: true } },
]

/** Every kind of filter that an index answers. */
export const singleFilters = (property: string, [one, two]: readonly [Key, Key]): PropertyFilter[] => [
  { property, test: 'in', keys: [one] },
  { property, test: 'in', keys: [one, two] },
  { property, test: 'range', from: { key: one, inclusive: true } },
  { property, test: 'range', to: { key: two, inclusive: false } },
  { property, test: 'range', from: { key: one, inclusive: false }, to: { key: two, inclusive: true } },
  { property, test: 'spans', spans: outside(one, two) },
  { property, test: 'exists', exists: true },
  { property, test: 'exists', exists: false },
]

export const keepsCreation = (filter: PropertyFilter): boolean =>
  filter.test === 'in' || (filter.test === 'exists' && !filter.exists)

/** Every kind of start: so far from the beginning, and beside a place in the order. */
export function startsOf(order: readonly Order[], key: Key, offset: number, sequence: number): PageStart[] {
  const position = { keys: order.map(() => key), sequence }
  return [
    { at: 'offset', offset: 0 },
    { at: 'offset', offset },
    { at: 'after', position },
    { at: 'before', position },
    { at: 'before', position: 'end' },
  ]
}
