import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread with a connection of its own. */
export interface Thread<Question> {
  /** From then on the process stays alive for the answer. */
  ask(question: Question): void
  /** All is answered: the process may end. */
  rest(): void
  close(): Promise<unknown>
}

export interface ThreadParts<Answer> {
  /** Its file in this folder, without the extension. */
  readonly name: string
  /** Plain data that it starts with. */
  readonly data: unknown
  readonly onAnswer: (answer: Answer) => void
  /** Told once, when it was closed or has failed. */
  readonly onEnd: (cause: unknown) => void
}

export function startThread<Question, Answer>(parts: ThreadParts<Answer>): Thread<Question> {
  const url = new URL(`./${parts.name}${extname(import.meta.filename)}`, import.meta.url)
  // Not with the flags of this process: those for a script on the command line would be refused.
  const worker = new Worker(url, { workerData: parts.data, execArgv: [] })
  let cause: unknown
  worker.on('message', parts.onAnswer)
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => parts.onEnd(cause))
  return {
    ask(question) {
      worker.ref()
      worker.postMessage(question)
    },
    rest: () => worker.unref(),
    close: () => worker.terminate(),
  }
}
