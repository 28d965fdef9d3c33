import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FollowerFigures } from '../../api/followers/index.ts'
import type { Admission, Gate } from '../../auth/index.ts'
import type { ReplicaFigures } from '../../database/index.ts'
import type { FairQueue } from '../../fair-queue.ts'
import type { App } from '../../http/index.ts'
import type { ConversionProgress } from '../../members/index.ts'
import { createConversionMetrics } from './conversion.ts'
import { createFollowerMetrics } from './followers.ts'
import { createReplicaMetrics } from './replicas.ts'

export interface MetricsText {
  readonly type: string
  readonly text: string
}

/** The values of prom-client, which can be sent to another process. */
export type MetricValues = readonly { readonly type: unknown }[]

/** RFC 9110, RFC 5789. All other methods are counted as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one process. */
export interface Metrics {
  /** Wraps the app, to count and time requests. */
  countRequests(app: App): App
  /** Wraps the gate, to count exchanges by outcome. */
  countExchanges(gate: Gate): Gate
  /** Counts a wrong paraphrase: its admission is the same as that of a first challenge. */
  countWrong(): void
  watchHashes(hashing: FairQueue): void
  /** `readAheadMs`: how far this host's clock is ahead of the database's; undefined if both are on one machine. */
  watchClock(readAheadMs: () => Promise<number | undefined>): void
  /** `read`: the figures of the followers that this process has now. */
  watchFollowers(read: () => Promise<readonly FollowerFigures[]>): void
  /** `read`: the figures of the reads from standbys; undefined if there are none. */
  watchReplicas(read: () => ReplicaFigures | undefined): void
  /** `read`: the classes whose members this process is converting now. */
  watchConversions(read: () => readonly ConversionProgress[]): void
  text(): Promise<MetricsText>
  /** For another process, which aggregates the metrics of several. */
  values(): Promise<MetricValues>
}

/** Metrics of an API. No label has an id, a path, a user or an address: there is no limit to their number. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'hydrant_processes', help: 'Processes that serve the API', registers }).set(1)
  return {
    countRequests: createRequestMetrics(registers),
    ...createExchangeMetrics(registers),
    watchHashes: (hashing) => watchHashes(hashing, registers),
    watchClock: (readAheadMs) => watchClock(readAheadMs, registers),
    watchFollowers: createFollowerMetrics(registers),
    watchReplicas: createReplicaMetrics(registers),
    watchConversions: createConversionMetrics(registers),
    text: () => textOf(registry),
    values: async () => (await registry.getMetricsAsJSON()) as unknown as MetricValues,
  }
}

function createRequestMetrics(registers: Registry[]): Metrics['countRequests'] {
  /** Counts since the last scrape: counting each request with the library would cost more than everything else here. */
  const answered = new Map<string, { readonly method: string; readonly status: number; count: number }>()
  new Counter({
    name: 'hydrant_requests_total',
    help: 'Requests that were answered, by method and status',
    labelNames: ['method', 'status'],
    registers,
    collect() {
      for (const { count, ...labels } of answered.values()) this.inc(labels, count)
      answered.clear()
    },
  })
  const durations = new Histogram({
    name: 'hydrant_request_duration_seconds',
    help: 'From the headers of a request to its response, as yet unsent',
    buckets: SECONDS,
    registers,
  })

  function count(method: string, status: number): void {
    const name = `${method} ${status}`
    const found = answered.get(name)
    if (found === undefined) answered.set(name, { method, status, count: 1 })
    else found.count += 1
  }

  return (app) => async (request) => {
    const started = performance.now()
    const response = await app(request)
    count(METHODS.has(request.method) ? request.method : 'other', response.status)
    durations.observe((performance.now() - started) / 1_000)
    return response
  }
}

type ExchangeOutcome = 'right' | 'wrong' | 'throttled' | 'busy'

function createExchangeMetrics(registers: Registry[]): Pick<Metrics, 'countExchanges' | 'countWrong'> {
  const exchanges = new Counter({
    name: 'hydrant_exchanges_total',
    help: 'Exchanges of a nonce and credentials, by outcome: right, wrong, throttled (429), busy (503)',
    labelNames: ['outcome'],
    registers,
  })
  // Zero from the start, so that monitoring sees the first one as a change.
  for (const outcome of ['right', 'wrong', 'throttled', 'busy']) exchanges.inc({ outcome }, 0)
  return {
    countExchanges: (gate) => async (request) => {
      const admission = await gate(request)
      const outcome = outcomeOf(admission)
      if (outcome !== undefined) exchanges.inc({ outcome })
      return admission
    },
    countWrong: () => exchanges.inc({ outcome: 'wrong' }),
  }
}

/** Undefined if the request was no exchange, or a wrong one, which looks like a first challenge. */
function outcomeOf(admission: Admission): ExchangeOutcome | undefined {
  const { verdict } = admission
  if (verdict === 'throttled' || verdict === 'busy') return verdict
  if (verdict === 'exchanged') return 'right'
  // While tokens are off, a request that is admitted by its credentials gets the next nonce.
  if (verdict === 'admitted' && admission.nonce !== undefined) return 'right'
  return undefined
}

function watchHashes(hashing: FairQueue, registers: Registry[]): void {
  const watch = (name: string, help: string, read: () => number): void => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
  }
  watch('hydrant_hashes_running', 'Passphrases that are being hashed', () => hashing.running)
  watch('hydrant_hashes_waiting', 'Exchanges that wait for a hash', () => hashing.waiting)
}

function watchClock(readAheadMs: () => Promise<number | undefined>, registers: Registry[]): void {
  const gauge: Gauge = new Gauge({
    name: 'hydrant_clock_ahead_seconds',
    help: "How far the clock of this host is ahead of the database's; negative where it is behind",
    // All processes of a host have the same clock.
    aggregator: 'average',
    registers,
    async collect() {
      const aheadMs = await readAheadMs().catch(() => undefined)
      // Otherwise the value would be 0.
      if (aheadMs === undefined) gauge.remove()
      else gauge.set(aheadMs / 1_000)
    },
  })
}

/** Aggregates the metrics of several processes, each by its own method: sum, mean or maximum. */
export const aggregate = (values: readonly MetricValues[]): Promise<MetricsText> => textOf(merge(values))

/** The counters of processes that have ended: the sums must not shrink without them. */
export async function countsOf(values: readonly MetricValues[]): Promise<MetricValues> {
  const merged = (await merge(values).getMetricsAsJSON()) as unknown as MetricValues
  return merged.filter(({ type }) => type === 'counter' || type === 'histogram')
}

const merge = (values: readonly MetricValues[]): Registry =>
  AggregatorRegistry.aggregate(values as unknown as object[])

async function textOf(registry: Registry): Promise<MetricsText> {
  return { type: registry.contentType, text: await registry.metrics() }
}
