import { createParaphraseCheck } from './credentials.ts'
import { createGate, type Gate, type GateParts } from './gate.ts'
import { createNonces } from './nonce.ts'

export interface OpenGateParts extends Omit<GateParts, 'nonces' | 'isParaphrase'> {
  /** Undefined: the one that is kept in the store. */
  readonly secrets: readonly Buffer[] | undefined
  readonly nonceTtlMs: number
  /** Called at start where the host's clock and the store's times are too far apart. */
  readonly onWrongClock: (sentence: string, byMs: number) => void
}

/** Hosts are expected to agree within this (authentication.md, Token). */
const CLOCK_TOLERANCE_MS = 2_000
const SWEEP_INTERVAL_MS = 60_000
/** Small, so that no write waits long for a sweep. */
const SWEEP_BATCH = 500

/** A gate with its secret and its sweeper, after a check of the clock. */
export async function openGate(parts: OpenGateParts): Promise<{ admit: Gate; close(): Promise<void> }> {
  await compareClocks(parts)
  const { store, secrets, nonceTtlMs } = parts
  const admit = createGate({
    ...parts,
    nonces: createNonces(secrets ?? [await store.nonceSecret()], nonceTtlMs),
    isParaphrase: createParaphraseCheck(await store.hashParameters()),
  })
  const { clock, limits, onError } = parts
  const sweeper = startSweeper(() => store.sweep(clock.now(), limits, SWEEP_BATCH), onError)
  return { admit, close: sweeper.stop }
}

async function compareClocks({ store, clock, onWrongClock }: OpenGateParts): Promise<void> {
  const report = (byMs: number, sentence: string) => {
    if (byMs > CLOCK_TOLERANCE_MS) onWrongClock(sentence, byMs)
  }
  const before = clock.now()
  // Where the database is on another host, its clock stands for those of all hosts that share the database.
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
  const latest = await store.latestTime()
  report(latest - clock.now(), 'the clock of this host is behind the times in the database; set it')
  clock.advanceTo(latest)
}

/** Removes expired rows in the background, batch by batch. `sweepBatch` returns whether there may be more. */
export function startSweeper(
  sweepBatch: () => Promise<boolean>,
  onError: (error: unknown) => void,
  intervalMs = SWEEP_INTERVAL_MS,
): { stop(): Promise<void> } {
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

  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, intervalMs)
  timer.unref()

  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
