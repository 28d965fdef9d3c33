import { badRequest } from '../../errors.ts'
import { show, suggestion, withUsualEncodings } from '../../text.ts'
import { hasCollection, type Model, pathTo } from '../../vocabulary/index.ts'
import { decode, encode, splitPair } from '../query/encoding.ts'
import { type PageSizes, readCount } from '../query/paging.ts'

/** What a request asks the feed for. */
export interface FeedQuery {
  /** Whether it asks for changes of a member, by its class and its address. */
  readonly isWanted: (className: string, address: string) => boolean
  /** With the members themselves (`include=object`). */
  readonly isWhole: boolean
  /** The id of an event, not yet checked. */
  readonly after: string | undefined
  readonly limit: number
  /** The query without `after`, as the links of a page repeat it. */
  readonly linkQuery: string
}

const NAMES = ['collection', 'resource', 'include', 'after', 'itemsPerPage'] as const
const REPEATABLE: readonly string[] = ['collection', 'resource']

/** 400 for what is unknown or ill-shaped. */
export function createReadFeedQuery(model: Model, base: string, pageSizes: PageSizes) {
  const classNames = new Map(
    model.classes.filter(hasCollection).map(({ collection, name }) => [collection, name]),
  )

  function classOf(collection: string): string {
    const found = classNames.get(collection)
    if (found !== undefined) return found
    throw badRequest(
      `collection: there is none named ${show(collection)}; ${suggestion(collection, [...classNames.keys()])}`,
    )
  }

  return (query: string | undefined): FeedQuery => {
    const given = readPairs(query)
    const [include, after, size] = [given.include?.[0], given.after?.[0], given.itemsPerPage?.[0]]
    const classes = given.collection && new Set(given.collection.map(classOf))
    const addresses = given.resource && new Set(given.resource.map((text) => readAddress(text, base)))
    if (include !== undefined && include !== 'object')
      throw badRequest(`include: ${show(include)} cannot be included; object can.`)
    const linkQuery = NAMES.flatMap((name) =>
      name === 'after' ? [] : (given[name] ?? []).map((value) => `${name}=${encode(value)}`),
    )
    return {
      isWanted: (className, address) =>
        classes?.has(className) !== false && addresses?.has(address) !== false,
      isWhole: include !== undefined,
      after,
      limit: size === undefined ? pageSizes.standard : readCount('itemsPerPage', size, pageSizes.maximum),
      linkQuery: linkQuery.join('&'),
    }
  }
}

type Given = { [Name in (typeof NAMES)[number]]?: string[] }

function readPairs(query = ''): Given {
  const given: Given = {}
  for (const pair of query.split('&').filter(Boolean)) {
    const [asked, sent] = splitPair(pair)
    const name = NAMES.find((one) => one === asked)
    if (name === undefined)
      throw badRequest(`${show(asked)} is not a parameter here; ${suggestion(asked, NAMES)}`)
    const values = given[name] ?? []
    given[name] = values
    values.push(decode(sent))
    if (values.length > 1 && !REPEATABLE.includes(name))
      throw badRequest(`${name}: given twice; give it once.`)
  }
  return given
}

/** Only the shape is checked: whether there is or was such a resource is not revealed (live.md, The feed). */
function readAddress(text: string, base: string): string {
  const isBelow = withUsualEncodings(text).startsWith(base)
  const [, first, id] = /^\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(isBelow ? text.slice(base.length) : '') ?? []
  if (first === undefined)
    throw badRequest(
      `resource: ${show(text)} is not the address of a resource; give one such as ${base}/books/1.`,
    )
  return base + pathTo(decode(first)) + (id === undefined ? '' : `/${decode(id)}`)
}
