import {
  ApiError,
  type Collection,
  type CollectionDescription,
  type CollectionPage,
  type Member,
} from 'hydrant-client'
import { useMemo, useRef, useState } from 'preact/hooks'
import {
  canAsk,
  isHydrant,
  readTemplate,
  readVariables,
  useApi,
  useRemoteChanges,
} from '../../shared/connection/index.ts'
import { namesOf } from '../../shared/labels.ts'
import { decode, go, hrefOf, type Route } from '../../shared/names.ts'
import { queryOf } from '../../shared/queries.ts'
import { rememberNames, useLoading } from '../../shared/state.ts'
import type { TableColumn } from './columns.ts'
import { topicsOf } from './filter-topics.ts'
import { readLinkColumns, withLinkColumns } from './link-columns.ts'
import { namesWithin, useLinkNames } from './link-names.ts'
import { createCountBefore, rowRange } from './position.ts'
import { addressOf, includeIn, readQuery, withoutPosition } from './query.ts'

/** What the address of a table asks for, and what the API has answered so far. */
export type TableState = ReturnType<typeof useTable>

export function useTable(collection: CollectionDescription, address: string) {
  const { name, memberClass } = collection
  const { query, linked } = useMemo(() => readLinkColumns(address), [address])
  const { client, documentation, memory } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])
  const { rows, refusal, remoteChanges } = useTableRows(collection, members, { query, linked })
  const template = memory.templates.get(name)
  const variables = useMemo(
    () => (template ? readVariables(template, memberClass, documentation.classes) : []),
    [template, memberClass, documentation],
  )
  // Without the template it is unknown which of the parameters are filters.
  const pairs = useMemo(() => (template ? readQuery(query, variables) : []), [query, template, variables])
  // The query of the rows that are shown: old rows stay until the new ones arrive.
  const answered = useMemo(() => readQuery(rows.value?.query ?? '', variables), [rows.value, variables])
  const routeTo = (next: string, names = linked): Route => ({
    page: 'table',
    name,
    query: withLinkColumns(next, names),
  })

  return {
    collection,
    members,
    query,
    rows,
    refusal,
    remoteChanges,
    pairs,
    answered,
    variables,
    topics: useMemo(() => topicsOf(variables), [variables]),
    isHydrant: template !== undefined && isHydrant(template),
    /** Whether the API writes the collection as CSV, and has summaries of it. */
    canExport: template !== undefined && canAsk(template),
    hasSummary: template?.summary !== undefined,
    /** The columns behind links. */
    linked,
    canInclude: variables.some(({ role }) => role === 'include'),
    showLinked: (names: readonly string[]) => go(routeTo(query, names)),
    hrefOf: (next: string) => hrefOf(routeTo(next)),
    ask: (next: string) => (next === query ? rows.reload() : go(routeTo(next))),
  }
}

/** Reads a page with one request, which includes the names of linked members, and one for the template if it is unknown. */
function useTableRows(
  { iri, name, memberClass }: CollectionDescription,
  members: Collection,
  { query, linked }: ReturnType<typeof readLinkColumns>,
) {
  const { documentation, memory } = useApi()
  const { templates } = memory
  const read = useLoading(
    async (signal) => {
      await begin()
      const isFirst = query === '' && !templates.has(name)
      // The first page contains the template; the pages of a query do not.
      const bare = isFirst ? await members.page(undefined, { signal }) : undefined
      const template = templates.get(name) ?? (await readTemplate(members, { signal }))
      templates.set(name, template)
      const { classes } = documentation
      const include = includeIn(memberClass, readVariables(template, memberClass), classes, linked)
      const asked = addressOf(iri, [query, include].filter(Boolean).join('&'))
      const page = bare && !include ? bare : await members.page(asked, { signal })
      rememberNames(memory, namesWithin(page.members, memberClass, classes))
      rememberNames(memory, namesOf(page.members, memberClass, classes))
      return { query, page: withoutInclude(page, include) }
    },
    [query, linked.join(' ')],
  )
  const latest = useRef(read.value)
  latest.current = read.value ?? latest.current
  const { remoteChanges, begin } = useRemoteChanges(
    { collection: name },
    {
      isShown: (member) => latest.current?.page.members.some(({ iri }) => iri === member) ?? true,
      onMissed: read.reload,
    },
  )
  const refusal = read.error instanceof ApiError && read.error.status === 400 ? read.error : undefined
  // The old rows stay while the filter of a refused query is corrected.
  return { rows: { ...read, value: refusal ? latest.current : read.value }, refusal, remoteChanges }
}

/** The addresses of the console contain what the user asked for, not what the console includes. */
function withoutInclude(
  page: CollectionPage<Member['data']>,
  include: string,
): CollectionPage<Member['data']> {
  const parts = include.split('&')
  const isAsked = (part: string) => !parts.includes(decode(part)) && !parts.includes(part)
  const fields = Object.entries(page).map(([name, value]) => {
    if (typeof value !== 'string' || !include) return [name, value]
    const [path = ''] = value.split('?', 1)
    return [name, addressOf(path, queryOf(value).split('&').filter(isAsked).join('&'))]
  })
  return Object.fromEntries(fields)
}

export type View = ReturnType<typeof useView>

const NONE: readonly Member[] = []

/** The rows that are shown at once: those of a page, or a part of a very large page. */
export function useView(
  { collection, rows, answered, members }: TableState,
  columns: readonly TableColumn[],
) {
  const { page, query = '' } = rows.value ?? {}
  const counting = useCount(members, addressOf(collection.iri, query), withoutPosition(answered))
  const [countBefore] = useState(createCountBefore)
  const [turned, setTurned] = useState({ query, number: 0 })
  const isWhole = page?.previous === undefined && page?.next === undefined
  const total = page?.totalItems ?? counting.total ?? (isWhole ? page?.members.length : undefined)
  const range = rowRange(page?.members.length ?? 0, turned.query === query ? turned.number : 0)
  const { start, end } = range
  const shown = useMemo(() => page?.members.slice(start, end), [page, start, end])
  return {
    ...range,
    counting,
    total,
    /** How many members come before the page; undefined if that is unknown. */
    before: page && countBefore(query, answered, { ...page, totalItems: total }),
    shown,
    linkNames: useLinkNames(collection.name, shown ?? NONE, columns),
    turn: (number: number) => setTurned({ query, number }),
  }
}

export type Counting = ReturnType<typeof useCount>

/** The exact number of members, on demand. `of`: the query without its position, since its pages share one count. */
function useCount(collection: Collection, address: string, of: string) {
  const [asked, setAsked] = useState<string>()
  const { value, error, busy, reload } = useLoading(
    async (signal) => {
      if (asked === undefined) return undefined
      const { totalItems: total, last } = await collection.page(address, { signal, exactCount: true })
      if (total === undefined) throw new Error('The API does not count its members.')
      return { of: asked, total, last }
    },
    [asked],
  )
  const isMine = asked === of
  const found = value?.of === of ? value : undefined
  // Another query drops a count that is under way or has failed.
  if (asked !== undefined && !isMine && (busy || error !== undefined)) setAsked(undefined)
  return {
    total: found?.total,
    last: found?.last,
    busy: isMine && busy,
    error: isMine ? error : undefined,
    count: () => (isMine ? reload() : setAsked(of)),
  }
}
