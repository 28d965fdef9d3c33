import { type ProblemData, unplacedOf, violationsOf } from '../problem.ts'
import type { Constraints, DatatypeName } from './model.ts'

/** The kinds of JSON values. */
export type JsonKind = 'null' | 'string' | 'number' | 'boolean' | 'list' | 'object'

/** Problems of a value of a property. */
export interface ValueProblems {
  RequiredValue: object
  BlankText: object
  NotAList: object
  /** `count`: how many were sent, if all of them were counted. */
  TooManyValues: { readonly maxValues: number; readonly count?: number }
  WrongJsonType: { readonly expected: 'string' | 'number' | 'boolean' | 'object' }
  /**
   * The value does not have the form of its datatype. `found`: given if it already has the wrong JSON type. `unquoted`: the
   * string that was sent, if it would be right without its quotes. `constraints`: if they may exclude an example.
   */
  WrongDatatype: {
    readonly datatype: DatatypeName
    readonly found?: JsonKind
    readonly unquoted?: string
    readonly constraints?: Constraints
  }
  NulCharacter: object
  LoneSurrogate: object
  LosesDigits: { readonly datatype: DatatypeName }
  FloatOutOfRange: object
  TooManyDigits: { readonly maxDigits: number }
  NoText: object
  InvalidLanguageTag: { readonly tag: string }
  DuplicateLanguage: { readonly tag: string }
  TooManyLanguages: { readonly maxLanguages: number }
  /** The text in one language has a problem. */
  InvalidText: { readonly tag: string; readonly problem: ProblemData }
  TooLong: { readonly maxLength: number }
  TooShort: { readonly minLength: number }
  PatternMismatch: { readonly pattern: string }
  BelowMinimum: { readonly minimum: number }
  AboveMaximum: { readonly maximum: number }
  /** More digits after the point than `scale`. */
  TooFine: { readonly scale: number }
  /** `allowed`: the first of the values; `isTruncated`: there are more. */
  NotInEnum: { readonly allowed: readonly (string | number)[]; readonly isTruncated: boolean }
}

/** A problem of a value, whose place its reader does not know. */
export const valueProblem = unplacedOf<ValueProblems>()

export const valueViolation = violationsOf<ValueProblems>()

/**
 * Problems of a constraint or a default in an API file. `name`: as in this form of the file, such as `"minLength"` or `the
 * default of "pages"`.
 */
export interface ConstraintProblems {
  InvalidLength: { readonly name: string }
  InvalidBound: { readonly name: string }
  BoundLosesDigits: { readonly name: string }
  PatternNotText: { readonly name: string }
  /** `reason`: the message of the JavaScript engine. */
  InvalidPattern: { readonly reason: string }
  /** A part of the pattern cannot be matched in linear time. */
  UnsupportedPattern: { readonly part: string }
  EmptyEnum: { readonly name: string }
  /** `minLength` is greater than `maxLength`, or `minimum` than `maximum`. */
  CrossedBounds: { readonly name: string; readonly least: number; readonly most: number }
  NotOneValue: { readonly name: string; readonly of: 'enum' | 'default' }
  /** A value of the enumeration, or the default, is not a value of the property. */
  InvalidValue: { readonly name: string; readonly of: 'enum' | 'default'; readonly problem: ProblemData }
}

export const constraintProblem = unplacedOf<ConstraintProblems>()
