import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Conversion, convert, RDF_TYPES, type RdfType } from './conversion.ts'
import type { Outcome, Task } from './worker.ts'

export { RDF_TYPES, type RdfType }

/** Takes some 10 ms; anything longer must not hold up other requests, and is converted on another thread. */
const LONGEST_HERE = 32 * 1024

/** Turns JSON-LD of this server into another form of RDF. No context is ever fetched. */
export type ToRdf = (conversion: Conversion) => Promise<string>

export function createToRdf(): ToRdf {
  const thread = createThread()
  return (conversion) => (conversion.text.length <= LONGEST_HERE ? convert(conversion) : thread(conversion))
}

interface Waiting {
  resolve(text: string): void
  reject(error: unknown): void
}

/** One thread, started when it is first needed; while it has nothing to do it keeps no process alive. */
function createThread(): ToRdf {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let tasks = 0

  function start(): Worker {
    const started = new Worker(new URL(`worker${extname(import.meta.url)}`, import.meta.url))
    const fail = (error: unknown) => {
      if (worker !== started) return
      worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('message', (outcome: Outcome) => {
      const { resolve, reject } = waiting.get(outcome.id) ?? {}
      waiting.delete(outcome.id)
      if (waiting.size === 0) started.unref()
      if ('text' in outcome) resolve?.(outcome.text)
      else reject?.(outcome.error)
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The thread that converts to RDF has ended.')))
    return started
  }

  return (conversion) =>
    new Promise((resolve, reject) => {
      worker ??= start()
      const task: Task = { id: tasks++, conversion }
      waiting.set(task.id, { resolve, reject })
      worker.ref()
      worker.postMessage(task)
    })
}
