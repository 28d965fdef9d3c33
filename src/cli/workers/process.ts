import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { Config } from '../../config/index.ts'
import type { SharedCount } from '../../database/index.ts'
import type { Slots } from '../../fair-queue.ts'
import type { MetricValues } from '../../service/metrics/metrics.ts'
import type { Model } from '../../vocabulary/index.ts'
import { type SlotAnswer, type SlotRequest, shareSlots } from './hash-slots.ts'

/** Messages from the first process to a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  /** Comes with a connection to serve. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'collect metrics' }
  | SlotAnswer

/** Messages from a worker to the first process. */
export type FromWorker =
  /** The worker receives messages from now on; earlier messages may be lost. */
  | { readonly kind: 'ready for messages' }
  | { readonly kind: 'serving'; readonly base: string }
  /** It has taken the connection that it was passed. */
  | { readonly kind: 'accepted' }
  /** It has received the message to stop, and finishes its requests. */
  | { readonly kind: 'stopping' }
  /** It could not start, and ends. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'migrated elsewhere' }
  | { readonly kind: 'metrics'; readonly values: MetricValues }
  | SlotRequest

/**
 * Everything that a worker needs, read once by the first process: a worker that is restarted next week must have the same
 * settings, secret and API file as the others. This also keeps passwords out of arguments.
 */
export interface WorkerSetup {
  readonly number: number
  readonly writeCount: SharedCount | undefined
  readonly model: Model
  readonly config: Config
}

interface WorkerDependencies {
  readonly setup: WorkerSetup
  readonly slots: Slots
  readonly onMigratedElsewhere: () => void
  /** Called when a worker has held a hash slot for too long, and the slot was given to another worker. */
  readonly onLateSlot: (heldMs: number) => void
  /** Called when the worker begins to serve, and after each connection that it has taken: it can take the next one. */
  readonly onFree: () => void
}

/** A worker that takes longer is left out. */
const COLLECT_MS = 1_000
/** Starting is quick: the first process has done the slow part. */
const START_MS = 60_000

/** A worker as the first process sees it. */
export interface WorkerProcess {
  readonly pid: number
  /** Resolves to the base URL. Rejects with the reason if the worker ends, or has to be ended, before it serves. */
  readonly serving: Promise<string>
  readonly ended: Promise<WorkerEnd>
  isServing(): boolean
  /** Passes a connection to it. It can take one at a time, and calls `onFree` for the next. */
  pass(socket: Socket): void
  /** Whether it has acknowledged the message to stop. */
  isStopping(): boolean
  /** Requests in flight are finished. */
  stop(): void
  kill(): void
  /** Undefined if the worker does not answer in time. One call at a time: the metrics port waits for the answer. */
  collect(): Promise<MetricValues | undefined>
}

interface WorkerEnd {
  /** A signal or an exit status. */
  readonly by: string | number
  /** As the worker itself has reported it. */
  readonly reason: string | undefined
}

/** A worker, from its start to its end. Its successor gets the same number. */
export function startWorker(dependencies: WorkerDependencies): WorkerProcess {
  const { setup, slots, onMigratedElsewhere, onLateSlot, onFree } = dependencies
  const worker = cluster.fork()
  const shared = shareSlots(slots, (answer) => send(worker, answer), onLateSlot)
  const serving = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<WorkerEnd>()
  let collected = Promise.withResolvers<MetricValues | undefined>()
  let state: 'starting' | 'serving' | 'stopping' | 'ended' = 'starting'
  let isStopping = false
  let reason: string | undefined

  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'ready for messages':
        // The message to stop may have been sent before it received messages.
        return send(worker, state === 'starting' ? { kind: 'serve', setup } : { kind: 'stop' })
      case 'serving':
        if (state === 'starting') state = 'serving'
        serving.resolve(message.base)
        return onFree()
      case 'accepted':
        return onFree()
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
    // If the worker could not be started, there is no `exit`. Otherwise a message could not be sent, since it is ending.
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
  serving.promise.finally(() => clearTimeout(late)).catch(() => {})

  function end(by: string | number): void {
    state = 'ended'
    shared.end()
    collected.resolve(undefined)
    serving.reject(new Error(reason ?? `Worker ${setup.number} has ended (${by}) before it served.`))
    ended.resolve({ by, reason })
  }

  return {
    pid: worker.process.pid ?? 0,
    serving: serving.promise,
    ended: ended.promise,
    isServing: () => state === 'serving',
    pass(socket: Socket): void {
      if (worker.isConnected()) worker.send({ kind: 'connection' }, socket, () => {})
      else socket.destroy()
    },
    isStopping: () => isStopping,
    stop(): void {
      if (state !== 'ended') state = 'stopping'
      send(worker, { kind: 'stop' })
    },
    kill(): void {
      worker.process.kill('SIGKILL')
    },
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
