import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  ApiError,
  type Collection,
  type CollectionDescription,
  type Member,
  type Page,
  type SearchTemplate,
} from '../../../src/client/index.ts'
import { readVariables, useApi, type Variable } from '../../shared/connection/index.ts'
import { go } from '../../shared/names/index.ts'
import { type Loading, useLoading } from '../../shared/state/index.ts'
import { addressOf, type Pair, readQuery } from './query.ts'

interface Answered {
  readonly query: string
  readonly page: Page<Member['data']>
}

/** The state of a table: what its address asks for, and what the API has answered so far. */
export interface Table {
  readonly collection: CollectionDescription
  readonly members: Collection
  readonly query: string
  readonly rows: Loading<Answered>
  /** The query in parts, as the template explains them. */
  readonly pairs: readonly Pair[]
  /** The query of the rows that are shown: the former rows stay until the new ones have come. */
  readonly answered: readonly Pair[]
  readonly variables: readonly Variable[]
  /** Undefined until it has been read; without variables where the collection has no template. */
  readonly template: Loading<SearchTemplate | undefined>
  /** Whether what hypermedia.md says of search and counts holds here. */
  readonly isHydrant: boolean
  readonly ask: (query: string) => void
}

const NO_TEMPLATE: SearchTemplate = { template: '', variables: [] }

/** One request for the page, and one more for the template where that has not been read yet. */
export function useTable(description: CollectionDescription, query: string): Table {
  const { iri, name, memberClass } = description
  const { client, documentation } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])

  const rows = useLoading(
    async (signal) => {
      const page = await members.page(query ? addressOf(iri, query) : undefined, { signal })
      return { query, page }
    },
    [query],
  )
  // A first page brings its template along: asking for it at the same time would be a second request.
  const canRead = query !== '' || rows.value !== undefined
  const template = useLoading(
    async (signal) => (canRead ? members.search({ signal }).catch(withoutTemplate) : undefined),
    [canRead],
  )
  const variables = useMemo(
    () => readVariables(template.value ?? NO_TEMPLATE, memberClass),
    [template.value, memberClass],
  )
  const pairs = useMemo(() => readQuery(query, variables), [query, variables])
  const answered = useMemo(() => readQuery(rows.value?.query ?? '', variables), [rows.value, variables])

  return {
    collection: description,
    members,
    query,
    rows,
    pairs,
    answered,
    variables,
    template,
    isHydrant: Boolean(
      template.value?.variables.some(({ property }) => property === `${documentation.iri}#after`),
    ),
    ask: (next) => (next === query ? rows.reload() : go({ page: 'table', name, query: next })),
  }
}

function withoutTemplate(error: unknown): SearchTemplate {
  if (error instanceof ApiError && error.code === 'malformed') return NO_TEMPLATE
  throw error
}

export interface Counting {
  readonly total: number | undefined
  /** The address of the last page, which comes with the count. */
  readonly last: string | undefined
  readonly busy: boolean
  readonly error: unknown
  readonly count: () => void
}

interface Result extends Pick<Counting, 'total' | 'last' | 'busy' | 'error'> {
  readonly of: string
}

export function useCount(collection: Collection, address: string, of: string): Counting {
  const [result, setResult] = useState<Result>()
  const running = useRef<AbortController>(undefined)
  const giveUp = (): void => {
    running.current?.abort()
    setResult((before) => (before?.busy ? undefined : before))
  }
  useEffect(() => giveUp, [of])

  async function count(): Promise<void> {
    const controller = new AbortController()
    running.current?.abort()
    running.current = controller
    const { signal } = controller
    const nothing = { of, total: undefined, last: undefined, error: undefined, busy: false }
    setResult({ ...nothing, busy: true })
    try {
      const { totalItems, last } = await collection.page(address, { signal, exactCount: true })
      const error = totalItems === undefined ? new Error('The API does not count.') : undefined
      if (!signal.aborted) setResult({ ...nothing, total: totalItems, last, error })
    } catch (error) {
      if (!signal.aborted) setResult({ ...nothing, error })
    }
  }

  const mine = result?.of === of ? result : undefined
  return {
    total: mine?.total,
    last: mine?.last,
    busy: mine?.busy ?? false,
    error: mine?.error,
    count: () => void count(),
  }
}
