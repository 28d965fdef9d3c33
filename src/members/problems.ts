import { type ProblemData, unplacedOf } from '../problem.ts'
import type { DatatypeName } from '../vocabulary/index.ts'

/** Why a stored value cannot be converted to the current declaration of its property. `value`: as JSON text, shortened. */
export interface ConversionProblems {
  OneValueNow: { readonly count: number }
  CannotEmbed: { readonly value: string; readonly className: string }
  CannotLink: { readonly value: string; readonly collection: string }
  /** A link cannot become a literal. */
  LinkNow: { readonly value: string; readonly datatype: DatatypeName }
  /** `problem`: why the value is invalid for the new datatype (ValueProblems). */
  CannotConvert: { readonly value: string; readonly problem: ProblemData }
}

export const conversionProblem = unplacedOf<ConversionProblems>()
