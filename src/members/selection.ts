import { isBeginning } from '../folding.ts'
import { type Bounds, headOf, indexBounds, type Key, type KeyForm } from '../vocabulary/index-keys.ts'

export type { Bound, Bounds } from '../vocabulary/index-keys.ts'

/** Selects some members of a class. */
export type Filter =
  | PropertyFilter
  | StepFilter
  /** At least one of these alternatives matches. */
  | { readonly test: 'any'; readonly filters: readonly Filter[] }
  /** Free text: every word is among those of the member (`Selection.words`). */
  | { readonly test: 'words'; readonly words: readonly AskedWord[] }
  /** Members that one user has created. */
  | { readonly test: 'owner'; readonly owner: number }

/**
 * A filter on the values of a property that has a key. A property with many values matches by any of them. Keys are those
 * of an index (`indexed`). Within embedded values, the property is a path: `address.city`, `lines.amount`.
 */
export type PropertyFilter =
  | InFilter
  | RangeFilter
  /** Has a value in one of these ranges, which ascend and do not overlap; an index would truncate none of their bounds. */
  | { readonly property: string; readonly test: 'spans'; readonly spans: readonly Bounds[] }
  /** Has a value other than this. */
  | { readonly property: string; readonly test: 'not'; readonly key: Key }
  /** `text` is folded. */
  | { readonly property: string; readonly test: 'contains'; readonly text: string }
  | { readonly property: string; readonly test: 'exists'; readonly exists: boolean }

/** Has one of these keys. */
export interface InFilter {
  readonly property: string
  readonly test: 'in'
  readonly keys: readonly Key[]
  /**
   * True for a link to the account of the user, who may list no other members: as with `Selection.owner`, page and total
   * then cost no more than for all members. Absent for a filter that was asked for.
   */
  readonly isScope?: true
}

export const isOnProperty = (filter: Filter): filter is PropertyFilter => 'property' in filter

export interface RangeFilter extends Bounds {
  readonly property: string
  readonly test: 'range'
  /** Bounds that an index would truncate: what is stored as a whole is compared with these. */
  readonly whole?: Bounds | undefined
}

/**
 * A filter on what a step leads to (asking.md, Paths). `some`: at least one of those members or embedded values matches all
 * of the filters; `none`: not one does, or the step leads nowhere.
 */
export interface StepFilter {
  readonly test: 'some' | 'none'
  readonly step: Step
  readonly filters: readonly Filter[]
}

/** One step of a path. `property` is as in `PropertyFilter`. */
export type Step =
  | LinkStep
  /** To the members of a class whose `property` links to the member. */
  | { readonly kind: 'reverse'; readonly property: string; readonly className: string }
  /** To the values of an embedded property with many values; the filters on them have whole paths: `lines.amount`. */
  | { readonly kind: 'embedded'; readonly property: string }

/** To the members that a property links to. */
export interface LinkStep {
  readonly kind: 'link'
  readonly property: string
  readonly className: string
}

/** The range between two bounds, which are folded texts or keys, whatever their length. */
export function rangeOf(property: string, bounds: Bounds, form: KeyForm): RangeFilter {
  const { from, to } = bounds
  const whole = {
    ...(from && headOf(from.key) !== undefined && { from }),
    ...(to && headOf(to.key) !== undefined && { to }),
  }
  const isCut = (whole.from ?? whole.to) !== undefined
  return { property, test: 'range', ...indexBounds(bounds, form), ...(isCut && { whole }) }
}

export interface Order {
  readonly property: string
  readonly descending: boolean
  /**
   * The links, of one value each, to the member that has the property; absent where that is the member itself. A member
   * whose path ends early has no value.
   */
  readonly through?: readonly OrderStep[]
}

/** `filters`: a target that does not match them counts as none. */
export interface OrderStep extends LinkStep {
  readonly filters: readonly Filter[]
}

/**
 * A position between members: behind the member with these index keys and this sequence number. It stays valid when that
 * member is changed or removed. A single order through links has two keys: that of the property, and the sequence number of
 * the last target, which ranks members with equal keys; both are null for a member without the value.
 */
export interface Position {
  readonly keys: readonly (Key | null)[]
  readonly sequence: number
}

/** Whether a position has a second key for an order. */
export const hasTie = (all: readonly Order[], { through }: Order): boolean =>
  through !== undefined && all.length === 1

/** Selects members of a class, in some order, from some position. All filters and words must match. */
export interface Selection {
  /** Only members of this owner. Without a filter or an order, page and total cost no more than for all members. */
  readonly owner?: number | undefined
  readonly filters: readonly Filter[]
  /** Folded words, each of which must be among the words of the member; `rin*` stands for any word that begins so. */
  readonly words: readonly AskedWord[]
  /**
   * Members without the value come last in both directions. Members with equal values come in the order of creation, or
   * its reverse if the last order is descending. Without an order, members come in the order of creation. A property
   * with many values can be an order only if it is the only order and has a filter `in`, `range`, `spans` or `exists`:
   * each member is then sorted by the least of its matching values.
   */
  readonly order: readonly Order[]
  readonly start: PageStart
  readonly limit: number
  readonly byteBudget: ByteBudget
  /** The place in which its search waits, if it needs one; absent for that of all users. */
  readonly place?: SearchPlace | undefined
  /** `bounded`: exact up to MAX_COUNTED; `exact`: whatever it costs. */
  readonly count: 'bounded' | 'exact'
}

/** Searches of people who have not signed in delay only each other. */
export type SearchPlace = 'strangers'

/** A word, or several of which the member must have one: a user may find it in properties that others may not see. */
export type AskedWord = string | readonly string[]

/** Whether more than one word of a member may match. */
export const isOfSeveral = (word: AskedWord): boolean => typeof word !== 'string' || isBeginning(word)

/** Whether it asks for words by their beginning. */
export const isOfMany = (word: AskedWord): boolean =>
  typeof word === 'string' ? isBeginning(word) : word.some(isBeginning)

/** Maximum size of a page: it ends before the member that would exceed this, but has at least one. */
export interface ByteBudget {
  readonly bytes: number
  /** How many bytes each link adds when it is served. */
  readonly link: number
}

/** The default of the setting. */
export const DEFAULT_BYTE_BUDGET: ByteBudget = { bytes: 4 * 1024 * 1024, link: 0 }

/** The first of all members in the order of creation, if there is any. */
export const FIRST_MEMBER: Selection = {
  filters: [],
  words: [],
  order: [],
  start: { at: 'offset', offset: 0 },
  limit: 1,
  byteBudget: DEFAULT_BYTE_BUDGET,
  count: 'bounded',
}

export type PageStart =
  | { readonly at: 'offset'; readonly offset: number }
  | { readonly at: 'after'; readonly position: Position }
  /** The members right before the position, or the last ones; still in the order of the selection. */
  | { readonly at: 'before'; readonly position: Position | 'end' }

/** Filtered members are counted up to this (hypermedia.md, totalItems). */
export const MAX_COUNTED = 1_000
