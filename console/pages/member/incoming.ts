import type {
  ClassDescription,
  CollectionDescription,
  Member,
  PropertyDescription,
  SearchTemplate,
} from 'hydrant-client'
import { useMemo } from 'preact/hooks'
import {
  type Api,
  canList,
  classOf,
  findFilter,
  limitTo,
  membersWord,
  readTemplate,
  readVariables,
  useApi,
} from '../../shared/connection/index.ts'
import { namesOf, withLabelLinks } from '../../shared/labels.ts'
import { capitalised, classWords } from '../../shared/names.ts'
import { type Loading, rememberNames, useLoadingEach } from '../../shared/state.ts'

interface Incoming {
  readonly collection: CollectionDescription
  readonly property: PropertyDescription
}

export type IncomingGroup = Incoming & Loading<Awaited<ReturnType<typeof readIncoming>>>

const MOST_SHOWN = 5

export function useIncoming(member: Member): readonly IncomingGroup[] {
  const api = useApi()
  const incoming = useMemo(
    () => incomingTo(classOf(api, member), api.collections, api.documentation.classes),
    [api, member.iri],
  )
  return useLoadingEach(incoming, (one, signal) => readIncoming(api, one, member.iri, signal))
}

export function incomingTo(
  cls: Pick<ClassDescription, 'iri' | 'superClasses'> | undefined,
  collections: readonly CollectionDescription[],
  classes: readonly ClassDescription[] = [],
): readonly Incoming[] {
  const ranges = cls ? [cls.iri, ...cls.superClasses] : []
  /** A link within an embedded value is named by its path: `lines.product`. */
  const linksOf = (holder: ClassDescription, around: readonly ClassDescription[]): PropertyDescription[] =>
    holder.properties.flatMap((property) => {
      const { isLink, range, name } = property
      if (isLink) return range !== undefined && ranges.includes(range) ? [property] : []
      const embedded = classes.find(({ iri }) => iri === range)
      if (!embedded || around.includes(embedded)) return []
      const within = linksOf(embedded, [...around, embedded])
      return within.map((link) => ({ ...link, name: `${name}.${link.name}` }))
    })
  return collections.filter(canList).flatMap((collection) => {
    const { memberClass } = collection
    const links = memberClass ? linksOf(memberClass, [memberClass]) : []
    return links.map((property) => ({ collection, property }))
  })
}

/** `search`: for the client; `query`: for the address of the table. Undefined if there is no filter for it. */
export function queryForLinksTo(
  { collection, property }: Incoming,
  template: SearchTemplate,
  iri: string,
  classes: readonly ClassDescription[] = [],
): { readonly search: Readonly<Record<string, unknown>>; readonly query: string } | undefined {
  const variables = readVariables(template, collection.memberClass, classes)
  const filter = findFilter(variables, 'eq', property.name)
  if (!filter) return undefined
  return {
    search: { [filter.name]: iri, ...limitTo(variables, MOST_SHOWN) },
    query: `${encodeURIComponent(filter.name)}=${encodeURIComponent(iri)}`,
  }
}

async function readIncoming(
  { client, documentation, memory }: Pick<Api, 'client' | 'documentation' | 'memory'>,
  incoming: Incoming,
  iri: string,
  signal: AbortSignal,
) {
  const { iri: address, memberClass } = incoming.collection
  const collection = client.collectionAt(address)
  const template = await readTemplate(collection, { signal })
  const found = queryForLinksTo(incoming, template, iri, documentation.classes)
  if (!found) return undefined
  const { members, totalItems, next } = await collection.page(withLabelLinks(found.search, memberClass), {
    signal,
  })
  rememberNames(memory, namesOf(members, memberClass, documentation.classes))
  return {
    members: members.slice(0, MOST_SHOWN),
    // Undefined if the API has not counted them: then there are many.
    total: totalItems ?? (next === undefined ? members.length : undefined),
    query: found.query,
  }
}

/** `13 books link to it.`, as far as is known; undefined if nothing does. */
export function linkedInWords(
  groups: readonly Pick<IncomingGroup, 'collection' | 'value'>[],
  locale?: string,
): string | undefined {
  const linking = groups.filter(({ value }) => value?.members.length)
  if (linking.length === 0) return undefined
  const parts = linking.map(({ collection, value }) => {
    const { memberClass } = collection
    const word = value?.total === 1 && memberClass ? classWords(memberClass) : membersWord(collection)
    return `${countInWords(value?.total, locale)} ${word}`
  })
  const isOne = linking.length === 1 && linking[0]?.value?.total === 1
  return `${capitalised(new Intl.ListFormat('en-GB').format(parts))} ${isOne ? 'links' : 'link'} to it.`
}

/** `1,234`, or `more than 1,000`: without a total there are more (hypermedia.md, totalItems). */
export const countInWords = (total: number | undefined, locale?: string): string =>
  total === undefined ? `more than ${(1_000).toLocaleString(locale)}` : total.toLocaleString(locale)
