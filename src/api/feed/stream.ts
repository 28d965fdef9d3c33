import { HttpError } from '../../errors.ts'
import type { Outlet } from '../../http/index.ts'
import type { Awaitable, Change } from '../../store/index.ts'
import type { Feed, Seat } from './feed.ts'
import { type EventIds, type Place, positionOf } from './ids.ts'

export interface StreamParts {
  readonly feed: Feed
  readonly ids: EventIds
  /** What is sent of a change; empty where nothing is. */
  readonly textOf: (change: Change) => Awaitable<string>
}

/** So much is put together for one write: a client for which 256 KiB wait gets no more before it has read. */
const WRITTEN = 32 * 1_024

/** https://html.spec.whatwg.org/multipage/server-sent-events.html: an event without data is none to a browser. */
export const eventText = (type: string, id: string, data = '{}'): string =>
  `event: ${type}\nid: ${id}\ndata: ${data}\n\n`

/** Writes changes behind `start` until the stream is over: because of its token, its client, or a change that was swept. */
export async function writeStream(
  outlet: Outlet,
  seat: Seat,
  start: Place,
  { feed, ids, textOf }: StreamParts,
): Promise<void> {
  let place = start
  const { over } = outlet
  over.addEventListener('abort', seat.wake)
  try {
    outlet.write(eventText('start', ids.at(place)))
    for (;;) {
      await outlet.ready()
      if (over.aborted) return
      // Its id is where the client goes on, however long ago it saw an event.
      if (seat.isOver) return outlet.write(eventText('end', ids.at(place)))
      if (seat.isBeat()) outlet.write(':\n\n')
      const found = await feed.since(place)
      if (found.length === 0) await seat.next()
      else if (found[0]?.position !== positionOf(place) + 1) return
      else place = await writeSome(found)
    }
  } catch (error) {
    // The store is away: the client goes on from the last event that it has.
    if (!(error instanceof HttpError)) throw error
  } finally {
    over.removeEventListener('abort', seat.wake)
    seat.leave()
  }

  /** As much as makes one write; how far that is. */
  async function writeSome(found: readonly Change[]): Promise<Place> {
    let text = ''
    let reached = place
    for (const change of found) {
      const more = textOf(change)
      text += typeof more === 'string' ? more : await more
      reached = change
      if (text.length > WRITTEN || seat.isOver) break
    }
    outlet.write(text)
    return reached
  }
}
