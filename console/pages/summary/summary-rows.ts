import { hrefOf, shortName } from '../../shared/names.ts'
import { numberText } from '../../shared/numbers.ts'
import { queryOf } from '../../shared/queries.ts'
import { isObject, textOf, withUnit } from '../../shared/values.ts'
import { periodNumber, periodText } from './periods.ts'
import { type ChosenSummary, groupKey, type ShownFigure, type SummaryProperty } from './summary-query.ts'

/** A member of the collection of summaries, as the API sends it. */
export type SentSummary = Readonly<Record<string, unknown>>

/** One group, as it is drawn. The same figures stand in a table, so screen readers do not need the drawing. */
export interface ChartRow {
  readonly key: string
  readonly name: string
  readonly value: number | undefined
  readonly text: string
  /** The table of its members. */
  readonly href: string | undefined
  /** The number of a date's year, month or day. */
  readonly period: number | undefined
}

export interface FigureRow extends ChartRow {
  readonly count: number
  /** Without its unit. */
  readonly figureText: string
  /** As the API sends it, for programs. */
  readonly figure: unknown
}

interface RowOptions {
  /** The name of the collection. */
  readonly name: string
  readonly query: ChosenSummary
  readonly group: SummaryProperty
  readonly number: SummaryProperty | undefined
  /** The names of members, by address. */
  readonly names: ReadonlyMap<string, string>
  readonly locale?: string | undefined
}

export const NO_VALUE = 'No value'

export function rowsOf(summaries: readonly SentSummary[], options: RowOptions): readonly FigureRow[] {
  const { name, query, number, locale } = options
  return summaries.map((summary) => {
    const value = groupIn(summary, query)
    const count = Number(summary.count)
    const figures = summary[query.figure]
    const figure = isObject(figures) ? figures[query.of] : count
    const { members } = summary
    const text = figureText(figure, query.figure, number, locale)
    return {
      key: JSON.stringify(value),
      name: groupText(value, options),
      count,
      figure,
      value: figure === null || figure === undefined ? undefined : Number(figure),
      figureText: text,
      text: withUnit(text, number?.property),
      href:
        typeof members === 'string' ? hrefOf({ page: 'table', name, query: queryOf(members) }) : undefined,
      period: query.unit && periodNumber(String(value), query.unit),
    }
  })
}

export const groupIn = ({ group }: SentSummary, query: ChosenSummary): unknown =>
  isObject(group) ? (group[groupKey(query)] ?? undefined) : undefined

function groupText(value: unknown, { query, group, names, locale }: RowOptions): string {
  if (value === undefined) return NO_VALUE
  const text = String(value)
  if (query.unit) return periodText(text, query.unit, locale)
  if (group.kind === 'link') return names.get(text) ?? shortName(text)
  return textOf(value, group.kind, { locale, property: group.property }) || '“”'
}

/** Averages have up to ten digits after the point, of which people need two more than the values have. */
const MORE_DIGITS = 2

export function figureText(
  figure: unknown,
  name: ShownFigure,
  number: SummaryProperty | undefined,
  locale?: string,
): string {
  if (figure === null || figure === undefined) return ''
  const { scale = 0 } = number?.property.constraints ?? {}
  const digits = scale + MORE_DIGITS
  const isAverage = name === 'avg'
  const text = isAverage ? String(Number(Number(figure).toFixed(digits))) : String(figure)
  return numberText(text, false, { locale, property: { constraints: isAverage ? {} : { scale } } })
}
