import { createChannel, onThread } from '../../../channel.ts'
import { apiProblem } from '../../problems/index.ts'
import { LONGEST_RDF_PAGE, type RdfType } from '../../request.ts'
import { convert, type Task, THREAD, type ToRdf } from './conversion.ts'

/** A text of this length takes about 10 ms. A longer one would delay other requests, so another thread converts it. */
const LONGEST_HERE = 32 * 1024

export function createToRdf(): ToRdf {
  // One thread, started when it is first needed.
  const channel = createChannel<Task>({
    start: onThread(new URL('conversion', import.meta.url), THREAD),
    unanswered: (cause) => cause ?? new Error('The thread that converts to RDF has ended.'),
  })
  return (...of) => (of[0].length <= LONGEST_HERE ? convert(...of) : (channel.ask({ of }) as Promise<string>))
}

/** Only a single member that does not fit on a page is longer than a page. */
const LONGEST = 2 * LONGEST_RDF_PAGE
const MAX_WAITING = 32 * 1024 * 1024

/** Limits the work that one read can cause, and the text that waits in memory. */
export function withLimit(toRdf: ToRdf): ToRdf {
  let waiting = 0
  return async (text, mediaType) => {
    if (text.length > LONGEST) throw apiProblem('TooLongForMediaType', { mediaType })
    if (waiting + text.length > MAX_WAITING)
      throw apiProblem('ConversionBusy', { mediaType, retryAfterSeconds: 2 })
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
