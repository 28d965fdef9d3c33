import { BoundedMap } from '../../bounded-map.ts'
import type { Filter } from '../../members/index.ts'
import { type CollectionClass, type Property, pathTo } from '../../vocabulary/index.ts'
import { apiProblem } from '../problems/index.ts'
import { readFilter, readWords } from './filters.ts'
import type { ParsedParameter, ParsedParameters } from './parameters.ts'
import { filtersFor, type PathTest } from './tree.ts'
import { createReadValue, readBoolean, type ValueReaders } from './values.ts'

/** Limits the comparisons of one request, alternatives included. */
const MAX_FILTERS = 50

/** How many properties have their readers cached, by their paths, of which there may be many. */
const MAX_CACHED = 256

/** Reads filters, in the order of the API file; rejects a value that is not of the property's type. `starts`: as in `readWords`. */
export function createReadFilters(
  cls: CollectionClass,
  base: string,
  starts: readonly string[] = [],
): (parsed: ParsedParameters) => Filter[] {
  const links = { base, target: base + pathTo(cls.collection) }
  const readers = new BoundedMap<string, ValueReaders>(MAX_CACHED)
  const readersOf = (property: Property): ValueReaders =>
    readers.getOrInsertComputed(property.name, () => createReadValue(property, links))

  /** Undefined for a parameter that is no test of a path. */
  function readTest({ parameter, name, values }: ParsedParameter): PathTest | undefined {
    if (parameter.role === 'filter') {
      const filter = readFilter(parameter, { name, values }, readersOf(parameter.property))
      return { path: parameter.path, filter, isAbsent: false }
    }
    if (parameter.role !== 'exists') return undefined
    const { path } = parameter
    const exists = readBoolean(values[0] ?? '', name) as boolean
    const filter =
      path.key === undefined ? undefined : ({ property: path.key, test: 'exists', exists } as const)
    return { path, filter, isAbsent: !exists }
  }

  /** asking.md, Or: "each stands on its own, also where paths begin alike". */
  function readAlternatives({ parameter, name, values }: ParsedParameter): Filter[] {
    return values.flatMap((value) => {
      if (parameter.role === 'q') return { test: 'words', words: readWords(value, name, starts) } as const
      const test = readTest({ parameter, name, values: [value] })
      return test === undefined ? [] : filtersFor([test])
    })
  }

  return (parsed) => {
    const tests: PathTest[] = []
    const groups = new Map<string, Filter[]>()
    for (const one of parsed) {
      const { group } = one.parameter
      const test = group === undefined ? readTest(one) : undefined
      if (test !== undefined) tests.push(test)
      if (group === undefined) continue
      const alternatives = groups.get(group) ?? []
      alternatives.push(...readAlternatives(one))
      groups.set(group, alternatives)
    }
    const filters = [...filtersFor(tests), ...[...groups.values()].map(anyOf)]
    const count = countOf(filters)
    if (count > MAX_FILTERS) throw apiProblem('TooManyFilters', { count, max: MAX_FILTERS })
    return filters
  }
}

/** "A group of one is that filter." */
const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length === 1 ? (filters[0] as Filter) : { test: 'any', filters }

/** A step by itself is a filter, too: whether it leads anywhere. */
const countOf = (filters: readonly Filter[]): number =>
  filters.reduce((sum, one) => sum + ('filters' in one ? Math.max(1, countOf(one.filters)) : 1), 0)
