import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../errors.ts'
import { createScans } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { translate } from './errors.ts'
import { TooLate } from './row-budget.ts'
import type { Scan, Scanned } from './scan-thread.ts'
import type { Tables } from './tables.ts'

/** Searches that may have to look at every member, off the main thread (hypermedia.md, Cost). */
export interface Scanner {
  scan(tables: Tables, selection: Selection): Promise<Page>
  /** Answers what is running and waiting with 503. */
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  /** What it was asked last and has not answered. */
  answer: ((scanned: Scanned) => void) | undefined
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

export function createScanner(path: string, scanMs: number): Scanner {
  const scans = createScans(scanMs, (error) => error instanceof TooLate)
  const threads = new Set<Thread>()

  /** The scans that run at once are as many as the threads: there is one for each. */
  function runOnThread(scan: Scan): Promise<Page> {
    const thread = [...threads].find(({ answer }) => answer === undefined) ?? startThread()
    return new Promise((resolve, reject) => {
      thread.answer = (scanned) => {
        thread.answer = undefined
        thread.worker.unref()
        if (scanned.outcome === 'page') resolve(scanned.page)
        else reject(errorOf(scanned))
      }
      thread.worker.ref()
      thread.worker.postMessage(scan)
    })
  }

  function startThread(): Thread {
    const file = `./scan-thread${extname(import.meta.filename)}`
    // Not with the flags of this process: those for a script on the command line would be refused.
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { path }, execArgv: [] })
    const thread: Thread = { worker, answer: undefined }
    let cause: unknown
    threads.add(thread)
    worker.on('message', (scanned: Scanned) => thread.answer?.(scanned))
    worker.on('error', (error) => {
      cause = error
    })
    // A thread that has ended is replaced by the next scan that needs one.
    worker.on('exit', () => {
      threads.delete(thread)
      thread.answer?.({ outcome: 'crashed', cause })
    })
    return thread
  }

  return {
    scan: (tables, selection) => scans.run((ms) => runOnThread({ tables, selection, ms })),
    async close() {
      scans.close()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

function errorOf(scanned: Exclude<Scanned, { outcome: 'page' }>): unknown {
  if (scanned.outcome === 'late') return new TooLate()
  if (scanned.outcome === 'crashed') return unavailable(CRASHED, 5, scanned.cause)
  const { message, errcode } = scanned
  return translate(Object.assign(new Error(message), { errcode }))
}
