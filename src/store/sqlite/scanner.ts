import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type HttpError, unavailable } from '../../errors.ts'
import { closing, crowded, late, MOST_WAITING_SCANS } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { translate } from './errors.ts'
import type { Scan, Scanned } from './scan-thread.ts'
import type { Tables } from './tables.ts'

/** Searches that may have to look at every member, off the main thread (hypermedia.md, Cost). */
export interface Scanner {
  scan(tables: Tables, selection: Selection): Promise<Page>
  /** Answers what is running and waiting with 503. */
  close(): Promise<void>
}

/** So many scans run at once. */
const THREADS = 2

interface Job {
  readonly tables: Tables
  readonly selection: Selection
  readonly deadline: number
  readonly settle: (scanned: Scanned | HttpError) => void
  /** Answered already, and yet on its thread until that notices. */
  settled: boolean
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
}

export function createScanner(path: string, scanMs: number): Scanner {
  const threads = new Set<Thread>()
  const waiting: Job[] = []
  let closed = false

  function next(): void {
    while (waiting.length > 0) {
      const thread = [...threads].find(({ job }) => job === undefined) ?? startThread()
      if (thread === undefined) return
      const job = waiting.shift() as Job
      thread.job = job
      thread.worker.ref()
      const { tables, selection, deadline } = job
      thread.worker.postMessage({ tables, selection, ms: deadline - performance.now() } satisfies Scan)
    }
  }

  function startThread(): Thread | undefined {
    if (threads.size >= THREADS) return undefined
    const file = `./scan-thread${extname(import.meta.filename)}`
    // Not with the flags of this process: those for a script on the command line would be refused.
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { path }, execArgv: [] })
    const thread: Thread = { worker, job: undefined }
    threads.add(thread)
    worker.on('message', (scanned: Scanned) => {
      const { job } = thread
      thread.job = undefined
      worker.unref()
      job?.settle(scanned)
      next()
    })
    // A thread that fails outside a scan is replaced by the next scan that needs one.
    worker.on('error', (error) => thread.job?.settle(unavailable(CRASHED, 5, error)))
    worker.on('exit', () => {
      threads.delete(thread)
      thread.job?.settle(unavailable(CRASHED, 5))
      if (!closed) next()
    })
    return thread
  }

  function enqueue(tables: Tables, selection: Selection): Promise<Page> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(late(scanMs)), scanMs)
      const job: Job = { tables, selection, deadline: performance.now() + scanMs, settle, settled: false }
      waiting.push(job)
      next()

      function settle(scanned: Scanned | HttpError): void {
        if (job.settled) return
        job.settled = true
        clearTimeout(timer)
        const place = waiting.indexOf(job)
        if (place !== -1) waiting.splice(place, 1)
        if ('outcome' in scanned && scanned.outcome === 'page') resolve(scanned.page)
        else reject('outcome' in scanned ? errorOf(scanned, scanMs) : scanned)
      }
    })
  }

  return {
    async scan(tables, selection) {
      if (closed) throw closing()
      if (waiting.length >= MOST_WAITING_SCANS) throw crowded()
      return enqueue(tables, selection)
    },
    async close() {
      closed = true
      for (const job of [...waiting]) job.settle(closing())
      const running = [...threads]
      for (const { job } of running) job?.settle(closing())
      await Promise.all(running.map(({ worker }) => worker.terminate()))
    },
  }
}

function errorOf(scanned: Exclude<Scanned, { outcome: 'page' }>, scanMs: number): unknown {
  if (scanned.outcome === 'late') return late(scanMs)
  const { message, errcode } = scanned
  return translate(Object.assign(new Error(message), { errcode }))
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'
