import { HttpError } from '../../errors.ts'
import {
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
import type { Work } from './turns.ts'

/** What a batch has not committed has no version yet; no ETag names this one. */
const NO_VERSION = -1
/**
 * The size of a write is not that of its request: a small patch may write a megabyte, and a short member thousands of
 * rows. Other writers wait for the whole batch, so links, values and words count as this many characters each.
 */
const PER_ROW = 256
const PER_WORD = 32

interface Prepared<T> {
  readonly write: MemberWrite
  /** Settled by the commit. */
  readonly result: Promise<T>
}

interface OverlayOptions {
  /** How many characters the operations may write together. */
  readonly most: number
  readonly waitFor: Work['waitFor']
}

/**
 * A store for the operations of one batch. Each sees the effects of those before it, and none of them is written: `writes`
 * has the writes for the store, whose outcomes `settle` takes.
 */
export function createBatchStore(
  store: Pick<MemberStore, 'find' | 'findWithHidden' | 'list'>,
  { most, waitFor }: OverlayOptions,
) {
  /** Members as the batch leaves them; undefined where it removes them. */
  const effects = new Map<string, (StoredMember & WholeText) | undefined>()
  const queue: { readonly write: MemberWrite; readonly settle: (outcome: WriteOutcome) => void }[] = []
  let length = 0
  let lastFound: StoredMember | undefined
  let onQueued: (write: MemberWrite) => void = () => {}
  const keyOf = (className: string, id: string): string => keyOfMember({ className, id })

  /** `toResult` turns the outcome of the commit into what the method of the store would have returned. */
  function enqueue<T>(write: MemberWrite, toResult: (outcome: WriteOutcome) => T): Promise<T> {
    if (length > most)
      throw new HttpError(
        413,
        'The members that this batch writes are too long together; send several batches.',
      )
    return new Promise((resolve) => {
      queue.push({ write, settle: (outcome) => resolve(toResult(outcome)) })
      onQueued(write)
    })
  }

  function addEffect(className: string, member: StoredMember & MemberContent): void {
    const { id, body, baseUrlOffsets, hidden, owner, links, keys } = member
    const rows = keys.values.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0)
    length += body.length + hidden.length + PER_ROW * (links.length + rows) + PER_WORD * keys.words.length
    effects.set(keyOf(className, id), { id, version: NO_VERSION, body, baseUrlOffsets, hidden, owner })
  }

  const within: WriteStore = {
    async find(className, id) {
      const key = keyOf(className, id)
      lastFound = effects.has(key) ? effects.get(key) : await waitFor(store.find(className, id))
      return lastFound
    },
    findWithHidden(className, id) {
      const key = keyOf(className, id)
      return effects.has(key) ? effects.get(key) : waitFor(store.findWithHidden(className, id))
    },
    // Called for a single resource, whose id may be a former name of its class, and for unique values in an invalid body.
    async list(className, selection) {
      const page = await waitFor(store.list(className, selection))
      return { ...page, members: page.members.filter(({ id }) => !effects.has(keyOf(className, id))) }
    },
    add(className, member) {
      addEffect(className, { ...member, owner: member.owner, version: NO_VERSION })
      return enqueue({ kind: 'add', className, member }, (outcome) => outcome as never)
    },
    async change(className, id, expected, compute) {
      const key = keyOf(className, id)
      const isOwn = effects.has(key)
      const current = await within.findWithHidden(className, id)
      if (current === undefined) return { outcome: 'missing' }
      const { version, owner } = current
      if (expected?.includes(version) === false) return { outcome: 'stale', version }
      const written = compute(current)
      addEffect(className, { ...written, id, version: NO_VERSION, owner })
      const write = { kind: 'change', className, id, expected: isOwn ? undefined : version, written } as const
      const { body, baseUrlOffsets } = written
      return enqueue(write, (outcome) =>
        outcome.outcome === 'changed' && 'version' in outcome
          ? { outcome: 'changed', member: { id, version: outcome.version, body, baseUrlOffsets, owner } }
          : (outcome as never),
      )
    },
    remove(className, id, expected, owner) {
      effects.set(keyOf(className, id), undefined)
      const baseUrlOffsets = lastFound?.baseUrlOffsets ?? ''
      length += PER_ROW * (baseUrlOffsets === '' ? 0 : baseUrlOffsets.split(',').length)
      return enqueue({ kind: 'remove', className, id, expected, owner }, (outcome) => outcome as never)
    },
  }

  return {
    /** Runs an operation up to its write. */
    async prepare<T>(run: (within: WriteStore) => Promise<T>): Promise<Prepared<T>> {
      const queued = Promise.withResolvers<MemberWrite>()
      onQueued = queued.resolve
      const result = run(within)
      // Nothing awaits the result of a batch that is prepared anew; a failure after the commit is seen there.
      result.catch(() => {})
      const write = await Promise.race([queued.promise, result.then(() => queued.promise)])
      return { write, result }
    },
    get writes(): readonly MemberWrite[] {
      return queue.map(({ write }) => write)
    },
    /**
     * True: all is written, or else nothing, and the result of the one operation that the store has refused is settled
     * alone. False: another writer was faster, and all operations have to be prepared anew.
     */
    settle(outcomes: readonly WriteOutcome[]): boolean {
      const last = outcomes.at(-1)
      if (last === undefined || isDone(last)) {
        for (const [index, outcome] of outcomes.entries()) queue[index]?.settle(outcome)
        return true
      }
      if (last.outcome !== 'refused' && last.outcome !== 'linked') return false
      queue[outcomes.length - 1]?.settle(last)
      return true
    },
  }
}
