import type { Response } from '../../http/index.ts'
import type { EntryHead, PlacedEntry } from '../../members/index.ts'
import type { ShownMembers } from '../output/member.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import { readValues } from '../query/parameters.ts'
import { mediaTypeFor } from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import { type EntryRepresentation, entryControls } from './entries.ts'
import { mementoHeaders, mementoTime, readAcceptDatetime } from './memento.ts'
import { findRemembered, type Remembered, type SeenEntry } from './remembered.ts'
import { type NamingEntry, namedThen } from './then.ts'

/** `{member}/history/{version}`: the member as it was, in today's terms. */
export function historyEntry(dependencies: ClassDependencies, entries: EntryRepresentation): Resource {
  const { access } = dependencies
  const GET: Handler = async (context) => {
    const { id, key, principal } = context
    const shown = readShown(context, dependencies)
    const member = await findRemembered(id, principal, dependencies)
    const seen = await findEntry(dependencies, member, key)
    return respondWith(dependencies, entries, context, { member, shown, ...seen })
  }
  return resource({
    GET: access.rights.history === 'none' ? { refusal: () => access.refusal('history') } : GET,
  })
}

/** The entry with this number, as it is written in addresses. */
export async function findEntry(
  dependencies: ClassDependencies,
  member: Remembered,
  key = '',
): Promise<SeenEntry<NamingEntry<PlacedEntry>>> {
  const { access, history } = dependencies
  const { name, address } = member
  const version = access.versions.open(key)
  const entry = version === undefined ? undefined : await history.find(name, version)
  const seen = entry && (await seePlaced(dependencies, member, entry))
  if (seen === undefined) throw apiProblem('NoSuchEntry', { address })
  return seen
}

/** The entry with those of its neighbours that the user may see; undefined if the user may not see it. */
async function seePlaced(
  dependencies: ClassDependencies,
  { relationTo }: Remembered,
  entry: PlacedEntry,
): Promise<SeenEntry<NamingEntry<PlacedEntry>> | undefined> {
  const seenOne = async (head: EntryHead | undefined) => (head && (await relationTo(head)) ? head : undefined)
  const relation = await relationTo(entry)
  if (relation === undefined) return undefined
  const [previous, next] = [await seenOne(entry.previous), await seenOne(entry.next)]
  const { hidden } = dependencies.access.views?.of(relation) ?? {}
  return { relation, entry: { ...(await namedThen(entry, dependencies, hidden)), previous, next } }
}

/** The member is its own TimeGate (RFC 7089 §4.1): as it was at the time that Accept-Datetime names. */
export function createTimeGate(dependencies: ClassDependencies, entries: EntryRepresentation): Handler {
  const { history } = dependencies
  return async (context) => {
    const { request, id, principal } = context
    const time = readAcceptDatetime(String(request.headers['accept-datetime']))
    const shown = readShown(context, dependencies)
    const member = await findRemembered(id, principal, dependencies)
    const found = await history.findAt(member.name, time)
    const seen = found && (await seePlaced(dependencies, member, found))
    // A member may be gone without an entry of its removal, if the API file had no history then: nobody knows since when.
    const isOver = found?.next === undefined && member.latest.is === 'gone'
    if (seen === undefined || isOver || seen.entry.kind === 'delete') {
      const kept = await history.first(member.name)
      const first = kept && (await member.relationTo(kept)) && kept
      throw apiProblem('NotThereThen', { address: member.address, from: first && mementoTime(first.at) })
    }
    const location = ['Content-Location', entries.addressOf(member, seen.entry)]
    return respondWith(dependencies, entries, context, { member, shown, ...seen }, location)
  }
}

/** `fields`, as for the member itself (asking.md, Fields). Included members would be those of today. */
function readShown({ query }: RequestContext, { readFields }: ClassDependencies): ShownMembers {
  if (readValues(query, 'include') !== undefined) throw parameterProblem('IncludeInPast', 'include', {})
  const named = readValues(query, 'fields')
  return { fields: named && readFields(named, undefined) }
}

interface EntryToShow extends SeenEntry<NamingEntry<PlacedEntry>> {
  readonly member: Remembered
  readonly shown: ShownMembers
}

function respondWith(
  dependencies: ClassDependencies,
  entries: EntryRepresentation,
  { request }: RequestContext,
  { member, entry, relation, shown }: EntryToShow,
  more: readonly string[] = [],
): Response | Promise<Response> {
  const { representation, respond } = dependencies
  const mediaType = mediaTypeFor(request)
  const controls = entryControls(dependencies, relation, entry.unnamed)
  const represented = representation.represent(entry, mediaType, controls, shown)
  const links = [...mementoHeaders(entries, member, entry), ...more]
  return respond.read(request, { ...represented, links }) as Response | Promise<Response>
}
