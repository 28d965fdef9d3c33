import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../errors.ts'
import { createScans } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { TooLate } from './connection.ts'
import { translate } from './errors.ts'
import type { Failure, Scan, Scanned } from './scan-thread.ts'
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
  asked: PromiseWithResolvers<Page> | undefined
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

export function createScanner(path: string, scanMs: number): Scanner {
  const scans = createScans(scanMs, (error) => error instanceof TooLate)
  const threads = new Set<Thread>()

  /** The scans that run at once are as many as the threads: there is one for each. */
  function runOnThread(scan: Scan): Promise<Page> {
    const thread = [...threads].find(({ asked }) => asked === undefined) ?? startThread()
    const asked = Promise.withResolvers<Page>()
    thread.asked = asked
    thread.worker.ref()
    thread.worker.postMessage(scan)
    return asked.promise.finally(() => {
      thread.asked = undefined
      thread.worker.unref()
    })
  }

  function startThread(): Thread {
    const file = `./scan-thread${extname(import.meta.filename)}`
    // Not with the flags of this process: those for a script on the command line would be refused.
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { path }, execArgv: [] })
    const thread: Thread = { worker, asked: undefined }
    // A thread that has ended is replaced by the next scan that needs one.
    const end = (cause?: unknown) => {
      threads.delete(thread)
      thread.asked?.reject(unavailable(CRASHED, 5, cause))
    }
    threads.add(thread)
    worker.on('message', (scanned: Scanned) => {
      if ('page' in scanned) thread.asked?.resolve(scanned.page)
      else thread.asked?.reject(errorOf(scanned))
    })
    worker.on('error', end)
    worker.on('exit', () => end())
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

const errorOf = ({ isLate, message, errcode }: Failure): unknown =>
  isLate ? new TooLate() : translate(Object.assign(new Error(message), { errcode }))
