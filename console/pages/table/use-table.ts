import { useMemo } from 'preact/hooks'
import {
  ApiError,
  type CollectionDescription,
  type Member,
  type Page,
  type SearchTemplate,
} from '../../../src/client/index.ts'
import { type Loading, useApi, useLoading } from '../../shared/api.ts'
import { readVariables, type Variable } from '../../shared/search-variables.ts'
import { addressOf, type Pair, readQuery } from './query.ts'

/** A page as it was answered, and to which question. */
export interface Answered {
  readonly query: string
  readonly page: Page<Member['data']>
}

export interface TableState {
  readonly rows: Loading<Answered>
  /** What the address asks for, by what the template says about it. */
  readonly pairs: readonly Pair[]
  /** What was asked for the rows that are shown: until the others are there, those of before are. */
  readonly answered: readonly Pair[]
  readonly variables: readonly Variable[]
  /** Undefined until it is known; one without variables where the collection cannot be asked anything. */
  readonly template: Loading<SearchTemplate | undefined>
  /** Whether what hypermedia.md says of questions and counts holds here. */
  readonly isHydrant: boolean
}

const NOTHING: SearchTemplate = { template: '', variables: [] }

/** The page that the address names: one request, and one more for the template where nobody has read it yet. */
export function useTable({ iri, name, memberClass }: CollectionDescription, query: string): TableState {
  const { client, documentation } = useApi()
  const collection = useMemo(() => client.collection(name), [client, name])

  const rows = useLoading(
    async (signal) => {
      const page = await collection.page(query ? addressOf(iri, query) : undefined, { signal })
      return { query, page }
    },
    [query],
  )
  // A bare page brings its template along: who asked for it at the same moment would ask twice.
  const isHere = query !== '' || rows.value !== undefined
  const template = useLoading(
    async (signal) => (isHere ? collection.search({ signal }).catch(withoutTemplate) : undefined),
    [isHere],
  )
  const variables = useMemo(
    () => readVariables(template.value ?? NOTHING, memberClass),
    [template.value, memberClass],
  )
  const read = (text = ''): readonly Pair[] => readQuery(text, variables)
  const pairs = useMemo(() => read(query), [query, variables])
  const answered = useMemo(() => read(rows.value?.query), [rows.value, variables])

  return {
    rows,
    pairs,
    answered,
    variables,
    template,
    isHydrant: Boolean(
      template.value?.variables.some(({ property }) => property === `${documentation.iri}#after`),
    ),
  }
}

/** Not every collection can be asked. */
function withoutTemplate(error: unknown): SearchTemplate {
  if (error instanceof ApiError && error.code === 'malformed') return NOTHING
  throw error
}
