import { setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ThreadReply } from '../../channel.ts'
import { CACHE_KIB } from '../../database/sqlite/connection.ts'
import { failureOf } from '../../database/sqlite/errors.ts'
import { readerOf } from './pages.ts'
import { search } from './read.ts'
import type { ScanRequest, ScanThreadData } from './scan.ts'
import { summarize } from './summary.ts'
import { dialectOf } from './tables.ts'

/** How long a scan waits for a lock. */
const LOCK_TIMEOUT_MS = 1_000
/** The lowest priority, which still gets a share. */
const NICE = 19

const port = parentPort as MessagePort
const { path, scanMs, classes } = workerData as ScanThreadData
// If there are few cores, requests with an index come first. Only Linux has a priority per thread: elsewhere this would
// change the priority of the whole process.
if (process.platform === 'linux') setPriority(NICE)
const db = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
db.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB}`)
const reader = readerOf(db, scanMs)

function reply({ id, tables, asked, ms }: ScanRequest): ThreadReply {
  const deadline = performance.now() + ms
  // One snapshot: the page and its total belong together.
  db.exec('BEGIN')
  try {
    const dialect = dialectOf(tables, classes)
    const value =
      'selection' in asked
        ? search(reader, dialect, asked.selection, deadline)
        : summarize(reader, dialect, asked.summary, { deadline, scanMs })
    return { id, value }
  } catch (error) {
    return { id, failure: failureOf(error) }
  } finally {
    db.exec('COMMIT')
  }
}

port.on('message', (scans: ScanRequest[]) => port.postMessage(scans.map(reply)))
