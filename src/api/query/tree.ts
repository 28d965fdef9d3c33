import { type Filter, type PropertyFilter, rangeOf, type Step } from '../../members/index.ts'
import { keyForm } from '../../vocabulary/index.ts'
import { joinRanges } from './filters.ts'
import type { Path, PathStep } from './path.ts'

/** The test that one parameter makes at the end of a path. */
export interface PathTest {
  readonly path: Path
  /** With the bounds that the query has. Undefined for a reverse link, for which only existence can be tested. */
  readonly filter: PropertyFilter | undefined
  /** Whether the test is that nothing is found there. */
  readonly isAbsent: boolean
}

/**
 * The filters for several tests. "Parameters that share the beginning of a path ask of the same linked member or embedded
 * value" (asking.md, Paths): each step becomes one filter, with all tests beyond it. `depth`: the steps that were taken.
 */
export function filtersFor(tests: readonly PathTest[], depth = 0): Filter[] {
  const beyond = Map.groupBy(tests, ({ path }) => nextStep(path, depth)?.text ?? `= ${path.property.name}`)
  return [...beyond.values()].flatMap((group): readonly Filter[] => {
    const next = nextStep((group[0] as PathTest).path, depth)
    if (next === undefined) return endFilters(group)
    // "Nothing is found at the end of the path", wherever its beginning leads.
    if (group.every(({ isAbsent }) => isAbsent)) return group.map((one) => absence(one, depth))
    return [some(next.step, filtersFor(group, depth + 1))]
  })
}

/** Undefined at the end, which for a reverse link is its own step. */
const nextStep = ({ steps, key }: Path, depth: number) =>
  key === undefined && depth === steps.length - 1 ? undefined : steps[depth]

/** A filter within an embedded value has the whole path, so it needs no step unless several ask of the same value. */
const some = (step: Step, filters: readonly Filter[]): Filter => {
  const [only, ...others] = filters
  return step.kind === 'embedded' && only !== undefined && others.length === 0
    ? only
    : { test: 'some', step, filters }
}

/** Several ranges of a property are one: if it has many values, one of them must lie between both bounds. */
function endFilters(tests: readonly PathTest[]): Filter[] {
  const ranges = tests.flatMap(({ filter }) => (filter?.test === 'range' ? filter : []))
  return tests.flatMap(({ path, filter, isAbsent }): Filter | [] => {
    if (filter === undefined) return existence(path, !isAbsent)
    if (filter.test !== 'range') return filter
    return filter === ranges[0]
      ? rangeOf(filter.property, ranges.reduce(joinRanges), keyForm(path.property))
      : []
  })
}

/** Whether a reverse link leads anywhere. */
const existence = ({ steps }: Path, exists: boolean): Filter => ({
  test: exists ? 'some' : 'none',
  step: (steps.at(-1) as PathStep).step,
  filters: [],
})

/** `exists[a.b]=false`, where no other test asks of the same `a`. */
function absence({ path: { steps, key }, filter }: PathTest, depth: number): Filter {
  // Keys within embedded values have whole paths.
  const links = steps.slice(depth).flatMap(({ step }) => (step.kind === 'embedded' ? [] : step))
  const found: Filter[] = key === undefined ? [] : [{ property: key, test: 'exists', exists: true }]
  const [first, ...rest] = links
  if (first === undefined) return filter as PropertyFilter
  const filters = rest.reduceRight<Filter[]>((inner, step) => [{ test: 'some', step, filters: inner }], found)
  return { test: 'none', step: first, filters }
}
