import type { Member } from 'hydrant-client'
import { labelLinks, nameOf, ownName } from '../labels.ts'
import { rememberNames } from '../state.ts'
import { classOf, collectionHolding } from './collections.ts'
import type { Api } from './description.ts'

/** Reads a member for its name, and remembers it. Undefined if it has none or cannot be read. */
export async function readName(api: Api, iri: string, signal?: AbortSignal): Promise<string | undefined> {
  const include = labelLinks(collectionHolding(api.collections, iri)?.memberClass)
  const member = await api.client.get(iri, { signal, include }).catch(() => undefined)
  const name = member && ownName(member.data, classOf(api, member), api.documentation.classes)
  if (!signal?.aborted) rememberNames(api.memory, [[iri, name]])
  return name
}

/** The name of a member that has been read. If members that it links to are part of the name, it is read again with those. */
export async function findName(api: Api, member: Member, signal?: AbortSignal): Promise<string> {
  const cls = classOf(api, member)
  const isWhole = labelLinks(cls).every((name) => typeof member.data[name] !== 'string')
  const name = isWhole
    ? ownName(member.data, cls, api.documentation.classes)
    : await readName(api, member.iri, signal)
  if (isWhole) rememberNames(api.memory, [[member.iri, name]])
  return name ?? nameOf(member, cls, api.documentation.classes)
}
