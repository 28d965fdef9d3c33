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
import type { Model } from '../../vocabulary/index.ts'
import { COMPILE_EARLY } from '../v8.ts'
import { openDistribution } from './distribution.ts'
import { startWorker, type WorkerProcess } from './process.ts'
import { createWorkerMetrics } from './worker-metrics.ts'
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
export async function startWorkers(dependencies: WorkersDependencies) {
  const { config, model, log, beforeExit } = dependencies
  cluster.setupPrimary({
    exec: fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url)),
    args: [],
    execArgv: [...process.execArgv, ...COMPILE_EARLY],
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
  const shares = sharesOf(config)
  const distribution = await explainPort(config, () =>
    openDistribution({
      ...config,
      maxConnections: shares.maxConnections,
      onFault: (err) => log.error({ err }, 'a connection could not be accepted'),
    }),
  )
  const { port } = distribution
  // Every worker reports this.
  const onMigratedElsewhere = callOnce(dependencies.onMigratedElsewhere)

  function start(number: number): WorkerProcess {
    const worker: WorkerProcess = startWorker({
      setup: {
        ...{ number, model, writeCount: writeCounts.of(number) },
        config: { ...config, ...shares, port, db: writeCounts.db },
      },
      slots,
      onMigratedElsewhere,
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

  async function stopAll(): Promise<void> {
    closing.abort()
    // Each worker is sent its last connections before the message to stop.
    await distribution.close()
    await stopWorkers([...current.values()])
    writeCounts.remove()
  }

  beforeExit(() => {
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
  for (const [number, worker] of current)
    void keepRunning(worker, () => start(number), { number, log, closing: closing.signal })

  return {
    ...{ port, base },
    problem: () => (isServed() ? undefined : 'no worker serves'),
    metrics: metrics.text,
    close: stopAll,
  }
}

/** Limits of the whole server, divided among its workers. */
const sharesOf = ({ workers, maxConnections, bodyMemory, batchLimits }: Config) => ({
  maxConnections: Math.ceil(maxConnections / workers),
  bodyMemory: Math.max(Math.floor(bodyMemory / workers), leastBodyMemory(batchLimits.bytes)),
})

function callOnce(call: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) call()
    isCalled = true
  }
}

interface KeptWorker {
  readonly number: number
  readonly log: Logger
  readonly closing: AbortSignal
}

/** When the worker ends, another one replaces it, until the server closes. */
async function keepRunning(
  first: WorkerProcess,
  start: () => WorkerProcess,
  { number, log, closing }: KeptWorker,
): Promise<void> {
  let worker = first
  let pauseMs = 0
  for (;;) {
    const started = performance.now()
    const { by: endedBy, reason } = await worker.ended
    if (closing.aborted) return
    const isShort = performance.now() - started < SHORT_LIFE_MS
    pauseMs = isShort ? Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS) : 0
    log.error(
      { worker: number, pid: worker.pid, endedBy, reason, againAfterMs: pauseMs },
      'a worker has ended; it is started again',
    )
    await sleep(pauseMs, undefined, { signal: closing }).catch(() => {})
    if (closing.aborted) return
    worker = start()
  }
}

/** Asks workers to stop, and kills those that are stuck. */
async function stopWorkers(workers: readonly WorkerProcess[]): Promise<void> {
  for (const worker of workers) worker.stop()
  const timers = [
    setTimeout(() => killAll(workers.filter((worker) => !worker.isStopping())), ACKNOWLEDGE_MS),
    setTimeout(() => killAll(workers), STOP_MS),
  ]
  await Promise.all(workers.map(({ ended }) => ended))
  for (const timer of timers) clearTimeout(timer)
}

function killAll(workers: readonly WorkerProcess[]): void {
  for (const worker of workers) worker.kill()
}
