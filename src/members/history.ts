import type { Awaitable } from '../database/index.ts'
import type { Change } from './changes.ts'
import type { Link, MemberName, StoredMember, WholeText } from './member.ts'

// The history of members (history.md). Only classes that keep a history have entries.

/** An entry without its text. */
export interface EntryHead extends Pick<Change, 'kind' | 'actor' | 'at'> {
  /** The version that the change gave the member; a removal takes one too. */
  readonly version: number
}

/**
 * The member as it was after the change; for a removal, as it was last. An entry never changes, except that a migration
 * converts it like a member.
 */
export interface HistoryEntry extends EntryHead, StoredMember, WholeText {
  /** Its links, as they are stored (`linksText`); present where it may have the form of another API file. */
  readonly storedLinks?: string
}

/** An entry with those beside it. */
export interface PlacedEntry extends HistoryEntry {
  readonly previous: EntryHead | undefined
  readonly next: EntryHead | undefined
}

/**
 * How many of the newest entries of a member are found by their times in any order: a clock may have been ahead while some
 * were written (authentication.md, Time). Among older ones the entry at a time is found by bisection, since there may be
 * any number of them.
 */
export const FOUND_IN_ANY_ORDER = 1_000

/** Some entries, newest first. */
export interface EntryRange {
  /** Only entries with a lower version. */
  readonly before?: number | undefined
  readonly limit: number
}

/** The history of members. An entry is written in the transaction of its change. */
export interface HistoryStore {
  /** The entries of a member, which may be gone. Ends with the entry at which the texts exceed `bytes`. */
  list(member: MemberName, range: EntryRange, bytes: number): Awaitable<readonly HistoryEntry[]>
  /** The same without their texts. */
  heads(member: MemberName, range: EntryRange): Awaitable<readonly EntryHead[]>
  find(member: MemberName, version: number): Awaitable<PlacedEntry | undefined>
  /** The last entry with a time up to this one, which is inclusive. */
  findAt(member: MemberName, time: number): Awaitable<PlacedEntry | undefined>
  /** The first removal of the member from a version on, which is inclusive: that of the member as it was then. */
  removalFrom(member: MemberName, version: number): Awaitable<HistoryEntry | undefined>
  /** The first entry that is kept. */
  first(member: MemberName): Awaitable<EntryHead | undefined>
  /**
   * The last removals of members that are gone, newest first: each can be brought back. `owner`: only members of this
   * owner; undefined for all. Ends with the entry at which the texts exceed `bytes`.
   */
  removed(
    className: string,
    range: EntryRange & { readonly owner?: number | undefined },
    bytes: number,
  ): Awaitable<readonly HistoryEntry[]>
  /**
   * Adds entries from elsewhere in the order in which they were made, with their times; each gets a new version. Before
   * the member itself is added.
   */
  add(className: string, entries: readonly ImportedEntry[]): Promise<void>
  /** Removes the entries of a member up to a version, which is inclusive: those of a member that was not added after all. */
  remove(member: MemberName, last: number): Promise<void>
  /** Removes up to `limit` entries that need not be kept any more. Returns whether there may be more. */
  sweep(now: number, limit: number): Promise<boolean>
}

export type ImportedEntry = Omit<HistoryEntry, 'version'>

type LinkColumns = [property: string, className: string, id: string]

/** The links of an entry as it is stored with them, for migrations; empty if there are none. */
export const linksText = (links: readonly Link[]): string =>
  links.length === 0
    ? ''
    : JSON.stringify(links.map(({ property, className, id }): LinkColumns => [property, className, id]))

export const readLinks = (text: string): Link[] =>
  text === ''
    ? []
    : (JSON.parse(text) as LinkColumns[]).map(([property, className, id]) => ({ property, className, id }))
