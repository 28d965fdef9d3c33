import { setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Page, Selection } from '../store.ts'
import { CACHE_KIB } from './connection.ts'
import { type Failure, failureOf } from './errors.ts'
import { search } from './read.ts'
import { createReader } from './rows.ts'
import type { Tables } from './tables.ts'

/** A search; a scan thread runs one at a time. */
export interface Scan {
  readonly tables: Tables
  readonly selection: Selection
  /** How long it may take. */
  readonly ms: number
}

export type Scanned = { readonly page: Page } | { readonly failure: Failure }

/** What a scan thread starts with. */
export interface ScanThreadData {
  readonly path: string
  readonly scanMs: number
}

const LOCK_TIMEOUT_MS = 1_000
/** The lowest priority, which still gets a share. */
const NICE = 19

// Requests that an index answers come first where cores are few. Only Linux has a priority per thread: elsewhere this
// would change that of the whole process.
if (process.platform === 'linux') setPriority(NICE)

const { path, scanMs } = workerData as ScanThreadData
const db = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
db.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB}`)
const reader = createReader(db, scanMs)

function scan({ tables, selection, ms }: Scan): Scanned {
  const deadline = performance.now() + ms
  // One snapshot: the page and its total belong together.
  db.exec('BEGIN')
  try {
    return { page: search(reader, tables, selection, deadline) }
  } catch (error) {
    return { failure: failureOf(error) }
  } finally {
    db.exec('COMMIT')
  }
}

parentPort?.on('message', (asked: Scan) => parentPort?.postMessage(scan(asked)))
