import { type Problem, type ProblemData, problemsOf, unplacedOf } from '../../problem.ts'

/** What can be wrong with a body as a whole, beside LinkedDataProblems. */
export interface BodyProblems {
  /** Has a violation for each thing that is wrong. */
  ValidationFailed: object
  NotOneNode: { readonly count: number }
  StrayValue: object
  TooMuchJsonLd: object
  JsonLdProcessorBusy: { readonly retryAfterSeconds: number }
}

export const bodyProblem = problemsOf<BodyProblems>()

export const validationFailed = (...violations: readonly ProblemData[]): Problem =>
  bodyProblem('ValidationFailed', {}, { violations })

/** What can be wrong at a property or a keyword of a body, beside the values themselves (vocabulary/problems.ts). */
export interface InputProblems {
  /** `known`: the properties of the class; absent where so much is wrong that finding a suggestion would take too long. */
  UnknownProperty: {
    readonly className: string
    readonly name: string
    readonly known?: readonly string[]
  }
  /** `isNew`: whether the member, or the embedded value, is being created. */
  ReadOnly: { readonly isNew: boolean }
  OneValueOnly: { readonly count: number }
  /** "@list" was sent, and values have no order. */
  NoOrder: object
  NotEmbedded: { readonly className: string }
  UnexpectedKeyword: { readonly keyword: 'language' | 'direction' }
  WrongValueType: { readonly datatype: string }
  WrongContext: { readonly className: string; readonly address: string }
  WrongType: { readonly className: string }
  EmbeddedId: object
  /** `canPut`: whether a client may choose the address of a new member. */
  IdOfNewMember: { readonly canPut: boolean }
  WrongId: { readonly address: string }
  /** `template`: the address to PUT to; undefined where a client cannot choose an id. */
  IdIsNoProperty: { readonly className: string; readonly template: string | undefined }
  UnknownKeyword: object
  /** A blank node that no earlier operation of the batch has made. */
  UnknownReference: { readonly name: string }
  /** `meant`: the address that was probably meant. `hasMore`: an included member was sent instead of its address. */
  InvalidLink: {
    readonly collection: string
    readonly meant?: string
    readonly templates: readonly string[]
    readonly hasMore: boolean
  }
  GraphNotTaken: object
  /** A key that JSON-LD processors cannot keep: `__proto__`. */
  KeyNotTaken: object
  /** A key means nothing under the context that was sent. `context`: the address of ours, where that would define it. */
  NoMeaning: { readonly name: string; readonly known: readonly string[]; readonly context?: string }
  TooManyWords: { readonly maxWords: number; readonly count: number }
  MoreViolations: object
}

export const inputProblem = unplacedOf<InputProblems>()
