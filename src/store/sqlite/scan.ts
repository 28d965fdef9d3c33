import { unavailable } from '../../errors.ts'
import { createScans } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { errorOf } from './errors.ts'
import type { Scan, Scanned, ScanThreadData } from './scan-thread.ts'
import type { Tables } from './tables.ts'
import { startThread, type Thread } from './thread.ts'

/** Searches that may have to look at every member, off the main thread (hypermedia.md, Cost). */
export interface Scanner {
  scan(tables: Tables, selection: Selection): Promise<Page>
  /** Answers what is running and waiting with 503. */
  close(): Promise<void>
}

interface ScanThread {
  readonly thread: Thread<Scan>
  /** What it was asked last and has not answered. */
  asked: PromiseWithResolvers<Page> | undefined
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

export function createScanner(path: string, scanMs: number): Scanner {
  const scans = createScans(scanMs)
  const threads = new Set<ScanThread>()

  /** The scans that run at once are as many as the threads: there is one for each. */
  function runOnThread(scan: Scan): Promise<Page> {
    const free = [...threads].find(({ asked }) => asked === undefined) ?? start()
    const asked = Promise.withResolvers<Page>()
    free.asked = asked
    free.thread.ask(scan)
    return asked.promise.finally(() => {
      free.asked = undefined
      free.thread.rest()
    })
  }

  function start(): ScanThread {
    const started: ScanThread = {
      asked: undefined,
      thread: startThread<Scan, Scanned>({
        name: 'scan-thread',
        data: { path, scanMs } satisfies ScanThreadData,
        onAnswer(scanned) {
          if ('page' in scanned) started.asked?.resolve(scanned.page)
          else started.asked?.reject(errorOf(scanned.failure))
        },
        // It is replaced by the next scan that needs one.
        onEnd(cause) {
          threads.delete(started)
          started.asked?.reject(unavailable(CRASHED, 5, cause))
        },
      }),
    }
    threads.add(started)
    return started
  }

  return {
    scan: (tables, selection) => scans.run((ms) => runOnThread({ tables, selection, ms })),
    async close() {
      scans.close()
      await Promise.all([...threads].map(({ thread }) => thread.close()))
    },
  }
}
