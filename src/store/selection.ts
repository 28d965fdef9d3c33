import { BEHIND_DIGESTS, headOf, type Key } from '../vocabulary/keys.ts'
import type { StoredMember } from './member.ts'

/**
 * One filter on the values of a property that has a key. A property with many values matches by any of them. Keys are
 * those of an index (`indexKey`).
 */
export type Filter =
  /** Has one of these. */
  | { readonly property: string; readonly test: 'in'; readonly keys: readonly Key[] }
  | Range
  /** Has a value in one of these, which ascend and do not overlap; their bounds are none that an index would cut. */
  | { readonly property: string; readonly test: 'spans'; readonly spans: readonly Bounds[] }
  /** Has a value, and another one than this. */
  | { readonly property: string; readonly test: 'not'; readonly key: Key }
  /** `text` is folded. */
  | { readonly property: string; readonly test: 'contains'; readonly text: string }
  | { readonly property: string; readonly test: 'exists'; readonly exists: boolean }

export interface Bounds {
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
}

export interface Bound {
  readonly key: Key
  readonly inclusive: boolean
}

export interface Range extends Bounds {
  readonly property: string
  readonly test: 'range'
  /** Bounds that an index would cut. Texts that are cut themselves are compared with these as a whole. */
  readonly whole?: Bounds
}

/**
 * The range between two bounds, whatever their length. An index has all texts that share the head of a long bound behind
 * that head, and in an order of no meaning: all of them are within, and are compared again.
 */
export function rangeOf(property: string, { from, to }: Bounds): Range {
  const [fromHead, toHead] = [from && headOf(from.key), to && headOf(to.key)]
  const whole = {
    ...(from && fromHead !== undefined && { from }),
    ...(to && toHead !== undefined && { to }),
  }
  return {
    property,
    test: 'range',
    ...(from && { from: fromHead === undefined ? from : { key: fromHead, inclusive: false } }),
    ...(to && { to: toHead === undefined ? to : { key: toHead + BEHIND_DIGESTS, inclusive: false } }),
    ...((whole.from ?? whole.to) && { whole }),
  }
}

export interface Order {
  readonly property: string
  readonly descending: boolean
}

/**
 * A place between members: of those with these keys of an index, the one with this sequence number was last. It stays
 * where it is when that member is changed or removed.
 */
export interface Position {
  readonly keys: readonly (Key | null)[]
  readonly sequence: number
}

/** Which members of a class, in which order, from where. Filters and words are joined by "and". */
export interface Selection {
  /** Only members of this owner; without a filter or an order, page and total are bounded as those of all members. */
  readonly owner?: number | undefined
  readonly filters: readonly Filter[]
  /** Folded words, each of which must be among the words of the member. */
  readonly words: readonly string[]
  /**
   * Members without the value come last in both directions; equals come in the order of creation, backwards where the
   * last order is descending. Without an order: the order of creation. A property with many values can be an order only
   * where it is the only one and a filter `in`, `range`, `spans` or `exists` is on it: each member then stands at the least
   * of its matching values.
   */
  readonly order: readonly Order[]
  readonly start: Start
  readonly limit: number
  readonly room: Room
  /** `bounded`: exact up to MAX_COUNTED, without cost; `exact`: whatever it costs. */
  readonly count: 'bounded' | 'exact'
}

/** How much a page may hold: it ends before the member with which it would hold more, but has one at least. */
export interface Room {
  readonly bytes: number
  /** What is served of each link beside the text that is stored. */
  readonly link: number
}

/** As much as a request may ask for, unless a setting says otherwise. */
export const DEFAULT_ROOM: Room = { bytes: 4 * 1024 * 1024, link: 0 }

export type Start =
  | { readonly at: 'offset'; readonly offset: number }
  | { readonly at: 'after'; readonly position: Position }
  /** The members right before the position, or right before the end; still in the order of the selection. */
  | { readonly at: 'before'; readonly position: Position | 'end' }

/** Filtered members are counted so far (hypermedia.md, totalItems). */
export const MAX_COUNTED = 1_000

export interface Page {
  readonly members: readonly StoredMember[]
  /** All members that match; undefined where there are more than are counted. */
  readonly total: number | undefined
  /**
   * Whether there are further members in the direction of the walk: after these, or before them for `before`. Where there
   * are and these are fewer than `limit`, the page was cut by its size.
   */
  readonly more: boolean
  /** Of the first and the last member; undefined where there is none. */
  readonly edges: { readonly first: Position; readonly last: Position } | undefined
}
