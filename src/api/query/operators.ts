import { datatypeOf } from '../../vocabulary/datatypes.ts'
import type { Property } from '../../vocabulary/model.ts'

/** hypermedia.md, Filters; `eq` is another spelling of `p=v`, for properties whose bare name means something else. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains'

const EQUAL: readonly Operator[] = ['eq', 'ne']
const COMPARED: readonly Operator[] = [...EQUAL, 'gt', 'gte', 'lt', 'lte']
const ALL: readonly Operator[] = [...COMPARED, 'startsWith', 'contains']

/** Those that fit the values of a property; none where it cannot be filtered. */
export function operatorsOf({ filterable, range }: Property): readonly Operator[] {
  if (!filterable || range.kind === 'embedded') return []
  if (range.kind === 'link') return EQUAL
  const { family } = datatypeOf(range.datatype)
  if (family === 'text') return ALL
  return family === 'boolean' ? EQUAL : COMPARED
}

export const isSortable = ({ filterable, many }: Property): boolean => filterable && !many

/** Why there is no filter on it, as the rest of a sentence; undefined where there is. */
export function whyUnfilterable({ filterable, range }: Property): string | undefined {
  if (filterable) return undefined
  if (range.kind === 'embedded') return 'cannot be filtered: it is an embedded value.'
  if (range.kind === 'datatype' && !datatypeOf(range.datatype).filterable)
    return `cannot be filtered: values of type ${range.datatype} are stored and returned only.`
  return 'cannot be filtered: the API file says so.'
}

export function whyUnsortable(property: Property): string | undefined {
  if (isSortable(property)) return undefined
  const reason = property.many ? 'it may have many values.' : 'it cannot be filtered either.'
  return `cannot be sorted by: ${reason}`
}
