import { batchesOf } from './arrays.ts'
import { busy, isUndone, LONGEST_WAIT_MS } from './contention.ts'

/** While one batch waits for the disk, another may be on its way. */
const MOST_BATCHES = 2
/**
 * A second batch begins with so many, or after so long: what a statement costs by itself is worth several members, so few
 * of them rather wait for the batch that is under way.
 */
const WORTH_A_BATCH = 8
const WORTH_A_BATCH_MS = 5
/** So many share a commit at most, and so many characters: the others have to wait for all the words of a long one. */
const BATCH = { count: 128, length: 200_000 }

export interface GroupCommitParts<Group, Work, Result> {
  /**
   * Carries out a batch, and tells what has become of each as soon as that is certain. Where it throws, those of which
   * nothing was told were not carried out, unless the connection broke.
   */
  together(group: Group, batch: readonly Work[], tell: (work: Work, result: Result) => void): Promise<void>
  /** For each of which nothing was told. */
  alone(group: Group, work: Work): Promise<Result>
  lengthOf(work: Work): number
  /** No request waits: work may wait as long as it takes. */
  readonly bulk: boolean
}

interface Job<Work, Result> {
  readonly work: Work
  readonly since: number
  readonly resolve: (result: Result | Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Work of one group that is asked for while earlier work is under way shares the next commit, and each is acknowledged
 * after the commit that contains it. One failure does not touch the others. `since`: when it was asked for.
 */
export function createGroupCommit<Group, Work, Result>({
  together,
  alone,
  lengthOf,
  bulk,
}: GroupCommitParts<Group, Work, Result>): (group: Group, work: Work, since: number) => Promise<Result> {
  /** What may begin; the group whose turn it is comes first. */
  const ready = new Map<Group, Job<Work, Result>[]>()
  let underWay = 0
  let scheduled = false
  let looksAgain = false

  /** In the next turn of the event loop, so that all work of this one shares a commit. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (underWay < MOST_BATCHES) {
        const [first] = ready
        if (first === undefined) return
        if (underWay > 0 && !isWorthABatch(first[1])) return lookAgain()
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
    }, WORTH_A_BATCH_MS)
  }

  function start(group: Group, jobs: Job<Work, Result>[]): void {
    const [batch = []] = batchesOf(jobs, ({ work }) => lengthOf(work), BATCH)
    jobs.splice(0, batch.length)
    ready.delete(group)
    if (jobs.length > 0) ready.set(group, jobs)
    underWay++
    carryOut(group, batch.filter(isInTime)).finally(() => {
      underWay--
      schedule()
    })
  }

  function isInTime({ since, reject }: Job<Work, Result>): boolean {
    if (bulk || performance.now() - since < LONGEST_WAIT_MS) return true
    reject(busy())
    return false
  }

  /** Never rejects. What is carried out alone is not waited for: it may have to wait for other writers. */
  async function carryOut(group: Group, batch: readonly Job<Work, Result>[]): Promise<void> {
    if (batch.length === 0) return
    const left = new Map(batch.map((job) => [job.work, job]))
    let fault: unknown
    try {
      await together(group, [...left.keys()], (work, result) => {
        left.get(work)?.resolve(result)
        left.delete(work)
      })
    } catch (error) {
      fault = error
    }
    for (const { work, resolve, reject } of left.values()) {
      if (fault === undefined || isUndone(fault)) resolve(alone(group, work))
      else reject(fault)
    }
  }

  return (group, work, since) =>
    new Promise((resolve, reject) => {
      const job = { work, since, resolve, reject }
      const jobs = ready.get(group)
      if (jobs === undefined) ready.set(group, [job])
      else jobs.push(job)
      schedule()
    })
}

const isWorthABatch = (jobs: readonly { readonly since: number }[]): boolean =>
  jobs.length >= WORTH_A_BATCH || performance.now() - (jobs[0]?.since ?? 0) >= WORTH_A_BATCH_MS
