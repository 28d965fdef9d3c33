import type { Violation } from '../../errors.ts'

/** What becomes of members when the API file is another one (hypermedia.md, Changing the API file). */

/** What has become of a value of a member; `property` is a path within embedded values. */
export type Move =
  | { readonly change: 'hidden'; readonly property: string }
  /** It was hidden, and is shown again. */
  | { readonly change: 'shown'; readonly property: string }
  | { readonly change: 'renamed'; readonly property: string; readonly from: string }

/** That a member has a value of a property with a former name (`was`): under which of both names. */
export interface Naming {
  readonly property: string
  readonly was: string
  readonly under: 'name' | 'was'
}

/** What an API file does to members that were written under another one. */
export type AdoptionChange =
  /** `unfilled`: properties of the file that no member has a value of; the hidden one may be one of them. */
  | (Extract<Move, { readonly change: 'hidden' }> & Counted & { readonly unfilled: readonly string[] })
  | (Exclude<Move, { readonly change: 'hidden' }> & Counted)
  | (Counted & { readonly change: 'class renamed'; readonly from: string })
  /** The file does not have the class. */
  | (Counted & { readonly change: 'class hidden' })

export interface Counted {
  readonly className: string
  /** How many of the class it concerns. */
  readonly members: number
}

/** A stored member that the present API file cannot serve. */
export interface Misfit {
  readonly className: string
  readonly id: string
  /** What messages call it. */
  readonly address: string
  readonly violations: readonly Violation[]
}

/** So many are named. */
export const MOST_MISFITS = 10

export interface Rehearsal {
  /** The first ten. */
  readonly misfits: readonly Misfit[]
  /** None where there are misfits. */
  readonly changes: readonly AdoptionChange[]
  /**
   * Classes that get other tables, since they are stored under another API file: whoever serves that one finds them no
   * more. By their present names; none where there are misfits.
   */
  readonly takenOver: readonly Counted[]
}

/** Thrown when a store is opened; nothing was changed then. */
export class MisfitError extends Error {
  /** The first ten. */
  readonly misfits: readonly Misfit[]

  constructor(misfits: readonly Misfit[]) {
    super(
      [
        'The database has members that do not fit this API file; change the file, or these members under the former one:',
        ...misfitLines(misfits),
      ].join('\n'),
    )
    this.name = 'MisfitError'
    this.misfits = misfits
  }
}

/** For people. To count the rest would mean to go through all members. */
export const misfitLines = (misfits: readonly Misfit[]): string[] => [
  ...misfits.flatMap(({ address, violations }) =>
    violations.map(({ propertyPath, message }) => `  ${address}: ${propertyPath}: ${message}`),
  ),
  ...(misfits.length < MOST_MISFITS ? [] : ['  There may be more.']),
]

/** Thrown when a store is opened that must not adopt members; nothing was changed then. */
export class NotAdoptedError extends Error {
  /** Those whose members are stored under another API file, by their present names. */
  readonly classNames: readonly string[]

  constructor(classNames: readonly string[]) {
    super(`The members of ${classNames.join(', ')} are stored under another API file.`)
    this.name = 'NotAdoptedError'
    this.classNames = classNames
  }
}
