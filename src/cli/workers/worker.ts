// One of several server processes, started by workers.ts, which tells it what to serve, when to stop, and when to hash.
import type { Socket } from 'node:net'
import { classSchemas } from '../../members/conversion/conversion.ts'
import {
  createLog,
  importProgram,
  logReachability,
  openDatabase,
  startService,
  surviveRejections,
} from '../../service/index.ts'
import type { Metrics } from '../../service/metrics/metrics.ts'
import { linesOf } from '../../service/problems/index.ts'
import { limitNewSpace } from '../v8.ts'
import { endWithParent } from './end-with-parent.ts'
import { createRemoteSlots } from './hash-slots.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './process.ts'

limitNewSpace()
const slots = createRemoteSlots(send)
const stopped = Promise.withResolvers<void>()
let running: Promise<void> | undefined
let metrics: Metrics | undefined
/** Takes a connection; undefined until this worker serves. */
let accept: ((socket: Socket) => void) | undefined

// Ctrl-C reaches every process at once. The first one tells workers when to stop; if it dies, node:cluster ends this one.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
process.on('message', (message: ToWorker, socket?: Socket) => {
  switch (message.kind) {
    case 'serve':
      running = serveUntilStopped(message.setup)
      return void running.then(() => process.exit(0), fail)
    case 'connection':
      send({ kind: 'accepted' })
      return takeConnection(socket)
    case 'stop':
      if (running === undefined) process.exit(0)
      send({ kind: 'stopping' })
      return stopped.resolve()
    case 'slot':
      return slots.receive(message)
    case 'collect metrics':
      return void metrics?.values().then((values) => send({ kind: 'metrics', values }))
  }
})
send({ kind: 'ready for messages' })

async function serveUntilStopped({ number, model, config, writeCount }: WorkerSetup): Promise<void> {
  const log = (await createLog(config.logFormat ?? 'json', config.logLevel)).child({ worker: number })
  if (config.ops !== undefined) metrics = (await import('../../service/metrics/metrics.ts')).createMetrics()
  // Only the deployer's code may loop: our own yields.
  if (config.with !== undefined) endWithParent()
  const program = config.with === undefined ? undefined : await importProgram(config.with)
  surviveRejections(log)
  // The first process has migrated the members to this API file. A later migration by another server is not undone.
  const store = await openDatabase(config.db, classSchemas(model), {
    scanMs: config.scanMs,
    migrate: 'none',
    ...(writeCount && { writeCount }),
    onMigratedElsewhere: () => send({ kind: 'migrated elsewhere' }),
    ...logReachability(log),
  })
  try {
    const takeFrom = (take: NonNullable<typeof accept>) => {
      accept = take
    }
    const service = await startService({ config, model, store, log, slots, metrics, program, takeFrom })
    send({ kind: 'serving', base: service.base })
    await stopped.promise
    await service.close()
  } finally {
    await store.close()
  }
}

/**
 * Sets the socket options again: Node.js passes the handle without them. Undefined if the connection is closed already.
 */
function takeConnection(socket: Socket | undefined): void {
  if (socket === undefined) return
  socket.allowHalfOpen = true
  socket.setNoDelay(true)
  accept?.(socket)
}

/** The first process reports the reason. */
function fail(error: unknown): void {
  send({ kind: 'failed', reason: linesOf(error).join('\n') }, () => process.exit(1))
}

function send(message: FromWorker, then: () => void = () => {}): void {
  // Sending fails if the first process is gone; then this one ends as well.
  process.send?.(message, undefined, undefined, then)
}
