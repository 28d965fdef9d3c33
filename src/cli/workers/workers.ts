import cluster from 'node:cluster'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { hashQueueSize } from '../../auth/index.ts'
import { type Config, leastBodyMemory } from '../../config/index.ts'
import { createSlots } from '../../fair-queue.ts'
import { DEFAULT_SERVER_LIMITS } from '../../http/index.ts'
import { explainPort } from '../../service/index.ts'
import { aggregate, countsOf, type MetricsText, type MetricValues } from '../../service/metrics.ts'
import type { Model } from '../../vocabulary/index.ts'
import { openDistribution } from './distribution.ts'
import { startWorker, type WorkerProcess } from './process.ts'
import { createWriteCounts } from './write-counts.ts'

interface WorkersDependencies {
  readonly config: Config
  readonly model: Model
  readonly log: Logger
  readonly onMigratedElsewhere: () => void
  /** Sets the work to do if a signal arrives before all workers listen. */
  readonly beforeExit: (act: () => Promise<void>) => void
}

/** A worker that ends sooner than this would probably do so again, so each pause before the next start is longer. */
const SHORT_LIFE_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** Workers cut off requests that are not finished in time; a worker that does not is stuck. */
const STOP_MS = DEFAULT_SERVER_LIMITS.graceMs + 1_000
/** A worker that has not acknowledged the message to stop by then is stuck, too. */
const ACKNOWLEDGE_MS = 5_000

/** Listens on the port, starts the processes that serve its connections, and keeps their number. Resolves when all serve. */
export async function startWorkers(parts: WorkersDependencies) {
  const { config, model, log } = parts
  cluster.setupPrimary({
    exec: fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url)),
    args: [],
    // Certificates and secrets are bytes.
    serialization: 'advanced',
  })
  const slots = createSlots(hashQueueSize())
  const metrics = createWorkerMetrics()
  const writeCounts = createWriteCounts(config, (err) =>
    log.warn(
      { err },
      'no temporary file for the counts of the workers can be written: replicas are not used',
    ),
  )
  const closing = new AbortController()
  const current = new Map<number, WorkerProcess>()
  const shares = {
    maxConnections: Math.ceil(config.maxConnections / config.workers),
    bodyMemory: Math.max(
      Math.floor(config.bodyMemory / config.workers),
      leastBodyMemory(config.batchLimits.bytes),
    ),
  }
  const distribution = await explainPort(config, () =>
    openDistribution({
      ...config,
      maxConnections: shares.maxConnections,
      onFault: (err) => log.error({ err }, 'a connection could not be accepted'),
    }),
  )
  const { port } = distribution
  let isMigratedElsewhere = false

  function start(number: number): WorkerProcess {
    const worker: WorkerProcess = startWorker({
      setup: {
        ...{ number, model, writeCount: writeCounts.of(number) },
        config: { ...config, ...shares, port, db: writeCounts.db },
      },
      slots,
      onMigratedElsewhere() {
        // Every worker reports this; the callback is called once.
        if (!isMigratedElsewhere) parts.onMigratedElsewhere()
        isMigratedElsewhere = true
      },
      onLateSlot: (heldMs) =>
        log.warn({ worker: number, pid: worker.pid, heldMs }, 'a worker keeps a hash slot; it is handed on'),
      onFree: () => distribution.free(worker),
    })
    current.set(number, worker)
    metrics.follow(worker)
    worker.serving.then(
      () => log.info({ worker: number, pid: worker.pid }, 'a worker serves'),
      () => {},
    )
    void worker.ended.then(() => distribution.remove(worker))
    return worker
  }

  const isServed = () => [...current.values()].some((worker) => worker.isServing())

  /** Keeps a worker running: when it ends, another one replaces it. */
  async function keep(number: number, first: WorkerProcess): Promise<void> {
    let worker = first
    let pauseMs = 0
    for (;;) {
      const started = performance.now()
      const { by: endedBy, reason } = await worker.ended
      if (closing.signal.aborted) return
      const isShort = performance.now() - started < SHORT_LIFE_MS
      pauseMs = isShort ? Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS) : 0
      log.error(
        { worker: number, pid: worker.pid, endedBy, reason, againAfterMs: pauseMs },
        'a worker has ended; it is started again',
      )
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      worker = start(number)
    }
  }

  async function stopAll(): Promise<void> {
    closing.abort()
    // Each worker is sent its last connections before the message to stop.
    await distribution.close()
    const workers = [...current.values()]
    for (const worker of workers) worker.stop()
    const timers = [
      setTimeout(() => killAll(workers.filter((worker) => !worker.isStopping())), ACKNOWLEDGE_MS),
      setTimeout(() => killAll(workers), STOP_MS),
    ]
    await Promise.all(workers.map(({ ended }) => ended))
    for (const timer of timers) clearTimeout(timer)
    writeCounts.remove()
  }

  function killAll(workers: readonly WorkerProcess[]): void {
    for (const worker of workers) worker.kill()
  }

  parts.beforeExit(() => {
    // Workers that serve finish their requests. The others have none, and may be waiting for the database.
    killAll([...current.values()].filter((worker) => !worker.isServing()))
    return stopAll()
  })
  for (let number = 1; number <= config.workers; number++) start(number)
  let base: string
  try {
    const bases = await Promise.all([...current.values()].map(({ serving }) => serving))
    base = bases[0] as string
  } catch (error) {
    await stopAll()
    throw error
  }
  for (const [number, worker] of current) void keep(number, worker)

  return {
    ...{ port, base },
    problem: () => (isServed() ? undefined : 'no worker serves'),
    metrics: metrics.text,
    close: stopAll,
  }
}

/** Adds up the workers' metrics. Counts of a worker that has ended stay in the sum, which must not shrink. */
function createWorkerMetrics() {
  /** The latest metrics of each running worker, for when it does not answer in time. */
  const latest = new Map<WorkerProcess, MetricValues>()
  let former: Promise<MetricValues> = Promise.resolve([])

  async function collect(worker: WorkerProcess): Promise<void> {
    const values = worker.isServing() ? await worker.collect() : undefined
    if (values !== undefined && latest.has(worker)) latest.set(worker, values)
  }

  return {
    /** Keeps the metrics of a worker from its start to its end. */
    follow(worker: WorkerProcess): void {
      latest.set(worker, [])
      worker.ended.then(() => {
        const values = latest.get(worker) ?? []
        latest.delete(worker)
        former = former.then((counts) => countsOf([counts, values]))
      })
    },
    /** The metrics of all workers, summed. */
    async text(): Promise<MetricsText> {
      await Promise.all([...latest.keys()].map(collect))
      return aggregate([...latest.values(), await former])
    },
  }
}
