// What people, and clients of other APIs, mean by names that do not exist.
import { nearest } from '../../text.ts'
import type { ParameterPurpose } from '../problems/query.ts'
import { isOperator } from './parameters.ts'
import type { Paths } from './path.ts'

/** What stands where an operator would: behind the last dot, or in the last brackets. */
export function operatorIn(name: string): string {
  const start = Math.max(name.lastIndexOf('.'), name.lastIndexOf('[')) + 1
  const end = name.indexOf(']', start)
  return name.slice(start, end < 0 ? name.length : end)
}

/** Operators of OData, SQL and others, some of which are as near to another one as to what they mean. */
const FULL_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ge: 'gte', le: 'lte', like: 'contains', ilike: 'contains', icontains: 'contains' }),
)

/** `eq` is never meant: it is as near to `neq` as `ne` is. */
export const nearestOperator = (sent: string, operators: readonly string[]): string | undefined =>
  nearest(
    FULL_NAMES.get(sent.toLowerCase()) ?? sent,
    operators.filter((one) => one !== 'eq'),
  )

/** Other APIs write `height asc` and `height:desc`. */
export function meantOrder(text: string): string | undefined {
  const [, property, direction = ''] = /^([^\s+:]+)[\s+:](asc|desc)$/i.exec(text) ?? []
  return property && `${direction.toLowerCase() === 'desc' ? '-' : ''}${property}`
}

const SIGNS: Readonly<Record<string, string>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', '!=': 'ne' }

/**
 * Other APIs write `filter[height]`, `name_like` and `name__icontains`. People write `height>=30`, whose name ends before
 * the `=`.
 */
export function certainlyMeant(name: string, known: readonly string[]): string | undefined {
  const [, wrapped] = /^(?:filters?|where)\[([^\]]*)\]$/.exec(name) ?? []
  const end = name.lastIndexOf('_')
  const operator = FULL_NAMES.get(name.slice(end + 1).toLowerCase())
  const underscored = `${name.slice(0, name[end - 1] === '_' ? end - 1 : end)}.${operator}`
  if (known.includes(underscored)) return underscored
  const [sign = ''] = /[<>!]=?/.exec(name) ?? []
  const at = name.indexOf(sign)
  const isCutOff = at + sign.length === name.length
  const meant = wrapped ?? `${name.slice(0, at)}.${SIGNS[isCutOff ? `${sign}=` : sign]}`
  return known.includes(meant) ? meant : undefined
}

/**
 * A path of several names, each of which is right or was nearly right. Each is compared with the names of its own class:
 * the rest of the path must not make it look like another one.
 */
export function meantPath(name: string, paths: Paths): string | undefined {
  const sent = name.split('.')
  const operator = sent.length > 1 && isOperator(sent.at(-1) ?? '') ? sent.splice(-1) : []
  if (sent.length === 1) return undefined
  for (let names = sent; ; ) {
    const path = paths.find(paths.start, names)
    if (!('problem' in path)) return [...names, ...operator].join('.')
    if (path.problem !== 'unknown') return undefined
    const index = path.place.rank.length
    const found = nearest(names[index] ?? '', paths.namesAt(path.place))
    if (found === undefined) return undefined
    names = names.with(index, found)
  }
}

/** Parameters of other APIs. */
export const PURPOSES: ReadonlyMap<string, ParameterPurpose> = new Map(
  Object.entries({
    pageSize: 'per_page perPage pageSize page_size size take _limit _per_page $top',
    offset: 'skip start _start $skip',
    page: 'cursor _page pageNumber page_number',
    order: 'order orderBy order_by orderby sortBy sort_by ordering _sort _order $orderby',
    search: 'search query text keyword _q $search',
    fields: 'field select only _fields $select',
    include: '_embed _expand embed expand populate $expand',
    filter: 'filter where $filter',
    deleted: 'deleted',
  } satisfies Record<ParameterPurpose, string>).flatMap(([purpose, names]) =>
    names.split(' ').map((name) => [name, purpose as ParameterPurpose] as const),
  ),
)
