import { percentDecoded, withUsualEncodings } from '../../text.ts'
import { hasCollection, type Model, pathTo, vocabIri } from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { decode, splitPair } from '../query/decoding.ts'
import { encode } from '../query/encoding.ts'
import { unknownParameter } from '../query/explain.ts'
import { type PageSizes, readCount } from '../query/paging.ts'

/** A query of the feed, parsed. */
export interface FeedQuery {
  /** The classes whose changes are wanted; undefined for all. */
  readonly classNames: ReadonlySet<string> | undefined
  /** The resources whose changes are wanted, by their addresses; undefined for all. */
  readonly resources: ReadonlyMap<string, AskedResource> | undefined
  /** Whether events have the members in full (`include=object`). */
  readonly isWhole: boolean
  /** The id of an event, not yet checked. */
  readonly after: string | undefined
  readonly limit: number
  /** The query without `after`, as the links of a page repeat it. */
  readonly linkQuery: string
}

/** The address of a resource, which need not exist. */
export interface AskedResource {
  readonly address: string
  /** The name of its collection, or of the single resource itself. */
  readonly name: string
  /** Undefined if the resource is not in a collection. */
  readonly id: string | undefined
}

/** The place of an event id in a query, for problems. */
export const AFTER = { parameter: 'after' }

const NAMES = ['collection', 'resource', 'include', 'after', 'itemsPerPage'] as const
const REPEATABLE: readonly string[] = ['collection', 'resource']

/** The properties of the parameters in the search template. */
const PROPERTIES: Readonly<Record<(typeof NAMES)[number], string>> = {
  collection: 'events/collection',
  resource: 'events/resource',
  include: 'include',
  after: 'hydra:pageReference',
  itemsPerPage: 'hydra:limit',
}

/** The search template of the feed. */
export function representFeedSearch(base: string): object {
  const specs = NAMES.map((name) => (REPEATABLE.includes(name) ? `${name}*` : name))
  return {
    '@id': `${base}/events#search`,
    '@type': 'IriTemplate',
    template: `${base}/events{?${specs.join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: NAMES.map((name) => ({
      '@type': 'IriTemplateMapping',
      variable: name,
      property: PROPERTIES[name].startsWith('hydra:') ? PROPERTIES[name] : vocabIri(base, PROPERTIES[name]),
      required: false,
    })),
  }
}

/** Rejects unknown parameters and malformed values. */
export function createReadFeedQuery(model: Model, base: string, pageSizes: PageSizes) {
  const classNames = new Map(
    model.classes.filter(hasCollection).map(({ collection, name }) => [collection, name]),
  )

  function classOf(collection: string): string {
    const found = classNames.get(collection)
    if (found !== undefined) return found
    const known = [...classNames.keys()]
    throw parameterProblem('UnknownFeedCollection', 'collection', { name: collection, known })
  }

  return (query: string | undefined): FeedQuery => {
    const parameters = readPairs(query)
    const [include, after, size] = [
      parameters.include?.[0],
      parameters.after?.[0],
      parameters.itemsPerPage?.[0],
    ]
    const classNames = parameters.collection && new Set(parameters.collection.map(classOf))
    const asked = parameters.resource?.map((text) => readAddress(text, base))
    if (include !== undefined && include !== 'object')
      throw parameterProblem('UnknownFeedInclude', 'include', { text: include })
    const linkQuery = NAMES.flatMap((name) =>
      name === 'after' ? [] : (parameters[name] ?? []).map((value) => `${name}=${encode(value)}`),
    )
    return {
      classNames,
      resources: asked && new Map(asked.map((one) => [one.address, one])),
      isWhole: include !== undefined,
      after,
      limit: size === undefined ? pageSizes.standard : readCount('itemsPerPage', size, pageSizes.maximum),
      linkQuery: linkQuery.join('&'),
    }
  }
}

type FeedParameters = { [Name in (typeof NAMES)[number]]?: string[] }

function readPairs(query = ''): FeedParameters {
  const parameters: FeedParameters = {}
  for (const pair of query.split('&').filter(Boolean)) {
    const [asked, sent] = splitPair(pair)
    const name = NAMES.find((one) => one === asked)
    if (name === undefined) throw unknownParameter(asked, { known: NAMES, listed: NAMES })
    const values = parameters[name] ?? []
    parameters[name] = values
    values.push(decode(sent))
    if (values.length > 1 && !REPEATABLE.includes(name))
      throw parameterProblem('DuplicateParameter', name, {})
  }
  return parameters
}

/**
 * Checks only the shape: the response does not reveal whether the resource exists or existed (live.md, The feed). The
 * query is decoded already, so a percent-encoding in the text belongs to the address.
 */
function readAddress(text: string, base: string): AskedResource {
  const path = withUsualEncodings(text).startsWith(base) ? text.slice(base.length) : ''
  const [, first, last] = /^\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(path) ?? []
  if (first === undefined) throw parameterProblem('InvalidResourceAddress', 'resource', { text, base })
  // A "%" that encodes nothing stands for itself: decoding the query has turned the "%25" of the address into "%".
  const name = percentDecoded(first) ?? first
  const id = last && (percentDecoded(last) ?? last)
  return { address: base + pathTo(name) + (id === undefined ? '' : `/${id}`), name, id }
}
