import type { ApiError, ChangeEvent, ChangesOptions } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { addressBelow } from '../names.ts'
import { type Observable, useAbortableEffect, useBrowser, useLoading } from '../state.ts'
import { hasAccounts } from './accounts.ts'
import type { ApiConnection } from './connection.ts'
import { type Description, hasFeed, useApi } from './description.ts'
import { findName } from './member-labels.ts'
import { isOwn } from './own-writes.ts'

/** `missed`: there may have been changes while the feed was not followed. */
export type RemoteChange = 'create' | 'update' | 'delete' | 'missed'

/** What others did to members since the page read them, by address. */
export type RemoteChanges = ReadonlyMap<string, RemoteChange>

interface FollowedResource {
  readonly collection?: string
  readonly resource?: string
}

const NONE: RemoteChanges = new Map()
/** Bounds the memory of a table that is left open. */
export const MOST_REMOTE_CHANGES = 1_000

/** How long the first read of a page waits for the stream to start. */
const START_MS = 1_000

interface FollowOptions {
  /** Whether a member is on the page. */
  readonly isShown?: (iri: string) => boolean
  /** Reads the page again, since changes may have been missed. Without it, the page shows a note. */
  readonly onMissed?: () => void
}

/** Accounts are not (people.md, Accounts). */
function isInFeed(
  api: Description & Pick<ApiConnection, 'base'>,
  { collection, resource }: FollowedResource,
): boolean {
  const isAccount = collection === 'accounts' || resource?.startsWith(addressBelow(api.base, 'accounts/'))
  return hasFeed(api) && !(isAccount && hasAccounts(api))
}

/** Follows what others do to a collection or a resource while the page is visible. Call `begin` before each read. */
export function useRemoteChanges(followed: FollowedResource, { isShown, onMissed }: FollowOptions = {}) {
  const api = useApi()
  const [remoteChanges, setRemoteChanges] = useState(NONE)
  const isVisible = useBrowser(document, 'visibilitychange', () => document.visibilityState === 'visible')
  const place = useRef<string>(undefined)
  const [stream] = useState(() => ({ ...Promise.withResolvers<void>(), isRead: false }))
  useAbortableEffect(
    (signal) => {
      // Over HTTP/1.1 a browser has six connections to a server, for all of its tabs: a hidden tab uses none.
      if (!isVisible || !isInFeed(api, followed)) return stream.resolve()
      const missed = onMissed ?? (() => setRemoteChanges(new Map([[String(followed.resource), 'missed']])))
      followRemoteChanges(
        api,
        { ...followed, after: place.current, signal },
        {
          see(change) {
            if (change.type === 'resync') missed()
            else setRemoteChanges((before) => withChange(before, change, isShown))
          },
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
  /** The read waits for the stream to start: otherwise changes between the two would be missed (live.md, the feed). */
  const begin = async () => {
    await Promise.race([stream.promise, new Promise((resolve) => setTimeout(resolve, START_MS))])
    stream.resolve()
    stream.isRead = true
    setRemoteChanges(NONE)
  }
  return { remoteChanges, begin }
}

/** A member, its name, and what this user may do to it. */
export function useMember(iri: string, { isReloaded }: { readonly isReloaded: boolean }) {
  const api = useApi()
  const { remoteChanges, begin } = useRemoteChanges(
    { resource: iri },
    isReloaded ? { onMissed: () => read.reload() } : {},
  )
  const read = useLoading(
    async (signal) => {
      await begin()
      const member = await api.client.get(iri, { signal })
      const [name, operations] = await Promise.all([
        findName(api, member, signal),
        member.operations({ signal }),
      ])
      return { member, name, operations }
    },
    [iri],
  )
  return { ...read, remoteChange: remoteChanges.get(iri) }
}

interface FeedCallbacks {
  readonly see: (change: ChangeEvent) => void
  /** Remembers the last event, so that the stream can continue after it. */
  readonly keep?: (id: string | undefined) => void
  /** The stream has started, or cannot start. `isFromNow`: it does not continue an earlier one. */
  readonly settle?: (isFromNow: boolean) => void
}

/** Runs until it is aborted. Nobody is asked to sign in for it: when the token ends, it waits for the next sign-in. */
export async function followRemoteChanges(
  { client, wire, writes, signedIn }: Pick<ApiConnection, 'client' | 'wire' | 'writes' | 'signedIn'>,
  { after, signal, ...followed }: ChangesOptions & { readonly signal: AbortSignal },
  { see, keep = () => {}, settle = () => {} }: FeedCallbacks,
): Promise<void> {
  for (let id = after; ; keep(id)) {
    try {
      for await (const change of client.changes({ ...followed, after: id, signal })) {
        if (change.type === 'start') settle(id === undefined)
        id = change.id
        keep(id)
        // The response to our own write may arrive after its event, and its ETag tells that the write is ours.
        while (writes.get() > 0) await nextValue(writes, signal)
        if (change.type !== 'start' && !isOwn(change, wire.get())) see(change)
      }
    } catch (error) {
      signal.throwIfAborted()
      // The feed does not go back that far: follow it from now on.
      if ((error as ApiError).status === 410) id = undefined
      else {
        settle(false)
        await nextValue(signedIn, signal)
      }
    }
  }
}

const nextValue = (observable: Pick<Observable<unknown>, 'watch'>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = observable.watch(() => resolve())
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  return promise.finally(() => {
    stop()
    signal.removeEventListener('abort', onAbort)
  })
}

/** Adds a change, as it looks to a page that was read before all of them. */
export function withChange(
  changes: RemoteChanges,
  { type, resource }: Pick<ChangeEvent, 'type' | 'resource'>,
  isShown: (iri: string) => boolean = () => true,
): RemoteChanges {
  const before = changes.get(resource)
  const isNews = before !== undefined || type === 'create' || isShown(resource)
  const isFull = before === undefined && changes.size >= MOST_REMOTE_CHANGES
  if (type === 'start' || type === 'resync' || !isNews || isFull) return changes
  const after = new Map(changes)
  // A member that was created and deleted again was never on the page.
  if (before === 'create' && type === 'delete') after.delete(resource)
  else if (before === undefined || type === 'delete') after.set(resource, type)
  else after.set(resource, before === 'create' ? 'create' : 'update')
  return after
}

const WORDS = { update: 'changed', delete: 'deleted', create: 'new' }

type ChangeCounts = Readonly<Record<keyof typeof WORDS, number>>

/** Changes to the members at `iris`, which are shown, and members that are new. */
export function countRemoteChanges(changes: RemoteChanges, iris: readonly string[]): ChangeCounts {
  const shown = new Set(iris)
  const count = (wanted: RemoteChange) =>
    [...changes].filter(([iri, change]) => change === wanted && shown.has(iri) === (wanted !== 'create'))
      .length
  return { update: count('update'), delete: count('delete'), create: count('create') }
}

/** `2 changed, 1 deleted, 3 new`; empty if there are none. */
export const changesInWords = (counts: ChangeCounts): string =>
  Object.entries(WORDS)
    .flatMap(([change, word]) => {
      const count = counts[change as keyof typeof WORDS]
      return count > 0 ? `${count.toLocaleString()} ${word}` : []
    })
    .join(', ')
