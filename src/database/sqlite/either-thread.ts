import { performance } from 'node:perf_hooks'
import type { StartThread, Thread, ThreadReply } from '../../channel.ts'
import type { GroupCommit, WriteJob } from './commands.ts'

/** Commits on the thread that answers requests. */
export interface CommitsHere {
  /** Undefined while no write must run on this thread: the disk is slow, or the log waits for a checkpoint. */
  find(): GroupCommit | undefined
  /** Called after each transaction, before its reply is passed on. */
  onCommit(): void
}

/**
 * Carries out a small write on this thread if nothing else is under way, which saves waking two threads: half of the
 * time of a write. All other writes go to the write thread, so that no reader waits for a disk or a lock.
 */
export const onEitherThread =
  (startThread: StartThread<WriteJob>, here: CommitsHere): StartThread<WriteJob> =>
  (onReplies, onEnd) => {
    let thread: Thread<WriteJob> | undefined
    /** Jobs that the write thread has not replied to: a later write must not overtake them. */
    let pending = 0
    const isQuiet = createQuietCheck()

    function sendToThread(jobs: readonly WriteJob[]): void {
      thread ??= startThread((replies) => {
        pending -= replies.length
        onReplies(replies)
      }, onEnd)
      pending += jobs.length
      thread.send(jobs)
    }

    function findHere(): GroupCommit | undefined {
      try {
        return here.find()
      } catch {
        // The log cannot be read. No write has begun: the write thread tries, and reports what is wrong.
        return undefined
      }
    }

    /** Whether it was carried out. */
    function carryOutHere(job: WriteJob): boolean {
      const commits = findHere()
      if (commits === undefined) return false
      commits.add([job])
      let waiting: readonly WriteJob[]
      let replies: readonly ThreadReply[]
      try {
        replies = commits.commitNext()
      } finally {
        // Also after an error: a write that was answered must not be made with the next one.
        waiting = commits.takeWaiting()
      }
      // Another process has the lock, for which this thread does not wait, or the write may take long.
      if (waiting.length > 0) return false
      here.onCommit()
      onReplies(replies)
      return true
    }

    return {
      send(jobs) {
        const [job] = jobs
        const mayBeHere = isQuiet() && pending === 0 && jobs.length === 1 && job?.isSmall === true
        if (!mayBeHere || !carryOutHere(job)) sendToThread(jobs)
      },
      unref: () => thread?.unref(),
      close: async () => thread?.close(),
    }
  }

/** The events of one client's request: a connection, its head and its body, and the reply of a thread. */
const EVENTS_OF_ONE = 4

/** Whether this thread has had little else to do since the last call. */
function createQuietCheck(): () => boolean {
  let seen = 0
  return () => {
    const { events } = performance.nodeTiming.uvMetricsInfo
    const isQuiet = events - seen <= EVENTS_OF_ONE
    seen = events
    return isQuiet
  }
}

/** How long commits take on this disk, in memory that all threads share. One thread commits at a time. */
export interface CommitTimes {
  /** Runs a commit. */
  measure(commit: () => void): void
  /** Whether they are short enough for a thread that also answers requests. */
  areShort(): boolean
}

/** Plain data, which can be sent to threads: the average of the latest commits, in microseconds. */
export type SharedTimes = Int32Array

const SHORT_US = 1_000
/** One long commit, such as one with a checkpoint, is not enough to call the disk slow; two in a row are. */
const LONGEST_COUNTED_US = 4 * SHORT_US
/** After a commit of this length, or one that fails, the disk counts as slow at once. */
const VERY_LONG_US = 20 * SHORT_US
const SHARE = 1 / 8

/** A disk counts as slow until about eight commits have been short. */
export const newSharedTimes = (): SharedTimes => new Int32Array(new SharedArrayBuffer(4)).fill(2 * SHORT_US)

export const createCommitTimes = (shared: SharedTimes, now = () => performance.now()): CommitTimes => ({
  measure(commit) {
    const started = now()
    let isSlow = true
    try {
      commit()
      isSlow = (now() - started) * 1_000 > VERY_LONG_US
    } finally {
      const average = Atomics.load(shared, 0)
      const counted = Math.min((now() - started) * 1_000, LONGEST_COUNTED_US)
      Atomics.store(shared, 0, isSlow ? LONGEST_COUNTED_US : average + (counted - average) * SHARE)
    }
  },
  areShort: () => Atomics.load(shared, 0) < SHORT_US,
})
