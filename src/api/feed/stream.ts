import type { Principal } from '../../auth/index.ts'
import { HttpError } from '../../errors.ts'
import { encodePart, type StreamWriter } from '../../http/index.ts'
import type { Awaitable, Change } from '../../store/index.ts'
import type { Encoded, Feed, Subscription } from './feed.ts'
import { type EventIds, type LastChange, positionOf } from './ids.ts'

/** What a stream shows. */
export interface StreamView {
  /** Equal for streams that show the same changes, apart from what their users own. */
  readonly name: string
  /** Whether each user gets other texts, also of members that none of them owns. */
  readonly isPersonal: boolean
  readonly user: Principal | undefined
  /** The event of a change; empty where the stream does not show it. */
  readonly textOf: (change: Change) => Awaitable<string>
}

export interface StreamParts {
  readonly feed: Feed
  readonly ids: EventIds
  readonly view: StreamView
}

/** How many characters go into one write: a client that has left 256 KiB unread gets no more. */
const WRITE_LENGTH = 32 * 1_024
/** How many encoded writes are kept for other streams until the next poll. */
const MAX_SHARED = 64

/** https://html.spec.whatwg.org/multipage/server-sent-events.html: an event without data is none to a browser. */
export const eventText = (type: string, id: string, data = '{}'): string =>
  `event: ${type}\nid: ${id}\ndata: ${data}\n\n`

const HEARTBEAT = encodePart(':\n\n')

/** Writes changes after `start` until the token ends, the client goes, or the next change has been swept. */
export async function writeStream(
  writer: StreamWriter,
  subscription: Subscription,
  start: LastChange,
  { feed, ids, view }: StreamParts,
): Promise<void> {
  let last = start
  const { signal } = writer
  const wake = () => subscription.wake()
  subscription.isBegun = true
  signal.addEventListener('abort', wake)
  try {
    writer.write(encodePart(eventText('start', ids.at(last))))
    for (;;) {
      // With many streams this loop is most of what a change costs: it awaits only what it has to wait for.
      const ready = writer.ready()
      if (ready !== undefined) await ready
      if (signal.aborted) return
      // The client resumes at this id, however long ago its last event was.
      if (subscription.isOver) return writer.write(encodePart(eventText('end', ids.at(last))))
      if (subscription.isHeartbeatDue) writer.write(HEARTBEAT)
      subscription.isHeartbeatDue = false
      if (positionOf(last) >= positionOf(feed.latest.end)) await subscription.next()
      else {
        const { part, reached } = await encodedAfter(last, feed, view)
        if (part !== undefined) writer.write(part)
        last = reached
      }
    }
  } catch (error) {
    // The store cannot be reached: the client resumes at the last event that it has.
    if (!(error instanceof HttpError)) throw error
  } finally {
    signal.removeEventListener('abort', wake)
    feed.unsubscribe(subscription)
  }
}

/** The next write after a change. Streams that are up to date and show the same share it. */
function encodedAfter(last: LastChange, feed: Feed, view: StreamView): Promise<Encoded> {
  const { start, owners, encoded } = feed.latest
  const number = view.user?.number
  const key = `${positionOf(last)} ${view.isPersonal || owners.has(number) ? number : ''} ${view.name}`
  const known = encoded.get(key)
  if (known !== undefined) return known
  const encoding = encode(last, feed, view)
  if (positionOf(last) >= positionOf(start) && encoded.size < MAX_SHARED) encoded.set(key, encoding)
  return encoding
}

async function encode(last: LastChange, feed: Feed, { textOf }: StreamView): Promise<Encoded> {
  const changes = await feed.since(last)
  if (changes[0]?.position !== positionOf(last) + 1) throw new HttpError(410, 'The next change was swept.')
  let text = ''
  let reached = last
  for (const change of changes) {
    const more = textOf(change)
    text += typeof more === 'string' ? more : await more
    reached = change
    if (text.length > WRITE_LENGTH) break
  }
  return { part: text === '' ? undefined : encodePart(text), reached }
}
