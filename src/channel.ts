import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** A question to a thread, as plain data. */
export interface Question {
  readonly id: number
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: { readonly message: string } }

/** What answers questions: another thread, with a connection of its own, or this one. */
export interface Thread<Q extends Question> {
  /** The process stays alive until `unref`. */
  ask(questions: readonly Q[]): void
  unref(): void
  close(): Promise<unknown>
}

/** `onEnd`: called once, when the thread was closed or has failed; questions without an answer get none. */
export type Start<Q extends Question> = (
  onAnswers: (answers: readonly Answer[]) => void,
  onEnd: (cause: unknown) => void,
) => Thread<Q>

/** The URL of a module that is given without its ending: in TypeScript here, in JavaScript where it is published. */
export const moduleUrl = (href: string): string => href + extname(import.meta.filename)

/** `file`: the thread's, without its ending; `data`: what it starts with. */
export const onThread =
  (file: URL, data: unknown, resourceLimits: ResourceLimits = {}): Start<Question> =>
  (onAnswers, onEnd) => {
    // Without the flags of this process: a worker refuses some of them, such as --eval.
    const worker = new Worker(new URL(moduleUrl(file.href)), {
      workerData: data,
      execArgv: [],
      resourceLimits,
    })
    let cause: unknown
    worker.on('message', onAnswers)
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => onEnd(cause))
    return {
      ask(questions) {
        worker.ref()
        worker.postMessage(questions)
      },
      unref: () => worker.unref(),
      close: () => worker.terminate(),
    }
  }

interface Asked<Q> {
  readonly question: Q
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface ChannelParts<Q extends Question> {
  /** Called at the first question, and at the next one after the thread has failed. */
  readonly start: Start<Q>
  /** The error of the questions that a thread which has failed had not answered. */
  readonly unanswered: (cause: unknown) => unknown
  /** The error of a question that comes after `close`, or has not been sent before. */
  readonly closed?: () => Error
  /** The error for a failure that a thread has sent, where that is not the error itself. */
  readonly errorOf?: (failure: never) => unknown
  /** Called before any answer is passed on. */
  readonly onAnswered?: () => void
}

export type Channel<Q extends Question> = ReturnType<typeof createChannel<Q>>

/** Asks a thread, and keeps the process alive until it has answered. */
export function createChannel<Q extends Question>(parts: ChannelParts<Q>) {
  const { start, unanswered, errorOf = (error: unknown) => error, onAnswered = () => {} } = parts
  const closed = parts.closed ?? (() => new Error('The channel is closed.'))
  let thread: Thread<Q> | undefined
  let unsent: Asked<Q>[] = []
  const sent = new Map<number, Asked<Q>>()
  let lastId = 0
  let isClosed = false
  let onIdle = () => {}

  /** All questions of one turn of the event loop are one message. */
  function send(): void {
    if (unsent.length === 0) return
    const batch = unsent
    unsent = []
    for (const asked of batch) sent.set(asked.question.id, asked)
    try {
      thread ??= start(receive, end)
      thread.ask(batch.map(({ question }) => question))
    } catch (cause) {
      end(cause)
    }
  }

  function receive(answers: readonly Answer[]): void {
    onAnswered()
    for (const answer of answers) {
      const asked = sent.get(answer.id)
      sent.delete(answer.id)
      if ('failure' in answer) asked?.reject(errorOf(answer.failure as never))
      else asked?.resolve(answer.value)
    }
    if (sent.size === 0) rest()
  }

  function end(cause: unknown): void {
    thread = undefined
    onAnswered()
    for (const { reject } of sent.values()) reject(unanswered(cause))
    sent.clear()
    rest()
  }

  function rest(): void {
    thread?.unref()
    if (isIdle()) onIdle()
  }

  const isIdle = (): boolean => unsent.length === 0 && sent.size === 0

  return {
    isIdle,
    ask: (question: Omit<Q, 'id'>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (isClosed) throw closed()
        if (unsent.length === 0) setImmediate(send)
        lastId += 1
        unsent.push({ question: { ...question, id: lastId } as Q, resolve, reject })
      }),
    /** Takes no more questions, and waits for the answers to those that were asked. */
    async drain(): Promise<void> {
      isClosed = true
      if (isIdle()) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
    /** Ends a thread that takes too long: what it has not answered gets an error, and the next question starts another. */
    endThread: (): Promise<unknown> | undefined => thread?.close(),
    /** Ends the thread. What it has not answered gets an error. */
    async close(): Promise<void> {
      isClosed = true
      for (const { reject } of unsent.splice(0)) reject(closed())
      await thread?.close()
    },
  }
}
