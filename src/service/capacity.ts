import { type Clock, createClock, hashQueueSize, lowerHashPriority } from '../auth/index.ts'
import type { Config } from '../config/index.ts'
import { createFairQueue, createSlots, type FairQueue, type Slots } from '../fair-queue.ts'
import { BodyMemory, type ServerLimits } from '../http/index.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Resources that the requests of a process share, even while `--watch` replaces the API that serves them. */
export interface Capacity {
  readonly clock: Clock
  readonly hashing: FairQueue
  /** The memory of the bodies of all admitted requests. */
  readonly bodies: BodyMemory
}

export interface CapacityDependencies {
  readonly config: Pick<Config, 'bodyMemory'>
  readonly log: Log
  readonly limits?: Partial<ServerLimits>
  readonly clock?: Clock
  /** The hash slots of the host, if several processes share them. */
  readonly slots?: Slots | undefined
  /** Undefined if nothing is counted. */
  readonly metrics?: Metrics | undefined
}

/** The fraction of body memory that is reserved for requests that are not admitted yet. */
const EARLY_FRACTION = 1 / 4

export const earlyBytes = ({ bodyMemory }: Pick<Config, 'bodyMemory'>): number => bodyMemory * EARLY_FRACTION

export function createCapacity(dependencies: CapacityDependencies): Capacity {
  const { config, log, limits, clock = createClock(), slots, metrics } = dependencies
  // Not awaited: until it is done, hashing has the same priority as requests.
  lowerHashPriority().catch((err: unknown) => log.debug({ err }, 'hashing keeps its priority'))
  const hashing = createFairQueue(slots ?? createSlots(hashQueueSize()))
  metrics?.watchHashes(hashing)
  return { clock, hashing, bodies: new BodyMemory(config.bodyMemory - earlyBytes(config), limits) }
}
