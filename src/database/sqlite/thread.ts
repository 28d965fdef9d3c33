import { setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Answer } from '../../channel.ts'
import { createReader } from '../../members/sqlite/pages.ts'
import { search } from '../../members/sqlite/read.ts'
import type { Scan, ScanThreadData } from '../../members/sqlite/scan.ts'
import { createCommands, type StoredClasses } from '../../members/sqlite/writes.ts'
import { CACHE_KIB, prepareForWrites } from './connection.ts'
import { failureOf } from './errors.ts'
import { type WatchedFile, watchFile } from './file-watch.ts'
import { createGroupCommit, type Job, pause } from './group-commit.ts'

/** What the thread that writes starts with. */
export interface WriteThreadData {
  readonly task: 'write'
  readonly path: string
  readonly watched: WatchedFile
  readonly classes: StoredClasses
}

/** After a transaction of this length the thread pauses, so that another process, which polls for the lock, gets it. */
const LONG_MS = 20
const PAUSE_MS = 5
/** How long a scan waits for a lock. */
const LOCK_TIMEOUT_MS = 1_000
/** The lowest priority, which still gets a share. */
const NICE = 19

const port = parentPort as MessagePort

function write({ path, watched, classes }: WriteThreadData): void {
  // rw: a file that was removed meanwhile is not created again.
  const db = new DatabaseSync(new URL('?mode=rw', pathToFileURL(path)), { enableForeignKeyConstraints: true })
  prepareForWrites(db)
  const commits = createGroupCommit(db, createCommands(db, classes), watchFile(db, watched))

  /** Jobs that have arrived meanwhile share the next commit. */
  function addArrived(): void {
    for (;;) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) return
      commits.add(received.message as Job[])
    }
  }

  port.on('message', (jobs: Job[]) => {
    commits.add(jobs)
    while (!commits.isDone()) {
      addArrived()
      const started = performance.now()
      const answers = commits.commitNext()
      if (answers.length > 0) port.postMessage(answers)
      if (performance.now() - started > LONG_MS) pause(PAUSE_MS)
    }
  })
}

function scan({ path, scanMs }: ScanThreadData): void {
  // Requests that an index answers come first where cores are few. Only Linux has a priority per thread: elsewhere this
  // would change that of the whole process.
  if (process.platform === 'linux') setPriority(NICE)
  const db = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
  db.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB}`)
  const reader = createReader(db, scanMs)

  function answer({ id, tables, selection, ms }: Scan): Answer {
    const deadline = performance.now() + ms
    // One snapshot: the page and its total belong together.
    db.exec('BEGIN')
    try {
      return { id, value: search(reader, tables, selection, deadline) }
    } catch (error) {
      return { id, failure: failureOf(error) }
    } finally {
      db.exec('COMMIT')
    }
  }

  port.on('message', (scans: Scan[]) => port.postMessage(scans.map(answer)))
}

const data = workerData as WriteThreadData | ScanThreadData
if (data.task === 'write') write(data)
else scan(data)
