import type { Representation } from './api-types.ts'
import type { ApiError, ErrorKind } from './errors.ts'
import type { SendRequest } from './request.ts'
import type { addParameters } from './search-template.ts'
import type { pause } from './transport.ts'

export interface ChangesOptions {
  /** Only changes in this collection, or in these. */
  readonly collection?: string | readonly string[] | undefined
  /** Only changes of the resource at this address, or at these. */
  readonly resource?: string | readonly string[] | undefined
  /** `object`: each change comes with the member as it is when the change is sent. */
  readonly include?: 'object' | undefined
  /** Begins after the change with this id; without it, begins now. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The first event has the type `start`. Later changes come as events, so data that is read now can be kept up to date. */
export interface ChangeEvent {
  readonly id: string
  /** `resync`: members of a collection have come into sight or left it; a copy of the collection has to be read again. */
  readonly type: 'start' | 'create' | 'update' | 'delete' | 'resync'
  /** The address of the changed resource, for `resync` of the collection; empty for `start`. */
  readonly resource: string
  /** The member with `include: 'object'`, otherwise its address and class. */
  readonly object: Representation | undefined
  /** The address of the account of the user who made the change; undefined where it cannot be seen. */
  readonly actor: string | undefined
  readonly published: Date | undefined
  readonly etag: string | undefined
}

/** After these errors the stream is opened again. */
const RECONNECTING: readonly ErrorKind[] = ['unreachable', 'unavailable', 'throttled']

/** Passed instead of imported, as in batches. */
interface FeedClient {
  readonly request: SendRequest
  readonly pause: typeof pause
  readonly addParameters: typeof addParameters
  readonly ApiError: typeof ApiError
}

/** Never ends by itself; throws if it is aborted or refused, with 410 if `after` is too old or from another database. */
export async function* follow(
  { request, pause, addParameters, ApiError }: FeedClient,
  address: string,
  { after, signal, ...narrowed }: ChangesOptions,
): AsyncGenerator<ChangeEvent, void> {
  const url = addParameters(address, narrowed)
  let id = after
  let isStarted = false
  for (let failures = 0; ; failures += 1) {
    const headers = {
      accept: 'text/event-stream, application/problem+json',
      ...(id && { 'last-event-id': id }),
    }
    try {
      const { body } = await request('GET', url, { headers, signal })
      if (!(body instanceof ReadableStream))
        throw new ApiError('malformed', `The response of ${address} is not an event stream.`, {
          code: 'not-a-stream',
        })
      for await (const change of eventsIn(body)) {
        failures = 0
        id = change.id
        // The server ends a stream now and then: it is opened again, with a new token if the old one has expired.
        if (change.type === 'end' || (change.type === 'start' && isStarted)) continue
        isStarted = true
        yield change as ChangeEvent
      }
    } catch (error) {
      signal?.throwIfAborted()
      // A stream that breaks off throws an error of fetch.
      if (error instanceof ApiError && !RECONNECTING.includes(error.kind)) throw error
    }
    await pause(Math.min(2 ** failures / 10, 10), signal)
  }
}

/** The feed sends a comment every 15 seconds: after three times as long without one, the connection is broken. */
const SILENCE_MS = 45_000

/** The part of https://html.spec.whatwg.org/multipage/server-sent-events.html that the feed uses. */
async function* eventsIn(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (let rest = ''; ; ) {
      const patience = setTimeout(() => reader.cancel().catch(() => {}), SILENCE_MS)
      const { value, done } = await reader.read().finally(() => clearTimeout(patience))
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() as string
      for (const block of blocks) {
        // Not `.`, which does not match U+2028 and U+2029: JSON may contain both.
        const field = (name: string) => block.match(`(?:^|\n)${name}: ([^\n]*)`)?.[1] ?? ''
        const id = field('id')
        if (!id) continue
        const { object, actor, published, etag } = JSON.parse(field('data'))
        const resource: string = object?.['@id'] ?? ''
        yield {
          id,
          type: field('event'),
          resource,
          object,
          actor,
          published: published && new Date(published),
          etag,
        }
      }
    }
  } finally {
    // The caller may stop before the stream ends.
    reader.cancel().catch(() => {})
  }
}
