import { type Problem, type ProblemData, problemsOf, unplacedOf } from '../../problem.ts'

/** Problems of a body as a whole, apart from LinkedDataProblems. */
export interface BodyProblems {
  /** Has a violation for each mistake. */
  ValidationFailed: object
  NotOneNode: { readonly count: number }
  StrayValue: object
  TooMuchJsonLd: object
  JsonLdProcessorBusy: { readonly retryAfterSeconds: number }
}

export const bodyProblem = problemsOf<BodyProblems>()

export const validationFailed = (...violations: readonly ProblemData[]): Problem =>
  bodyProblem('ValidationFailed', {}, { violations })

/** Problems at a property or a keyword of a body, apart from problems of values (vocabulary/problems.ts). */
export interface InputProblems {
  /** `known`: the properties of the class; absent if there are so many mistakes that finding suggestions would take too long. */
  UnknownProperty: {
    readonly className: string
    readonly name: string
    readonly known?: readonly string[]
  }
  /** `isNew`: whether the member, or the embedded value, is being created. */
  ReadOnly: { readonly isNew: boolean }
  /** A collection that was read with `include` was sent instead of its address. */
  IncludedCollection: object
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
  /** `template`: the address to PUT to; undefined if a client cannot choose an id. */
  IdIsNoProperty: { readonly className: string; readonly template: string | undefined }
  UnknownKeyword: object
  /** A blank node that no earlier operation of the batch has created. */
  UnknownReference: { readonly name: string }
  /**
   * `meant`: the address that was probably meant. `byId`: a word that could be an id, and the address with that id, which
   * need not exist. `hasMore`: an included member was sent instead of its address.
   */
  InvalidLink: {
    readonly collection: string
    readonly meant?: string
    readonly byId?: { readonly id: string; readonly address: string }
    readonly templates: readonly string[]
    readonly hasMore: boolean
  }
  GraphNotTaken: object
  /** A key that JSON-LD processors cannot keep: `__proto__`. */
  KeyNotTaken: object
  /** A key means nothing under the context that was sent. `context`: the address of our context, if that defines the key. */
  NoMeaning: { readonly name: string; readonly known: readonly string[]; readonly context?: string }
  TooManyWords: { readonly maxWords: number; readonly count: number }
  MoreViolations: object
}

export const inputProblem = unplacedOf<InputProblems>()
