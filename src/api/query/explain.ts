// Explains why a parameter is rejected, and which parameters there are.
import type { Problem, ProblemPlace } from '../../problem.ts'
import { datatypeOf, hasFilters, isSearched, type Property } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import type { UnfilterableReason, UnknownParameterValues } from '../problems/query.ts'
import { certainlyMeant, meantOrder, meantPath, nearestOperator, operatorIn, PURPOSES } from './meant.ts'
import { generalParameters, type Parameter, parametersAt, parametersOf } from './parameters.ts'
import { MAX_NAMES, type Path, type PathPlace, type Paths } from './path.ts'
import { GROUPED, type NameProblem } from './resolve.ts'
import { unsortable } from './sortable.ts'

/** Sentences list this many names. */
const MAX_LISTED = 20

export interface Explain {
  /** `name`, `value`: as they were sent. */
  parameter(name: string, problem: NameProblem, value?: string): Problem
  /** For one of the names in `sort`. */
  sort(name: string, problem: NameProblem): Problem
}

/** What suggestions name instead of the parameters of a collection. */
export interface OfferedParameters {
  /** The parameters that are not about one property. */
  readonly names: readonly string[]
  /** Something to sort by. */
  readonly sorted: string
}

export function createExplain(paths: Paths, other?: OfferedParameters): Explain {
  const { cls } = paths.start
  const ofCollection = generalParameters(cls)
  const generals: readonly NamedParameter[] =
    other?.names.map((name) => ({ name, role: name })) ?? ofCollection
  const isOffered = ({ role }: Parameter) => other === undefined || role !== 'order'
  const listAt = (place: PathPlace): NamedParameter[] => [
    ...parametersAt(place, paths).filter(isOffered),
    ...(place === paths.start ? generals : []),
  ]

  const sortedAt = (place: PathPlace): string[] =>
    parametersAt(place, paths).flatMap((one) => (one.role === 'order' ? one.property.name : []))

  const isSorted = (text: string): boolean => {
    const path = paths.find(paths.start, text.split('.'))
    return !('problem' in path) && unsortable(path) === undefined
  }

  /** What a query of another API sorts by, such as `-height,name`; otherwise anything that members can be sorted by. */
  function sortedBy(value: string): string | undefined {
    if (other !== undefined) return other.sorted
    const [first = ''] = value.split(',')
    const asked = (meantOrder(first) ?? first).replace(/^[-+]/, '')
    if (isSorted(asked)) return asked
    return sortedAt(paths.start)[0]
  }

  /** The problem of an unknown name, with the names that its class has. */
  function unknown(name: string, place: PathPlace, value = ''): Problem {
    const at = { parameter: shortened(name) }
    const isStart = place === paths.start
    const purpose = isStart ? PURPOSES.get(name) : undefined
    if (isStart && /^(?:or\[\w+\]\[q\]|q)$/.test(name))
      return apiProblem('NoSearchableText', { className: cls.name }, { at })
    const hasLinks = ofCollection.some((one) => one.name === 'include')
    if (isStart && name === 'include' && !hasLinks)
      return apiProblem('NoLinks', { className: cls.name }, { at })
    const spelled = createSpelling(name)
    const all = listAt(place)
    const known = all.flatMap((one) => spelled(one) ?? [])
    const listed = all.filter(isShort).flatMap((one) => spelled(one) ?? [])
    const meant = certainlyMeant(name, known) ?? meantPath(name, paths)
    const within = isStart ? undefined : { className: place.cls.name, path: place.text }
    const sorted = purpose === 'order' ? sortedBy(value) : undefined
    return unknownParameter(name, {
      ...{ known, listed: listed.slice(0, MAX_LISTED) },
      ...{ meant, purpose, sorted, within },
    })
  }

  function unknownOperator(name: string, path: Path): Problem {
    const at = { parameter: shortened(name) }
    const property = path.property.name
    if (path.key === undefined) return apiProblem('NotFilterable', { property, reason: 'reverse' }, { at })
    const spelled = createSpelling(name)
    const isOfProperty = (text: string) => name.startsWith('or[') || text.startsWith(property)
    const offered = parametersOf(path, paths).flatMap((one) => {
      const text = spelled(one)
      return text === undefined || !isOfProperty(text) ? [] : { text, operator: operatorOf(one) }
    })
    const operators = offered.map(({ text }) => text)
    // By the operators alone: the path is right, and must not make names look alike.
    const found = nearestOperator(
      operatorIn(name),
      offered.map(({ operator }) => operator),
    )
    const meant = offered.find(({ operator }) => operator === found)?.text
    return apiProblem('UnknownOperator', { property, operators, name, meant }, { at })
  }

  return {
    parameter(name, problem, value) {
      const at = { parameter: shortened(name) }
      const isOrder = name.startsWith('order[') && !paths.has(cls, 'order')
      switch (problem.problem) {
        case 'tooLong':
          return apiProblem('PathTooLong', { max: MAX_NAMES }, { at })
        case 'group':
          return apiProblem('InvalidGroup', {}, { at })
        case 'unfilterable':
          return isOrder ? notSortable(problem, at) : notFilterable(problem.property, at)
        case 'unsortable':
          return notSortable(problem, at)
        case 'operator':
        case 'datatype':
          return isOrder ? unknown(name, paths.start) : unknownOperator(name, problem.path)
        case 'unknown':
          return unknown(name, problem.place, value)
      }
    },
    sort(name, problem) {
      const at = { parameter: 'sort' }
      if (problem.problem === 'unsortable' || problem.problem === 'unfilterable')
        return notSortable(problem, at)
      if (problem.problem === 'tooLong') return apiProblem('PathTooLong', { max: MAX_NAMES }, { at })
      const known = sortedAt(problem.problem === 'unknown' ? problem.place : paths.start)
      return apiProblem('UnknownSortProperty', { name, known, meant: meantOrder(name) }, { at })
    },
  }
}

export function unknownParameter(name: string, values: Omit<UnknownParameterValues, 'name'>): Problem {
  if (name === '') return apiProblem('UnnamedParameter', values)
  return parameterProblem('UnknownParameter', shortened(name), { ...values, name })
}

/** Cut to the length of the names that `show` quotes. */
const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name)

type NamedParameter = Parameter | { readonly name: string; readonly role: string }

/** Whether it is a general parameter, or the bare name or path of a property. */
const isShort = (parameter: NamedParameter): boolean =>
  !('property' in parameter) || parameter.name === parameter.property.name

/** Spells parameters as a query does: in a group, with operators in brackets, or behind a dot. */
function createSpelling(name: string): (parameter: NamedParameter) => string | undefined {
  const [, group] = GROUPED.exec(name) ?? []
  if (group !== undefined)
    return ({ name: one, role }) =>
      role === 'filter' || role === 'exists' || role === 'q' ? `or[${group}][${one}]` : undefined
  return name.includes('[') ? bracketedName : (parameter) => parameter.name
}

/** As API Platform spells operators, and Hydrant did before: `p[gte]`, `exists[p]`. */
function bracketedName(parameter: NamedParameter): string {
  if (isShort(parameter) || !('property' in parameter)) return parameter.name
  const { property, role } = parameter
  return role === 'filter' ? `${property.name}[${parameter.operator}]` : `${role}[${property.name}]`
}

const operatorOf = (parameter: Parameter): string =>
  parameter.role === 'filter' ? parameter.operator : parameter.role

function notSortable(
  problem: Extract<NameProblem, { problem: 'unsortable' | 'unfilterable' }>,
  at: ProblemPlace,
): Problem {
  const found = problem.problem === 'unsortable' ? unsortable(problem.path) : undefined
  if (found !== undefined) return apiProblem('NotSortable', found, { at })
  const { property } = problem.problem === 'unsortable' ? problem.path : problem
  return apiProblem('NotSortable', { property: property.name, reason: 'unfilterable' }, { at })
}

function notFilterable(property: Property, at: ProblemPlace): Problem {
  const { name, range } = property
  const because = (reason: UnfilterableReason) =>
    apiProblem('NotFilterable', { property: name, reason }, { at })
  if (range.kind === 'embedded') return because('embedded')
  if (hasFilters(property)) return because('beyondLimit')
  if (isSearched(property)) return because('textByLanguage')
  if (range.kind === 'link' || datatypeOf(range.datatype).filterable) return because('apiFile')
  const { datatype } = range
  return apiProblem('NotFilterable', { property: name, reason: 'datatype', datatype }, { at })
}
