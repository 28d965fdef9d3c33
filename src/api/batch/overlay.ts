import {
  type ChangeOutcome,
  isDone,
  keyOfMember,
  type MemberName,
  type MemberStore,
  type MemberWrite,
  nameOfStep,
  type StoredMember,
  type WriteOutcome,
  type WriteStore,
} from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import { apiProblem } from '../problems/index.ts'
import { Effects } from './effects.ts'
import type { Work } from './turns.ts'

/** The version of a member that the batch has not committed yet; no ETag has this version. */
const NO_VERSION = -1
/** Counted for each other member that is removed or changed: nothing of it is in the request. */
const PER_OTHER = 4_096

type StoreBelow = Pick<MemberStore, 'find' | 'findWithHidden' | 'findHeads' | 'linksTo' | 'list'>

interface BatchedWrite<T> {
  readonly write: MemberWrite
  /** Settled by the commit. */
  readonly result: Promise<T>
}

interface QueuedWrite {
  readonly write: MemberWrite
  readonly settle: (outcome: WriteOutcome) => void
}

/** Thrown if a member has changed since a removal was planned, which is then planned again; never seen outside. */
export const CHANGED_MEANWHILE = new Error('A member has changed since it was read.')

/** For writes that other writers were faster than each time. */
export const concurrentChanges = (): Problem =>
  apiProblem('ConcurrentChanges', { members: 'members', retryAfterSeconds: 1 })

interface BatchStoreOptions {
  /** How many characters the operations may write together. */
  readonly most: number
  readonly waitFor: Work['waitFor']
}

/**
 * A store for the operations of one batch. Each sees the effects of those before it, and none of them is written: `writes`
 * has the writes for the store, whose outcomes `settle` takes.
 */
export class BatchStore {
  readonly #store: StoreBelow
  readonly #most: number
  readonly #waitFor: Work['waitFor']
  /** Members as the batch leaves them. */
  readonly #effects = new Effects()
  readonly #queue: QueuedWrite[] = []
  /** Members whose removal was planned: if the store finds a link to one, it was added since then. */
  readonly #planned = new Set<string>()
  #lastFound: { readonly key: string; readonly member: StoredMember | undefined } | undefined
  #onQueued: (write: MemberWrite) => void = () => {}

  constructor(store: StoreBelow, { most, waitFor }: BatchStoreOptions) {
    this.#store = store
    this.#most = most
    this.#waitFor = waitFor
  }

  /** Runs an operation up to its write; of several writes, those before the last are prepared within it. */
  async prepare<T>(run: (within: WriteStore) => Promise<T>): Promise<BatchedWrite<T>> {
    const queued = Promise.withResolvers<MemberWrite>()
    const onQueuedAround = this.#onQueued
    this.#onQueued = queued.resolve
    const result = run(this.#within)
    // When a batch is prepared again, nothing awaits the earlier result; after a commit, its caller sees a failure.
    result.catch(() => {})
    const write = await Promise.race([queued.promise, result.then(() => queued.promise)])
    // One that fails ends the whole batch.
    this.#onQueued = onQueuedAround
    return { write, result }
  }

  /** Announces the removal of members that may link to each other: the links of all of them are removed first. */
  unlink(members: readonly MemberName[]): void {
    for (const { className, id } of members) {
      this.#effects.length += PER_OTHER
      this.#planned.add(keyOfMember({ className, id }))
      if (members.length > 1) this.#queue.push({ write: { kind: 'unlink', className, id }, settle: () => {} })
    }
  }

  get writes(): readonly MemberWrite[] {
    return this.#queue.map(({ write }) => write)
  }

  /**
   * Returns true if the batch is done: either everything is written, or the store has refused one operation, whose result
   * alone is settled. Returns false if another writer was faster, and all operations have to be prepared again.
   */
  settle(outcomes: readonly WriteOutcome[]): boolean {
    const last = outcomes.at(-1)
    if (last === undefined || isDone(last)) {
      for (const [index, outcome] of outcomes.entries()) this.#queue[index]?.settle(outcome)
      return true
    }
    const failed = this.#queue[outcomes.length - 1]
    const isLinkedSince = failed !== undefined && this.#planned.has(keyOfMember(nameOfStep(failed.write)))
    if (last.outcome !== 'refused' && (last.outcome !== 'linked' || isLinkedSince)) return false
    failed?.settle(last)
    return true
  }

  /** The store as an operation sees it. */
  readonly #within: WriteStore = {
    find: async (className, id) => {
      const name = { className, id }
      const isOwn = this.#effects.has(name)
      const member = isOwn ? this.#effects.get(name) : await this.#waitFor(this.#store.find(className, id))
      this.#lastFound = { key: keyOfMember(name), member }
      return member
    },
    findWithHidden: (className, id) => {
      if (this.#effects.has({ className, id })) return this.#effects.get({ className, id })
      return this.#waitFor(this.#store.findWithHidden(className, id))
    },
    findHeads: async (className, ids) => {
      const { own, others } = this.#effects.among(className, ids)
      if (others.length === 0) return own
      return [...own, ...(await this.#waitFor(this.#store.findHeads(className, others)))]
    },
    linksTo: async (className, ids, limit, after) => {
      const page = await this.#waitFor(this.#store.linksTo(className, ids, limit, after))
      return this.#effects.linksTo(className, ids, page, after === undefined)
    },
    // Called for a single resource, whose id may be a former name of its class, and for unique values in an invalid body.
    list: async (className, selection) => {
      const page = await this.#waitFor(this.#store.list(className, selection))
      const isUnchanged = ({ id }: StoredMember) => !this.#effects.has({ className, id })
      return { ...page, members: page.members.filter(isUnchanged) }
    },
    add: (className, member) => {
      this.#effects.write(className, { ...member, owner: member.owner, version: NO_VERSION })
      return this.#enqueue({ kind: 'add', className, member }, (outcome) => outcome as never)
    },
    change: (className, id, expected, compute) => this.#change(className, id, expected, compute),
    remove: (className, id, versions, owner, actor) => {
      const name = { className, id }
      const expected = this.#effects.has(name) ? undefined : versions
      const isFound = this.#lastFound?.key === keyOfMember(name)
      this.#effects.remove(name, isFound ? this.#lastFound?.member : undefined)
      const write = { kind: 'remove', className, id, expected, owner, actor } as const
      return this.#enqueue(write, (outcome) => outcome as never)
    },
  }

  async #change(
    ...[className, id, expected, compute]: Parameters<WriteStore['change']>
  ): Promise<ChangeOutcome> {
    const isOwn = this.#effects.has({ className, id })
    const current = await this.#within.findWithHidden(className, id)
    if (current === undefined) return { outcome: 'missing' }
    const { version, owner } = current
    if (expected?.includes(version) === false) return { outcome: 'stale', version }
    const written = compute(current)
    this.#effects.write(className, { ...written, id, version: NO_VERSION, owner })
    const write = { kind: 'change', className, id, expected: isOwn ? undefined : version, written } as const
    const { body, baseUrlOffsets } = written
    return this.#enqueue(write, (outcome) =>
      outcome.outcome === 'changed' && 'version' in outcome
        ? { outcome: 'changed', member: { id, version: outcome.version, body, baseUrlOffsets, owner } }
        : (outcome as never),
    )
  }

  /** `toResult` turns the outcome of the commit into what the method of the store would have returned. */
  #enqueue<T>(write: MemberWrite, toResult: (outcome: WriteOutcome) => T): Promise<T> {
    if (this.#effects.length > this.#most) throw apiProblem('BatchTooLong')
    return new Promise((resolve) => {
      this.#queue.push({ write, settle: (outcome) => resolve(toResult(outcome)) })
      this.#onQueued(write)
    })
  }
}
