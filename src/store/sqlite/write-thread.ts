import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { prepareForWrites } from './connection.ts'
import { type WatchedFile, watchFile } from './file-watch.ts'
import { createCommands, createGroupCommit, type Job, pause } from './group-commit.ts'
import type { StoredClasses } from './writes.ts'

/** What the thread that writes starts with. */
export interface WriteThreadData {
  readonly path: string
  readonly watched: WatchedFile
  readonly classes: StoredClasses
}

/** After a transaction of such a length, another process that tries for the lock now and then gets it. */
const LONG_MS = 20
const PAUSE_MS = 5

const { path, watched, classes } = workerData as WriteThreadData
// rw: the file is there, and is not made anew where it is gone.
const db = new DatabaseSync(new URL('?mode=rw', pathToFileURL(path)), { enableForeignKeyConstraints: true })
prepareForWrites(db)
const commits = createGroupCommit(db, createCommands(db, classes), watchFile(db, watched))
const port = parentPort as MessagePort

/** What has come meanwhile shares the next commit. */
function addAllThatCame(): void {
  for (;;) {
    const came = receiveMessageOnPort(port)
    if (came === undefined) return
    commits.add(came.message as Job[])
  }
}

port.on('message', (jobs: Job[]) => {
  commits.add(jobs)
  while (!commits.isDone()) {
    addAllThatCame()
    const started = performance.now()
    const answers = commits.commitNext()
    if (answers.length > 0) port.postMessage(answers)
    if (performance.now() - started > LONG_MS) pause(PAUSE_MS)
  }
})
