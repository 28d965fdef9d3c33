import { unavailable } from '../../errors.ts'
import { createScans, MAX_SCANS } from '../query/scans.ts'
import type { Page, Selection } from '../store.ts'
import { type Channel, createChannel, onThread } from './channel.ts'
import type { Tables } from './tables.ts'
import type { Scan, ThreadData } from './thread.ts'

/** Runs searches that may read every member off the main thread (hypermedia.md, Cost). */
export interface Scanner {
  scan(tables: Tables, selection: Selection): Promise<Page>
  /** Answers what is running and waiting with 503. */
  close(): Promise<void>
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

export function createScanner(path: string, scanMs: number): Scanner {
  const scans = createScans(scanMs)
  const channels = Array.from({ length: MAX_SCANS }, () =>
    createChannel<Scan>({
      start: onThread({ task: 'scan', path, scanMs } satisfies ThreadData),
      unanswered: (cause) => unavailable(CRASHED, 5, cause),
    }),
  )
  const idle = () => channels.find(({ isIdle }) => isIdle()) as Channel<Scan>
  return {
    scan: (tables, selection) => scans.run((ms) => idle().ask({ tables, selection, ms }) as Promise<Page>),
    async close() {
      scans.close()
      await Promise.all(channels.map(({ close }) => close()))
    },
  }
}
