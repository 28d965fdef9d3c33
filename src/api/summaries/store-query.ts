import type { FigurePath, SummarySelection, ValuePath, ValueStep } from '../../members/index.ts'
import type { Property } from '../../vocabulary/index.ts'
import type { Path } from '../query/path.ts'
import type { FiltersBeyond, StepClass } from '../query/restrict.ts'
import type { AskedFigure } from './paths.ts'
import type { ParsedSummary } from './read.ts'

/** asking.md, Summaries: "more than 10,000 groups: 400". */
export const MAX_SUMMARIES = 10_000

/** The groups and figures of a query, as a store takes them. */
export function toStoreQuery(
  { groups, figures }: Pick<ParsedSummary, 'groups' | 'figures'>,
  filtersBeyond: FiltersBeyond,
): Pick<SummarySelection, 'groups' | 'figures' | 'maxGroups'> {
  const byPath = [...Map.groupBy(figures, pathName).values()]
  return {
    groups: groups.map(({ path, unit }) => {
      const value = valuePath(path, filtersBeyond)
      return unit === undefined ? value : { ...value, unit: { of: temporalOf(path), name: unit } }
    }),
    figures: byPath.map((same): FigurePath => {
      const { path } = same[0] as AskedFigure
      const isAdded = same.some(({ name }) => name === 'sum' || name === 'avg')
      const extremes = same.some(({ name }) => name === 'min' || name === 'max')
      return {
        ...valuePath(path, filtersBeyond),
        ...(isAdded && { sum: additionOf(path.property) }),
        extremes,
      }
    }),
    maxGroups: MAX_SUMMARIES,
  }
}

/** The index of a figure among those of the store, which has one for each path. */
export function createIndexOf(figures: readonly AskedFigure[]): (figure: AskedFigure) => number {
  const names = [...new Set(figures.map(pathName))]
  return (figure) => names.indexOf(pathName(figure))
}

const pathName = ({ path }: AskedFigure): string => path.property.name

/** A many-valued embedded value is no step here: the property has the whole path. */
function valuePath({ steps, key }: Path, filtersBeyond: FiltersBeyond): ValuePath {
  return {
    steps: steps.flatMap(({ step }): ValueStep[] =>
      step.kind === 'embedded' ? [] : [{ ...step, filters: filtersBeyond(step) }],
    ),
    property: key as string,
  }
}

const temporalOf = ({ property: { range } }: Path): 'date' | 'dateTime' =>
  range.kind === 'datatype' && range.datatype === 'date' ? 'date' : 'dateTime'

function additionOf({ range }: Property): FigurePath['sum'] {
  const datatype = range.kind === 'datatype' ? range.datatype : undefined
  if (datatype === 'decimal') return 'decimal'
  return datatype === 'double' || datatype === 'float' ? 'double' : 'integer'
}

/** The classes that the groups and figures lead to. */
export const classesBeyond = ({
  groups,
  figures,
}: Pick<SummarySelection, 'groups' | 'figures'>): readonly StepClass[] =>
  [...groups, ...figures].flatMap(({ steps }) => steps)
