// Health and metrics, on a port of their own.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FollowerFigures } from '../api/followers/index.ts'
import type { Gate } from '../auth/index.ts'
import type { Address } from '../config/index.ts'
import type { ReplicaFigures } from '../database/index.ts'
import { limitTime } from '../deadline.ts'
import type { FairQueue } from '../fair-queue.ts'
import type { App } from '../http/index.ts'
import type { ConversionProgress } from '../members/index.ts'
import { createConversionMetrics } from './conversion-metrics.ts'
import { createFollowerMetrics } from './follower-metrics.ts'
import { createReplicaMetrics } from './replica-metrics.ts'
import { type SideAnswer, startSideServer, textAnswer } from './side-server.ts'

/** Its clients are programs that ask every few seconds. */
const MAX_CONNECTIONS = 64

/** The port for health and metrics. */
export interface Ops {
  readonly port: number
  /** The metrics of this process. */
  readonly metrics: Metrics
  /** The API is served: from now on `checks` decide. `metrics`: the metrics of the workers, if there are any. */
  setReady(checks: Checks & { readonly metrics?: (() => Promise<MetricsText>) | undefined }): void
  /** The API is not served, for this reason. */
  setNotReady(reason: string): void
  close(): Promise<void>
}

/** Health and metrics of a server process, for as long as it runs. */
export async function startOps({ host, port }: Address): Promise<Ops> {
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let metricsText = metrics.text
  const pages: Readonly<Record<string, () => Promise<SideAnswer>>> = {
    // Any response means that the process is alive.
    '/healthz': async () => textAnswer(200, 'ok\n'),
    // Concurrent requests share one query to the store and the workers.
    '/readyz': shareCall(async () => {
      const found = await readiness.findProblem()
      return found === undefined ? textAnswer(200, 'ready\n') : textAnswer(503, `not ready: ${found}\n`)
    }),
    '/metrics': shareCall(async () => {
      const { type, text } = await metricsText()
      return textAnswer(200, text, [], type)
    }),
  }
  const server = await startSideServer({
    host,
    port,
    mostConnections: MAX_CONNECTIONS,
    find(path) {
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined
      return page && (() => page().catch(() => textAnswer(503, 'This could not be found out; try again.\n')))
    },
    unknown: `There is ${Object.keys(pages).join(', ')}.\n`,
  })
  return {
    port: server.port,
    close: server.close,
    metrics,
    setReady(checks) {
      metricsText = checks.metrics ?? metrics.text
      readiness.setReady(checks)
    },
    setNotReady: readiness.setNotReady,
  }
}

/** Concurrent calls share one result. */
function shareCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= call().finally(() => {
      running = undefined
    })
    return running
  }
}

interface Checks {
  /** Rejects when the store does not answer. */
  readonly reachable: () => Promise<void>
  /** Any other reason why requests cannot be served. */
  readonly problem: () => string | undefined
}

/** A store that takes longer makes the service count as not ready. */
const STORE_ANSWER_MS = 1_000

/** Whether requests should be sent here: not ready at first, because of `why`. */
export function createReadiness(why: string) {
  let refused: string | undefined = why
  let checks: Checks | undefined
  return {
    /** From now on it is ready whenever the store answers and there is no other problem. */
    setReady(given: Checks): void {
      checks = given
      refused = undefined
    },
    setNotReady(reason: string): void {
      refused = reason
    },
    /** Why it is not ready; undefined if it is. */
    async findProblem(): Promise<string | undefined> {
      const known = refused ?? checks?.problem()
      if (known !== undefined || checks === undefined) return known
      const found = await findStoreProblem(checks.reachable)
      // The server may have begun to stop in the meantime.
      return refused ?? found
    },
  }
}

const findStoreProblem = (reachable: () => Promise<void>): Promise<string | undefined> =>
  limitTime(reachable(), STORE_ANSWER_MS, () => LATE).then(
    () => undefined,
    // The message of the store may name hosts and users.
    (error: unknown) => (error === LATE ? 'the database does not answer' : 'the database cannot be reached'),
  )

const LATE = new Error('The store has not answered in time.')

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
  const exchanges = new Counter({
    name: 'hydrant_exchanges_total',
    help: 'Exchanges of a nonce and credentials, by outcome: right, wrong, throttled (429), busy (503)',
    labelNames: ['outcome'],
    registers,
  })
  // Zero from the start, so that monitoring sees the first one as a change.
  for (const outcome of ['right', 'wrong', 'throttled', 'busy']) exchanges.inc({ outcome }, 0)

  return {
    countRequests: (app) => async (request) => {
      const started = performance.now()
      const response = await app(request)
      count(METHODS.has(request.method) ? request.method : 'other', response.status)
      durations.observe((performance.now() - started) / 1_000)
      return response
    },
    countExchanges: (gate) => async (request) => {
      const admission = await gate(request)
      const { verdict } = admission
      if (verdict === 'throttled' || verdict === 'busy') exchanges.inc({ outcome: verdict })
      // While tokens are off, a request that is admitted by its credentials gets the next nonce.
      else if (verdict === 'exchanged' || (verdict === 'admitted' && admission.nonce !== undefined))
        exchanges.inc({ outcome: 'right' })
      return admission
    },
    countWrong: () => exchanges.inc({ outcome: 'wrong' }),
    watchHashes(hashing) {
      watch('hydrant_hashes_running', 'Passphrases that are being hashed', () => hashing.running)
      watch('hydrant_hashes_waiting', 'Exchanges that wait for a hash', () => hashing.waiting)
    },
    watchClock(readAheadMs) {
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
    },
    watchFollowers: createFollowerMetrics(registers),
    watchReplicas: createReplicaMetrics(registers),
    watchConversions: createConversionMetrics(registers),
    text: () => textOf(registry),
    values: async () => (await registry.getMetricsAsJSON()) as unknown as MetricValues,
  }

  function count(method: string, status: number): void {
    const name = `${method} ${status}`
    const found = answered.get(name)
    if (found === undefined) answered.set(name, { method, status, count: 1 })
    else found.count += 1
  }

  function watch(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
  }
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
