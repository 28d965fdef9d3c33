import type { Added, NewMember } from '../store.ts'
import { LONGEST_WAIT_MS, retrying } from './contention.ts'
import { busy, isUndone } from './errors.ts'
import type { WrittenClass, WrittenMember } from './links.ts'

/** While one batch waits for the disk, another may be on its way. */
const MOST_BATCHES = 2
/** So many share a commit at most, and so many characters: the others have to wait for all the words of a long one. */
const BATCH = { count: 128, length: 200_000 }

/** Where it throws, members without an outcome were not added, unless the connection broke. */
type Together = (
  cls: WrittenClass,
  batch: readonly WrittenMember[],
  outcomes: Map<WrittenMember, Added>,
) => Promise<void>

interface Job extends WrittenMember {
  readonly since: number
  readonly resolve: (added: Added | Promise<Added>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Members of one class that are to be added while others are being added share the next commit, and each is acknowledged
 * after the commit that contains it. One failure does not touch the others. `since`: when it was asked for.
 */
export function createGroupCommit(
  together: Together,
): (cls: WrittenClass, member: NewMember, since: number) => Promise<Added> {
  /** What may begin; the class whose turn it is comes first. */
  const ready = new Map<WrittenClass, Job[]>()
  let underWay = 0
  let scheduled = false

  /** In the next turn of the event loop, so that all members of this one share a commit. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (underWay < MOST_BATCHES) {
        const [first] = ready
        if (first === undefined) return
        start(...first)
      }
    })
  }

  function start(cls: WrittenClass, jobs: Job[]): void {
    const [batch = []] = batchesOf(jobs, lengthOf, BATCH)
    ready.delete(cls)
    if (jobs.length > batch.length) ready.set(cls, jobs.slice(batch.length))
    underWay++
    carryOut(cls, batch.filter(isInTime)).finally(() => {
      underWay--
      schedule()
    })
  }

  /** Never rejects. What is added alone is not waited for: it may have to wait for other writers. */
  async function carryOut(cls: WrittenClass, batch: readonly Job[]): Promise<void> {
    if (batch.length === 0) return
    const outcomes = new Map<WrittenMember, Added>()
    const fault: unknown = await together(cls, batch, outcomes).catch((error: unknown) => error)
    for (const job of batch) {
      const outcome = outcomes.get(job)
      if (outcome !== undefined) job.resolve(outcome)
      else if (isUndone(fault)) job.resolve(retrying(() => alone(cls, job)))
      else job.reject(fault)
    }
  }

  async function alone(cls: WrittenClass, job: Job): Promise<Added> {
    const outcomes = new Map<WrittenMember, Added>()
    await together(cls, [job], outcomes)
    return outcomes.get(job) as Added
  }

  return (cls, member, since) =>
    new Promise((resolve, reject) => {
      const job = { member, sequence: null, version: null, since, resolve, reject }
      const jobs = ready.get(cls)
      if (jobs === undefined) ready.set(cls, [job])
      else jobs.push(job)
      schedule()
    })
}

function isInTime({ since, reject }: Job): boolean {
  const isSo = performance.now() - since < LONGEST_WAIT_MS
  if (!isSo) reject(busy())
  return isSo
}

export const lengthOf = ({ member }: WrittenMember): number => member.body.length + member.hidden.length

/** So many items at most, and so much of them together unless one alone is more. */
export function* batchesOf<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  most: { readonly count: number; readonly length: number },
): Generator<T[]> {
  let batch: T[] = []
  let length = 0
  for (const item of items) {
    const more = lengthOf(item)
    if (batch.length === most.count || (batch.length > 0 && length + more > most.length)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(item)
    length += more
  }
  if (batch.length > 0) yield batch
}
