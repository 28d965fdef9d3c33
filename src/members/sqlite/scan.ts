import { type Channel, createChannel, onThread, type Question } from '../../channel.ts'
import { errorOf } from '../../database/sqlite/errors.ts'
import { unavailable } from '../../errors.ts'
import type { Page, Selection } from '../../store/index.ts'
import { closing, createScans, MAX_SCANS } from '../query/scans.ts'
import type { Tables } from './tables.ts'

/** The file of all threads. */
export const THREAD = new URL('../../database/sqlite/thread', import.meta.url)

/** What a thread that scans starts with. */
export interface ScanThreadData {
  readonly task: 'scan'
  readonly path: string
  readonly scanMs: number
}

/** A search that may read every member. */
export interface Scan extends Question {
  readonly tables: Tables
  readonly selection: Selection
  /** How long it may take. */
  readonly ms: number
}

const CRASHED = 'The search was ended by a fault in the database; try again shortly.'

/** Runs searches that may read every member off the main thread (hypermedia.md, Cost). */
export function createScanner(path: string, scanMs: number) {
  const scans = createScans(scanMs)
  const channels = Array.from({ length: MAX_SCANS }, () =>
    createChannel<Scan>({
      start: onThread(THREAD, { task: 'scan', path, scanMs } satisfies ScanThreadData),
      unanswered: (cause) => unavailable(CRASHED, 5, cause),
      closed: closing,
      errorOf,
    }),
  )
  const idle = () => channels.find(({ isIdle }) => isIdle()) as Channel<Scan>
  return {
    scan: (tables: Tables, selection: Selection) =>
      scans.run((ms) => idle().ask({ tables, selection, ms }) as Promise<Page>),
    /** Answers what is running and waiting with 503. */
    async close(): Promise<void> {
      scans.close()
      await Promise.all(channels.map(({ close }) => close()))
    },
  }
}
