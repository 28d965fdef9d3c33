import type { DatabaseSync } from 'node:sqlite'
import { OutcomeUnknown } from '../../errors.ts'
import { closing } from '../query/scans.ts'
import { errorOf } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import {
  type Answer,
  type Commands,
  createCommands,
  createGroupCommit,
  type Job,
  sharedNow,
} from './group-commit.ts'
import { startThread, type Thread } from './thread.ts'
import type { WriteThreadData } from './write-thread.ts'
import type { StoredClasses } from './writes.ts'

type Write = <Name extends keyof Commands>(
  name: Name,
  args: Parameters<Commands[Name]>,
  deadline?: number,
) => Promise<ReturnType<Commands[Name]>>

/** Runs commands on a thread of its own, so that a request that reads never waits for a disk or a lock. */
export interface Writer {
  /** Acknowledged when it is on disk. */
  readonly write: Write
  /**
   * Acknowledged when every process sees it; on disk with the next `write`. For writes that may be lost in a power failure,
   * since what depends on them is lost too.
   */
  readonly writeUnsynced: Write
  /** Writes what is waiting and takes no more. */
  close(): Promise<void>
}

/** How long a write waits for a lock of another process. */
const LOCK_TIMEOUT_MS = 2_000

export const lockDeadline = (): number => sharedNow() + LOCK_TIMEOUT_MS

type OnAnswers = (answers: readonly Answer[]) => void
/** `onEnd`: called when the thread has failed; jobs without an answer get none. */
type Start = (onAnswers: OnAnswers, onEnd: (cause: unknown) => void) => Thread<readonly Job[]>

/** Starts the thread at the first write, and again at the next one after it has failed. */
export const onThread =
  (data: WriteThreadData): Start =>
  (onAnswer, onEnd) =>
    startThread({ name: 'write-thread', data, onAnswer, onEnd })

/** Writes on this thread and by this connection. */
export const directly =
  (db: DatabaseSync, classes: StoredClasses, file: FileWatch): Start =>
  (onAnswers) => {
    const commits = createGroupCommit(db, createCommands(db, classes), file)
    return {
      ask(jobs) {
        commits.add(jobs)
        while (!commits.isDone()) onAnswers(commits.commitNext())
      },
      unref() {},
      async close() {},
    }
  }

interface Waiting {
  readonly job: Job
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** `onAnswered` is called before any write is acknowledged: what is cached of the database may be stale. */
export function createWriter(start: Start, onAnswered: () => void): Writer {
  let thread: Thread<readonly Job[]> | undefined
  let unsent: Waiting[] = []
  const sent = new Map<number, Waiting>()
  let lastId = 0
  let isClosed = false
  let drained: (() => void) | undefined

  /** All writes of one turn of the event loop are one message. */
  function send(): void {
    const batch = unsent
    unsent = []
    for (const waiting of batch) sent.set(waiting.job.id, waiting)
    thread ??= start(receive, end)
    thread.ask(batch.map(({ job }) => job))
  }

  function receive(answers: readonly Answer[]): void {
    onAnswered()
    for (const answer of answers) {
      const waiting = sent.get(answer.id)
      sent.delete(answer.id)
      if ('failure' in answer) waiting?.reject(errorOf(answer.failure))
      else waiting?.resolve(answer.value)
    }
    if (sent.size === 0) onAllAnswered()
  }

  /** A commit may have been running. */
  function end(cause: unknown): void {
    thread = undefined
    onAnswered()
    for (const { reject } of sent.values()) reject(new OutcomeUnknown(cause))
    sent.clear()
    onAllAnswered()
  }

  function onAllAnswered(): void {
    thread?.unref()
    if (unsent.length === 0) drained?.()
  }

  const enqueue =
    (durable: boolean): Write =>
    (name, args, deadline = lockDeadline()) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw closing()
        if (unsent.length === 0) setImmediate(send)
        lastId += 1
        const job = { id: lastId, name, args, durable, deadline }
        unsent.push({ job, resolve: resolve as Waiting['resolve'], reject })
      })

  return {
    write: enqueue(true),
    writeUnsynced: enqueue(false),
    async close() {
      isClosed = true
      if (unsent.length > 0 || sent.size > 0)
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      await thread?.close()
    },
  }
}
