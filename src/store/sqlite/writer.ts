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

/** Carries out commands on a thread of its own: a request that reads never waits for a disk or a lock. */
export interface Writer {
  /** Acknowledged when it is on disk. */
  readonly write: Write
  /**
   * Acknowledged when every process sees it; on disk with the next `write`. For what may be forgotten when the power
   * fails, since what it allows has then not happened either.
   */
  readonly writeUnsynced: Write
  /** Writes what is waiting and takes no more. */
  close(): Promise<void>
}

/** How long a write waits for another process to let go of the database. */
const PATIENCE_MS = 2_000

export const lockDeadline = (): number => sharedNow() + PATIENCE_MS

type OnAnswers = (answers: readonly Answer[]) => void
/** `onEnd`: it has failed, and what it was asked is not answered. */
type Start = (onAnswers: OnAnswers, onEnd: (cause: unknown) => void) => Thread<readonly Job[]>

/** Started by the first write, and again by the next one where it has failed. */
export const onThread =
  (data: WriteThreadData): Start =>
  (onAnswer, onEnd) =>
    startThread({ name: 'write-thread', data, onAnswer, onEnd })

/** On this thread and by this connection. */
export const directly =
  (db: DatabaseSync, classes: StoredClasses, file: FileWatch): Start =>
  (onAnswers) => {
    const commits = createGroupCommit(db, createCommands(db, classes), file)
    return {
      ask(jobs) {
        commits.add(jobs)
        while (!commits.isDone()) onAnswers(commits.commitNext())
      },
      rest() {},
      async close() {},
    }
  }

interface Waiting {
  readonly job: Job
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** `onAnswered` is told before any write is acknowledged: what is remembered of the database may be old. */
export function createWriter(start: Start, onAnswered: () => void): Writer {
  let thread: Thread<readonly Job[]> | undefined
  let unsent: Waiting[] = []
  const asked = new Map<number, Waiting>()
  let lastId = 0
  let isClosed = false
  let drained: (() => void) | undefined

  /** What asks to write in one turn of the event loop is one message. */
  function send(): void {
    const sent = unsent
    unsent = []
    for (const one of sent) asked.set(one.job.id, one)
    thread ??= start(receive, end)
    thread.ask(sent.map(({ job }) => job))
  }

  function receive(answers: readonly Answer[]): void {
    onAnswered()
    for (const answer of answers) {
      const waiting = asked.get(answer.id)
      asked.delete(answer.id)
      if ('failure' in answer) waiting?.reject(errorOf(answer.failure))
      else waiting?.resolve(answer.value)
    }
    if (asked.size === 0) rest()
  }

  /** A commit may have been under way. */
  function end(cause: unknown): void {
    thread = undefined
    onAnswered()
    for (const { reject } of asked.values()) reject(new OutcomeUnknown(cause))
    asked.clear()
    rest()
  }

  function rest(): void {
    thread?.rest()
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
      if (unsent.length > 0 || asked.size > 0)
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      await thread?.close()
    },
  }
}
