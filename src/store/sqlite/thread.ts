import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread with a connection of its own. */
export interface Thread<Question> {
  /** The process stays alive until `unref`. */
  ask(question: Question): void
  /** For when all is answered: the thread does not keep the process alive. */
  unref(): void
  close(): Promise<unknown>
}

export interface ThreadParts<Answer> {
  /** Its file in this folder, without the extension. */
  readonly name: string
  /** Plain data that it starts with. */
  readonly data: unknown
  readonly onAnswer: (answer: Answer) => void
  /** Called once, when it was closed or has failed. */
  readonly onEnd: (cause: unknown) => void
}

export function startThread<Question, Answer>(parts: ThreadParts<Answer>): Thread<Question> {
  const url = new URL(`./${parts.name}${extname(import.meta.filename)}`, import.meta.url)
  // Without the flags of this process: a worker refuses some of them, such as --eval.
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
    unref: () => worker.unref(),
    close: () => worker.terminate(),
  }
}
