import { HttpError } from '../../errors.ts'
import {
  isDone,
  type MemberContent,
  type MemberStore,
  type MemberWrite,
  type StoredMember,
  type WholeText,
  type WriteOutcome,
} from '../../store/index.ts'
import type { Write } from '../resource.ts'

/** No ETag names it: what a batch has written and not committed has no version yet. */
const NO_VERSION = 0
/**
 * A small patch may stand for a megabyte that is written, and a short member for thousands of rows: links, values and
 * words count as so many characters, by what they cost, since other writers wait for the whole batch.
 */
const PER_ROW = 256
const PER_WORD = 32

interface Prepared<T> {
  /** What it will write. */
  readonly write: MemberWrite
  /** Settled by the commit. */
  readonly result: Promise<T>
}

/**
 * A store for the operations of one batch. Each sees the effects of those before it, and none of them is written before
 * `commit`, which writes all or nothing. `most`: how many characters they may write together.
 */
export function createBatchStore(store: MemberStore, most: number) {
  /** Members as the batch leaves them; undefined where it removes them. */
  const effects = new Map<string, (StoredMember & WholeText) | undefined>()
  const queue: { readonly write: MemberWrite; readonly settle: (outcome: WriteOutcome) => void }[] = []
  let length = 0
  let lastFound: StoredMember | undefined
  let onQueued: (write: MemberWrite) => void = () => {}
  const keyOf = (className: string, id: string): string => `${className}/${id}`

  /** `toResult`: the outcome of the commit as the store's own methods would say it. */
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

  function keep(className: string, member: StoredMember & MemberContent): void {
    const { id, body, holes, hidden, owner, links, keys } = member
    const rows = keys.values.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0)
    length += body.length + hidden.length + PER_ROW * (links.length + rows) + PER_WORD * keys.words.length
    effects.set(keyOf(className, id), { id, version: NO_VERSION, body, holes, hidden, owner })
  }

  const within: Write['store'] = {
    async find(className, id) {
      const key = keyOf(className, id)
      lastFound = effects.has(key) ? effects.get(key) : await store.find(className, id)
      return lastFound
    },
    findWithHidden(className, id) {
      const key = keyOf(className, id)
      return effects.has(key) ? effects.get(key) : store.findWithHidden(className, id)
    },
    // Of a single resource, whose id may be a former name of its class.
    async list(className, selection) {
      const page = await store.list(className, selection)
      return { ...page, members: page.members.filter(({ id }) => !effects.has(keyOf(className, id))) }
    },
    add(className, member) {
      keep(className, { ...member, owner: member.owner, version: NO_VERSION })
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
      keep(className, { ...written, id, version: NO_VERSION, owner })
      const write = { kind: 'change', className, id, expected: isOwn ? undefined : version, written } as const
      const { body, holes } = written
      return enqueue(write, (outcome) =>
        outcome.outcome === 'changed' && 'version' in outcome
          ? { outcome: 'changed', member: { id, version: outcome.version, body, holes, owner } }
          : (outcome as never),
      )
    },
    remove(className, id, expected, owner) {
      effects.set(keyOf(className, id), undefined)
      const holes = lastFound?.holes ?? ''
      length += PER_ROW * (holes === '' ? 0 : holes.split(',').length)
      return enqueue({ kind: 'remove', className, id, expected, owner }, (outcome) => outcome as never)
    },
  }

  return {
    /** Runs an operation up to its write. */
    async prepare<T>(run: (within: Write['store']) => Promise<T>): Promise<Prepared<T>> {
      const queued = Promise.withResolvers<MemberWrite>()
      onQueued = queued.resolve
      const result = run(within)
      // It may fail after the commit, which tells of it, or be given up.
      result.catch(() => {})
      const write = await Promise.race([queued.promise, result.then(() => queued.promise)])
      return { write, result }
    },
    /**
     * False where another writer was faster than one of the operations: all are to be prepared anew. Otherwise the place
     * of the operation that the store has refused, and nothing is written; or undefined, and all is.
     */
    async commit(): Promise<false | number | undefined> {
      const outcomes = queue.length === 0 ? [] : await store.writeAll(queue.map(({ write }) => write))
      const last = outcomes.at(-1)
      if (last !== undefined && !isDone(last)) {
        if (last.outcome !== 'refused' && last.outcome !== 'linked') return false
        queue[outcomes.length - 1]?.settle(last)
        return outcomes.length - 1
      }
      for (const [place, outcome] of outcomes.entries()) queue[place]?.settle(outcome)
      return undefined
    },
  }
}
