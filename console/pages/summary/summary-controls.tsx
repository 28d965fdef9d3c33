import { LabelledSelect } from '../../shared/controls/index.ts'
import { labelOf } from '../../shared/names.ts'
import type { Option } from '../../shared/values.ts'
import { type ChosenSummary, isDate, type ShownFigure, type SummaryProperty, UNITS } from './summary-query.ts'
import type { SummaryState } from './use-summary.ts'

const UNIT_WORDS: readonly Option[] = UNITS.map((unit) => [unit, `by ${unit}`])

export const FIGURE_WORDS: Readonly<Record<ShownFigure, string>> = {
  count: 'Count',
  sum: 'Sum',
  avg: 'Average',
  min: 'Least',
  max: 'Greatest',
}

const optionsOf = (properties: readonly SummaryProperty[]): readonly Option[] =>
  properties.map(({ path, property }) => [path, labelOf(property)])

export function SummaryControls({ summary, query }: { summary: SummaryState; query: ChosenSummary }) {
  const { options, ask } = summary
  const { groups, numbers } = options
  const change = (changes: Partial<ChosenSummary>) => ask({ order: undefined, ...changes })
  return (
    <form class="summary-controls card" aria-label="Summary" onSubmit={(event) => event.preventDefault()}>
      <LabelledSelect
        label="Group by"
        value={query.group}
        options={optionsOf(groups)}
        onChange={(group) => {
          const isDated = groups.some((one) => one.path === group && isDate(one))
          change({ group, unit: isDated ? (query.unit ?? 'month') : undefined })
        }}
      />
      {query.unit && (
        <LabelledSelect
          label="Dates"
          value={query.unit}
          options={UNIT_WORDS}
          onChange={(wanted) => change({ unit: UNITS.find((unit) => unit === wanted) })}
        />
      )}
      {numbers.length > 0 && (
        <LabelledSelect
          label="Figure"
          value={query.figure}
          options={Object.entries(FIGURE_WORDS)}
          onChange={(wanted) => {
            const figure = wanted as ShownFigure
            change({ figure, of: figure === 'count' ? '' : query.of || (numbers[0]?.path ?? '') })
          }}
        />
      )}
      {query.of !== '' && (
        <LabelledSelect
          label="Of"
          value={query.of}
          options={optionsOf(numbers)}
          onChange={(of) => change({ of })}
        />
      )}
    </form>
  )
}
