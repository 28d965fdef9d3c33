import { Problem } from '../problem.ts'
import type { Key } from '../vocabulary/index-keys.ts'
import type { Filter, Selection, Step } from './selection.ts'

/** Counts and adds up the members of a class that match, by groups (asking.md, Summaries). */
export interface SummarySelection extends Pick<Selection, 'filters' | 'words' | 'owner' | 'place'> {
  /** None, one or two. */
  readonly groups: readonly GroupPath[]
  readonly figures: readonly FigurePath[]
  /** With more groups than this, the summary is refused. */
  readonly maxGroups: number
}

/** Leads from a member to values: its own, those within embedded values, or those of other members. */
export interface ValuePath {
  readonly steps: readonly ValueStep[]
  /** As in `PropertyFilter`, of the class that the last step leads to. */
  readonly property: string
}

/** `filters`: a target that does not match them counts as none. */
export type ValueStep = Exclude<Step, { readonly kind: 'embedded' }> & { readonly filters: readonly Filter[] }

export interface GroupPath extends ValuePath {
  /** For a date or a dateTime: groups have keys such as `1937-09`. */
  readonly unit?: { readonly of: 'date' | 'dateTime'; readonly name: DateUnit } | undefined
}

export const DATE_UNITS = ['year', 'month', 'day'] as const

export type DateUnit = (typeof DATE_UNITS)[number]

export interface FigurePath extends ValuePath {
  /** How its values are added; undefined where they are not. */
  readonly sum?: 'decimal' | 'integer' | 'double' | undefined
  /** Whether the least and the greatest value are asked for. */
  readonly extremes?: boolean
}

/** How many characters of a date a unit has: 1937-09-21. */
export const UNIT_LENGTH: Readonly<Record<DateUnit, number>> = { year: 4, month: 7, day: 10 }

/**
 * asking.md, Paths: parameters that share the beginning of a path ask of the same embedded value. How many embedded values
 * both paths lead through.
 */
export function sharedDepth(one: ValuePath, other: ValuePath): number {
  const [names, others] = [one, other].map(({ steps: [step], property }) =>
    (step === undefined ? property : step.kind === 'link' ? step.property : '').split('.'),
  ) as [string[], string[]]
  let depth = 0
  while (depth < Math.min(names.length, others.length) - 1 && names[depth] === others[depth]) depth += 1
  return depth
}

/** The members of one group. A member with many values of a group property is in several groups. */
export interface SummaryRow {
  /** One for each group; null for members without the value. */
  readonly group: readonly (Key | null)[]
  readonly count: number
  readonly figures: readonly SummaryFigure[]
}

export interface SummaryFigure {
  /** How many values there are. */
  readonly count: number
  /** An exact decimal, or a number if doubles are added (see `sumOutOfRange`); null without values. */
  readonly sum: string | number | null
  /** Null without values, and where it is not asked for. */
  readonly least: Key | null
  readonly greatest: Key | null
}

/** In any order; undefined if there are more than `maxGroups`. */
export type SummaryRows = readonly SummaryRow[] | undefined

/** Thrown where doubles add up to more than a double can be; a store may return such a sum, which is not finite, instead. */
export const sumOutOfRange = (): Problem => new Problem('SumOutOfRange', {})
