import type { Representation } from './api-types.ts'
import { ApiError } from './errors.ts'
import { pause, type SendRequest } from './transport.ts'

export interface ChangesOptions {
  /** Only changes of this collection, or of these. */
  readonly collection?: string | readonly string[] | undefined
  /** Only changes of the resource at this address, or of these. */
  readonly resource?: string | readonly string[] | undefined
  /** `object`: each change has the member as it is when the change is sent. */
  readonly include?: 'object' | undefined
  /** Begins after the change with this id; without it, now. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The first change has the type `start`: what is read after it misses nothing. */
export interface ChangeEvent {
  readonly id: string
  readonly type: 'start' | 'create' | 'update' | 'delete'
  /** The address of what was changed; empty at the start. */
  readonly resource: string
  /** With `include: 'object'` the member; otherwise its address and its class. */
  readonly object: Representation | undefined
  readonly published: Date | undefined
  readonly etag: string | undefined
}

/** Without an end, unless it is interrupted or refused; 410 where `after` is too old, or of another database. */
export async function* follow(
  request: SendRequest,
  address: string,
  { after, signal, ...narrowed }: ChangesOptions,
): AsyncGenerator<ChangeEvent, void> {
  const url = new URL(address)
  for (const [name, values] of Object.entries(narrowed))
    for (const value of [values ?? []].flat()) url.searchParams.append(name, value)
  let id = after
  let isStarted = false
  for (let failures = 0; ; failures += 1) {
    const headers = {
      accept: 'text/event-stream, application/problem+json',
      ...(id && { 'last-event-id': id }),
    }
    try {
      const { body } = await request('GET', url.href, { headers, signal })
      if (!(body instanceof ReadableStream))
        throw new ApiError('malformed', `${address} did not answer with a stream.`)
      for await (const change of eventsIn(body)) {
        failures = 0
        id = change.id
        // One that ends is opened anew, with a new token where that was the reason.
        if (change.type === 'end' || (change.type === 'start' && isStarted)) continue
        isStarted = true
        yield change as ChangeEvent
      }
    } catch (error) {
      signal?.throwIfAborted()
      const { code } = error as ApiError
      // What is cut on the way has no code.
      if (code && !/^(un[ar]|throttled)/.test(code)) throw error
    }
    await pause(Math.min(2 ** failures / 10, 10), signal)
  }
}

/** The feed sends a comment every 15 seconds: a stream that is silent for three times as long is broken. */
const SILENCE_MS = 45_000

/** https://html.spec.whatwg.org/multipage/server-sent-events.html, as far as the feed uses it. */
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
        // Not a dot, which ends at U+2028 and U+2029: JSON has both as they are.
        const field = (name: string) => block.match(`(?:^|\n)${name}: ([^\n]*)`)?.[1] ?? ''
        const id = field('id')
        if (!id) continue
        const { object, published, etag } = JSON.parse(field('data'))
        const resource: string = object?.['@id'] ?? ''
        yield {
          id,
          type: field('event'),
          resource,
          object,
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
