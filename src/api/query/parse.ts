import { BoundedMap } from '../../bounded-map.ts'
import type { Class, Model } from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { decode, splitPair } from './decoding.ts'
import { createExplain, type OfferedParameters } from './explain.ts'
import { GENERAL } from './filter-names.ts'
import {
  isFilter,
  isRepeatable,
  isText,
  OPERATORS,
  type Parameter,
  type ParsedParameter,
  type ParsedParameters,
} from './parameters.ts'
import { createPaths, type Path, type Paths } from './path.ts'
import { createResolve } from './resolve.ts'

/** How many names of parameters are cached, of all that paths could have. */
const MAX_CACHED = 256

/** How the queries of a collection are read. */
export interface Parser {
  readonly paths: Paths
  /** Rejects unknown parameters, and parameters that are sent twice unless they take several values. */
  read(query: string | undefined): ParsedParameters
  /** The filters of a query that `read` accepts, as they were sent. */
  filtersAsSent(query: string | undefined): string
  /** Finds what a name in `sort` stands for; rejects a name that members cannot be sorted by. */
  sortedBy(name: string): Path
}

/** For queries with other general parameters than those of a collection. */
interface OtherParameters extends OfferedParameters {
  /** Those that the parser reads. */
  readonly general: ReadonlyMap<string, Parameter>
}

export function createParser(cls: Class, model: Pick<Model, 'classes'>, other?: OtherParameters): Parser {
  const paths = createPaths(cls, model)
  const { parameter: find, order } = createResolve(paths, other?.general)
  const explain = createExplain(paths, other)
  const known = new BoundedMap<string, Parameter>(MAX_CACHED)

  const sorted = new BoundedMap<string, Path>(MAX_CACHED)

  const findParameter = (name: string, sent: string): Parameter =>
    known.getOrInsertComputed(name, () => {
      const found = find(name)
      if ('problem' in found) throw explain.parameter(name, found, decode(sent))
      return found
    })

  return {
    paths,
    sortedBy: (name) =>
      sorted.getOrInsertComputed(name, () => {
        const found = order(name)
        if ('problem' in found) throw explain.sort(name, found)
        return found.path
      }),
    filtersAsSent: (query = '') =>
      query
        .split('&')
        .filter((pair) => pair !== '' && isFilter(findParameter(...splitPair(pair))))
        .join('&'),
    read(query) {
      if (query === undefined || query === '') return []
      const parsed = new Map<string, ParsedParameter & { readonly values: string[] }>()
      for (const pair of query.split('&').filter(Boolean)) {
        const [name, sent] = splitPair(pair)
        const parameter = findParameter(name, sent)
        const value = decode(isText(parameter) ? sent.replaceAll('+', ' ') : sent)
        const before = parsed.get(parameter.name)
        if (before === undefined) parsed.set(parameter.name, { parameter, name, values: [value] })
        else if (isRepeatable(parameter)) before.values.push(value)
        else throw parameterProblem('DuplicateParameter', name, {})
      }
      if (parsed.size === 1) return [...parsed.values()]
      return [...parsed.values()]
        .map((one) => ({ one, key: sortKeyOf(one.parameter) }))
        .sort((a, b) => compareKeys(a.key, b.key))
        .map(({ one }) => one)
    },
  }
}

/** Compares part by part, numbers with numbers and texts with texts. */
function compareKeys(one: SortKey, other: SortKey): number {
  const index = one.findIndex((part, at) => part !== other[at])
  if (index < 0) return 0
  return (one[index] as number) < (other[index] as number) ? -1 : 1
}

type SortKey = readonly (number | string)[]

/** Filters, then groups of alternatives, then the general parameters; each property before the paths through it. */
function sortKeyOf(parameter: Parameter): SortKey {
  const { group = '', role } = parameter
  if (role === 'filter' || role === 'exists') {
    const operator = role === 'filter' ? parameter.operator : role
    return [
      group === '' ? 0 : 1,
      group,
      ...parameter.path.rank,
      OPERATORS.indexOf(operator) - OPERATORS.length,
    ]
  }
  if (group !== '') return [1, group, Number.POSITIVE_INFINITY]
  return [2, group, (GENERAL as readonly string[]).indexOf(role === 'order' ? 'sort' : role)]
}
