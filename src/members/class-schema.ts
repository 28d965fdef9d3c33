import type { ProblemData } from '../problem.ts'
import {
  type FollowedLink,
  type HistoryRule,
  isDatatypeName,
  type KeyedProperty,
  type KeyShape,
} from '../vocabulary/keys.ts'
import type { Link, MemberContent, WholeText } from './member.ts'

/** A class, as far as the store must know it. */
export interface ClassSchema {
  readonly name: string
  /** Its former name, if the API file has renamed it. */
  readonly was: string | undefined
  /** The fingerprint of the class in the API file. Members with another one are migrated when the store is opened. */
  readonly fingerprint: number
  readonly keys: readonly KeyShape[]
  /** The defaults that fill members, by name (`fillingDefaults`), each with its former name. */
  readonly defaults: ReadonlyMap<string, string>
  /** Whether free text search includes its members. */
  readonly hasWords: boolean
  /** Whether some users list only their own members. */
  readonly isListedByOwner: boolean
  /** The links to accounts by which some users list only members that link to them. */
  readonly listedByLinks: readonly string[]
  /** Whether its changes are logged: accounts are not in the feed. */
  readonly isLogged: boolean
  /** The links whose targets the log keeps (`Change.followed`). */
  readonly followed: readonly FollowedLink[]
  /** Undefined where its members have no history. The fingerprint says whether they have one. */
  readonly history: HistoryRule | undefined
  /** Whether it can have only one member. */
  readonly isSingle: boolean
  /** The types of its properties, and of those of the values that are embedded in it. */
  readonly types: PropertyTypes
  /** The properties that `q` searches, with an asterisk if their words are kept apart (`hasOwnWords`). */
  readonly searched: readonly string[]
  /** The properties that the API file has renamed, within embedded values too, by the class that has them. */
  readonly renamed: readonly RenamedProperty[]
  /** The names of all its properties, each with its former name if the API file has renamed it. */
  readonly properties: ReadonlyMap<string, string | undefined>
  /** What else the API file says about it; absent if it is not needed. */
  readonly described?: ClassAspects
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
  /**
   * The same for an entry of a history, which is always converted: a value that cannot be is hidden. Nothing is filled in,
   * since an entry says what the member was.
   */
  readonly convertEntry: (stored: WholeText, links: readonly Link[]) => MemberContent
  /** Constraints that a stored member breaks, and that the next write to it would have to satisfy. */
  readonly violationsOf: (body: string) => readonly ProblemData[]
}

/** Aspects of a class or of a property that differ between API files without any effect on what is stored. */
export type DescribedAspect =
  | 'texts'
  | 'constraints'
  | 'required'
  | 'access'
  | 'reverse'
  | 'default'
  | 'history'
  | 'operations'

/**
 * The value of each aspect, or a digest of it, keyed by property, with an empty name for the class itself; absent for
 * the usual value.
 */
export type ClassAspects = Readonly<Record<string, Readonly<Partial<Record<DescribedAspect, string>>>>>

/** Keyed by class, then by property: `string`, `many Author`, `embedded Address`. */
export type PropertyTypes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Where a path leads to. */
interface PropertyPlace {
  /** The class that has the property: the one of the path, or one that is embedded in it. */
  readonly owner: string
  readonly name: string
  /** `string`, `link`, `embedded`. */
  readonly kind: string
  /** Whether the path leads to several values. */
  readonly many: boolean
}

/** A property of a class, or one within its embedded values; undefined if there is none. */
export function placeAt(types: PropertyTypes, className: string, path: string): PropertyPlace | undefined {
  let found: (PropertyPlace & { readonly of: string }) | undefined
  for (const name of path.split('.')) {
    const owner: string = found?.of ?? className
    const type = types[owner]?.[name]
    if (type === undefined) return undefined
    const [, times, kind = '', of = ''] = /^(many )?(\S+)(?: (\S+))?/.exec(type) ?? []
    found = { owner, name, kind, of, many: found?.many === true || times !== undefined }
  }
  return found
}

/** The same, as far as it has keys. */
export function propertyAt(types: PropertyTypes, className: string, path: string): KeyedProperty | undefined {
  const { kind = '', many = false } = placeAt(types, className, path) ?? {}
  if (kind === 'link') return { name: path, many, range: { kind } }
  return isDatatypeName(kind) ? { name: path, many, range: { kind: 'datatype', datatype: kind } } : undefined
}

export interface RenamedProperty {
  readonly className: string
  readonly property: string
  readonly former: string
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
  /** The path of the property in the API file, if that renames it. */
  readonly newPath?: string
}

/** The fingerprint of copied members: they are migrated when the database is first opened. */
export const UNKNOWN_FINGERPRINT = 0

export interface Converted extends MemberContent {
  /** Absent if every value has kept its property. */
  readonly moves?: readonly Move[]
  /** Absent if no property with a former name has a value. */
  readonly usedNames?: readonly UsedName[]
}

/** How the property of a value has changed; `property` is a path within embedded values. */
export type Move =
  | { readonly change: 'hidden'; readonly property: string }
  /** A value was hidden, and is shown again. */
  | { readonly change: 'shown'; readonly property: string }
  | { readonly change: 'renamed'; readonly property: string; readonly from: string }
  /** The property had no value, and has got its default. */
  | { readonly change: 'filled'; readonly property: string }

/** The name under which a member has a value of a renamed property (`was`). */
export interface UsedName {
  readonly property: string
  readonly was: string
  readonly under: 'name' | 'was'
}
