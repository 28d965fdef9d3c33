import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { negotiate, type StreamedResponse } from '../../http/index.ts'
import { MEDIA_TYPES } from '../request.ts'
import { resource } from '../resource.ts'
import type { Respond } from '../respond.ts'
import type { RequestContext, Resource, ResourceDependencies } from '../types.ts'
import {
  createEventRepresentation,
  type EventDependencies,
  type EventRepresentation,
  type FeedEvent,
  hasObject,
} from './event.ts'
import { createEventPages } from './event-pages.ts'
import type { Feed } from './feed.ts'
import { AFTER, createReadFeedQuery, type FeedQuery } from './query.ts'
import { eventText, type StreamView, writeStream } from './stream.ts'

const EVENT_STREAM = 'text/event-stream'

interface EventsDependencies
  extends EventDependencies,
    Pick<ResourceDependencies, 'store' | 'clock' | 'tokenTtlMs' | 'pageSizes'> {
  /** The roles of the users who read these events. */
  readonly userRoles: readonly string[]
  readonly feed: Feed
  readonly respond: Respond
}

/** `{base}/events`: changes as they happen, or page by page (live.md, The feed). */
export function events(dependencies: EventsDependencies): Resource {
  const { base, model, ids, store, clock, pageSizes, respond } = dependencies
  const readQuery = createReadFeedQuery(model, base, pageSizes)
  const representation = createEventRepresentation(dependencies)
  const respondWithPage = createEventPages({
    ...{ base, model, ids, store, clock, pageSizes, respond },
    representation,
  })
  const respondWithStream = createEventStreams(dependencies, representation)
  return resource({
    GET: (context) => {
      const { method, headers } = context.request
      const parsed = readQuery(context.query)
      const isStream =
        method === 'GET' && negotiate(headers.accept, [...MEDIA_TYPES, EVENT_STREAM]) === EVENT_STREAM
      return isStream ? respondWithStream(parsed, context) : respondWithPage(parsed, context)
    },
  })
}

function createEventStreams(
  { userRoles, ids, feed, store, clock, tokenTtlMs, respond }: EventsDependencies,
  representation: EventRepresentation,
) {
  return async (parsed: FeedQuery, { request, principal }: RequestContext): Promise<StreamedResponse> => {
    // The header is newer than `after`: a client that reconnects repeats its first query.
    const lastEventId = String(request.headers['last-event-id'] ?? '')
    const startId = lastEventId || parsed.after
    const end = await store.changes.last()
    const start = startId === undefined ? end : await ids.read(startId, lastEventId === '' ? AFTER : {})
    const endsAt = principal?.token?.expiresAt ?? clock.now() + tokenTtlMs
    const address = principal === undefined ? request.address : ''
    const subscription = feed.subscribe({ principal, address, endsAt }, end)
    const textOf = createTextOf(representation, parsed, principal, feed)
    const name = `${userRoles} ${parsed.linkQuery}`
    const ranges = representation.rangesOf(parsed, principal)
    const isPersonal = parsed.isWhole || representation.isPersonal
    const view = { name, isPersonal, user: principal, ranges, textOf }
    return respond.stream(EVENT_STREAM, (writer) =>
      writeStream(writer, subscription, start, { feed, ids, view, startId }),
    )
  }
}

/** The events of a change, as a stream has them. */
function createTextOf(
  representation: EventRepresentation,
  query: FeedQuery,
  user: Principal | undefined,
  feed: Feed,
): StreamView['textOf'] {
  async function inTurn(events: readonly FeedEvent[]): Promise<string> {
    let text = ''
    for (const event of events) {
      const found = query.isWhole && hasObject(event) ? await feed.find(event.change) : undefined
      const data = await representation.whole(event, user, found)
      text += eventText(event.kind, representation.idOf(event), data)
    }
    return text
  }

  function textsOf(events: readonly FeedEvent[]): Awaitable<string> {
    if (events.length === 0) return ''
    if (query.isWhole) return inTurn(events)
    const whole = events.map((event) => representation.whole(event, user))
    const joined = (data: readonly string[]) =>
      events.map((event, index) => eventText(event.kind, representation.idOf(event), data[index])).join('')
    return whole.some((data) => data instanceof Promise)
      ? Promise.all(whole).then(joined)
      : joined(whole as readonly string[])
  }

  return (change, last) => {
    const events = representation.eventsOf(change, query, user, last)
    return events instanceof Promise ? events.then(textsOf) : textsOf(events as readonly FeedEvent[])
  }
}
