import type { AbortOptions, Collection } from 'hydrant-client'
import { BridgeProblem } from '../problems.ts'
import { isPage, plain, representPage } from '../representation.ts'
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
    requireFilters(query)
    const options = { signal }
    const { address, filters } = await findCollection(api, collection, options)
    const found = api.client.collectionAt(address) as unknown as Collection
    const asked = { ...filters, ...query }
    if (summary === undefined) return representPage(await found.page(asked, options))
    const { totalItems, next, summaries } = await found.summary({ ...asked, ...summary }, options)
    return {
      ...(totalItems !== undefined && { total: totalItems }),
      summaries: summaries.map(withoutIdentity),
      ...(next !== undefined && { next }),
    }
  },
}

/** A value of another kind would be sent as `[object Object]`, or left out: the answer would look like one to the question. */
function requireFilters({ or, ...filters }: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(filters))
    if ([value].flat().some((one) => one instanceof Object)) throw new BridgeProblem('not-a-filter', { name })
  if (or === undefined || or === null) return
  for (const group of isFilters(or) ? Object.values(or) : [or]) {
    if (!isFilters(group) || Object.keys(group).length === 0) throw new BridgeProblem('not-alternatives', {})
    requireFilters({ ...group, or: undefined })
  }
}

const isFilters = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value instanceof Object && !Array.isArray(value)

interface FoundCollection {
  readonly address: string
  /** A link from the other side leads to a collection with a filter, which applies beside the query. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** By its name or its address. A member, which would look like a collection without members, is refused. */
async function findCollection(
  { client, addresses }: ToolApi,
  given: string,
  options: AbortOptions,
): Promise<FoundCollection> {
  const address = await addresses.resolve(given, options)
  const [path = '', query = ''] = address.split('?', 2)
  const collections = await client.collections(options)
  if (collections.some(({ iri }) => iri === path)) {
    const parameters = new URLSearchParams(query)
    const names = [...new Set(parameters.keys())]
    return {
      address: path,
      filters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
    }
  }
  if (isPage(await client.get(address, options))) return { address, filters: {} }
  throw new BridgeProblem('unknown-collection', { name: given, known: collections.map(({ name }) => name) })
}

/** A summary has no address that could be read, and always the same class. */
function withoutIdentity(summary: object): unknown {
  const { '@id': _, '@type': __, ...data } = plain(summary) as Record<string, unknown>
  return data
}
