// Health and metrics, on a port of their own.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from '../app.ts'
import type { Gate, HashQueue } from '../auth/index.ts'
import type { Address } from '../config/index.ts'
import { type Answer, startSideServer, textAnswer } from '../http/side-server.ts'

/** Health and metrics of a server process, for as long as it runs. */
export interface Ops {
  readonly port: number
  /** Of this process. */
  readonly metrics: Metrics
  /** The API is served: from now on the answer is whether it still is. `metrics`: of the workers, where there are some. */
  setReady(checks: Checks & { readonly metrics?: (() => Promise<Text>) | undefined }): void
  /** It is not, for this reason. */
  setNotReady(why: string): void
  close(): Promise<void>
}

/** Programs ask here, once every few seconds. */
const MAX_CONNECTIONS = 64

export async function startOps({ host, port }: Address): Promise<Ops> {
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let metricsText = metrics.text
  // However many ask at once, the store and the workers are asked once.
  const findSharedProblem = shareCall(readiness.findProblem)
  const collect = shareCall(() => metricsText())
  const pages: Readonly<Record<string, () => Promise<Answer>>> = {
    // That it answers is the answer.
    '/healthz': async () => textAnswer(200, 'ok\n'),
    '/readyz': async () => {
      const found = await findSharedProblem()
      return found === undefined ? textAnswer(200, 'ready\n') : textAnswer(503, `not ready: ${found}\n`)
    },
    '/metrics': async () => {
      const { type, text } = await collect()
      return textAnswer(200, text, { 'Content-Type': type })
    },
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
    ...server,
    metrics,
    setReady(checks) {
      metricsText = checks.metrics ?? metrics.text
      readiness.setReady(checks)
    },
    setNotReady: readiness.setNotReady,
  }
}

/** What is called while a call is under way gets the result of that call. */
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

/** How long the store may take to answer while the service counts as ready. */
const STORE_ANSWER_MS = 1_000

/** Whether requests should be sent here. It begins with no. */
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
    /** Why it is not ready; undefined when it is. */
    async findProblem(): Promise<string | undefined> {
      const known = refused ?? checks?.problem()
      if (known !== undefined || checks === undefined) return known
      const found = await findStoreProblem(checks.reachable)
      // It may have begun to stop in the meantime.
      return refused ?? found
    },
  }
}

async function findStoreProblem(reachable: () => Promise<void>): Promise<string | undefined> {
  const answered = reachable().then(
    () => undefined,
    // The store's own words may name hosts and users.
    () => 'the database cannot be reached',
  )
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, STORE_ANSWER_MS, 'the database does not answer')
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}

export interface Text {
  readonly type: string
  readonly text: string
}

/** What is counted while an API is served. No label has an id, a path, a user or an address: those have no end. */
export interface Metrics {
  /** The app, and its requests are counted and timed. */
  countRequests(app: App): App
  /** The gate, and its exchanges are counted by how they end. */
  countExchanges(gate: Gate): Gate
  /** One more wrong paraphrase: the gate's answer does not tell it from a first challenge. */
  countWrong(): void
  watchHashes(hashing: HashQueue): void
  text(): Promise<Text>
  /** For another process, which puts those of several together. */
  values(): Promise<MetricValues>
}

/** As prom-client has them; they can be sent to another process. */
export type MetricValues = readonly { readonly type: unknown }[]

/** RFC 9110, RFC 5789. All other words that a client may send are counted as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'hydrant_processes', help: 'Processes that serve the API', registers }).set(1)
  /** Since the last scrape: the library's own counting costs more than all the rest here. */
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
  // From the beginning, so that the first one is seen as a change.
  for (const outcome of ['right', 'wrong', 'throttled', 'busy']) exchanges.inc({ outcome }, 0)

  return {
    countRequests: (app) => async (request) => {
      const started = performance.now()
      const response = await app(request)
      count(METHODS.has(request.method) ? request.method : 'other', response.status)
      durations.observe((performance.now() - started) / 1_000)
      return response
    },
    countExchanges: (gate) => async (knock) => {
      const admission = await gate(knock)
      const { verdict } = admission
      if (verdict === 'throttled' || verdict === 'busy') exchanges.inc({ outcome: verdict })
      // While tokens are off, a request that is admitted by its credentials gets the next nonce.
      else if (verdict === 'exchanged' || (verdict === 'admitted' && admission.nonce !== undefined))
        exchanges.inc({ outcome: 'right' })
      return admission
    },
    countWrong: () => exchanges.inc({ outcome: 'wrong' }),
    watchHashes(hashing) {
      watch('hydrant_hashes_running', 'Paraphrases that are being hashed', () => hashing.running)
      watch('hydrant_hashes_waiting', 'Exchanges that wait for a hash', () => hashing.waiting)
    },
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

/** Those of several processes as one: each is a sum, a mean or a highest value, as it says of itself. */
export const aggregate = (values: readonly MetricValues[]): Promise<Text> => textOf(merge(values))

/** What has been counted up to now, of processes that have ended: a sum must not shrink with them. */
export async function countsOf(values: readonly MetricValues[]): Promise<MetricValues> {
  const merged = (await merge(values).getMetricsAsJSON()) as unknown as MetricValues
  return merged.filter(({ type }) => type === 'counter' || type === 'histogram')
}

const merge = (values: readonly MetricValues[]): Registry =>
  AggregatorRegistry.aggregate(values as unknown as object[])

async function textOf(registry: Registry): Promise<Text> {
  return { type: registry.contentType, text: await registry.metrics() }
}
