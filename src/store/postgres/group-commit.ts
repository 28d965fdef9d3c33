import type { Added, NewMember } from '../store.ts'
import type { Addition } from './add-statement.ts'
import { addTogether, claimsOf } from './adding.ts'
import type { WrittenClass } from './class-writing.ts'
import { type Claims, createOrdering } from './ordering.ts'
import type { Writing } from './pool.ts'
import { busy, isUndone, retrying } from './retrying.ts'

/** While one batch waits for the disk, another may be on its way. */
const LANES = 2
/**
 * From so many on, or after so long: what a statement costs by itself is worth several members, so few of them rather
 * wait for the one that is under way.
 */
const WORTH_A_LANE = 8
const WORTH_A_LANE_MS = 5
/** So many share a statement and a commit at most. */
const BATCH = 128
/** And so many characters; whoever has more goes alone, since the others have to wait for all of its words. */
const BATCH_LENGTH = 200_000
/** Nothing is begun later, so that all hear within 3 s what has become of it, also where the database is silent. */
const LONGEST_WAIT_MS = 1_000

interface Job extends Addition, Claims {
  readonly cls: WrittenClass
  readonly since: number
  readonly resolve: (added: Added) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: members of a class that are added while earlier ones are under way share the next statement, and each is
 * acknowledged after the commit that contains it. Members that have to do with each other are added one after the other,
 * in the order in which they came.
 */
export function createAddLanes(writing: Writing): (cls: WrittenClass, member: NewMember) => Promise<Added> {
  const ordering = createOrdering<Job>()
  /** What may begin, by class; the class whose turn it is comes first. */
  const ready = new Map<WrittenClass, Job[]>()
  let busyLanes = 0
  let scheduled = false
  let looksAgain = false

  function enqueue(job: Job): void {
    const jobs = ready.get(job.cls)
    if (jobs === undefined) ready.set(job.cls, [job])
    else jobs.push(job)
  }

  /** In the next turn of the event loop, so that whoever asks in this one shares a statement. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (busyLanes < LANES) {
        const [first] = ready
        if (first === undefined) return
        if (busyLanes > 0 && !isWorthALane(first[1])) {
          lookAgain()
          return
        }
        start(...first)
      }
    })
  }

  function lookAgain(): void {
    if (looksAgain) return
    looksAgain = true
    setTimeout(() => {
      looksAgain = false
      schedule()
    }, WORTH_A_LANE_MS)
  }

  function start(cls: WrittenClass, jobs: Job[]): void {
    const batch = jobs.splice(0, sizeOf(jobs))
    ready.delete(cls)
    if (jobs.length > 0) ready.set(cls, jobs)
    busyLanes++
    carryOut(cls, batch.filter(isInTime)).finally(() => {
      busyLanes--
      schedule()
    })
  }

  /** Whoever has waited too long is told so instead. */
  function isInTime(job: Job): boolean {
    if (performance.now() - job.since < LONGEST_WAIT_MS) return true
    end(job, () => job.reject(busy()))
    return false
  }

  /**
   * Never rejects. Where a batch fails as a whole, each is tried alone, and only the one at fault hears of it; beside the
   * lanes, since it may have to wait for somebody.
   */
  async function carryOut(cls: WrittenClass, batch: readonly Job[]): Promise<void> {
    if (batch.length === 0) return
    const left = new Set(batch)
    try {
      await addTogether(writing, cls, batch, (job, added) => {
        left.delete(job)
        end(job, () => job.resolve(added))
      })
    } catch (error) {
      for (const job of left) {
        if (isUndone(error)) carryOutAlone(cls, job)
        else end(job, () => job.reject(error))
      }
    }
  }

  async function carryOutAlone(cls: WrittenClass, job: Job): Promise<void> {
    try {
      await retrying(() => addTogether(writing, cls, [job], (_, added) => end(job, () => job.resolve(added))))
    } catch (error) {
      end(job, () => job.reject(error))
    }
  }

  function end(job: Job, tell: () => void): void {
    tell()
    for (const next of ordering.leave(job)) enqueue(next)
    schedule()
  }

  return (cls, member) =>
    new Promise((resolve, reject) => {
      const job: Job = {
        cls,
        member,
        sequence: null,
        since: performance.now(),
        ...claimsOf(cls, member),
        resolve,
        reject,
      }
      if (ordering.enter(job)) enqueue(job)
      schedule()
    })
}

const isWorthALane = (jobs: readonly Job[]): boolean =>
  jobs.length >= WORTH_A_LANE || performance.now() - (jobs[0]?.since ?? 0) >= WORTH_A_LANE_MS

/** How many of them share a statement. */
function sizeOf(jobs: readonly Job[]): number {
  let length = 0
  const end = jobs.findIndex(({ member }, index) => {
    length += member.body.length + member.hidden.length
    return index === BATCH || (index > 0 && length > BATCH_LENGTH)
  })
  return end === -1 ? jobs.length : end
}
