import cluster, { type Worker } from 'node:cluster'
import type { HashSlots } from '../../auth/index.ts'
import type { Config } from '../../config/index.ts'
import type { MetricValues } from '../../service/ops.ts'
import type { Model } from '../../vocabulary/index.ts'
import { type SlotAnswer, type SlotRequest, shareSlots } from './hash-slots.ts'

/** What the first process says to a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  | { readonly kind: 'stop' }
  | { readonly kind: 'collect metrics' }
  | SlotAnswer

/** What a worker says to the first process. */
export type FromWorker =
  /** It receives messages: those that are sent before may be lost. */
  | { readonly kind: 'ready for messages' }
  | ({ readonly kind: 'listening' } & Listening)
  /** It has received the message to stop, and finishes its requests. */
  | { readonly kind: 'stopping' }
  /** It could not start, and ends. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'migrated elsewhere' }
  | { readonly kind: 'metrics'; readonly values: MetricValues }
  | SlotRequest

/**
 * All that a worker needs, read once by the first process: a worker that is started again next week must not find other
 * settings, another secret or another API file than those beside it. Nor does a password become an argument.
 */
export interface WorkerSetup {
  readonly number: number
  readonly model: Model
  readonly config: Config
}

/** Where a worker listens. */
export interface Listening {
  readonly port: number
  readonly base: string
}

interface WorkerParts {
  readonly setup: WorkerSetup
  readonly slots: HashSlots
  readonly onMigratedElsewhere: () => void
  /** Called where it has kept a hash slot for so long that the slot was given to another worker. */
  readonly onLateSlot: (heldMs: number) => void
}

/** A worker that takes longer is left out. */
const COLLECT_MS = 1_000
/** Starting is quick: the first process has done all that takes long. */
const START_MS = 60_000

export type WorkerProcess = ReturnType<typeof startWorker>

/** A worker, from its start to its end. The next one has the same number. */
export function startWorker({ setup, slots, onMigratedElsewhere, onLateSlot }: WorkerParts) {
  const worker = cluster.fork()
  const shared = shareSlots(slots, (answer) => send(worker, answer), onLateSlot)
  const listening = Promise.withResolvers<Listening>()
  const ended = Promise.withResolvers<{ readonly by: string | number; readonly reason: string | undefined }>()
  let collected = Promise.withResolvers<MetricValues | undefined>()
  let state: 'starting' | 'listening' | 'stopping' | 'ended' = 'starting'
  let isStopping = false
  let reason: string | undefined

  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'ready for messages':
        // The message to stop may have been sent before it received messages.
        return send(worker, state === 'starting' ? { kind: 'serve', setup } : { kind: 'stop' })
      case 'listening':
        if (state === 'starting') state = 'listening'
        return listening.resolve(message)
      case 'stopping':
        isStopping = true
        return
      case 'failed':
        reason = message.reason
        return
      case 'migrated elsewhere':
        return onMigratedElsewhere()
      case 'metrics':
        return collected.resolve(message.values)
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
    collected.resolve(undefined)
    listening.reject(new Error(reason ?? `Worker ${setup.number} has ended (${by}) before it served.`))
    ended.resolve({ by, reason })
  }

  return {
    pid: worker.process.pid ?? 0,
    /** Rejects with the reason when it ends, or has to be ended, before it listens. */
    listening: listening.promise,
    /** By a signal or with a status, and for the reason that it has said itself. */
    ended: ended.promise,
    isListening: () => state === 'listening',
    /** Whether it has acknowledged the message to stop. */
    isStopping: () => isStopping,
    /** Requests in flight are finished. */
    stop(): void {
      if (state !== 'ended') state = 'stopping'
      send(worker, { kind: 'stop' })
    },
    kill(): void {
      worker.process.kill('SIGKILL')
    },
    /** Undefined when it does not answer in time. One at a time: the port for metrics asks again when it has an answer. */
    collect(): Promise<MetricValues | undefined> {
      collected = Promise.withResolvers()
      const timer = setTimeout(collected.resolve, COLLECT_MS, undefined)
      send(worker, { kind: 'collect metrics' })
      return collected.promise.finally(() => clearTimeout(timer))
    },
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
