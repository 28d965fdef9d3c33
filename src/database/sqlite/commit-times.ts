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
/** After a commit of this length the disk counts as slow at once. */
const VERY_LONG_US = 20 * SHORT_US
const SHARE = 1 / 8

/** A disk counts as slow until about eight commits have been short. */
export const newSharedTimes = (): SharedTimes => new Int32Array(new SharedArrayBuffer(4)).fill(2 * SHORT_US)

export const createCommitTimes = (shared: SharedTimes, now = () => performance.now()): CommitTimes => ({
  measure(commit) {
    const started = now()
    commit()
    const took = (now() - started) * 1_000
    const average = Atomics.load(shared, 0)
    const counted = Math.min(took, LONGEST_COUNTED_US)
    Atomics.store(shared, 0, took > VERY_LONG_US ? LONGEST_COUNTED_US : average + (counted - average) * SHARE)
  },
  areShort: () => Atomics.load(shared, 0) < SHORT_US,
})
