import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { HttpError, unavailable } from '../../../errors.ts'
import { LD_JSON } from '../../../http/index.ts'
import { LONGEST_RDF_PAGE, type RdfType } from '../../request.ts'
import { convert, type Outcome, type Task, THREAD, type ToRdf } from './conversion.ts'

/** Takes about 10 ms. A longer text would hold up other requests, and is converted on another thread. */
const LONGEST_HERE = 32 * 1024

export function createToRdf(): ToRdf {
  const onThread = createThread()
  return (text, mediaType) => (text.length <= LONGEST_HERE ? convert : onThread)(text, mediaType)
}

/** One thread, started when it is first needed. While idle it does not keep the process alive. */
function createThread(): ToRdf {
  const waiting = new Map<number, PromiseWithResolvers<string>>()
  let worker: Worker | undefined
  let tasks = 0

  function start(): Worker {
    const file = new URL(`conversion${extname(import.meta.url)}`, import.meta.url)
    const started = new Worker(file, { workerData: THREAD })
    const fail = (error: unknown) => {
      if (worker !== started) return
      worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('message', (outcome: Outcome) => {
      const task = waiting.get(outcome.id)
      waiting.delete(outcome.id)
      if (waiting.size === 0) started.unref()
      if ('text' in outcome) task?.resolve(outcome.text)
      else task?.reject(outcome.error)
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The thread that converts to RDF has ended.')))
    return started
  }

  return (...of) => {
    const task = Promise.withResolvers<string>()
    const id = tasks++
    waiting.set(id, task)
    worker ??= start()
    worker.ref()
    worker.postMessage({ id, of } satisfies Task)
    return task.promise
  }
}

/** Only a single member that does not fit on a page is longer. */
const LONGEST = 2 * LONGEST_RDF_PAGE
const MAX_WAITING = 32 * 1024 * 1024

/** Bounds how much work reads can cause, and how much of it waits in memory. */
export function withLimit(toRdf: ToRdf): ToRdf {
  let waiting = 0
  return async (text, mediaType) => {
    if (text.length > LONGEST)
      throw new HttpError(406, `This is too long to be sent as ${mediaType}; ask for ${LD_JSON}.`)
    if (waiting + text.length > MAX_WAITING)
      throw unavailable(
        `Too much is being sent as ${mediaType} just now; try again, or ask for ${LD_JSON}.`,
        2,
      )
    waiting += text.length
    try {
      return await toRdf(text, mediaType)
    } finally {
      waiting -= text.length
    }
  }
}

/** Caches the conversions of one text that never changes; failures are not cached. */
export function withMemory(toRdf: ToRdf): ToRdf {
  const texts = new Map<RdfType, string>()
  return async (text, mediaType) => {
    const known = texts.get(mediaType) ?? (await toRdf(text, mediaType))
    texts.set(mediaType, known)
    return known
  }
}
