import {
  type ChangeOutcome,
  type IndexedLink,
  isDone,
  keyOfMember,
  type Link,
  type MemberContent,
  type MemberName,
  type MemberStore,
  type MemberWrite,
  nameOfWritten,
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
/** For each member that goes, or changes, with another: nothing of it is in the request. */
const PER_OTHER = 4_096

type StoreBelow = Pick<MemberStore, 'find' | 'findWithHidden' | 'findHeads' | 'linksTo' | 'list'>

/** A member as the batch leaves it. */
type Effect = StoredMember & WholeText & { readonly links: readonly Link[] }

interface BatchedWrite<T> {
  readonly write: MemberWrite
  /** Settled by the commit. */
  readonly result: Promise<T>
}

interface QueuedWrite {
  readonly write: MemberWrite
  readonly settle: (outcome: WriteOutcome) => void
}

/** Thrown where a member has changed since the plan of a removal, which is then made anew, and never seen outside. */
export const CHANGED_MEANWHILE = new Error('A member has changed since it was read.')

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
  /** Members as the batch leaves them; undefined for those that it removes. */
  readonly #effects = new Map<string, Effect | undefined>()
  /** The links of these members, by the member that they lead to, then by name. */
  readonly #ownLinks = new Map<string, Map<string, IndexedLink>>()
  readonly #queue: QueuedWrite[] = []
  /** Members whose removal was planned: a link to one of them has come since then. */
  readonly #planned = new Set<string>()
  #length = 0
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
      this.#length += PER_OTHER
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
    const isLinkedSince = failed !== undefined && this.#planned.has(keyOfMember(nameOfWritten(failed.write)))
    if (last.outcome !== 'refused' && (last.outcome !== 'linked' || isLinkedSince)) return false
    failed?.settle(last)
    return true
  }

  /** The store as an operation sees it. */
  readonly #within: WriteStore = {
    find: async (className, id) => {
      const key = keyOfMember({ className, id })
      const isOwn = this.#effects.has(key)
      const member = isOwn ? this.#effects.get(key) : await this.#waitFor(this.#store.find(className, id))
      this.#lastFound = { key, member }
      return member
    },
    findWithHidden: (className, id) => {
      const key = keyOfMember({ className, id })
      if (this.#effects.has(key)) return this.#effects.get(key)
      return this.#waitFor(this.#store.findWithHidden(className, id))
    },
    findHeads: async (className, ids) => {
      const effects = ids.flatMap((id) => this.#effects.get(keyOfMember({ className, id })) ?? [])
      const others = ids.filter((id) => !this.#effects.has(keyOfMember({ className, id })))
      if (others.length === 0) return effects
      return [...effects, ...(await this.#waitFor(this.#store.findHeads(className, others)))]
    },
    linksTo: async (className, ids, limit, after) => {
      const page = await this.#waitFor(this.#store.linksTo(className, ids, limit, after))
      const isUnchanged = (link: IndexedLink) =>
        !this.#effects.has(keyOfMember({ className: link.fromClass, id: link.fromId }))
      const links = page.links.filter(isUnchanged)
      if (after !== undefined) return { ...page, links }
      // Those of members that the batch has written.
      const own = ids.flatMap((id) => [
        ...(this.#ownLinks.get(keyOfMember({ className, id }))?.values() ?? []),
      ])
      return { ...page, links: [...own, ...links] }
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
    remove: (className, id, versions, owner, actor) => {
      const key = keyOfMember({ className, id })
      const expected = this.#effects.has(key) ? undefined : versions
      this.#setEffect({ className, id }, undefined)
      const found = this.#lastFound?.key === key ? this.#lastFound.member : undefined
      const baseUrlOffsets = found?.baseUrlOffsets ?? ''
      this.#length += PER_ROW * (baseUrlOffsets === '' ? 0 : baseUrlOffsets.split(',').length)
      const write = { kind: 'remove', className, id, expected, owner, actor } as const
      return this.#enqueue(write, (outcome) => outcome as never)
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
    const effect = { id, version: NO_VERSION, body, baseUrlOffsets, hidden, owner, links }
    this.#setEffect({ className, id }, effect)
  }

  #setEffect({ className, id }: MemberName, effect: Effect | undefined): void {
    const key = keyOfMember({ className, id })
    const nameOf = (link: Link) => `${key} ${link.property}`
    for (const link of this.#effects.get(key)?.links ?? [])
      this.#ownLinks.get(keyOfMember(link))?.delete(nameOf(link))
    for (const link of effect?.links ?? []) {
      const known = this.#ownLinks.get(keyOfMember(link)) ?? new Map<string, IndexedLink>()
      this.#ownLinks.set(keyOfMember(link), known)
      known.set(nameOf(link), {
        ...{ toId: link.id, fromClass: className, property: link.property, fromId: id },
      })
    }
    this.#effects.set(key, effect)
  }
}
