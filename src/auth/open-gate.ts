import { AHEAD_MS } from '../database/index.ts'
import { createFairQueue, createSlots } from '../fair-queue.ts'
import type { Gate, GateDependencies } from './admission.ts'
import type { Clock } from './clock.ts'
import { createParaphraseCheck, hashQueueSize } from './credentials.ts'
import { createGate } from './gate.ts'
import { createNonces } from './nonce.ts'
import { type CheckOwnParaphrase, createHashNew, createOwnCheck, type HashNew } from './own-paraphrase.ts'
import type { AuthStore } from './store/index.ts'

export interface OpenGateDependencies extends Omit<GateDependencies, 'nonces' | 'isParaphrase'> {
  /** Undefined for the secret that is kept in the store. */
  readonly secrets: readonly Buffer[] | undefined
  readonly nonceTtlMs: number
  /**
   * Called at start if the host's clock and the store's times are too far apart, and whenever the host's clock was set.
   */
  readonly onWrongClock: (sentence: string, byMs: number) => void
}

/** Hosts are expected to agree within this (authentication.md, Token). */
const CLOCK_TOLERANCE_MS = 2_000
const SWEEP_INTERVAL_MS = 60_000
/** Small, so that no write waits long for a sweep. */
const SWEEP_BATCH = 500

/** A gate with its secret and its sweeper, after a check of the clock; it watches the clock from then on. */
export async function openGate(
  dependencies: OpenGateDependencies,
): Promise<{ admit: Gate; checkOwn: CheckOwnParaphrase; hashNew: HashNew; close(): Promise<void> }> {
  const { store, secrets, nonceTtlMs, clock, limits, onWrongClock, onError } = dependencies
  const isBehind = await compareClocks(dependencies)
  const stored = await store.nonceSeries()
  const series = isBehind ? await store.beginNonceSeries(stored + 1) : stored
  const nonces = createNonces(secrets ?? [await store.nonceSecret()], nonceTtlMs, undefined, series)
  const hashing = dependencies.hashing ?? createFairQueue(createSlots(hashQueueSize()))
  const isParaphrase = createParaphraseCheck(await store.hashParameters())
  const checking = { ...dependencies, hashing, isParaphrase }
  const admit = createGate({ ...checking, nonces })

  async function sweepBatch(): Promise<boolean> {
    // Other hosts may have begun a series.
    nonces.useSeries(await store.nonceSeries())
    return store.sweep(await sweepTime(store, clock), limits, SWEEP_BATCH)
  }

  const sweeper = startSweeper(sweepBatch, onError)
  let begun = Promise.resolve()
  const unwatch = clock.onStep((byMs) => {
    onWrongClock(byMs < 0 ? SET_BACK : SET_FORWARDS, Math.abs(byMs))
    if (byMs > 0) return
    // Takes effect at once in this process; others learn of it from the store.
    nonces.useSeries(nonces.series + 1)
    begun = store.beginNonceSeries(nonces.series).then(nonces.useSeries, onError)
    sweeper.sweepNow()
  })
  if (isBehind) sweeper.sweepNow()
  return {
    admit,
    checkOwn: createOwnCheck(checking),
    hashNew: createHashNew(hashing),
    async close() {
      unwatch()
      await begun
      await sweeper.stop()
    },
  }
}

/** A host whose clock is ahead must not remove rows that other hosts still need. */
export const sweepTime = async (store: AuthStore, clock: Clock): Promise<number> =>
  Math.min(clock.now(), (await store.databaseTime?.()) ?? Number.POSITIVE_INFINITY)

const SET_BACK =
  'the clock of this host was set back; nonces issued before are refused, and tokens that it issued ahead have ended'
const SET_FORWARDS = 'the clock of this host was set forwards, or the host has slept'

/**
 * Warns about clocks that differ. Returns whether stored times are later than this clock: another was ahead, or this
 * one is behind.
 */
async function compareClocks({ store, clock, onWrongClock }: OpenGateDependencies): Promise<boolean> {
  const report = (byMs: number, sentence: string) => {
    if (byMs > CLOCK_TOLERANCE_MS) onWrongClock(sentence, byMs)
  }
  const before = clock.now()
  // If the database is on another host, its clock stands for those of all hosts that share it.
  const there = await store.databaseTime?.()
  if (there !== undefined) {
    // The database's clock was read at some time between the two readings of this one.
    report(
      there - clock.now(),
      "the clock of this host is behind that of the database's host; set the wrong one",
    )
    report(
      before - there,
      "the clock of this host is ahead of that of the database's host; set the wrong one",
    )
  }
  const behindMs = (await store.latestTime()) - clock.now()
  report(
    behindMs,
    'the clock of this host is behind the times in the database; set it, unless it was set back',
  )
  return behindMs > AHEAD_MS
}

/** Removes expired rows in the background, batch by batch. `sweepBatch` returns whether there may be more. */
export function startSweeper(
  sweepBatch: () => Promise<boolean>,
  onError: (error: unknown) => void,
  intervalMs = SWEEP_INTERVAL_MS,
): { sweepNow(): void; stop(): Promise<void> } {
  let stopped = false
  let sweeping: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    try {
      while (!stopped && (await sweepBatch()));
    } catch (error) {
      // A locked or full database: the next round tries again.
      onError(error)
    }
  }

  function sweepNow(): void {
    sweeping = sweeping.then(sweep)
  }

  const timer = setInterval(sweepNow, intervalMs)
  timer.unref()

  return {
    sweepNow,
    async stop() {
      stopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
