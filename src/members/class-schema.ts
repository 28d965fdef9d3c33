import type { ProblemData } from '../problem.ts'
import type { KeyShape } from '../vocabulary/keys.ts'
import type { Link, MemberContent, WholeText } from './member.ts'

/** What the store must know of a class. */
export interface ClassSchema {
  readonly name: string
  /** Its former name, where the API file has renamed it. */
  readonly was: string | undefined
  /** Of the class in the API file. Members that were written under another one are migrated when the store is opened. */
  readonly fingerprint: number
  readonly keys: readonly KeyShape[]
  /** The defaults that fill members, by name (`fillingDefaults`), each with its former name. */
  readonly defaults: ReadonlyMap<string, string>
  /** Whether free text looks into its members. */
  readonly hasWords: boolean
  /** Whether some users list only members of their own. */
  readonly isListedByOwner: boolean
  /** Whether it can have one member only. */
  readonly isSingle: boolean
  /** The names of all its properties, each with its former one where the API file has renamed it. */
  readonly properties: ReadonlyMap<string, string | undefined>
  /** The path of a member, for messages. */
  readonly addressOf: (id: string) => string
  /**
   * Converts a member that was written under another version of the API file, or says why it cannot. `links`: those of the
   * member in the store, hidden ones too, with the present names of their classes. `filling`: absent where no default is
   * new.
   */
  readonly convert: (
    stored: WholeText,
    links: readonly Link[],
    filling?: Filling,
  ) => Converted | { readonly violations: readonly MigrationViolation[] }
  /** Constraints that a stored member breaks, and that the next write to it would have to meet. */
  readonly violationsOf: (body: string) => readonly ProblemData[]
}

/** The defaults that a migration fills in. */
export interface Filling {
  /** As in `ClassSchema.defaults`. */
  readonly names: ReadonlySet<string>
  /** The time of the migration, for `default: now`. */
  readonly now: number
}

/** Why a member is incompatible, at the name that the property has today. */
export interface MigrationViolation extends ProblemData {
  /** The path of the property in the API file, where that renames it. */
  readonly newPath?: string
}

/** Of members that were copied: they are migrated when the database is first opened. */
export const UNKNOWN_FINGERPRINT = 0

export interface Converted extends MemberContent {
  /** Absent where every value has kept its property. */
  readonly moves?: readonly Move[]
  /** Absent where no property with a former name has a value. */
  readonly usedNames?: readonly UsedName[]
}

/** How the property of a value has changed; `property` is a path within embedded values. */
export type Move =
  | { readonly change: 'hidden'; readonly property: string }
  /** It was hidden, and is shown again. */
  | { readonly change: 'shown'; readonly property: string }
  | { readonly change: 'renamed'; readonly property: string; readonly from: string }
  /** It had no value, and has got its default. */
  | { readonly change: 'filled'; readonly property: string }

/** Under which of its names a property with a former name (`was`) has a value in a member. */
export interface UsedName {
  readonly property: string
  readonly was: string
  readonly under: 'name' | 'was'
}
