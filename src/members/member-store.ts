import type { Awaitable } from '../database/index.ts'
import type { ChangeLog } from './changes.ts'
import type { FollowerStore } from './followers.ts'
import type { HistoryStore } from './history.ts'
import type {
  AddOutcome,
  ChangeOutcome,
  Compute,
  ConstraintFailure,
  IndexedLink,
  Linked,
  LinkPage,
  MemberHead,
  NewMember,
  RemoveOutcome,
  StepName,
  StoredMember,
  TransactionStep,
  WholeText,
  WriteOutcome,
} from './member.ts'
import type { Position, Selection } from './selection.ts'
import type { SummaryRows, SummarySelection } from './summary.ts'

/** Makes the error of a write that the store has refused. */
export type ExplainFailure<Failure> = (failure: Failure) => Awaitable<unknown>

/**
 * The store as writes use it: the store itself, or within a batch or a transaction an overlay of it. `explain`: called if
 * the write turns out to be refused after its outcome was returned, when a transaction is committed.
 */
export interface WriteStore
  extends Pick<MemberStore, 'find' | 'findWithHidden' | 'list' | 'linksTo' | 'findHeads'> {
  add(
    ...args: [...Parameters<MemberStore['add']>, explain?: ExplainFailure<ConstraintFailure>]
  ): Promise<AddOutcome>
  change(
    ...args: [...Parameters<MemberStore['change']>, explain?: ExplainFailure<ConstraintFailure>]
  ): Promise<ChangeOutcome>
  remove(
    ...args: [...Parameters<MemberStore['remove']>, explain?: ExplainFailure<Linked>]
  ): Promise<RemoveOutcome>
}

export interface MemberStore {
  /**
   * Changes with every write to a class, by any process: a result that was computed in the same state is still exact. Undefined if the store does not know.
   */
  state(className: string): Awaitable<string | number | undefined>
  find(className: string, id: string): Awaitable<StoredMember | undefined>
  /** The member with its hidden values. */
  findWithHidden(className: string, id: string): Awaitable<(StoredMember & WholeText) | undefined>
  /**
   * The members that exist, in the order of the ids, which are distinct. Ends with the member at which the texts exceed
   * `bytes`. `owner`: only members of this owner; undefined for all.
   */
  findAll(
    className: string,
    ids: readonly string[],
    bytes: number,
    owner?: number,
  ): Awaitable<readonly StoredMember[]>
  /**
   * The first links to members of a class, in the order of the ids, which are distinct; those to one id in the order of
   * class, property and source. `after`: only those after this link, which leads to the first of the ids.
   */
  linksTo(className: string, ids: readonly string[], limit: number, after?: IndexedLink): Awaitable<LinkPage>
  /** The heads of those members that exist, in any order. */
  findHeads(className: string, ids: readonly string[]): Awaitable<readonly MemberHead[]>
  /** Throws 503 if the selection takes too long; never blocks other requests. */
  list(className: string, selection: Selection): Awaitable<Page>
  /**
   * The server to read from for a request that tolerates data of a second ago; undefined to read here. It has
   * everything that this host has acknowledged.
   */
  standby?(): MemberReads | undefined
  /** Throws 503 if it takes too long; never blocks other requests. */
  summarize(className: string, query: SummarySelection): Awaitable<SummaryRows>
  add(className: string, member: NewMember): Promise<AddOutcome>
  /** Whether calls of `addAll` are carried out in the order in which they are made, and so may be made ahead. */
  readonly addsInOrder?: boolean
  /** In one transaction, for bulk data; a member that is refused does not affect the others. */
  addAll(
    members: readonly { readonly className: string; readonly member: NewMember }[],
  ): Promise<AddOutcome[]>
  /** `expected`: versions that may be changed; undefined for any. If `compute` throws, nothing is changed. */
  change(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    compute: Compute,
  ): Promise<ChangeOutcome>
  /**
   * `expected`: versions that may be removed; undefined for any. `owner`: the required owner; `missing` for another's
   * member. `actor`: as in MemberContent.
   */
  remove(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    owner?: number,
    actor?: number,
  ): Promise<RemoveOutcome>
  /**
   * Carries out the steps in order, in one transaction. Returns the outcomes up to the first step that was not carried out;
   * if there is one, nothing was written. A check that fails is `stale`.
   */
  writeAll(steps: readonly TransactionStep[]): Promise<readonly WriteOutcome[]>
  /**
   * The same for writes that have conflicted with other writers: these members are locked, as `change` locks its member,
   * before `compute` reads them; meanwhile no single write adds a link to one that will be removed, nor writes to a class of
   * which pages are named. `compute` may be called again, and must not wait for another write to them; what it lists after
   * steps, it lists by `listAfter`, which knows the locks.
   */
  writeAllLocked(
    members: readonly StepName[],
    compute: (locked: Pick<MemberStore, 'listAfter'>) => Promise<readonly TransactionStep[]>,
  ): Promise<readonly WriteOutcome[]>
  /** The page as it would be after the steps, or the outcome of the one that cannot be carried out. Nothing is written. */
  listAfter(
    steps: readonly TransactionStep[],
    className: string,
    selection: Selection,
  ): Promise<Page | WriteOutcome>
}

/** Reads of one request, from one server. */
export interface MemberReads extends Pick<MemberStore, 'state' | 'find' | 'list'> {
  /** A state says something only about members of the same server. */
  readonly server: string
  /** Whether the server has failed, so that another one was read: what was read has no state. */
  readonly hasFailed: boolean
}

/** The same reads, some of them in another way. */
export const readOtherwise = (
  reads: MemberReads,
  others: Partial<Pick<MemberStore, 'state' | 'find' | 'list'>>,
): MemberReads => ({
  server: reads.server,
  get hasFailed() {
    return reads.hasFailed
  },
  state: (className) => reads.state(className),
  find: (...asked) => reads.find(...asked),
  list: (...asked) => reads.list(...asked),
  ...others,
})

export interface Page {
  readonly members: readonly StoredMember[]
  /** The number of members that match; undefined if there are more than are counted. */
  readonly total: number | undefined
  /**
   * Whether more members follow, or for `before` precede. If so, and the page has fewer than `limit` members, it was
   * truncated by its size.
   */
  readonly more: boolean
  /** The positions of the first and the last member; undefined for an empty page. */
  readonly edges: { readonly first: Position; readonly last: Position } | undefined
}

export const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

/** The members and the change log of a database. */
export interface OpenMembers {
  readonly members: MemberStore
  readonly changes: ChangeLog
  readonly followers: FollowerStore
  readonly history: HistoryStore
  readonly catchUp: CatchUp
}

/** The members of a class that are being converted to the newest API file in the background. */
export interface ConversionProgress {
  readonly className: string
  /** 100 when all of them are. */
  readonly percent: number
}

export type OnConverting = (progress: ConversionProgress) => void

export interface CatchUp {
  /**
   * Converts members, for some time at most; does nothing while another host works. Returns whether there is more to do.
   * `onConverting`: called as the members of a class in `progress` are converted, and with 100 at the end.
   */
  turn(onConverting?: OnConverting): Promise<boolean>
  /** Breaks off what may take long, such as building an index; a later turn goes on with it. */
  interrupt?(): Promise<void>
  /** Called after the last turn: leaves the work to other hosts. */
  release?(): Promise<void>
  /** The classes whose members this process is converting; on PostgreSQL, as long as new filters have to wait for that. */
  progress(): readonly ConversionProgress[]
}
