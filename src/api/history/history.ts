import type { HistoryEntry } from '../../members/index.ts'
import { AS, contextAddress, HISTORIES, HISTORY, historyContext } from '../../vocabulary/index.ts'
import { toIri } from '../query/encoding.ts'
import { fingerprint, LINK_FORMAT, MEDIA_TYPES, mediaTypeFor, PLAIN_JSON } from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import type { EntryRepresentation } from './entries.ts'
import { memberLinks, timeMap } from './memento.ts'
import { type EntryQuery, readEntryQuery } from './query.ts'
import { findRemembered, type Remembered, type SeenEntry, seenOf } from './remembered.ts'

/** `{member}/history`: its changes, newest first, page by page; as link-format, its TimeMap (RFC 7089 §5). */
export function history(dependencies: ClassDependencies, entries: EntryRepresentation): Resource {
  const { base, access, respond, pageSizes } = dependencies
  const { versions } = access
  const context = contextAddress(HISTORIES, base)
  const inline = `"@context":${JSON.stringify(historyContext(base))},`
  const about = `"@type":["Collection","${HISTORIES}"],"memberAssertion":${JSON.stringify({ property: 'rdf:type', object: `${AS}Activity` })}`

  const GET: Handler = async (asked) => {
    const { request, id, query, principal } = asked
    const mediaType = mediaTypeFor(request, [...MEDIA_TYPES, LINK_FORMAT])
    const parsed = readEntryQuery(query, { pageSizes, versions })
    const member = await findRemembered(id, principal, dependencies)
    const page = pageAddresses(member, parsed, query, versions.seal)
    const body =
      mediaType === LINK_FORMAT
        ? await listMementos(member, parsed, page)
        : await listEntries(asked, member, parsed, page, mediaType === PLAIN_JSON ? '' : inline)
    const etag = `"${fingerprint(body, mediaType)}"`
    const links = memberLinks(member.address)
    return respond.read(request, { mediaType, context, etag, links, body: () => body })
  }
  return resource({
    GET: access.rights.history === 'none' ? { refusal: () => access.refusal('history') } : GET,
  })

  async function listMementos(member: Remembered, { before, limit }: EntryQuery, page: PageAddresses) {
    const heads = await dependencies.history.heads(member.name, { before, limit: limit + 1 })
    const seen = (await seenOf(member, heads)).map(({ entry }) => entry)
    const shown = seen.slice(0, limit)
    const next = seen.length > limit ? page.after(shown.at(-1)?.version) : undefined
    return timeMap(entries, member, { entries: shown, self: page.self, next })
  }

  async function listEntries(
    { principal }: RequestContext,
    member: Remembered,
    { before, limit }: EntryQuery,
    page: PageAddresses,
    withContext: string,
  ): Promise<string> {
    const found = await dependencies.history.list(member.name, { before, limit }, pageSizes.bytes)
    const seen = await seenOf(member, found)
    const last = seen.at(-1)
    // The changes of the last entry show only in comparison with the one before it, which begins the next page.
    const older = last && (await readBefore(member, last))
    const texts: string[] = []
    for (const [index, one] of seen.entries())
      texts.push(await entries.text(member, one, seen[index + 1] ?? older, principal))
    const next = older && last ? `,"next":"${page.after(last.entry.version)}"` : ''
    const view = `{"@id":"${page.self}","@type":"PartialCollectionView","first":"${page.first}"${next}}`
    return `{${withContext}"@id":"${page.address}",${about},"member":[${texts.join(',')}],"view":${view}}`
  }

  async function readBefore(
    member: Remembered,
    { entry: { version } }: SeenEntry<HistoryEntry>,
  ): Promise<SeenEntry<HistoryEntry> | undefined> {
    const found = await dependencies.history.list(member.name, { before: version, limit: 1 }, 1)
    const [seen] = await seenOf(member, found)
    return seen
  }
}

/** The addresses of a page and of those around it. */
interface PageAddresses {
  readonly address: string
  readonly self: string
  readonly first: string
  /** The page after this version. */
  after(version: number | undefined): string
}

function pageAddresses(
  member: Remembered,
  { linkQuery }: EntryQuery,
  query: string | undefined,
  seal: (version: number) => string,
): PageAddresses {
  const address = `${member.address}/${HISTORY}`
  const first = `${address}?${linkQuery}`
  return {
    address,
    first,
    self: query ? `${address}?${toIri(query)}` : first,
    after: (version = 0) => `${first}&after=${seal(version)}`,
  }
}
