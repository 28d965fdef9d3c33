import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { encodePart, type StreamWriter } from '../../http/index.ts'
import type { Change, ChangeRange } from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import type { Feed } from './feed.ts'
import { type EventIds, type LastChange, positionOf } from './ids.ts'
import type { Encoded } from './log-tail.ts'
import type { Subscription } from './subscription.ts'

/** The content of a stream for its user. */
export interface StreamView {
  /** Equal for streams that show the same changes, apart from members that their users own, or that name them. */
  readonly name: string
  /** Whether the texts differ by user, even for members that have nothing to do with any of the users. */
  readonly isPersonal: boolean
  readonly user: Principal | undefined
  /** The ranges of the log that have these changes; undefined for all of it. */
  readonly ranges: readonly ChangeRange[] | undefined
  /** The events of a change that come after `last`; empty if the stream shows none. */
  readonly textOf: (change: Change, last: LastChange) => Awaitable<string>
}

export interface StreamDependencies {
  readonly feed: Feed
  readonly ids: EventIds
  readonly view: StreamView
  /** The id after which the client has asked for changes. */
  readonly startId?: string | undefined
}

/** How many characters go into one write: a client that has left 256 KiB unread gets no more. */
const WRITE_LENGTH = 32 * 1_024
/** How many encoded writes are kept for other streams until the next poll. */
const MAX_SHARED = 64

/** A browser ignores an event without data (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const eventText = (type: string, id: string, data = '{}'): string =>
  `event: ${type}\nid: ${id}\ndata: ${data}\n\n`

const HEARTBEAT = encodePart(':\n\n')

/**
 * Writes changes after `start` until the token expires, the client disconnects, the next change has been swept, or the
 * next change is of a class that this process does not know. The client resumes at the id of the event `end`, however
 * long ago its last event was.
 */
export async function writeStream(
  writer: StreamWriter,
  subscription: Subscription,
  start: LastChange,
  { feed, ids, view, startId }: StreamDependencies,
): Promise<void> {
  let last = start
  const { signal } = writer
  const wake = () => subscription.wake()
  const isBehind = () => positionOf(last) < positionOf(feed.latest.end)
  let next = 'more' as Encoded['next']
  const write = ({ part, reached, ...encoded }: Encoded) => {
    if (part !== undefined) writer.write(part)
    last = reached
    next = encoded.next
  }
  /** With many streams this is most of the cost of a change: it needs no promise if another stream has encoded it. */
  const writeAtOnce = (): boolean => {
    if (subscription.isOver || subscription.isHeartbeatDue || signal.aborted || writer.ready()) return false
    const encoded = feed.latest.encoded.get(sharedKey(last, feed, view))
    if (encoded === undefined || encoded instanceof Promise || encoded.next !== 'more') return false
    write(encoded)
    return !isBehind()
  }
  subscription.isBegun = true
  signal.addEventListener('abort', wake)
  try {
    writer.write(encodePart(eventText('start', startId ?? ids.at(last))))
    for (;;) {
      const ready = writer.ready()
      if (ready !== undefined) await ready
      if (signal.aborted || next === 'swept') return
      if (subscription.isOver || next === 'end')
        return writer.write(encodePart(eventText('end', ids.at(last))))
      if (subscription.isHeartbeatDue) writer.write(HEARTBEAT)
      subscription.isHeartbeatDue = false
      if (isBehind()) write(await encodedAfter(last, feed, view))
      else await subscription.next(writeAtOnce)
    }
  } catch (error) {
    // The store cannot be reached: the client resumes after the last event that it has received.
    if (!(error instanceof Problem)) throw error
  } finally {
    signal.removeEventListener('abort', wake)
    feed.unsubscribe(subscription)
  }
}

/** The next write after a change. Streams that are up to date and show the same changes share it. */
function encodedAfter(last: LastChange, feed: Feed, view: StreamView): Awaitable<Encoded> {
  const { start, encoded } = feed.latest
  const key = sharedKey(last, feed, view)
  const known = encoded.get(key)
  if (known !== undefined) return known
  if (positionOf(last) < positionOf(start) || encoded.size >= MAX_SHARED) return encode(last, feed, view)
  const encoding = encode(last, feed, view).then((done) => {
    encoded.set(key, done)
    return done
  })
  encoded.set(key, encoding)
  return encoding
}

function sharedKey(last: LastChange, { latest }: Feed, { name, isPersonal, user }: StreamView): string {
  const number = user?.number
  return `${positionOf(last)}+${last?.part ?? 0} ${isPersonal || latest.users.has(number) ? number : ''} ${name}`
}

async function encode(last: LastChange, feed: Feed, { ranges, textOf }: StreamView): Promise<Encoded> {
  const { changes, end, stop, isSwept } = await feed.since(last, ranges)
  if (isSwept) return { part: undefined, reached: last, next: 'swept' }
  let text = ''
  for (const change of changes) {
    const more = textOf(change, last)
    text += typeof more === 'string' ? more : await more
    if (text.length > WRITE_LENGTH) return { part: encodePart(text), reached: change, next: 'more' }
  }
  const part = text === '' ? undefined : encodePart(text)
  return { part, reached: end ?? last, next: stop === 'unknown class' ? 'end' : 'more' }
}
