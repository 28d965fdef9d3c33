import { unavailable } from '../../errors.ts'
import { createScans } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { errorOf } from './errors.ts'
import type { Scan, Scanned, ScanThreadData } from './scan-thread.ts'
import type { Tables } from './tables.ts'
import { startThread, type Thread } from './thread.ts'

/** Runs searches that may read every member off the main thread (hypermedia.md, Cost). */
export interface Scanner {
  scan(tables: Tables, selection: Selection): Promise<Page>
  /** Answers what is running and waiting with 503. */
  close(): Promise<void>
}

interface ScanThread {
  readonly thread: Thread<Scan>
  /** The search that it runs. */
  asked: PromiseWithResolvers<Page> | undefined
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

export function createScanner(path: string, scanMs: number): Scanner {
  const scans = createScans(scanMs)
  const threads = new Set<ScanThread>()

  /** `createScans` lets only a few run at once; each has a thread, started when it is first needed. */
  function runOnThread(scan: Scan): Promise<Page> {
    const free = [...threads].find(({ asked }) => asked === undefined) ?? start()
    const asked = Promise.withResolvers<Page>()
    free.asked = asked
    free.thread.ask(scan)
    return asked.promise.finally(() => {
      free.asked = undefined
      free.thread.unref()
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
        // The next scan starts another one.
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
