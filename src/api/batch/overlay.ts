import {
  type ChangeOutcome,
  isDone,
  keyOfMember,
  type MemberContent,
  type MemberStore,
  type MemberWrite,
  type StoredMember,
  type WholeText,
  type WriteOutcome,
  type WriteStore,
} from '../../members/index.ts'
import { apiProblem } from '../problems/index.ts'
import type { Work } from './turns.ts'

/** The version of a member that the batch has not committed yet; no ETag has this version. */
const NO_VERSION = -1
/**
 * The size of a write is not that of its request: a small patch may write a megabyte, and a short member thousands of
 * rows. Other writers wait for the whole batch, so links, values and words count as this many characters each.
 */
const PER_ROW = 256
const PER_WORD = 32

interface BatchedWrite<T> {
  readonly write: MemberWrite
  /** Settled by the commit. */
  readonly result: Promise<T>
}

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
  readonly #store: Pick<MemberStore, 'find' | 'findWithHidden' | 'list'>
  readonly #most: number
  readonly #waitFor: Work['waitFor']
  /** Members as the batch leaves them; undefined for those that it removes. */
  readonly #effects = new Map<string, (StoredMember & WholeText) | undefined>()
  readonly #queue: { readonly write: MemberWrite; readonly settle: (outcome: WriteOutcome) => void }[] = []
  #length = 0
  #lastFound: StoredMember | undefined
  #onQueued: (write: MemberWrite) => void = () => {}

  constructor(
    store: Pick<MemberStore, 'find' | 'findWithHidden' | 'list'>,
    { most, waitFor }: BatchStoreOptions,
  ) {
    this.#store = store
    this.#most = most
    this.#waitFor = waitFor
  }

  /** Runs an operation up to its write. */
  async prepare<T>(run: (within: WriteStore) => Promise<T>): Promise<BatchedWrite<T>> {
    const queued = Promise.withResolvers<MemberWrite>()
    this.#onQueued = queued.resolve
    const result = run(this.#within)
    // When a batch is prepared again, nothing awaits the earlier result; after a commit, its caller sees a failure.
    result.catch(() => {})
    const write = await Promise.race([queued.promise, result.then(() => queued.promise)])
    return { write, result }
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
    if (last.outcome !== 'refused' && last.outcome !== 'linked') return false
    this.#queue[outcomes.length - 1]?.settle(last)
    return true
  }

  /** The store as an operation sees it. */
  readonly #within: WriteStore = {
    find: async (className, id) => {
      const key = keyOfMember({ className, id })
      const isOwn = this.#effects.has(key)
      this.#lastFound = isOwn ? this.#effects.get(key) : await this.#waitFor(this.#store.find(className, id))
      return this.#lastFound
    },
    findWithHidden: (className, id) => {
      const key = keyOfMember({ className, id })
      if (this.#effects.has(key)) return this.#effects.get(key)
      return this.#waitFor(this.#store.findWithHidden(className, id))
    },
    // Called for a single resource, whose id may be a former name of its class, and for unique values in an invalid body.
    list: async (className, selection) => {
      const page = await this.#waitFor(this.#store.list(className, selection))
      const isUnchanged = ({ id }: StoredMember) => !this.#effects.has(keyOfMember({ className, id }))
      return { ...page, members: page.members.filter(isUnchanged) }
    },
    add: (className, member) => {
      this.#addEffect(className, { ...member, owner: member.owner, version: NO_VERSION })
      return this.#enqueue({ kind: 'add', className, member }, (outcome) => outcome as never)
    },
    change: (className, id, expected, compute) => this.#change(className, id, expected, compute),
    remove: (className, id, expected, owner) => {
      this.#effects.set(keyOfMember({ className, id }), undefined)
      const baseUrlOffsets = this.#lastFound?.baseUrlOffsets ?? ''
      this.#length += PER_ROW * (baseUrlOffsets === '' ? 0 : baseUrlOffsets.split(',').length)
      return this.#enqueue({ kind: 'remove', className, id, expected, owner }, (outcome) => outcome as never)
    },
  }

  async #change(
    ...[className, id, expected, compute]: Parameters<WriteStore['change']>
  ): Promise<ChangeOutcome> {
    const isOwn = this.#effects.has(keyOfMember({ className, id }))
    const current = await this.#within.findWithHidden(className, id)
    if (current === undefined) return { outcome: 'missing' }
    const { version, owner } = current
    if (expected?.includes(version) === false) return { outcome: 'stale', version }
    const written = compute(current)
    this.#addEffect(className, { ...written, id, version: NO_VERSION, owner })
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
    if (this.#length > this.#most) throw apiProblem('BatchTooLong')
    return new Promise((resolve) => {
      this.#queue.push({ write, settle: (outcome) => resolve(toResult(outcome)) })
      this.#onQueued(write)
    })
  }

  #addEffect(className: string, member: StoredMember & MemberContent): void {
    const { id, body, baseUrlOffsets, hidden, owner, links, keys } = member
    const rows = keys.values.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0)
    const perMember = PER_ROW * (links.length + rows) + PER_WORD * keys.words.length
    this.#length += body.length + hidden.length + perMember
    this.#effects.set(keyOfMember({ className, id }), {
      id,
      version: NO_VERSION,
      body,
      baseUrlOffsets,
      hidden,
      owner,
    })
  }
}
