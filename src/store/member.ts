import type { Violation } from '../errors.ts'
import type { KeyShape, Keys } from '../vocabulary/keys.ts'
import type { Move, UsedName } from './migration/migration.ts'

/** A member as it is stored: text that is served as it is. */
export interface StoredMember {
  readonly id: string
  /** Never used twice in a class, not even after a removal. */
  readonly version: number
  /** The properties as JSON members, each with a comma before it; links are paths without the base URL. */
  readonly body: string
  /** Where in `body` the base URL goes: ascending offsets joined by commas, or empty. */
  readonly holes: string
  /** The number of the user who created it, also where that user was removed since; undefined where none did. */
  readonly owner: number | undefined
}

export interface Link {
  /** Within an embedded value a path: `address/country`. */
  readonly property: string
  readonly className: string
  readonly id: string
  /**
   * Whose the target must be, unless the member has this link already: the user who writes may read no others, and one to
   * them is a link to nothing (access.md, On the wire). 0 is nobody.
   */
  readonly targetOwner?: number | undefined
}

/** What is stored of a member beside its id and version. */
export interface Written {
  readonly body: string
  readonly holes: string
  /** Values that the API file does not show (any more), as a JSON object; empty where there are none. */
  readonly hidden: string
  readonly links: readonly Link[]
  readonly keys: Keys
}

export interface NewMember extends Written {
  readonly id: string
  readonly owner?: number | undefined
}

/** What the store must know of a class. */
export interface ClassShape {
  readonly name: string
  /** Its former name, where the API file has renamed it. */
  readonly was: string | undefined
  /** Members that were written under another one are migrated when the store is opened. */
  readonly fingerprint: number
  readonly keys: readonly KeyShape[]
  /** The names of all its properties, each with its former one where the API file has renamed it. */
  readonly properties: ReadonlyMap<string, string | undefined>
  /** What messages call a member: the path of its address. */
  readonly addressOf: (id: string) => string
  /**
   * A member that was written under another version of the API file, as this one stores it; or why it cannot.
   * `links`: those that the store knows it by, hidden ones too, with the present names of their classes.
   */
  readonly convert: (
    stored: WholeText,
    links: readonly Link[],
  ) => Converted | { readonly violations: readonly Violation[] }
  /** Constraints that the text of a stored member breaks and that the next write to it would have to meet. */
  readonly violationsOf: (body: string) => readonly Violation[]
}

export interface Converted extends Written {
  /** Absent where every value has stayed where it was. */
  readonly moves?: readonly Move[]
  /** Absent where no property with a former name has a value. */
  readonly usedNames?: readonly UsedName[]
}

/** All the text that is stored of a member; `holes` tell its links from its texts. */
export type WholeText = Pick<Written, 'body' | 'holes' | 'hidden'>

/** What a member is to become. Pure: it is called again when another writer was faster. */
export type Compute = (current: StoredMember & WholeText) => Written

/** What the store alone can see is wrong with a member. */
export interface Refused {
  readonly outcome: 'refused'
  /** Links whose target does not exist. */
  readonly dangling: readonly Link[]
  /** Unique properties whose value another member has. */
  readonly taken: readonly string[]
}

export type Added =
  | { readonly outcome: 'added'; readonly version: number }
  | { readonly outcome: 'exists' }
  | Refused

export type Changed =
  | { readonly outcome: 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  | Refused

export type Removed =
  | { readonly outcome: 'removed' }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  /** Others link to it: of each class and owner, up to ten of them. */
  | { readonly outcome: 'linked'; readonly from: readonly Linker[] }

/** A member that links to another, and by which properties: paths within embedded values, hidden ones too. */
export interface Linker {
  readonly className: string
  readonly id: string
  readonly owner: number | undefined
  readonly properties: readonly string[]
}

/** So many linking members of a class and owner are named where a member cannot be removed: none hides those of others. */
export const NAMED_LINKERS = 10
/** So many links are read for that: a million may lead to it, several of them from one member. */
export const LOOKED_AT = 1_000

export type LinkerRow = [className: string, id: string, property: string]

type OwnerOf = (className: string, id: string) => number | undefined

/** Each member once, with all of its properties among these rows. */
export function linkersIn(rows: readonly LinkerRow[], ownerOf: OwnerOf): Linker[] {
  const found = Map.groupBy(rows, ([className, id]) => `${className}\n${id}`)
  const linkers = [...found.values()].map((ofOne) => {
    const [className, id] = ofOne[0] as LinkerRow
    const properties = ofOne.map(([, , property]) => property).toSorted()
    return { className, id, owner: ownerOf(className, id), properties }
  })
  const alike = Map.groupBy(linkers, ({ className, owner }) => `${className}\n${owner}`)
  return [...alike.values()].flatMap((some) => some.slice(0, NAMED_LINKERS))
}

/** The same for the same links. */
export const linkName = ({ property, className, id }: Link): string => `${property}\n${className}\n${id}`
