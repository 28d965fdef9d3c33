import type { StandbyProblem } from '../index.ts'
import type { RunSql } from './pool.ts'
import type { WriteCount } from './write-count.ts'

interface Watched {
  readonly name: string
  readonly run: RunSql
  /** Changes when its connections are replaced: it may have been restarted, and have replayed less than before. */
  readonly generation: () => number
}

interface ReplicaWatchOptions {
  readonly primary: RunSql
  readonly standbys: readonly Watched[]
  readonly count: WriteCount
  readonly onChange?: ((name: string, problem: StandbyProblem | undefined) => void) | undefined
}

/** A read must see every write that is older than this. */
const MAX_AGE_MS = 1_000
/** How often everything is looked at. */
const LOOK_MS = 200
/** The least pause between two looks. It doubles while a standby has not replayed an acknowledged write. */
const FIRST_PAUSE_MS = 4
/** How long a standby is left out after a failed read. */
const LEFT_OUT_MS = 1_000

/** The end of the log of the primary: all commits that were acknowledged before are in it. */
const SAMPLE = `
  SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
    (SELECT system_identifier::text FROM pg_control_system())`

/** A standby of the former timeline may have replayed what the present primary never had, up to a higher position. */
const LOOK = `
  SELECT pg_is_in_recovery(), coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint, 0),
    (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT system_identifier::text FROM pg_control_system())`

/** The log of the primary at a time. */
interface Sample {
  /** When it was asked for, by `performance.now()`. */
  readonly at: number
  readonly position: number
  readonly timeline: number
  readonly system: string
}

class WatchedStandby {
  readonly name: string
  readonly run: RunSql
  readonly generation: () => number
  replayed = 0
  /** The standby has every write that was acknowledged before this time. */
  freshAt = Number.NEGATIVE_INFINITY
  leftOutUntil = 0
  /** The connections on which it was looked at. */
  seen = -1
  problem: StandbyProblem | undefined

  constructor({ name, run, generation }: Watched) {
    this.name = name
    this.run = run
    this.generation = generation
  }

  leaveOut(): void {
    this.freshAt = Number.NEGATIVE_INFINITY
  }
}

/**
 * Knows which standbys have replayed what. A standby never goes back while it runs, so what is known of it stays true;
 * only how recent it is has to be checked all the time.
 */
export class ReplicaWatch {
  readonly #primary: RunSql
  readonly #standbys: readonly WatchedStandby[]
  readonly #count: WriteCount
  readonly #onChange: ReplicaWatchOptions['onChange']
  /** The samples of the last second, the newest last. */
  #samples: Sample[] = []
  /** The acknowledged writes that are known to be before `#needed`. */
  #covered = -1
  /** The position that a standby must have replayed. */
  #needed = Number.POSITIVE_INFINITY
  #next = 0
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #lookedAt = 0
  #isAwaited = false
  #pauseMs = FIRST_PAUSE_MS
  #isClosed = false

  constructor({ primary, standbys, count, onChange }: ReplicaWatchOptions) {
    this.#primary = primary
    this.#standbys = standbys.map((one) => new WatchedStandby(one))
    this.#count = count
    this.#onChange = onChange
    this.#lookIn(0)
  }

  /** Passes on the result of a write that is about to be acknowledged. */
  acknowledging<T>(result: T): T {
    this.#count.raise()
    this.#lookSoon()
    return result
  }

  /** The index of a standby to read from; each in turn. */
  choose(): number | undefined {
    // Another process of this host may have written.
    if (this.#count.read() !== this.#covered) {
      this.#lookSoon()
      return undefined
    }
    const { length } = this.#standbys
    for (let tries = 0; tries < length; tries += 1) {
      const index = this.#next % length
      this.#next = index + 1
      if (this.#isUsable(this.#standbys[index] as WatchedStandby)) return index
    }
    return undefined
  }

  leaveOut(index: number): void {
    const standby = this.#standbys[index]
    if (standby === undefined) return
    standby.leaveOut()
    standby.leftOutUntil = performance.now() + LEFT_OUT_MS
  }

  /** How many could be read from now. */
  current(): number {
    return this.#standbys.filter((one) => this.#isUsable(one)).length
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#count.close()
  }

  #isUsable({ replayed, freshAt, seen, generation }: WatchedStandby): boolean {
    const isRecent = performance.now() - freshAt < MAX_AGE_MS && seen === generation()
    return isRecent && replayed >= this.#needed
  }

  #lookSoon(): void {
    this.#pauseMs = FIRST_PAUSE_MS
    if (this.#isLooking) this.#isAwaited = true
    else this.#lookIn(Math.max(0, this.#lookedAt + FIRST_PAUSE_MS - performance.now()))
  }

  #lookIn(ms: number): void {
    if (this.#isClosed || this.#isLooking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), ms).unref()
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#isLooking = true
    this.#isAwaited = false
    // A primary that cannot be reached is reported by requests.
    await this.#sample().catch(() => {})
    await Promise.all(this.#standbys.map((one) => this.#lookAt(one)))
    this.#isLooking = false
    this.#lookedAt = performance.now()
    const isBehind = this.#standbys.some(({ replayed, problem }) => replayed < this.#needed && !problem)
    const pauseMs = isBehind ? Math.min(this.#pauseMs, LOOK_MS) : LOOK_MS
    this.#pauseMs *= 2
    this.#lookIn(this.#isAwaited ? FIRST_PAUSE_MS : pauseMs)
  }

  async #sample(): Promise<void> {
    const at = performance.now()
    const written = this.#count.read()
    const [row] = await this.#primary<[position: number, timeline: number, system: string]>(SAMPLE)
    if (row === undefined) return
    const [position, timeline, system] = row
    const former = this.#samples.at(-1)
    if (former !== undefined && (former.timeline !== timeline || former.system !== system)) {
      // Another server has become the primary: what was found out about standbys was about the former one.
      this.#samples = []
      for (const one of this.#standbys) one.leaveOut()
    }
    this.#samples = [
      ...this.#samples.filter((one) => at - one.at < MAX_AGE_MS),
      { at, position, timeline, system },
    ]
    if (written === this.#covered) return
    this.#covered = written
    this.#needed = position
  }

  async #lookAt(standby: WatchedStandby): Promise<void> {
    const problem = await this.#findProblem(standby).catch((): StandbyProblem => 'unreachable')
    if (problem !== undefined) standby.leaveOut()
    if (problem !== standby.problem) this.#onChange?.(standby.name, problem)
    standby.problem = problem
  }

  async #findProblem(standby: WatchedStandby): Promise<StandbyProblem | undefined> {
    const generation = standby.generation()
    const [row] =
      await standby.run<[isStandby: boolean, replayed: number, timeline: number, system: string]>(LOOK)
    const newest = this.#samples.at(-1)
    if (row === undefined || newest === undefined || performance.now() < standby.leftOutUntil)
      return standby.problem
    const [isStandby, replayed, timeline, system] = row
    if (!isStandby) return 'not a standby'
    if (system !== newest.system) return 'another database'
    if (timeline !== newest.timeline) return 'another timeline'
    standby.replayed = replayed
    standby.seen = generation
    const replayedSample = this.#samples.findLast(({ position }) => position <= replayed)
    standby.freshAt = replayedSample?.at ?? Number.NEGATIVE_INFINITY
    return undefined
  }
}
