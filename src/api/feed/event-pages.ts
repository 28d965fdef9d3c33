import type { Principal } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { LD_JSON, names, type Response } from '../../http/index.ts'
import { keyOfMember } from '../../members/index.ts'
import { AS, eventsContext, type Model } from '../../vocabulary/index.ts'
import { toIri } from '../query/encoding.ts'
import { requireFollowable } from '../query/paging.ts'
import { fingerprint, mediaTypeFor, PLAIN_JSON } from '../request.ts'
import type { Respond } from '../respond.ts'
import type { RequestContext, ResourceDependencies } from '../types.ts'
import { type EventRepresentation, type FeedEvent, hasObject, reachedBy } from './event.ts'
import { type EventIds, type LastChange, positionOf } from './ids.ts'
import { AFTER, type FeedQuery, representFeedSearch } from './query.ts'

interface EventPagesDependencies extends Pick<ResourceDependencies, 'store' | 'clock' | 'pageSizes'> {
  readonly base: string
  readonly model: Model
  readonly ids: EventIds
  readonly representation: EventRepresentation
  readonly respond: Respond
}

/** Changes page by page (live.md, The feed). */
export function createEventPages(dependencies: EventPagesDependencies) {
  const { base, model, ids, clock, respond } = dependencies
  const address = `${base}/events`
  const path = new URL(address).pathname
  const assertion = JSON.stringify({ property: 'rdf:type', object: `${AS}Activity` })
  const head = `{"@context":${JSON.stringify(eventsContext(model, base))},"@id":"${address}","@type":["Collection","events"],"memberAssertion":${assertion},"member":[`
  const search = JSON.stringify(representFeedSearch(base))
  const readPage = createReadPage(dependencies)

  return async (parsed: FeedQuery, { request, principal, query }: RequestContext): Promise<Response> => {
    // HEAD gets the headers of a page, even if Accept names a stream.
    const isHead = request.method === 'HEAD' && names(request.headers.accept, 'text/event-stream')
    const mediaType = isHead ? LD_JSON : mediaTypeFor(request)
    const start = parsed.after === undefined ? undefined : await ids.read(parsed.after, AFTER)
    const { members, last, isFull } = await readPage(parsed, start, principal)
    // A full page stays the same: the next one begins at its last event.
    const next = isFull && last !== undefined ? ids.of(last) : ids.at(last)
    const self = query ? toIri(query) : `itemsPerPage=${parsed.limit}`
    const linked = `${parsed.linkQuery && `${parsed.linkQuery}&`}after=${next}`
    requireFollowable(path.length + 1 + Math.max(self.length, linked.length))
    // As on the pages of other collections.
    const searched = query || mediaType === PLAIN_JSON ? '' : `"search":${search},`
    const shown = `${head}${members.join(',')}],${searched}"view":{"@id":"${address}?${self}","@type":"PartialCollectionView"`
    const body = `${shown},"next":"${address}?${linked}"}}`
    // At the end of the log `next` has another text each time, yet a client that polls should get 304. After a minute it
    // gets a new `next`, since its `after` would become too old if all changes were in other collections. Only events that
    // the page shows decide whether it is full, so that neither its end nor its ETag reveals other changes.
    const minute = Math.floor(clock.now() / 60_000)
    const etag = `"${fingerprint(isFull ? body : `${shown}${minute}`, mediaType)}"`
    return respond.read(request, { mediaType, etag, isVariable: !isFull, body: () => body })
  }
}

interface EventPage {
  readonly members: readonly string[]
  /** The last change that the page covers. */
  readonly last: LastChange
  /** Whether the page ends before the log does. */
  readonly isFull: boolean
}

/** How many changes are read at once, at least, if some of them may have no events for the user. */
const LEAST_READ = 100

function createReadPage({ store, ids, representation, pageSizes }: EventPagesDependencies) {
  return async (parsed: FeedQuery, start: LastChange, user: Principal | undefined): Promise<EventPage> => {
    const ranges = representation.rangesOf(parsed, user)
    const members: string[] = []
    /** The members that the page has in full: each once (hypermedia.md, Related members). */
    const inFull = new Set<string>()
    const pause = createPause()
    let last = start
    let bytes = 0
    for (;;) {
      const left = Math.max(parsed.limit - members.length, representation.hasPaths ? LEAST_READ : 0)
      const { changes, end, stop, isSwept } = await store.changes.after(positionOf(last), left, ranges)
      if (isSwept && last !== undefined) throw await ids.gone(AFTER)
      for (const change of changes) {
        const events = representation.eventsOf(change, parsed, user, last)
        for (const event of events instanceof Promise ? await events : (events as readonly FeedEvent[])) {
          if (members.length === parsed.limit) return { members, last, isFull: true }
          const name = keyOfMember(change)
          const isWhole = parsed.isWhole && hasObject(event) && !inFull.has(name)
          const member = isWhole ? await store.members.find(change.className, change.id) : undefined
          const text = await representation.within(event, user, member)
          if (isWhole) inFull.add(name)
          bytes += Buffer.byteLength(text)
          if (members.length > 0 && bytes > pageSizes.bytes) return { members, last, isFull: true }
          members.push(text)
          last = reachedBy(event)
        }
        // The next page begins after the last event of a full one, and not after changes without events.
        if (members.length === parsed.limit) return { members, last, isFull: true }
        last = change
        await pause()
      }
      last = end ?? last
      if (stop !== 'limit') return { members, last, isFull: false }
    }
  }
}
