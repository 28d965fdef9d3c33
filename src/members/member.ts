import { type ProblemData, violationsOf } from '../problem.ts'
import { type Keys, namesInKey } from '../vocabulary/keys.ts'
import type { Selection } from './selection.ts'

/** A member as it is stored: text that is served almost unchanged. */
export interface StoredMember {
  readonly id: string
  /** Never used twice in a class, not even after a removal. */
  readonly version: number
  /** The properties as JSON members, each with a comma before it; links are paths without the base URL. */
  readonly body: string
  /** The offsets in `body` at which the base URL is inserted: ascending, joined by commas, or empty. */
  readonly baseUrlOffsets: string
  /** The number of the user who created it, even if that user was removed since; undefined if no user did. */
  readonly owner: number | undefined
  /**
   * Present if a host with another API file has written it, and the store has not converted it yet: the number of its form,
   * its hidden values and its links, as JSON (`FormerText`).
   */
  readonly former?: string | undefined
}

/** How many members of each class a process caches, and how long they may be: at most 8 MB. */
export const MAX_CACHED_MEMBERS = 500
export const LONGEST_CACHED_MEMBER: number = 16 * 1_024

/** Ranges of a stored text, ascending and apart: the start of each is followed by its end. */
export type TextRanges = readonly number[]

export interface Link {
  /** Its name; within an embedded value a path: `address/country`. */
  readonly property: string
  /** Its place in the member, with indexes in lists: `lines/1/product`. */
  readonly path?: string
  readonly className: string
  readonly id: string
  /**
   * The owner that the target must have, unless the member has this link already: for a user who may read only their own
   * members, a link to another's is dangling (access.md, On the wire). 0 is no user.
   */
  readonly targetOwner?: number | undefined
}

/** The stored content of a member, without its id and version. */
export interface MemberContent {
  readonly body: string
  readonly baseUrlOffsets: string
  /** Values that the API file does not show, as a JSON object; empty if there are none. */
  readonly hidden: string
  readonly links: readonly Link[]
  readonly keys: Keys
  /** The number of the user who writes it; undefined where no user does. */
  readonly actor?: number | undefined
}

export interface NewMember extends MemberContent {
  readonly id: string
  readonly owner?: number | undefined
}

/** All stored text of a member. */
export type WholeText = Pick<MemberContent, 'body' | 'baseUrlOffsets' | 'hidden'>

/** Computes the new content of a member. Pure: it is called again when another writer was faster. */
export type Compute = (current: StoredMember & WholeText) => MemberContent

/** Violations that only the store can find. */
export interface ConstraintFailure {
  readonly outcome: 'refused'
  /** Links whose target does not exist. */
  readonly dangling: readonly Link[]
  /** Unique keys that another member has: a property, or the names of those that are unique together (`namesInKey`). */
  readonly taken: readonly string[]
}

/** Violations that only the store can find: links and unique values. */
export interface StoreViolations {
  DanglingLink: { readonly id: string }
  NotUnique: object
  /** At the first of the properties. */
  NotUniqueTogether: { readonly properties: readonly string[] }
}

const violation = violationsOf<StoreViolations>()

/** A link that is refused has no value: that another member has it would tell that its target exists (access.md, Hidden). */
export function storeViolations({
  dangling,
  taken,
}: Pick<ConstraintFailure, 'dangling' | 'taken'>): ProblemData[] {
  const refused = new Set(dangling.map(({ property }) => property))
  const others = taken
    .map((property) => namesInKey({ property }))
    .filter((properties) => !properties.some((name) => refused.has(name)))
  return [
    ...dangling.map(({ property, path = property, id }) => violation('DanglingLink', path, { id })),
    ...others.map((properties) =>
      properties.length === 1
        ? violation('NotUnique', properties[0] ?? '')
        : violation('NotUniqueTogether', properties[0] ?? '', { properties }),
    ),
  ]
}

export type AddOutcome =
  | { readonly outcome: 'added'; readonly version: number }
  | { readonly outcome: 'exists' }
  | ConstraintFailure

export type ChangeOutcome =
  | { readonly outcome: 'changed'; readonly member: StoredMember }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  | ConstraintFailure

/** The links of a member are gone from the index of links. */
export interface UnlinkOutcome {
  readonly outcome: 'unlinked'
}

export type RemoveOutcome =
  | { readonly outcome: 'removed' }
  | { readonly outcome: 'missing' }
  /** The version is not among the expected ones. */
  | { readonly outcome: 'stale'; readonly version: number }
  | Linked

/** Other members link to this one. `isTruncated`: there may be further links, which were not read. */
export interface Linked {
  readonly outcome: 'linked'
  readonly from: readonly LinkSource[]
  readonly isTruncated: boolean
}

/** One of the writes that are carried out together. */
export type MemberWrite =
  | { readonly kind: 'add'; readonly className: string; readonly member: NewMember }
  | {
      readonly kind: 'change'
      readonly className: string
      readonly id: string
      /** The version that `written` was computed from; undefined if an earlier one of the writes created it. */
      readonly expected: number | undefined
      readonly written: MemberContent
    }
  | {
      readonly kind: 'remove'
      readonly className: string
      readonly id: string
      readonly expected: readonly number[] | undefined
      readonly owner: number | undefined
      /** As in MemberContent. */
      readonly actor: number | undefined
    }
  /** Comes before the removals of members that link to each other, in a circle perhaps: none of them prevents another. */
  | { readonly kind: 'unlink'; readonly className: string; readonly id: string }

/** Identifies a member, whether it exists or not. */
export interface MemberName {
  readonly className: string
  readonly id: string
}

/** One of several steps that are carried out in one transaction. */
export type TransactionStep = MemberWrite | ReadCheck

/** Fails if the result of a read would be different now (library.md, Transactions). */
export type ReadCheck = MemberCheck | PageCheck

/** Comes before the writes. */
export interface MemberCheck extends MemberName {
  readonly kind: 'read'
  /** Undefined if there was no such member. */
  readonly version: number | undefined
}

/** Comes after the writes that the page has shown. */
export interface PageCheck {
  readonly kind: 'page'
  readonly className: string
  readonly selection: Selection
  readonly state: string
  /** Comes before all writes, and shows these instead, which were undone: they are carried out and taken back. */
  readonly after?: readonly MemberWrite[]
}

/** A member or a page that a step is about: the id of a page is empty. */
export interface StepName extends MemberName {
  readonly kind?: TransactionStep['kind']
}

export const nameOfStep = (step: TransactionStep): StepName => {
  const { kind, className } = step
  if (step.kind === 'page') return { kind, className, id: '' }
  return { kind, className, id: step.kind === 'add' ? step.member.id : step.id }
}

export const isWrite = (step: TransactionStep): step is MemberWrite =>
  step.kind !== 'read' && step.kind !== 'page'

/** The key of a member in locks and maps. The name of a class has no slash. */
export const keyOfMember = ({ className, id }: MemberName): string => `${className}/${id}`

/** The outcome of a change without the content, which the caller knows. */
export type ChangedVersion =
  | Exclude<ChangeOutcome, { readonly outcome: 'changed' }>
  | { readonly outcome: 'changed'; readonly version: number }

/** Nothing was written, and what a transaction has read is unchanged. */
export interface CheckOutcome {
  readonly outcome: 'unchanged'
}

export type WriteOutcome = AddOutcome | ChangedVersion | RemoveOutcome | UnlinkOutcome | CheckOutcome

const DONE: readonly WriteOutcome['outcome'][] = ['added', 'changed', 'removed', 'unlinked', 'unchanged']

/** Whether the write was carried out. */
export const isDone = ({ outcome }: WriteOutcome): boolean => DONE.includes(outcome)

/** A link to one of several members of a class, as the index of links has it. `property`: as in `Link`. */
export interface IndexedLink {
  readonly toId: string
  readonly fromClass: string
  readonly property: string
  readonly fromId: string
}

/** Some links, in order. `next`: where the links after them begin; undefined where there are none. */
export interface LinkPage {
  readonly links: readonly IndexedLink[]
  readonly next: IndexedLink | undefined
}

/** `links`: up to `limit` of them. */
export const toLinkPage = (links: readonly IndexedLink[], limit: number): LinkPage => ({
  links,
  next: links.length < limit ? undefined : links.at(-1),
})

/** What is known of a member without its text. */
export type MemberHead = Pick<StoredMember, 'id' | 'version' | 'owner'>

/** A member that links to another, and its properties that do: paths within embedded values, hidden ones too. */
export interface LinkSource {
  readonly className: string
  readonly id: string
  readonly owner: number | undefined
  readonly properties: readonly string[]
}

/** How many links to a member that cannot be removed are read: there may be a million, and several from one member. */
export const MAX_LINKS_READ = 1_011

export type LinkSourceRow = [className: string, id: string, property: string]

type OwnerOf = (className: string, id: string) => number | undefined

/** Groups links by the member that they come from. */
export function linkedBy(rows: readonly LinkSourceRow[], ownerOf: OwnerOf): Linked {
  const found = Map.groupBy(rows, ([className, id]) => `${className}\n${id}`)
  const from = [...found.values()].map((links) => {
    const [className, id] = links[0] as LinkSourceRow
    const properties = links.map(([, , property]) => property).toSorted()
    return { className, id, owner: ownerOf(className, id), properties }
  })
  return { outcome: 'linked', from, isTruncated: rows.length === MAX_LINKS_READ }
}

/** A key by which links are compared. */
export const linkName = ({ property, className, id }: Link): string => `${property}\n${className}\n${id}`
