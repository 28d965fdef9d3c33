import type { ResourceTypes } from './api-types.ts'
import type {
  CheckedOr,
  FilterAt,
  FilterValue,
  GeneralName,
  NoSuchName,
  PathsIn,
  QueryOf,
} from './query-types.ts'

/** The figures that a summary can have, besides the count. */
type Figure = 'sum' | 'avg' | 'min' | 'max'

/** What is counted, by which groups, with which figures, and in which order. */
export type SummaryQuery<R extends ResourceTypes, Asked> = Asked &
  KnownInSummary<QueryOf<R>> &
  CheckedSummary<QueryOf<R>, Asked>

type Several = string | readonly string[] | undefined

type KnownInSummary<Q> = {
  /** One path, or two; a date with `:year`, `:month` or `:day`. */
  readonly group?: string | readonly [string, string?] | undefined
  readonly sum?: Several
  readonly avg?: Several
  readonly min?: Several
  readonly max?: Several
  readonly q?: string | undefined
  readonly page?: number | undefined
  readonly itemsPerPage?: number | undefined
} & (string extends keyof Q
  ? Q
  : {
      readonly [Name in keyof Q as Name extends GeneralName | Figure | 'group' | `order[${string}]`
        ? never
        : Name]?: Q[Name] | undefined
    })

type CheckedSummary<Q, Asked> = string extends keyof Q
  ? unknown
  : {
      readonly [Name in keyof Asked]: Name extends 'group' | Figure
        ? CheckedPaths<Q, Name, Asked[Name]>
        : Name extends 'q' | 'page' | 'itemsPerPage'
          ? unknown
          : Name extends 'or'
            ? CheckedOr<Q, Asked[Name]>
            : Name extends `order[${infer Ranked}]`
              ? Ranked extends RankedIn<Asked>
                ? 'asc' | 'desc' | undefined
                : NoSuchName<Ranked>
              : FilterValue<Q, Name> | undefined
    }

/** What summaries can be sorted by. */
type RankedIn<Asked> =
  | 'count'
  | PathsIn<Asked, 'group'>
  | { [F in Figure]: `${F}.${PathsIn<Asked, F>}` }[Figure]

type CheckedPaths<Q, Use, V> = V extends string
  ? CheckedPath<Q, Use, V>
  : { readonly [Index in keyof V]: CheckedPath<Q, Use, V[Index]> }

type CheckedPath<Q, Use, Path> = Path extends string
  ? (Use extends 'group' ? GroupValue<Q, Path> : FigureValue<Q, Use, Path>) extends NoSuchName<unknown>
    ? NoSuchName<Path>
    : Path
  : Path

/** A path to a date is one that can be compared, but is neither a text nor a number. */
type GroupValue<Q, Path extends string> = string extends keyof Q
  ? string | number | boolean
  : Path extends `${infer Dated}:${'year' | 'month' | 'day'}`
    ? FilterAt<Q, `${Dated}.startsWith`> extends NoSuchName<unknown>
      ? FilterAt<Q, `${Dated}.gt`> extends string
        ? string
        : NoSuchName<Path>
      : NoSuchName<Path>
    : AsServed<FilterAt<Q, Path>>

/** One of the values that a filter takes. A decimal, which may be sent as a number too, is served as a text. */
type AsServed<V> = [string | number] extends [V] ? string : Exclude<V, readonly unknown[]>

/** Exact sums and averages are texts, those of doubles are numbers; the types do not tell doubles from integers. */
type FigureValue<Q, Use, Path extends string> = string extends keyof Q
  ? string | number
  : FilterAt<Q, `${Path}.gt`> extends infer V
    ? Use extends 'min' | 'max'
      ? AsServed<V>
      : [number] extends [V]
        ? [string] extends [V]
          ? string
          : string | number
        : NoSuchName<Path>
    : never

/** One group of members. A figure of nothing is null, and so is the group of members without a value. */
export type Summary<R extends ResourceTypes, Asked> = {
  readonly group: { readonly [Path in PathsIn<Asked, 'group'>]: GroupValue<QueryOf<R>, Path> | null }
  readonly count: number
  /** The address of a page with just these members. */
  readonly members: string
} & {
  readonly [Use in Figure & keyof Asked]: {
    readonly [Path in PathsIn<Asked, Use>]: FigureValue<QueryOf<R>, Use, Path> | null
  }
}
