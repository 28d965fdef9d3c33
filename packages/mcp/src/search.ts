import type { Collection } from 'hydrant-client'
import { plain, representPage } from './representation.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, type ToolApi } from './tool.ts'

interface SearchArguments {
  readonly collection: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly summary?: Readonly<Record<string, unknown>>
}

/** A page for an agent, of members or of summaries. */
export const PAGE_PROPERTIES = {
  total: { type: 'integer' },
  members: { type: 'array', items: ANY_OBJECT },
  next: TEXT,
}

/** One path, or several. */
const paths = { type: ['string', 'array'] }

export const SEARCH: AgentTool = {
  name: 'search',
  description:
    'Members of a collection (its name or address), a page at a time; read next for more. query: filters as describe lists them ({"pages.gte": 500, "author.name": "Ann"}), q (words; rin* for a beginning), sort ("-pages,title"), fields, include, or ({"a": {alternatives}}), itemsPerPage. summary: counts and figures of what matches, by one or two groups (a path; a date with :year, :month or :day).',
  writes: false,
  input: closed(
    {
      collection: TEXT,
      query: ANY_OBJECT,
      summary: closed({ group: paths, sum: paths, avg: paths, min: paths, max: paths }),
    },
    ['collection'],
  ),
  output: object({ ...PAGE_PROPERTIES, summaries: { type: 'array', items: ANY_OBJECT } }),
  async run(api, { collection, query = {}, summary }: SearchArguments, signal) {
    const found = await openCollection(api, collection, signal)
    if (summary === undefined) return representPage(await found.page(query, { signal }))
    const { totalItems, next, summaries } = await found.summary({ ...query, ...summary }, { signal })
    return {
      ...(totalItems !== undefined && { total: totalItems }),
      summaries: summaries.map(withoutIdentity),
      ...(next !== undefined && { next }),
    }
  },
}

/** By its name or its address; refused outside of the API. */
async function openCollection(
  { client, addresses }: ToolApi,
  given: string,
  signal: AbortSignal,
): Promise<Collection> {
  return client.collectionAt(await addresses.resolve(given, { signal })) as unknown as Collection
}

/** A summary has no address that could be read, and always the same class. */
function withoutIdentity(summary: object): unknown {
  const { '@id': _, '@type': __, ...data } = plain(summary) as Record<string, unknown>
  return data
}
