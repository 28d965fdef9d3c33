import { createPause } from '../../deadline.ts'
import type { HistoryEntry } from '../../members/index.ts'
import {
  type CollectionClass,
  contextAddress,
  DELETION,
  entryContext,
  ownKey,
  pathTo,
  removedContext,
} from '../../vocabulary/index.ts'
import { covers } from '../access/ties.ts'
import { createMemberAssertions } from '../output/assertions.ts'
import { historyText } from '../output/history-link.ts'
import { toIri } from '../query/encoding.ts'
import { fingerprint, maxBytes, mediaTypeFor, PLAIN_JSON } from '../request.ts'
import type { ClassDependencies, Handler, RequestContext } from '../types.ts'
import type { EntryRepresentation } from './entries.ts'
import { readEntryQuery } from './query.ts'
import type { Remembered, SeenEntry } from './remembered.ts'
import { namedThen, relationThen } from './then.ts'

const DELETED = { deleted: 'true' }
/** The address of the collection itself, from which that of its first page differs. */
const ALONE = 'deleted=true'

/** Whether a query asks for members that were deleted. */
export const asksForRemoved = (query: string | undefined): boolean =>
  query !== undefined && /(?:^|&)deleted(?:=|&|$)/.test(query)

/** How many members are examined for a page, at least: a user may see few of them. */
const MAX_SCANNED = 20_000

type RemovedDependencies = ClassDependencies & { readonly cls: CollectionClass }

/** `{collection}?deleted=true`: the members that can be brought back, newest first (history.md, On the wire). */
export function createListRemoved(dependencies: RemovedDependencies, entries: EntryRepresentation): Handler {
  const { cls, base, access, respond, pageSizes } = dependencies
  const address = base + pathTo(cls.collection)
  const context = `${contextAddress(`${cls.name}Collection`, base)}?deleted=true`
  const inline = `"@context":${JSON.stringify(removedContext(cls, base, entryContext(base)))},`
  const about = `"@id":"${address}?deleted=true","@type":["Collection","${cls.name}Collection"],"memberAssertion":${createMemberAssertions(cls, base).ofClass}`
  const readRemoved = createReadRemoved(dependencies)
  const textOf = createTextOf(dependencies, entries)

  return async ({ request, query, principal }) => {
    if (access.rights.history === 'none') throw access.refusal('history')
    const mediaType = mediaTypeFor(request)
    const parsed = readEntryQuery(query, { pageSizes, versions: access.versions }, DELETED)
    const bytes = maxBytes(pageSizes.bytes, mediaType)
    const { found, next } = await readRemoved(parsed, bytes, principal)
    const texts: string[] = []
    for (const one of found) texts.push(await textOf(one, principal))
    const first = `${address}?${parsed.linkQuery}`
    const more = next === undefined ? '' : `,"next":"${first}&after=${access.versions.seal(next)}"`
    const self = query === ALONE ? first : `${address}?${toIri(query ?? '')}`
    const view = `{"@id":"${self}","@type":"PartialCollectionView","first":"${first}"${more}}`
    const body = `{${mediaType === PLAIN_JSON ? '' : inline}${about},"member":[${texts.join(',')}],"view":${view}}`
    return respond.read(request, {
      mediaType,
      context,
      etag: `"${fingerprint(body, mediaType)}"`,
      body: () => body,
    })
  }
}

/** The removal of a member, which the user may see. */
interface SeenRemoval extends SeenEntry<HistoryEntry> {
  readonly member: Remembered
}

interface RemovedPage {
  readonly found: readonly SeenRemoval[]
  /** The version after which further ones may follow; undefined at the end. */
  readonly next: number | undefined
}

/** Applies present rights to the last states of the members. */
function createReadRemoved(dependencies: RemovedDependencies) {
  const { cls, access, history, representation } = dependencies
  return async (
    { before, limit }: { readonly before: number | undefined; readonly limit: number },
    bytes: number,
    user: RequestContext['principal'],
  ): Promise<RemovedPage> => {
    const scopes = [access.scopeTo('read', user), access.scopeTo('history', user)]
    const owner = scopes.find((scope) => scope.kind === 'owner')?.owner
    const found: SeenRemoval[] = []
    const pause = createPause()
    let [last, left] = [before, bytes]
    for (let scanned = 0; scanned < MAX_SCANNED; ) {
      const entries = await history.removed(cls.name, { before: last, limit: limit + 1, owner }, bytes)
      if (entries.length === 0) return { found, next: undefined }
      for (const entry of entries) {
        last = entry.version
        const seen = await see(entry, user)
        // Only what the user may see decides whether there is another page, and where it begins.
        if (seen !== undefined && (found.length === limit || left < 0))
          return { found, next: found.at(-1)?.entry.version }
        if (seen === undefined) continue
        found.push(seen)
        left -= Buffer.byteLength(entry.body)
      }
      scanned += entries.length
      await pause()
    }
    return { found, next: last }
  }

  async function see(
    entry: HistoryEntry,
    user: RequestContext['principal'],
  ): Promise<SeenRemoval | undefined> {
    const relation = await relationThen(entry, user, dependencies)
    if (!access.mayReadBy(relation) || !covers(access.rights.history, relation)) return undefined
    const name = { className: cls.name, id: entry.id }
    const latest = { is: 'gone', entry } as const
    const address = representation.address(entry.id)
    return { entry, relation, member: { name, address, relation, relationTo: () => relation, latest } }
  }
}

/** The member as it was last, with its deletion. */
function createTextOf(dependencies: RemovedDependencies, entries: EntryRepresentation) {
  const { cls, base, access, representation } = dependencies
  const deletion = ownKey(cls, DELETION, base)
  return async (seen: SeenRemoval, user: RequestContext['principal']): Promise<string> => {
    const { member, relation } = seen
    const hidden = access.views?.of(relation).hidden
    const entry = await namedThen(seen.entry, dependencies)
    const text = representation.within(entry, hidden && { hidden })
    const removal = await entries.text(member, seen, undefined, user)
    const link = historyText(cls, base, member.address)
    // Under its IRI it has no term, and so no context of its own.
    const scoped = deletion === DELETION ? '{' : `{"@context":[null,${JSON.stringify(entryContext(base))}],`
    return `${text.slice(0, -1)}${link},"${deletion}":${scoped}${removal.slice(1)}}`
  }
}
