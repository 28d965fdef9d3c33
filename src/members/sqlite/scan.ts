import { type Channel, createChannel, onThread, type ThreadRequest } from '../../channel.ts'
import { closing, databaseProblem, MAX_SCANS } from '../../database/index.ts'
import { errorOf } from '../../database/sqlite/errors.ts'
import type { Page } from '../member-store.ts'
import { createScans } from '../query/scans.ts'
import type { SearchPlace, Selection } from '../selection.ts'
import type { SummaryRows, SummarySelection } from '../summary.ts'
import type { SqliteTables, TablesByClass } from './tables.ts'

const THREAD = new URL('scan-thread', import.meta.url)

/** The worker data of a scan thread. */
export interface ScanThreadData {
  readonly path: string
  readonly scanMs: number
  readonly classes: TablesByClass
}

/** A search or a summary, which may read every member. */
export interface ScanRequest extends ThreadRequest {
  /** Those of the class. */
  readonly tables: SqliteTables
  readonly asked: { readonly selection: Selection } | { readonly summary: SummarySelection }
  /** How long it may take. */
  readonly ms: number
}

export interface Scanner {
  scan(tables: SqliteTables, selection: Selection): Promise<Page>
  summarize(tables: SqliteTables, summary: SummarySelection): Promise<SummaryRows>
  /** Rejects running and waiting searches. */
  close(): Promise<void>
}

/** Runs searches that may read every member off the main thread (hypermedia.md, Cost). `explain`: explains a failure. */
export function createScanner(data: ScanThreadData, explain: (error: unknown) => unknown): Scanner {
  const { scanMs } = data
  const scans = createScans(scanMs)
  const channels = Array.from({ length: MAX_SCANS }, () =>
    createChannel<ScanRequest>({
      start: onThread(THREAD, data),
      unanswered: (cause) => databaseProblem('SearchFailed', { retryAfterSeconds: 5 }, { cause }),
      closed: closing,
      errorOf: (failure) => explain(errorOf(failure)),
    }),
  )
  const idle = () => channels.find((one) => one.isIdle()) as Channel<ScanRequest>
  const ask = (tables: SqliteTables, asked: ScanRequest['asked'], place?: SearchPlace) =>
    scans.run((ms) => idle().ask({ tables, asked, ms }), place)
  return {
    scan: (tables, selection) => ask(tables, { selection }, selection.place) as Promise<Page>,
    summarize: (tables, summary) => ask(tables, { summary }, summary.place) as Promise<SummaryRows>,
    async close() {
      scans.close()
      await Promise.all(channels.map((one) => one.close()))
    },
  }
}
