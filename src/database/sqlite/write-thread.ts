import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { CommandSource, GroupCommit, WriteJob } from './commands.ts'
import { prepareForWrites } from './connection.ts'
import { createCommitTimes, type SharedTimes } from './either-thread.ts'
import { watchFile } from './file-watch.ts'
import { createGroupCommit, loadCommands, pause } from './group-commit.ts'
import type { WatchedFile } from './watched-file.ts'

/** The worker data of the write thread. */
export interface WriteThreadData {
  readonly path: string
  readonly bulk: boolean
  readonly watched: WatchedFile
  readonly times: SharedTimes
  readonly commands: readonly CommandSource[]
}

/** After a transaction of this length the thread pauses, so that another process, which polls for the lock, gets it. */
const LONG_MS = 20
const PAUSE_MS = 5

const port = parentPort as MessagePort
const { path, bulk, watched, times, commands } = workerData as WriteThreadData

/** Not at the top level, since the files of dist/ are joined into one that is no ES module. */
async function run(): Promise<void> {
  const createCommands = await loadCommands(commands)
  // rw: a file that was removed meanwhile is not created again.
  const db = new DatabaseSync(new URL('?mode=rw', pathToFileURL(path)), { enableForeignKeyConstraints: true })
  prepareForWrites(db, bulk)
  const commits = createGroupCommit(db, createCommands(db), {
    file: watchFile(db, watched, { isCheckpointing: true }),
    times: createCommitTimes(times),
  })
  port.on('message', (jobs: WriteJob[]) => {
    commits.add(jobs)
    while (!commits.isDone()) {
      addArrived(commits)
      const started = performance.now()
      const replies = commits.commitNext()
      if (replies.length > 0) port.postMessage(replies)
      const ended = performance.now()
      if (ended - started <= LONG_MS) continue
      // The next jobs are received in the meantime, which takes a while for bulk data.
      addArrived(commits)
      pause(Math.max(0, PAUSE_MS - (performance.now() - ended)))
    }
  })
}

/** Jobs that have arrived meanwhile share the next commit. */
function addArrived(commits: GroupCommit): void {
  for (;;) {
    const received = receiveMessageOnPort(port)
    if (received === undefined) return
    commits.add(received.message as WriteJob[])
  }
}

// A failure ends the thread, and is the cause that its channel reports.
void run()
