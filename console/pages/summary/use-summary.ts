import { ApiError, type Collection, type CollectionDescription } from 'hydrant-client'
import { useMemo } from 'preact/hooks'
import { readName, readTemplate, readVariables, useApi } from '../../shared/connection/index.ts'
import { useKnownNames } from '../../shared/controls/index.ts'
import { go } from '../../shared/names.ts'
import { forEachConcurrently, useAbortableEffect, useLoading } from '../../shared/state.ts'
import { readQuery, topicsOf } from '../table/index.ts'
import {
  type ChosenSummary,
  readSummaryQuery,
  type SummaryOptions,
  sentQuery,
  summaryOptions,
  writeSummaryQuery,
} from './summary-query.ts'
import { groupIn, rowsOf, type SentSummary } from './summary-rows.ts'

/** What the address of a summary asks for, and what the API has answered. */
export type SummaryState = ReturnType<typeof useSummary>

export function useSummary(collection: CollectionDescription, address: string) {
  const { name, memberClass } = collection
  const { client, documentation, memory } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])
  const template = useLoading(
    async (signal) => {
      const found = memory.templates.get(name) ?? (await readTemplate(members, { signal }))
      memory.templates.set(name, found)
      return found
    },
    [members],
  )
  const variables = useMemo(
    () => (template.value ? readVariables(template.value, memberClass, documentation.classes) : []),
    [template.value],
  )
  const options = useMemo(() => summaryOptions(variables), [variables])
  const query = useMemo(() => readSummaryQuery(address, options), [address, options])
  const { summary } = template.value ?? {}
  const answer = useLoading(
    async (signal) =>
      summary && query ? { query, ...(await readSummaries(members, summary, query, signal)) } : undefined,
    [summary, query],
  )
  return {
    collection,
    template,
    options,
    query,
    /** Whether the API has no summaries of this collection. */
    isMissing: template.value !== undefined && (summary === undefined || query === undefined),
    answer,
    rows: useRows(collection, options, answer.value),
    filters: useMemo(() => readQuery(query?.filters ?? '', variables), [query, variables]),
    topics: useMemo(() => topicsOf(variables), [variables]),
    ask: (changes: Partial<ChosenSummary>) =>
      query && go({ page: 'summary', name, query: writeSummaryQuery({ ...query, page: 1, ...changes }) }),
  }
}

type Answer = Awaited<ReturnType<typeof readSummaries>> & { readonly query: ChosenSummary }

/** As many bars as can be compared; of dates, as many as a line can show. */
const [MOST_BARS, MOST_POINTS] = [30, 100]

async function readSummaries(
  members: Collection,
  summary: string,
  query: ChosenSummary,
  signal: AbortSignal,
): Promise<{
  readonly summaries: readonly SentSummary[]
  readonly hasNext: boolean
  readonly total?: number
}> {
  const address = `${summary}?${sentQuery(query)}`
  const limited = `${address}&itemsPerPage=${query.unit ? MOST_POINTS : MOST_BARS}`
  const page = await members.summary(limited, { signal }).catch((error: unknown) => {
    // A server may allow smaller pages only.
    if (!(error instanceof ApiError) || error.parameter !== 'itemsPerPage') throw error
    return members.summary(address, { signal })
  })
  const { summaries, next, totalItems: total } = page
  return {
    summaries: summaries as readonly SentSummary[],
    hasNext: next !== undefined,
    ...(total !== undefined && { total }),
  }
}

const NONE: readonly SentSummary[] = []

function useRows({ name }: CollectionDescription, options: SummaryOptions, answer: Answer | undefined) {
  const api = useApi()
  const names = useKnownNames()
  const { query, summaries = NONE } = answer ?? {}
  const group = options.groups.find(({ path }) => path === query?.group)
  const number = options.numbers.find(({ path }) => path === query?.of)
  // A summary has the addresses of linked members, not their names.
  useAbortableEffect(
    (signal) => {
      if (!query || group?.kind !== 'link') return
      const iris = summaries.flatMap((one) => groupIn(one, query) ?? []).map(String)
      const missing = iris.filter((iri) => !names.has(iri))
      forEachConcurrently(
        missing,
        { limit: 4, signal },
        async (iri) => void (await readName(api, iri, signal)),
      )
    },
    [summaries, group],
  )
  return useMemo(
    () => (query && group ? rowsOf(summaries, { name, query, group, number, names }) : []),
    [summaries, query, group, number, names],
  )
}
