import type { Class, Model } from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { decode, splitPair } from './encoding.ts'
import { createExplain } from './explain.ts'
import { GENERAL, isRepeatable, isText, OPERATORS, type Parameter } from './parameters.ts'
import { createPaths, type Paths } from './path.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** A parameter of a query, with its values. */
export interface ParsedParameter {
  readonly parameter: Parameter
  /** The name as it was sent, for errors. */
  readonly name: string
  readonly values: readonly string[]
}

/** In the order of the API file, then alternatives by their groups; parameters that sort are in the order of the query. */
export type ParsedParameters = readonly ParsedParameter[]

/** How the queries of a collection are read. */
export interface Parser extends Pick<Resolve, 'order'> {
  readonly paths: Paths
  /** Explains names that `order` does not find. */
  readonly explain: ReturnType<typeof createExplain>
  /** Rejects unknown parameters, and parameters that are sent twice unless they take several values. */
  read(query: string | undefined): ParsedParameters
}

export function createParser(cls: Class, model: Pick<Model, 'classes'>): Parser {
  const paths = createPaths(cls, model)
  const { parameter: find, order } = createResolve(paths)
  const explain = createExplain(paths)
  return {
    ...{ paths, order, explain },
    read(query) {
      if (query === undefined || query === '') return []
      const parsed = new Map<string, ParsedParameter & { readonly values: string[] }>()
      for (const pair of query.split('&').filter(Boolean)) {
        const [name, sent] = splitPair(pair)
        const parameter = find(name)
        if ('problem' in parameter) throw explain.parameter(name, parameter)
        const value = decode(isText(parameter) ? sent.replaceAll('+', ' ') : sent)
        const before = parsed.get(parameter.name)
        if (before === undefined) parsed.set(parameter.name, { parameter, name, values: [value] })
        else if (isRepeatable(parameter)) before.values.push(value)
        else throw parameterProblem('DuplicateParameter', name, {})
      }
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
  return [2, group, GENERAL.indexOf(role === 'order' ? 'sort' : role)]
}
