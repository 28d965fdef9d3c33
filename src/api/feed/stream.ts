import type { Principal } from '../../auth/index.ts'
import { HttpError } from '../../errors.ts'
import { encodePart, type Outlet } from '../../http/index.ts'
import type { Awaitable, Change } from '../../store/index.ts'
import type { Encoded, Feed, Subscription } from './feed.ts'
import { type EventIds, type LastChange, positionOf } from './ids.ts'

/** What a stream shows. */
export interface StreamView {
  /** The same for streams that show the same, but for what their users own. */
  readonly name: string
  /** Whether users are shown different texts also of what they do not own. */
  readonly isPersonal: boolean
  readonly user: Principal | undefined
  /** What is sent of a change; empty where nothing is. */
  readonly textOf: (change: Change) => Awaitable<string>
}

export interface StreamParts {
  readonly feed: Feed
  readonly ids: EventIds
  readonly view: StreamView
}

/** So much is put together for one write: a client for which 256 KiB wait gets no more before it has read. */
const WRITTEN = 32 * 1_024
/** So many writes are linkQuery for other streams until the next poll. */
const SHARED = 64

/** https://html.spec.whatwg.org/multipage/server-sent-events.html: an event without data is none to a browser. */
export const eventText = (type: string, id: string, data = '{}'): string =>
  `event: ${type}\nid: ${id}\ndata: ${data}\n\n`

const HEARTBEAT = encodePart(':\n\n')

/** Writes changes behind `start` until the stream is over: because of its token, its client, or a change that was swept. */
export async function writeStream(
  outlet: Outlet,
  subscription: Subscription,
  start: LastChange,
  { feed, ids, view }: StreamParts,
): Promise<void> {
  let last = start
  const { over } = outlet
  const wake = () => subscription.wake()
  subscription.isBegun = true
  over.addEventListener('abort', wake)
  try {
    outlet.write(encodePart(eventText('start', ids.at(last))))
    for (;;) {
      // With many streams this loop is most of what a change costs: it awaits only what it has to wait for.
      const ready = outlet.ready()
      if (ready !== undefined) await ready
      if (over.aborted) return
      // Its id is where the client goes on, however long ago it saw an event.
      if (subscription.isOver) return outlet.write(encodePart(eventText('end', ids.at(last))))
      if (subscription.isHeartbeatDue) outlet.write(HEARTBEAT)
      subscription.isHeartbeatDue = false
      if (positionOf(last) >= positionOf(feed.latest.end)) await subscription.next()
      else {
        const { part, reached } = await encodedBehind(last, feed, view)
        if (part !== undefined) outlet.write(part)
        last = reached
      }
    }
  } catch (error) {
    // The store is away: the client goes on from the last event that it has.
    if (!(error instanceof HttpError)) throw error
  } finally {
    over.removeEventListener('abort', wake)
    feed.unsubscribe(subscription)
  }
}

/** What is sent next behind a change. Streams that are not behind and show the same share it. */
function encodedBehind(last: LastChange, feed: Feed, view: StreamView): Promise<Encoded> {
  const { start, owners, encoded } = feed.latest
  const number = view.user?.number
  const key = `${positionOf(last)} ${view.isPersonal || owners.has(number) ? number : ''} ${view.name}`
  const known = encoded.get(key)
  if (known !== undefined) return known
  const made = encode(last, feed, view)
  if (positionOf(last) >= positionOf(start) && encoded.size < SHARED) encoded.set(key, made)
  return made
}

/** As much as makes one write. */
async function encode(last: LastChange, feed: Feed, { textOf }: StreamView): Promise<Encoded> {
  const changes = await feed.since(last)
  if (changes[0]?.position !== positionOf(last) + 1) throw new HttpError(410, 'The next change was swept.')
  let text = ''
  let reached = last
  for (const change of changes) {
    const more = textOf(change)
    text += typeof more === 'string' ? more : await more
    reached = change
    if (text.length > WRITTEN) break
  }
  return { part: text === '' ? undefined : encodePart(text), reached }
}
