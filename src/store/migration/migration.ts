import { HttpError, unavailable } from '../../errors.ts'
import { type ProblemData, violationsOf } from '../../problem.ts'

// The migration of members to another API file (hypermedia.md, Changing the API file).

/** How the property of a value has changed; `property` is a path within embedded values. */
export type Move =
  | { readonly change: 'hidden'; readonly property: string }
  /** It was hidden, and is shown again. */
  | { readonly change: 'shown'; readonly property: string }
  | { readonly change: 'renamed'; readonly property: string; readonly from: string }

/** Under which of its names a property with a former name (`was`) has a value in a member. */
export interface UsedName {
  readonly property: string
  readonly was: string
  readonly under: 'name' | 'was'
}

/** A change that an API file makes to members that were written under another one. */
export type MigrationChange =
  /** `unfilled`: properties of the file without any value; the hidden one may be one of them, renamed. */
  | (Extract<Move, { readonly change: 'hidden' }> & Counted & { readonly unfilled: readonly string[] })
  | (Exclude<Move, { readonly change: 'hidden' }> & Counted)
  | (Counted & { readonly change: 'class renamed'; readonly from: string })
  /** The file does not have the class. */
  | (Counted & { readonly change: 'class hidden' })
  /** No member has the name or the former one, which may be misspelt. */
  | (Counted & { readonly change: 'nothing renamed'; readonly from: string; readonly property?: string })

/** A constraint that stored members break: they can be read, but not written as they are. */
export interface BrokenConstraint extends Counted {
  /** Its property is a path within embedded values. */
  readonly violation: ProblemData
}

export interface Counted {
  readonly className: string
  /** How many members of the class. */
  readonly members: number
}

/** A stored member that the API file cannot serve. */
export interface IncompatibleMember {
  readonly className: string
  readonly id: string
  /** The path at which it is served today. */
  readonly address: string
  /** The path that it would have under the API file; undefined where that is the same. */
  readonly newAddress?: string
  readonly violations: readonly MigrationViolation[]
}

/** Why a member is incompatible, at the name that the property has today. */
export interface MigrationViolation extends ProblemData {
  /** The path of the property in the API file, where that renames it. */
  readonly newPath?: string
}

/** What can keep a member from being migrated, beside its values (members/problems.ts). */
export interface MigrationProblems {
  /** The class would be a single resource. */
  SeveralMembers: { readonly total: number; readonly formerName: string; readonly name: string }
  NoSuchTarget: { readonly id: string; readonly className: string }
  /** `value`: as JSON text; undefined where the member has it under its former name. */
  DuplicateValue: { readonly address: string; readonly value: string | undefined }
  BothNamesUsed: { readonly name: string; readonly was: string }
}

export const migrationViolation = violationsOf<MigrationProblems>()

/** How many incompatible members are reported; counting the rest would mean reading all members. */
export const MAX_REPORTED = 10

/** What a migration has done, or, as a dry run, would do. */
export interface Migration {
  /** The first ten; where there are any, the rest is empty, and nothing was changed. */
  readonly incompatible: readonly IncompatibleMember[]
  readonly changes: readonly MigrationChange[]
  /** Classes that get other tables: a process that serves the former file cannot find them any more. */
  readonly migrated: readonly Counted[]
  /** Only in a dry run, since it means reading every member. */
  readonly broken: readonly BrokenConstraint[]
}

/** Thrown when a store is opened; nothing was changed then. */
export class IncompatibleMembersError extends Error {
  /** The first ten. */
  readonly incompatible: readonly IncompatibleMember[]

  constructor(incompatible: readonly IncompatibleMember[]) {
    super('The database has members that are incompatible with this API file.')
    this.name = 'IncompatibleMembersError'
    this.incompatible = incompatible
  }
}

/** Thrown when a store is opened that must not migrate members; nothing was changed then. */
export class NotMigratedError extends Error {
  /** Classes whose members are stored under another API file, by their present names. */
  readonly classNames: readonly string[]

  constructor(classNames: readonly string[]) {
    super(`The members of ${classNames.join(', ')} are stored under another API file.`)
    this.name = 'NotMigratedError'
    this.classNames = classNames
  }
}

const OTHER_API_FILE =
  'Another process has opened the database with another API file since this server started; restart it with that file.'

/** The answer to a request whose class has other tables by now than when the store was opened. */
export const migratedElsewhere = (cause: unknown): HttpError => unavailable(OTHER_API_FILE, 60, cause)

type Call = (...args: unknown[]) => unknown

/** Calls `onFirst` at the first request that fails because another process has migrated the members. */
export function watchOtherMigrations<Members extends object>(members: Members, onFirst: () => void): Members {
  let isReported = false

  function report(error: unknown): never {
    if (!isReported && error instanceof HttpError && error.message === OTHER_API_FILE) {
      isReported = true
      onFirst()
    }
    throw error
  }

  const watched = Object.entries(members as Record<string, Call>).map(([name, call]): [string, Call] => [
    name,
    (...args) => {
      try {
        const result = call(...args)
        return result instanceof Promise ? result.catch(report) : result
      } catch (error) {
        return report(error)
      }
    },
  ])
  return Object.fromEntries(watched) as Members
}
