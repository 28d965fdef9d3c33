import { useMemo, useRef, useState } from 'preact/hooks'
import { ApiError, type Collection, type CollectionDescription } from '../../../src/client/index.ts'
import { readTemplate, readVariables, useApi } from '../../shared/connection/index.ts'
import { go } from '../../shared/names/index.ts'
import { useLoading } from '../../shared/state/index.ts'
import { addressOf, readQuery } from './query.ts'

/** What the address of a table asks for, and what the API has answered so far. */
export type Table = ReturnType<typeof useTable>

/** One request for the page, and one more for the template where that has not been read yet. */
export function useTable(collection: CollectionDescription, query: string) {
  const { iri, name, memberClass } = collection
  const { client, documentation } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])

  const read = useLoading(
    async (signal) => {
      const page = await members.page(query ? addressOf(iri, query) : undefined, { signal })
      return { query, page }
    },
    [query],
  )
  const latest = useRef(read.value)
  latest.current = read.value ?? latest.current
  const refusal = read.error instanceof ApiError && read.error.status === 400 ? read.error : undefined
  // A refused query leaves the rows before it: its filter can be corrected in their sight.
  const rows = { ...read, value: refusal ? latest.current : read.value }
  // A first page brings its template along: asking for it at the same time would be a second request.
  const canRead = query !== '' || rows.value !== undefined
  const template = useLoading(
    async (signal) => (canRead ? readTemplate(members, { signal }) : undefined),
    [canRead],
  )
  const variables = useMemo(
    () => (template.value ? readVariables(template.value, memberClass) : []),
    [template.value, memberClass],
  )
  const pairs = useMemo(() => readQuery(query, variables), [query, variables])
  // The query of the rows that are shown: the former rows stay until the new ones have come.
  const answered = useMemo(() => readQuery(rows.value?.query ?? '', variables), [rows.value, variables])

  return {
    collection,
    members,
    query,
    rows,
    refusal,
    pairs,
    answered,
    variables,
    template,
    /** Whether what hypermedia.md says of search and counts holds here. */
    isHydrant: Boolean(
      template.value?.variables.some(({ property }) => property === `${documentation.iri}#after`),
    ),
    ask: (next: string) => (next === query ? rows.reload() : go({ page: 'table', name, query: next })),
  }
}

export type Counting = ReturnType<typeof useCount>

/** The exact number of members, once asked for. `of`: the query without its position, of which the pages share one count. */
export function useCount(collection: Collection, address: string, of: string) {
  const [asked, setAsked] = useState<string>()
  const { value, error, busy, reload } = useLoading(
    async (signal) => {
      if (asked === undefined) return undefined
      const { totalItems: total, last } = await collection.page(address, { signal, exactCount: true })
      if (total === undefined) throw new Error('The API does not count.')
      return { of: asked, total, last }
    },
    [asked],
  )
  const isMine = asked === of
  const found = value?.of === of ? value : undefined
  // Another query gives up a count that is under way or has failed.
  if (asked !== undefined && !isMine && (busy || error !== undefined)) setAsked(undefined)
  return {
    total: found?.total,
    last: found?.last,
    busy: isMine && busy,
    error: isMine ? error : undefined,
    count: () => (isMine ? reload() : setAsked(of)),
  }
}
