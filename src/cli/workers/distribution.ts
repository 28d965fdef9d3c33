import type { Socket } from 'node:net'
import { DEFAULT_SERVER_LIMITS } from '../../http/index.ts'
import { openPort } from '../../http/server.ts'
import type { WorkerProcess } from './process.ts'

interface DistributionOptions {
  readonly host: string
  readonly port: number
  readonly onFault: (error: unknown) => void
  readonly maxConnections: number
}

type ServingWorker = Pick<WorkerProcess, 'pass' | 'isServing'>

/** Passes the connections of a port to workers. */
export interface Distribution {
  readonly port: number
  /** Called when a worker can take a connection. */
  free(worker: ServingWorker): void
  /** Called when a worker takes no more connections. */
  remove(worker: ServingWorker): void
  /** Accepts no more connections. Waiting connections are passed to the workers, or closed. */
  close(): Promise<void>
}

/** A connection that no worker has taken within this time is closed, like a connection without a request. */
const LONGEST_WAIT_MS = DEFAULT_SERVER_LIMITS.headersMs
const CHECK_MS = 1_000
/** How long a stop waits for workers to take the waiting connections. */
const LAST_MS = 2_000

/**
 * The first process listens on the port of the API, and passes connections to the workers in turn. `node:cluster` could do
 * so too, but it loses connections that a worker no longer takes: they stay open without a response.
 */
export async function openDistribution({
  maxConnections,
  ...listening
}: DistributionOptions): Promise<Distribution> {
  /** Connections that no worker has taken, oldest first, with their times of arrival. */
  const waiting = new Map<Socket, number>()
  /** Workers that can take a connection, the next one first. */
  const free = new Set<ServingWorker>()
  let onceEmpty = () => {}

  function distribute(): void {
    for (const [socket] of waiting) {
      const [worker] = free
      if (worker === undefined) return
      free.delete(worker)
      waiting.delete(socket)
      worker.pass(socket)
    }
    onceEmpty()
  }

  function dropFirst(): void {
    for (const [socket] of waiting) {
      waiting.delete(socket)
      return void socket.destroy()
    }
  }

  const { port, close } = await openPort({
    ...listening,
    pauseOnConnect: true,
    accept(socket) {
      socket.on('error', () => {})
      if (waiting.size >= maxConnections) dropFirst()
      waiting.set(socket, performance.now())
      distribute()
    },
  })
  const checking = setInterval(() => {
    const oldest = performance.now() - LONGEST_WAIT_MS
    for (const since of waiting.values()) {
      if (since > oldest) return
      dropFirst()
    }
  }, CHECK_MS).unref()

  return {
    port,
    free(worker: ServingWorker): void {
      if (!worker.isServing()) return
      free.add(worker)
      distribute()
    },
    remove(worker: ServingWorker): void {
      free.delete(worker)
    },
    async close(): Promise<void> {
      const deadline = performance.now() + LAST_MS
      await close(deadline)
      if (waiting.size > 0 && free.size > 0) distribute()
      if (waiting.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, deadline - performance.now())
          onceEmpty = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      clearInterval(checking)
      while (waiting.size > 0) dropFirst()
    },
  }
}
