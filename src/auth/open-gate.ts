import type { Attempter, AuthStore, FailureLimits } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createGate, type Gate, type GateMode } from './gate.ts'
import { createNonces } from './nonce.ts'
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
  /** The host's clock is behind what the store has seen, by so much. */
  readonly onBehind: (behindMs: number) => void
  /** Told of what went wrong beside an answer: a sweep that will be tried again, a hash that stays an old one. */
  readonly onError: (error: unknown) => void
  readonly onFailure?: ((attempter: Attempter) => void) | undefined
}

/** Hosts are expected to agree within this (authentication.md, Token). */
const CLOCK_TOLERANCE_MS = 2_000

/** A gate with all that it needs while it stands open: the time, the secret, and somebody who sweeps. */
export async function openGate(parts: OpenGateParts): Promise<{ admit: Gate; close(): Promise<void> }> {
  const { mode, store, clock, tokenTtlMs, nonceTtlMs, limits } = parts
  const latest = await store.latestTime()
  const behindMs = latest - clock.now()
  if (behindMs > CLOCK_TOLERANCE_MS) parts.onBehind(behindMs)
  clock.witness(latest)

  const nonces = createNonces(parts.secrets ?? [await store.nonceSecret()], nonceTtlMs)
  const admit = createGate({
    mode,
    store,
    clock,
    nonces,
    tokenTtlMs,
    limits,
    onFailure: parts.onFailure,
    onError: parts.onError,
  })
  const sweeper = startSweeper({ store, clock, limits, onError: parts.onError })
  return { admit, close: sweeper.stop }
}
