import cluster, { type Worker } from 'node:cluster'
import { type HashSlots, shareSlots } from '../../auth/index.ts'
import type { MetricValues } from '../../service/ops/index.ts'
import type { FromWorker, Listening, Order, ToWorker } from './messages.ts'

/** A worker, from its start to its end. The next one has the same number. */
export interface WorkerProcess {
  readonly pid: number
  /** Rejects with the reason when it ends, or has to be ended, before it listens. */
  readonly listening: Promise<Listening>
  /** Says how, for the log. */
  readonly ended: Promise<Ending>
  isListening(): boolean
  /** Whether it has said that it stops. */
  hasHeard(): boolean
  /** Requests in flight are finished. */
  stop(): void
  kill(): void
  /** Undefined when it does not answer in time. */
  collect(): Promise<MetricValues | undefined>
}

export interface Ending {
  /** A signal, or a status. */
  readonly by: string | number
  /** What it has said itself. */
  readonly reason?: string
}

export interface WorkerParts {
  readonly order: Order
  readonly slots: HashSlots
  readonly onMigratedElsewhere: () => void
  /** It has kept a hash slot for so long that it was handed on. */
  readonly onLateSlot: (heldMs: number) => void
}

/** A worker that is this busy is left out. */
const COLLECT_MS = 1_000
/** The first process has done all that may take long. */
const START_MS = 60_000

export function startWorker({ order, slots, onMigratedElsewhere, onLateSlot }: WorkerParts): WorkerProcess {
  const worker = cluster.fork()
  const shared = shareSlots(slots, (grant) => tell(worker, grant), onLateSlot)
  const listening = Promise.withResolvers<Listening>()
  const ended = Promise.withResolvers<Ending>()
  const collecting = new Map<number, (values: MetricValues | undefined) => void>()
  let state: 'starting' | 'listening' | 'stopping' | 'ended' = 'starting'
  let hasHeard = false
  let reason: string | undefined
  let asked = 0

  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'ready for messages':
        // It may have been told to stop before it could hear.
        return tell(worker, state === 'starting' ? { kind: 'serve', order } : { kind: 'stop' })
      case 'listening':
        if (state === 'starting') state = 'listening'
        return listening.resolve(message)
      case 'stopping':
        hasHeard = true
        return
      case 'failed':
        reason = message.reason
        return
      case 'migrated elsewhere':
        return onMigratedElsewhere()
      case 'metrics':
        return collecting.get(message.id)?.(message.values)
      default:
        return shared.receive(message)
    }
  })
  worker.on('error', (error: Error) => {
    // Where it could not even be started there is no `exit`. Otherwise a message could not be sent: it is ending.
    if (worker.process.pid !== undefined) return
    reason = `it could not be started: ${error.message}`
    end('nothing')
  })
  worker.once('exit', (code: number | null, signal: string | null) => end(signal ?? code ?? 'nothing'))
  const late = setTimeout(() => {
    reason = `it did not serve within ${START_MS / 1_000} s`
    worker.process.kill('SIGKILL')
  }, START_MS)
  // A failure is reported through `ended` as well.
  listening.promise.finally(() => clearTimeout(late)).catch(() => {})

  function end(by: string | number): void {
    state = 'ended'
    shared.end()
    for (const answer of collecting.values()) answer(undefined)
    listening.reject(new Error(reason ?? `Worker ${order.number} has ended (${by}) before it served.`))
    ended.resolve({ by, ...(reason === undefined ? {} : { reason }) })
  }

  return {
    pid: worker.process.pid ?? 0,
    listening: listening.promise,
    ended: ended.promise,
    isListening: () => state === 'listening',
    hasHeard: () => hasHeard,
    stop() {
      if (state !== 'ended') state = 'stopping'
      tell(worker, { kind: 'stop' })
    },
    kill() {
      worker.process.kill('SIGKILL')
    },
    collect() {
      asked += 1
      const id = asked
      const { promise, resolve } = Promise.withResolvers<MetricValues | undefined>()
      const timer = setTimeout(resolve, COLLECT_MS, undefined)
      collecting.set(id, resolve)
      tell(worker, { kind: 'collect metrics', id })
      return promise.finally(() => {
        clearTimeout(timer)
        collecting.delete(id)
      })
    },
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
