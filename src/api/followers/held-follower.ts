import { isUnavailable } from '../../database/index.ts'
import { limitTime } from '../../deadline.ts'
import type { Change, ChangeRange, FollowerClaim } from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import type { Store } from '../../store/index.ts'
import type { Feed } from '../feed/feed.ts'
import {
  type AttemptDependencies,
  createAttempts,
  type FailedAttempt,
  type FollowerAttempts,
} from './attempts.ts'
import type { Follower } from './follower.ts'
import { OpenChanges } from './progress.ts'
import { Retries } from './retries.ts'

export interface HeldDependencies extends AttemptDependencies {
  readonly store: Pick<Store, 'changes' | 'followers'>
  readonly feed: Feed
}

/** A claim, the time of its request by the monotonic clock, and how long it lasts from then on. */
export interface Lease {
  readonly claim: FollowerClaim
  readonly sentAt: number
  readonly ms: number
}

/**
 * `lost`: another process has the lease, or the follower was sent back. `other file`: this process cannot handle the next
 * change, since another one has opened the database with another API file (see ChangePage).
 */
type HeldEnd = 'lost' | 'other file'

/** How many changes are handled at once; retries are fewer, so that they do not hold up everything else. */
const MAX_RUNNING = 16
const MAX_RETRYING = 8
const PAGE = 500
/** How many changes that are not handled are in memory. */
const MAX_OPEN = 1_000
/** How often progress is saved: after a crash, the changes of this time are handled again. */
const SAVE_MS = 500
/** The pause while the store cannot be reached. */
const REST_MS = 1_000

/** A follower while this process has its lease: reads changes, calls the follower, and saves how far it has come. */
export class HeldFollower {
  readonly #follower: Follower
  readonly #holder: string
  readonly #dependencies: HeldDependencies
  readonly #attempts: FollowerAttempts
  readonly #ranges: readonly ChangeRange[]
  readonly #givenUp = new AbortController()
  readonly #ended = Promise.withResolvers<HeldEnd>()
  readonly #running = new Set<Promise<void>>()
  readonly #retrying = new Set<Promise<void>>()
  #progress: OpenChanges
  #retries: Retries
  #lease: Lease
  #lost: number
  #error: { readonly text: string; readonly at: number } | undefined
  #paused: string | undefined
  /** Set while the pause is not saved, and when it was saved: a claim from before does not know of it. */
  #unsavedPause: string | undefined
  #pausedAt = 0
  #wantsMore = true
  #isReading = false
  #isUnknownClass = false
  #restUntil = 0
  #isOver = false
  #saving: Promise<unknown> = Promise.resolve()
  #stopWatching = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(follower: Follower, holder: string, lease: Lease, dependencies: HeldDependencies) {
    this.#follower = follower
    this.#holder = holder
    this.#dependencies = dependencies
    this.#attempts = createAttempts(follower, dependencies, { now: this.#now, givenUp: this.#givenUp.signal })
    this.#ranges = follower.classes.map((className) => ({ className }))
    this.#lease = lease
    this.#lost = lease.claim.lost
    this.#progress = new OpenChanges(lease.claim.position, [])
    this.#retries = this.#createRetries()
  }

  /** Resolves when the follower has to be given up. */
  get ended(): Promise<HeldEnd> {
    return this.#ended.promise
  }

  get state() {
    const { position, waiting } = this.#progress
    return { position, waiting: waiting.size, lost: this.#lost, isPaused: this.#paused !== undefined }
  }

  async start(): Promise<void> {
    const { store, feed } = this.#dependencies
    const waits = await store.followers.waits(this.#follower.name)
    this.#progress = new OpenChanges(this.#lease.claim.position, waits)
    this.#retries = this.#createRetries()
    // Changes up to this one are read at once, and later ones when the feed finds them.
    const end = await store.changes.last()
    this.#stopWatching = feed.watch(() => {
      this.#wantsMore = true
      this.#pump()
    }, end)
    this.#timer = setInterval(() => {
      void this.#save()
      this.#pump()
    }, SAVE_MS)
    this.renew(this.#lease)
  }

  #createRetries(): Retries {
    return new Retries({
      ...this.#attempts,
      progress: this.#progress,
      changes: this.#dependencies.store.changes,
      classes: this.#follower.classes,
      now: this.#now,
      mayRun: () => this.#mayRun,
      onFailure: (failure) => this.#note(failure),
      onLost: () => this.#reportLost(1),
    })
  }

  renew(lease: Lease): void {
    const { claim, sentAt } = lease
    if (claim.rewinds !== this.#lease.claim.rewinds) {
      this.#ended.resolve('lost')
      return
    }
    this.#lease = lease
    if (sentAt >= this.#pausedAt) this.#paused = claim.paused
    this.#retries.skip(claim.skipped)
    this.#pump()
  }

  /** Starts no more calls, waits for running ones at most as long as a call may take, and saves. */
  async stop(longestMs: number): Promise<void> {
    this.#isOver = true
    this.#stopWatching()
    clearInterval(this.#timer)
    const allEnded = async () => {
      while (this.#running.size > 0) await Promise.all(this.#running)
    }
    const { limitMs = this.#dependencies.hookMs } = this.#follower
    await limitTime(allEnded(), Math.min(limitMs, longestMs), () => undefined).catch(() => {})
    this.#givenUp.abort()
    this.#progress.leave(this.#now())
    await this.#save()
  }

  /** The time by the clock of the database. */
  readonly #now = (): number => this.#lease.claim.now + performance.now() - this.#lease.sentAt

  get #mayRun(): boolean {
    const { sentAt, ms } = this.#lease
    const time = performance.now()
    return !this.#isOver && this.#paused === undefined && time < sentAt + ms && time >= this.#restUntil
  }

  #pump(): void {
    if (!this.#mayRun) return
    const progress = this.#progress
    while (this.#retrying.size < MAX_RETRYING && this.#running.size < MAX_RUNNING) {
      const waiting = this.#retries.next()
      if (waiting === undefined) break
      this.#run(this.#retries.run(waiting), this.#retrying)
    }
    while (this.#running.size < MAX_RUNNING) {
      const change = progress.next()
      if (change === undefined) break
      this.#run(this.#handle(change))
    }
    const mayRead = this.#wantsMore && progress.open < MAX_OPEN && !progress.isHeldUp
    if (mayRead && !this.#isReading) void this.#read()
    else if (!mayRead && this.#isUnknownClass && progress.open === 0) this.#ended.resolve('other file')
  }

  #run(work: Promise<void>, alsoIn = this.#running): void {
    const done: Promise<void> = work
      .catch((error: unknown) => this.#rest(error))
      .finally(() => {
        this.#running.delete(done)
        alsoIn.delete(done)
        this.#pump()
      })
    this.#running.add(done)
    alsoIn.add(done)
  }

  /** The store has failed. The work is tried again later. */
  #rest(error: unknown): void {
    this.#restUntil = performance.now() + REST_MS
    if (error instanceof Problem && error.code === 'MigratedElsewhere') this.#ended.resolve('other file')
    // The store itself reports that it cannot be reached.
    if (!isUnavailable(error)) this.#dependencies.reports.onError(error)
  }

  async #handle(change: Change): Promise<void> {
    const progress = this.#progress
    try {
      const failure = await this.#attempts.attempt(change, 0)
      if (failure === undefined) return progress.handled(change)
      progress.failed(change, failure)
      this.#note(failure)
    } catch (error) {
      progress.returned(change)
      throw error
    }
  }

  #note({ error, isPause }: FailedAttempt): void {
    this.#error = { text: error, at: this.#now() }
    if (!isPause) return
    this.#paused = error
    this.#unsavedPause = error
    this.#pausedAt = Number.POSITIVE_INFINITY
  }

  async #read(): Promise<void> {
    const progress = this.#progress
    this.#isReading = true
    this.#wantsMore = false
    try {
      const { changes } = this.#dependencies.store
      const page = await changes.after(progress.reached, PAGE, this.#ranges)
      const isMoved = page.isSwept && (await this.#passSwept())
      if (!isMoved) progress.add(page.changes, page.end?.position ?? progress.reached)
      this.#isUnknownClass = page.stop === 'unknown class'
      this.#wantsMore ||= isMoved || page.stop === 'limit'
    } catch (error) {
      this.#wantsMore = true
      this.#rest(error)
    } finally {
      this.#isReading = false
    }
    this.#pump()
  }

  /** Continues with the first change in the log. Returns whether earlier ones were lost. */
  async #passSwept(): Promise<boolean> {
    const first = (await this.#dependencies.store.followers.firstPosition()) ?? 0
    const lost = first - 1 - this.#progress.reached
    if (lost <= 0) return false
    this.#progress.add([], first - 1)
    this.#reportLost(lost)
    return true
  }

  #reportLost(changes: number): void {
    this.#lost += changes
    this.#dependencies.reports.onLost(this.#follower.name, changes)
  }

  /** One save at a time; what changes meanwhile goes into the next. */
  #save(): Promise<unknown> {
    this.#saving = this.#saving.then(() => this.#saveNow()).catch((error: unknown) => this.#rest(error))
    return this.#saving
  }

  async #saveNow(): Promise<void> {
    const { rewinds } = this.#lease.claim
    const by = { name: this.#follower.name, holder: this.#holder, rewinds }
    const isSaved = await this.#progress.save(async (unsaved) => {
      const [lost, error, paused] = [this.#lost, this.#error, this.#unsavedPause]
      const isDone = await this.#dependencies.store.followers.save(by, { ...unsaved, lost, error, paused })
      if (isDone && paused !== undefined) {
        this.#unsavedPause = undefined
        this.#pausedAt = performance.now()
      }
      return isDone
    })
    if (!isSaved) this.#ended.resolve('lost')
  }
}
