import { problemsOf } from '../problem.ts'

/** How a table of a copy differs from the original; `rows`: undefined if there is no such table. */
export interface TableDifference {
  readonly table: string
  readonly expectedRows: number
  /** May be the same number, if the contents of the rows differ. */
  readonly rows: number | undefined
}

/** Why a database cannot be copied. Nothing was changed. */
export interface CopyProblems {
  NothingToCopy: { readonly path: string }
  /** Another process does not stop writing to the file. */
  SourceBusy: { readonly path: string }
  /** Members of these classes are being converted to a changed API file. */
  StillConverting: { readonly path: string; readonly classNames: readonly string[] }
  TargetNotEmpty: {
    readonly database: string
    readonly tables: readonly { readonly table: string; readonly rows: number }[]
  }
  CopyDiffers: { readonly differences: readonly TableDifference[] }
}

export const copyProblem = problemsOf<CopyProblems>()
