import { createChannel, onThread } from '../../../channel.ts'
import { HttpError, unavailable } from '../../../errors.ts'
import { LD_JSON } from '../../../http/index.ts'
import { LONGEST_RDF_PAGE, type RdfType } from '../../request.ts'
import { convert, type Task, THREAD, type ToRdf } from './conversion.ts'

/** Takes about 10 ms. A longer text would hold up other requests, and is converted on another thread. */
const LONGEST_HERE = 32 * 1024

export function createToRdf(): ToRdf {
  // One thread, started when it is first needed.
  const channel = createChannel<Task>({
    start: onThread(new URL('conversion', import.meta.url), THREAD),
    unanswered: (cause) => cause ?? new Error('The thread that converts to RDF has ended.'),
  })
  return (...of) => (of[0].length <= LONGEST_HERE ? convert(...of) : (channel.ask({ of }) as Promise<string>))
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
