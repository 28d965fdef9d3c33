import cluster from 'node:cluster'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createHashSlots } from '../../auth/hash-slots.ts'
import { defaultQueue } from '../../auth/hashing.ts'
import type { Config } from '../../config/config.ts'
import { DEFAULT_SERVER_LIMITS } from '../../http/limits.ts'
import type { Text } from '../../service/ops/server.ts'
import type { Service } from '../../service/service.ts'
import type { Model } from '../../vocabulary/model.ts'
import { writeOrder } from './messages.ts'
import { createWorkerMetrics } from './metrics.ts'
import { type Ending, type Served, startWorker, type WorkerProcess } from './process.ts'

export interface WorkersParts {
  readonly config: Config
  readonly model: Model
  readonly log: Logger
  readonly onOvertaken: () => void
  /** Takes what is to be done where the whole is stopped before all serve. */
  readonly onLeave: (act: () => Promise<void>) => void
}

/** The processes as one service. */
export interface Workers extends Service {
  /** Why nobody is served; undefined while at least one of them serves. */
  lacking(): string | undefined
  metrics(): Promise<Text>
}

/** One that ends sooner would do so again: each time it is waited longer before the next try. */
const SHORT_LIFE_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** Workers cut off by themselves what is not finished in time; one that does not is stuck. */
const STOP_MS = DEFAULT_SERVER_LIMITS.graceMs + 1_000
/** And so is one that does not even say by then that it has heard: it stands still, and will finish nothing. */
const HEARD_MS = 5_000

/** Starts the processes, which share the port, and keeps their number. Resolves when all serve. */
export async function startWorkers({
  config,
  model,
  log,
  onOvertaken,
  onLeave,
}: WorkersParts): Promise<Workers> {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url)),
    args: [],
    // Certificates and secrets are bytes.
    serialization: 'advanced',
  })
  const slots = createHashSlots(defaultQueue().slots)
  const metrics = createWorkerMetrics()
  const closing = new AbortController()
  const current = new Map<number, WorkerProcess>()
  let chosen: Served | undefined

  function start(number: number): WorkerProcess {
    const order = writeOrder(number, model, { ...config, port: portNow() })
    const worker: WorkerProcess = startWorker({
      order,
      slots,
      onOvertaken,
      onLateSlot: (heldMs) =>
        log.warn({ worker: number, pid: worker.pid, heldMs }, 'a worker keeps a hash slot; it is handed on'),
    })
    current.set(number, worker)
    metrics.follow(worker)
    worker.serving.then(
      ({ port }) => {
        if (chosen !== undefined && port !== chosen.port) worker.kill()
        else log.info({ worker: number, pid: worker.pid }, 'a worker serves')
      },
      () => {},
    )
    return worker
  }

  /** Any free port is chosen once. The workers share it by the number that they ask for, as long as one of them has it. */
  function portNow(): number {
    if (config.port !== 0 || chosen === undefined) return config.port
    return [...current.values()].some((worker) => worker.isServing()) ? 0 : chosen.port
  }

  /** For good: where one ends, the next takes its place. */
  async function keep(number: number, first: WorkerProcess): Promise<void> {
    let worker = first
    let pauseMs = 0
    for (;;) {
      const started = performance.now()
      const ending = await worker.ended
      if (closing.signal.aborted) return
      const isShort = performance.now() - started < SHORT_LIFE_MS
      pauseMs = isShort ? Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS) : 0
      report(number, worker, ending, pauseMs)
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      worker = start(number)
    }
  }

  function report(number: number, { pid }: WorkerProcess, { by, reason }: Ending, pauseMs: number): void {
    const why = reason === undefined ? {} : { reason }
    log.error(
      { worker: number, pid, endedBy: by, ...why, againAfterMs: pauseMs },
      'a worker has ended; it is started again',
    )
  }

  async function stopAll(): Promise<void> {
    closing.abort()
    const workers = [...current.values()]
    for (const worker of workers) worker.stop()
    const timers = [
      setTimeout(() => killAll(workers.filter((worker) => !worker.hasHeard())), HEARD_MS),
      setTimeout(() => killAll(workers), STOP_MS),
    ]
    await Promise.all(workers.map(({ ended }) => ended))
    for (const timer of timers) clearTimeout(timer)
  }

  function killAll(workers: readonly WorkerProcess[]): void {
    for (const worker of workers) worker.kill()
  }

  /** Some may serve before all do, and finish what they have. The others have nothing, and may wait for a database. */
  function leave(): Promise<void> {
    killAll([...current.values()].filter((worker) => !worker.isServing()))
    return stopAll()
  }

  onLeave(leave)
  const numbers = Array.from({ length: config.workers }, (_, index) => index + 1)
  const workers = numbers.map(start)
  try {
    const [served] = await Promise.all(workers.map(({ serving }) => serving))
    chosen = served as Served
  } catch (error) {
    await stopAll()
    throw error
  }
  workers.forEach((worker, index) => void keep(index + 1, worker))

  return {
    ...chosen,
    lacking: () =>
      [...current.values()].some((worker) => worker.isServing()) ? undefined : 'no worker serves',
    metrics: metrics.text,
    close: stopAll,
  }
}
