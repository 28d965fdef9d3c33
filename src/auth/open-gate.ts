import type { Attempter, AuthStore, FailureLimits } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createGate, type Gate, type GateMode } from './gate.ts'
import type { HashQueue } from './hash-queue.ts'
import { createNonces } from './nonce.ts'
import { createParaphraseCheck } from './paraphrase.ts'
import { startSweeper } from './sweeper.ts'

export interface OpenGateParts {
  readonly mode: GateMode
  readonly store: AuthStore
  readonly clock: Clock
  /** Undefined: the one that is kept in the store. */
  readonly secrets: readonly Buffer[] | undefined
  readonly tokenTtlMs: number
  readonly nonceTtlMs: number
  readonly limits: FailureLimits
  readonly hashing?: HashQueue | undefined
  /** Told at start, in a sentence, that the host's clock and the store's times are so far apart. */
  readonly onWrongClock: (sentence: string, byMs: number) => void
  /** Told of what went wrong beside an answer: a sweep that will be tried again, a hash that stays an old one. */
  readonly onError: (error: unknown) => void
  readonly onFailure?: ((attempter: Attempter) => void) | undefined
}

/** Hosts are expected to agree within this (authentication.md, Token). */
const CLOCK_TOLERANCE_MS = 2_000

const BEHIND_TIMES = 'the clock of this host is behind the times in the database; set it'
const BEHIND_HOST = "the clock of this host is behind that of the database's host; set whichever is wrong"
const AHEAD_OF_HOST = "the clock of this host is ahead of that of the database's host; set whichever is wrong"

/** A gate with all that it needs while it stands open: the time, the secret, and somebody who sweeps. */
export async function openGate(parts: OpenGateParts): Promise<{ admit: Gate; close(): Promise<void> }> {
  const { mode, store, clock, tokenTtlMs, nonceTtlMs, limits } = parts
  await compareClocks(parts)
  const latest = await store.latestTime()
  const behindMs = latest - clock.now()
  if (behindMs > CLOCK_TOLERANCE_MS) parts.onWrongClock(BEHIND_TIMES, behindMs)
  clock.witness(latest)

  const nonces = createNonces(parts.secrets ?? [await store.nonceSecret()], nonceTtlMs)
  const admit = createGate({
    mode,
    store,
    clock,
    nonces,
    tokenTtlMs,
    limits,
    hashing: parts.hashing,
    isParaphrase: createParaphraseCheck(await store.hashParameters()),
    onFailure: parts.onFailure,
    onError: parts.onError,
  })
  const sweeper = startSweeper({ store, clock, limits, onError: parts.onError })
  return { admit, close: sweeper.stop }
}

/** Where the database is on another host: that one's clock stands for those of all who share it. */
async function compareClocks({ store, clock, onWrongClock }: OpenGateParts): Promise<void> {
  const before = clock.now()
  const there = await store.databaseTime?.()
  if (there === undefined) return
  // It was read somewhere between these two.
  const [behindMs, aheadMs] = [there - clock.now(), before - there]
  if (behindMs > CLOCK_TOLERANCE_MS) onWrongClock(BEHIND_HOST, behindMs)
  if (aheadMs > CLOCK_TOLERANCE_MS) onWrongClock(AHEAD_OF_HOST, aheadMs)
}
