import type { Principal } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { LD_JSON, names, negotiate, type Response, type StreamedResponse } from '../../http/index.ts'
import { type Awaitable, type Change, keyOfMember, type StoredMember } from '../../store/index.ts'
import { eventsContext } from '../../vocabulary/index.ts'
import { requireFollowable, toIri } from '../query/encoding.ts'
import { fingerprint, MEDIA_TYPES, mediaTypeFor } from '../request.ts'
import { resource } from '../resource.ts'
import type { Respond } from '../respond.ts'
import type { RequestContext, Resource, ResourceDependencies } from '../types.ts'
import { createEventRepresentation, type EventDependencies } from './event.ts'
import type { Feed } from './feed.ts'
import { type LastChange, positionOf } from './ids.ts'
import { createReadFeedQuery, type FeedQuery } from './query.ts'
import { eventText, writeStream } from './stream.ts'

const EVENT_STREAM = 'text/event-stream'

const AFTER = { parameter: 'after' }

interface EventsDependencies
  extends EventDependencies,
    Pick<ResourceDependencies, 'store' | 'clock' | 'tokenTtlMs' | 'pageSizes'> {
  /** The roles of the users who read these events. */
  readonly userRoles: readonly string[]
  readonly feed: Feed
  readonly respond: Respond
}

/** `{base}/events`: changes as they happen, or page by page (live.md, The feed). */
export function events(parts: EventsDependencies): Resource {
  const { base, model, userRoles, ids, feed, store, clock, tokenTtlMs, pageSizes, respond } = parts
  const address = `${base}/events`
  const path = new URL(address).pathname
  const readQuery = createReadFeedQuery(model, base, pageSizes)
  const representation = createEventRepresentation(parts)
  const head = `{"@context":${JSON.stringify(eventsContext(model, base))},"@id":"${address}","@type":["Collection","events"],"member":[`

  async function stream(parsed: FeedQuery, context: RequestContext): Promise<StreamedResponse> {
    const { request, principal } = context
    // The header is newer than `after`: a client that reconnects repeats the query with which it began.
    const lastEventId = String(request.headers['last-event-id'] ?? '')
    const startId = lastEventId || parsed.after
    const end = await store.changes.last()
    const start = startId === undefined ? end : await ids.read(startId, lastEventId === '' ? AFTER : {})
    const endsAt = principal?.token?.expiresAt ?? clock.now() + tokenTtlMs
    const address = principal === undefined ? request.address : ''
    const subscription = feed.subscribe({ principal, address, endsAt }, end)
    const sent = (change: Change, found?: StoredMember) =>
      eventText(change.kind, ids.of(change), representation.whole(change, principal, found))
    const textOf = (change: Change): Awaitable<string> => {
      if (!representation.isShown(change, parsed, principal)) return ''
      return parsed.isWhole ? feed.find(change).then((found) => sent(change, found)) : sent(change)
    }
    const name = `${userRoles} ${parsed.linkQuery}`
    const ranges = representation.rangesOf(parsed, principal)
    const view = { name, isPersonal: parsed.isWhole, user: principal, ranges, textOf }
    return respond.stream(EVENT_STREAM, (writer) =>
      writeStream(writer, subscription, start, { feed, ids, view, startId }),
    )
  }

  async function page(parsed: FeedQuery, { request, principal, query }: RequestContext): Promise<Response> {
    // HEAD is answered as for a page, also where Accept names a stream.
    const isHead = request.method === 'HEAD' && names(request.headers.accept, EVENT_STREAM)
    const mediaType = isHead ? LD_JSON : mediaTypeFor(request)
    const start = parsed.after === undefined ? undefined : await ids.read(parsed.after, AFTER)
    const { members, last, isFull } = await readPage(parsed, start, principal)
    // A full page stays the same: the next one begins at its last event.
    const next = isFull && last !== undefined ? ids.of(last) : ids.at(last)
    const self = query ? toIri(query) : `itemsPerPage=${parsed.limit}`
    const linked = `${parsed.linkQuery && `${parsed.linkQuery}&`}after=${next}`
    requireFollowable(path.length + 1 + Math.max(self.length, linked.length))
    const shown = `${head}${members.join(',')}],"view":{"@id":"${address}?${self}","@type":"PartialCollectionView"`
    const body = `${shown},"next":"${address}?${linked}"}}`
    // At the end of the log `next` has another text each time, and a client that polls is to get 304: for a minute, since
    // its `after` would become too old where all changes are of other collections. Nothing but events decides whether a
    // page is full, so that neither its end nor its ETag tells of changes that it does not show.
    const minute = Math.floor(clock.now() / 60_000)
    const etag = `"${fingerprint(isFull ? body : `${shown}${minute}`, mediaType)}"`
    return respond.read(request, { mediaType, etag, isVariable: !isFull, body: () => body })
  }

  async function readPage(parsed: FeedQuery, start: LastChange, user: Principal | undefined) {
    const ranges = representation.rangesOf(parsed, user)
    const members: string[] = []
    /** The members that the page has in full: each once (hypermedia.md, Related members). */
    const inFull = new Set<string>()
    const pause = createPause()
    let last = start
    let bytes = 0
    for (;;) {
      const left = parsed.limit - members.length
      const { changes, end, stop, isSwept } = await store.changes.after(positionOf(last), left, ranges)
      if (isSwept && last !== undefined) throw await ids.gone(AFTER)
      for (const change of changes) {
        if (representation.isShown(change, parsed, user)) {
          const name = keyOfMember(change)
          const isWhole = parsed.isWhole && !inFull.has(name)
          const member = isWhole ? await store.members.find(change.className, change.id) : undefined
          const text = representation.within(change, user, member)
          inFull.add(name)
          bytes += Buffer.byteLength(text)
          if (members.length > 0 && bytes > pageSizes.bytes) return { members, last, isFull: true }
          members.push(text)
        }
        last = change
        await pause()
      }
      last = end ?? last
      if (members.length === parsed.limit) return { members, last, isFull: true }
      if (stop !== 'limit') return { members, last, isFull: false }
    }
  }

  return resource({
    GET: (context) => {
      const { method, headers } = context.request
      const parsed = readQuery(context.query)
      const isStream =
        method === 'GET' && negotiate(headers.accept, [...MEDIA_TYPES, EVENT_STREAM]) === EVENT_STREAM
      return isStream ? stream(parsed, context) : page(parsed, context)
    },
  })
}
