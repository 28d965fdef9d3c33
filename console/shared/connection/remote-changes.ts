import type { ApiError, ChangeEvent, ChangesOptions } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { namesOf } from '../names.ts'
import { rememberNames, type Store, useAbortableEffect, useBrowser, useLoading } from '../state.ts'
import { classOf } from './collections.ts'
import type { Connection } from './connection.ts'
import { hasFeed, useApi } from './description.ts'
import type { WireEntry } from './wire-log.ts'

/** What others have done to members since they were read, by address. */
export type Others = ReadonlyMap<string, 'create' | 'update' | 'delete' | 'missed'>

type Followed = Pick<ChangesOptions, 'collection' | 'resource'>

const NONE: Others = new Map()
/** A table that is left open must not fill the memory of the page. */
export const MOST_OTHERS = 1_000

/** The first read of a page does not wait longer for a stream that is slow to start, and others do not wait. */
const START_MS = 1_000

interface Followers {
  /** Whether a member is on the page. */
  readonly isShown?: (iri: string) => boolean
  /** Changes since the last read may have been missed: it is read anew, or its user is told where there is no such way. */
  readonly onMissed?: () => void
}

/** Follows what others do to a collection or to a resource while it is in sight. `begin` stands before each read of it. */
export function useOthers(followed: Followed, { isShown, onMissed }: Followers = {}) {
  const api = useApi()
  const [others, setOthers] = useState(NONE)
  const isVisible = useBrowser(document, 'visibilitychange', () => document.visibilityState === 'visible')
  const place = useRef<string>(undefined)
  const [stream] = useState(() => ({ ...Promise.withResolvers<void>(), isRead: false }))
  useAbortableEffect(
    (signal) => {
      // A browser has six connections to a server of HTTP/1.1 for all of its tabs: one that is hidden takes none.
      if (!isVisible || !hasFeed(api)) return stream.resolve()
      const missed = onMissed ?? (() => setOthers(new Map([[String(followed.resource), 'missed']])))
      followOthers(
        api,
        { ...followed, after: place.current, signal },
        {
          see: (change) => setOthers((before) => withChange(before, change, isShown)),
          keep(id) {
            place.current = id
          },
          settle(isFromNow) {
            stream.resolve()
            if (isFromNow && stream.isRead) missed()
          },
        },
      ).catch(() => {})
    },
    [api, isVisible],
  )
  /** The read waits for the start of the stream: what happens between the two would be missed (live.md, the feed). */
  const begin = async () => {
    await Promise.race([stream.promise, new Promise((resolve) => setTimeout(resolve, START_MS))])
    stream.resolve()
    stream.isRead = true
    setOthers(NONE)
  }
  return { others, begin }
}

/** A member with what this user may do to it, read anew by `reload`. */
export function useMember(iri: string, { isReloaded }: { readonly isReloaded: boolean }) {
  const api = useApi()
  const { others, begin } = useOthers({ resource: iri }, isReloaded ? { onMissed: () => read.reload() } : {})
  const read = useLoading(
    async (signal) => {
      await begin()
      const member = await api.client.get(iri, { signal })
      rememberNames(api.memory, namesOf([member], classOf(api, member)))
      return { member, operations: await member.operations({ signal }) }
    },
    [iri],
  )
  return { ...read, other: others.get(iri) }
}

type Following = Pick<Connection, 'client' | 'wire' | 'writes' | 'signedIn'>

interface Seeing {
  readonly see: (change: ChangeEvent) => void
  readonly keep?: (id: string | undefined) => void
  /** The stream has started, or cannot. `isFromNow`: it does not go on from where one was before. */
  readonly settle?: (isFromNow: boolean) => void
}

/** Until it is interrupted. Nobody is asked to sign in for it: when the token ends, it waits for the next one. */
export async function followOthers(
  { client, wire, writes, signedIn }: Following,
  { after, signal, ...followed }: ChangesOptions & { readonly signal: AbortSignal },
  { see, keep = () => {}, settle = () => {} }: Seeing,
): Promise<void> {
  for (let id = after; ; keep(id)) {
    try {
      for await (const change of client.changes({ ...followed, after: id, signal })) {
        if (change.type === 'start') settle(id === undefined)
        id = change.id
        keep(id)
        // The answer to a write of one's own may come behind its event, and tells that it is one's own.
        while (writes.get() > 0) await nextOf(writes, signal)
        if (change.type !== 'start' && !isOwn(change, wire.get())) see(change)
      }
    } catch (error) {
      signal.throwIfAborted()
      // Too old to go on from: it is followed from now on, and what has happened meanwhile is read.
      if ((error as ApiError).status === 410) id = undefined
      else {
        settle(false)
        await nextOf(signedIn, signal)
      }
    }
  }
}

const nextOf = (store: Pick<Store<unknown>, 'watch'>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = store.watch(() => resolve())
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  return promise.finally(() => {
    stop()
    signal.removeEventListener('abort', onAbort)
  })
}

type Sent = Pick<WireEntry, 'method' | 'url' | 'status' | 'responseHeaders'>

export const isOwn = ({ type, resource, etag }: ChangeEvent, sent: readonly Sent[]): boolean =>
  sent.some(({ method, url, status = 500, responseHeaders }) =>
    method === 'DELETE'
      ? type === 'delete' && url === resource && status < 300
      : method !== 'GET' && status < 300 && etag !== undefined && plain(responseHeaders.etag) === etag,
  )

/** The ETag of an answer names its compression, too. */
const plain = (etag = ''): string => etag.replace(/-(br|gzip)"$/, '"')

/** What one who has read the members before `change` has to know. */
export function withChange(
  others: Others,
  { type, resource }: Pick<ChangeEvent, 'type' | 'resource'>,
  isShown: (iri: string) => boolean = () => true,
): Others {
  const before = others.get(resource)
  const isNews = before !== undefined || type === 'create' || isShown(resource)
  if (type === 'start' || !isNews || (before === undefined && others.size >= MOST_OTHERS)) return others
  const after = new Map(others)
  // One that has come and gone was never in sight.
  if (before === 'create' && type === 'delete') after.delete(resource)
  else if (before === undefined || type === 'delete') after.set(resource, type)
  else after.set(resource, before === 'create' ? 'create' : 'update')
  return after
}

const DONE = { update: 'changed', delete: 'removed', create: 'new' }

/** `2 changed, 1 removed, 3 new`; empty where `iris`, which are shown, are as they were. */
export function othersInWords(others: Others, iris: readonly string[]): string {
  const shown = new Set(iris)
  const counts = Object.entries(DONE).map(([type, word]) => {
    const isMeant = (iri: string): boolean => shown.has(iri) === (type !== 'create')
    const found = [...others].filter(([iri, kind]) => kind === type && isMeant(iri)).length
    return found > 0 && `${found.toLocaleString()} ${word}`
  })
  return counts.filter(Boolean).join(', ')
}
